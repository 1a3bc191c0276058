// Help from the verb table: of one verb, of a family, of all.
import { columns } from './output.ts';
import { GLOBAL_OPTIONS, type Option } from './parse.ts';
import type { Verb } from './verb.ts';
import { FAMILIES, VERBS } from './verbs.ts';

/** All verbs with one line each. */
export function helpAll(version: string): string {
  const shown = (verbs: Record<string, Verb>) =>
    Object.entries(verbs)
      .filter(([, verb]) => !verb.hidden)
      .map(([name, verb]) => [`  herd ${name || '[PATH]'}`, verb.summary]);
  // All in one, so that the summaries of every family stand below each other.
  const rows = columns(FAMILIES.flatMap(([, verbs]) => shown(verbs))).split('\n');
  const families = FAMILIES.flatMap(([title, verbs]) => ['', title, ...rows.splice(0, shown(verbs).length)]);
  return [
    `herd ${version} - supervise coding agents: one workspace per git worktree`,
    ...families,
    '',
    'WS is a workspace’s name, branch, id or a path in it. Where it is optional, it is the pane’s own, else the one this folder is in.',
    'Every verb takes --json, --session NAME and --help.',
  ].join('\n');
}

/** One verb, or all whose name begins with `name `. Null when there is none. */
export function helpVerb(name: string): string | null {
  const verb = VERBS[name];
  const family = Object.keys(VERBS).filter((other) => other.startsWith(`${name} `) && name !== '');
  if (family.length > 0 && (!verb || verb.hidden)) {
    return columns(family.flatMap((key) => VERBS[key]!.usage.map((usage, i) => [`herd ${usage}`, i === 0 ? VERBS[key]!.summary : ''])));
  }
  if (!verb) return null;
  return [...verb.usage.map((usage) => `herd ${usage}`), '', verb.summary, '', optionRows({ ...verb.options, ...GLOBAL_OPTIONS })].join(
    '\n',
  );
}

function optionRows(options: Record<string, Option>): string {
  return columns(
    Object.entries(options).map(([key, o]) => [`  ${o.short ? `-${o.short}, ` : ''}--${key}${o.value ? ` ${o.value}` : ''}`, o.doc]),
  );
}
