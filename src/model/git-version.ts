// Which git herd works with.

/** With GIT_CONFIG_COUNT, which all hardening rests on. */
export const OLDEST_GIT = '2.31';

/** The version in what `git --version` prints; '' when there is none. */
export function gitVersion(printed: string): string {
  return /\d+\.\d+(?:\.\d+)?/.exec(printed)?.[0] ?? '';
}

/** `version`: as by `gitVersion`. */
export function isTooOld(version: string): boolean {
  const [oldest, own] = [OLDEST_GIT, version].map((text) => text.split('.').map(Number));
  return own![0]! < oldest![0]! || (own![0] === oldest![0] && (own![1] ?? 0) < oldest![1]!);
}
