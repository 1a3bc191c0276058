// How V8 is set for a program whose every key is waited for, in place of its own measures for pages and batch work.

/** Versions of Node whose V8 knows the flags: another might not, and a flag that is not known is an error. */
const TRIED = ['22', '23', '24', '25', '26'];

const isTried = TRIED.includes(process.versions.node.split('.')[0]!);

/**
 * Arguments of node for a server. Its young objects get 16 MB instead of 1: two hundred agents filled that 27 times a second, and collecting
 * it cost a third of the server's time. With 8 MB more of what a screen has for a second or two outlived a collection, and the old objects
 * were gone through twice as often: a tenth of all CPU.
 */
export const SERVER_ARGUMENTS: readonly string[] = isTried ? ['--min-semi-space-size=16'] : [];

/** In calls of a function. */
const EARLY = [
  // The quick compilation after 30 instead of 400: a person's first lines would be slow code. A quarter less from key to screen.
  '--invocation-count-for-maglev=30',
  '--minimum-invocations-after-ic-update=30',
  // What was compiled stays through pauses.
  '--no-flush-bytecode',
];
// The thorough one after 1,000 instead of 3,000: most functions are called once a key. Much sooner it would take its time from a person's first
// lines, and with more inlined than V8 does by itself floods took up to a third more.
const THOROUGH = ['--invocation-count-for-turbofan=1000'];

/** Has V8 optimize the way of a key from the tty through server and holder and back, which is called too seldom for its own measures. */
export function optimizeEarly(): void {
  set(EARLY);
}

/** For who lives as long as the session: in a client lines of the diff cost more, and keys were no faster for it. */
export function optimizeThoroughly(): void {
  set(THOROUGH);
}

/** For a thread whose regular expressions are long and used for many lines: V8 would compile each twice, first for its interpreter. */
export function compileRegExpsAtOnce(): void {
  set(['--no-regexp-tier-up']);
}

function set(flags: readonly string[]): void {
  if (!isTried) return;
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
}
