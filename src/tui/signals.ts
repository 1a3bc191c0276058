// The signals a drawing client answers to. They end it, stop it or wake it; never the session.

/** Exit codes as shells give them: 128 and the signal's number. */
const ENDING: [NodeJS.Signals, number][] = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
];

export interface SignalHandlers {
  /** `gone`: the terminal is no longer there to be written to. */
  end(code: number, gone: boolean): void;
  stop(): void;
  wake(): void;
}

/** Listens from now on; returns what takes the handlers back. */
export function catchSignals({ end, stop, wake }: SignalHandlers): () => void {
  const handlers: [NodeJS.Signals, () => void][] = [
    ...ENDING.map(([signal, code]): [NodeJS.Signals, () => void] => [signal, () => end(code, signal === 'SIGHUP')]),
    ['SIGTSTP', stop],
    ['SIGCONT', wake],
  ];
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
