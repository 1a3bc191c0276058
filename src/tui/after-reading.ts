// When silence is silence: a process that was kept from running finds its timers due before it has read what came meanwhile.

/** Calls `run` once after `ms`, behind whatever there is to be read by then; returns what takes it back. */
export function afterReading(ms: number, run: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(run);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
