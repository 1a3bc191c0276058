// The environment and the settings every git process of ours gets. Nothing a repository's config names may run when herd merely looks.

/** GIT_* variables a person may set on purpose and that redirect nothing; all others are dropped (GIT_DIR, GIT_INDEX_FILE, GIT_TRACE, …). */
const KEPT = /^GIT_(CONFIG_GLOBAL|CONFIG_SYSTEM|CONFIG_NOSYSTEM|EXEC_PATH|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE))$/;

/** Settings that switch off every program a repository's config can name for a looking command (see also programOverrides). */
export const HARD_SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['core.alternateRefsCommand', ''],
  ['core.quotePath', 'false'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['gpg.program', 'false'],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['diff.srcPrefix', 'a/'],
  ['diff.dstPrefix', 'b/'],
  ['diff.orderFile', '/dev/null'],
  ['diff.suppressBlankEmpty', 'false'],
  ['diff.interHunkContext', '0'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['color.ui', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

/** The caller's environment without anything that redirects git, never asking on a terminal, taking no lock it can do without, in English. */
export function cleanEnvironment(from: Record<string, string | undefined>): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(from)) {
    if (value === undefined || (key.startsWith('GIT_') && !KEPT.test(key))) continue;
    env[key] = value;
  }
  return { ...env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', LANGUAGE: 'C', GIT_PAGER: 'cat' };
}

/** Settings as environment variables (git 2.31): they win over every file, reach git's own children, and know no length limit of an argument. */
export function settingsAsEnvironment(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  settings.forEach(([key, value], i) => {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return env;
}

/**
 * How a missing object may be fetched while herd looks (git fetches those of a partial clone by itself): whatever else an address may be, or a
 * helper a repository names, is a program that it chooses (`remote.x.uploadpack`, `remote.x.vcs`, `ext::`). Wins over every `protocol.*` setting.
 */
export const ALLOWED_PROTOCOLS = 'http:https';

/** As git merges texts where no driver is named; a driver of the repository's own is a program. */
const OWN_MERGE = 'git merge-file --quiet --marker-size=%L %A %O %B';

/**
 * Overrides for the programs that have names of their own, from the settings git config listed: `filter.x.clean` → clean, smudge, process empty
 * and not required; `merge.x.driver` → git's own merge.
 */
export function programOverrides(names: readonly string[]): [string, string][] {
  const named = (pattern: RegExp) => [...new Set(names.flatMap((name) => pattern.exec(name)?.[1] ?? []))];
  const filters = named(/^filter\.(.*)\.[^.]+$/s).flatMap((d): [string, string][] => [
    [`filter.${d}.clean`, ''],
    [`filter.${d}.smudge`, ''],
    [`filter.${d}.process`, ''],
    [`filter.${d}.required`, 'false'],
  ]);
  return [...filters, ...named(/^merge\.(.*)\.driver$/s).map((d): [string, string] => [`merge.${d}.driver`, OWN_MERGE])];
}
