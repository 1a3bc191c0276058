// When what is being handled now is done, before anything else is read. Without the asynchronous resource that Node makes for each call of
// its `queueMicrotask`: this runs at every key, twice in the client and once in the server.

const NOW = Promise.resolve();

/** Runs `run` as a microtask. What it throws is an unhandled rejection. */
export function soon(run: () => void): void {
  void NOW.then(run);
}
