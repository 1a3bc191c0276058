// The config reference (docs/config.md), made from the table of settings, so that it cannot differ from what herd reads.
// `node src/config/reference.ts > docs/config.md` writes it anew.
import { REPOSITORY_SETTINGS } from './repository-settings.ts';
import { SETTINGS, type Setting, type SettingKey } from './settings.ts';

const INTRO = `# config.toml

herd reads \`$XDG_CONFIG_HOME/herd/config.toml\` (\`~/.config/herd/config.toml\`; \`$HERD_DIR/config.toml\` where \`HERD_DIR\` is set). Every setting
has a default; a setting that is wrong keeps its default, and herd says which file, line and key. \`herd config check\` shows all faults.
`;

const KEYS = `
## Own keys

\`\`\`toml
[ui]
prefix = "ctrl+a"

[keys]
"ctrl+b x" = "pane.close"        # a key after the prefix, whatever the prefix is

[keys.prefix]
"workspace.next" = ["j", "down"] # all keys of a command after the prefix
"pane.zoom" = false              # no key

[keys.diff]
"diff.down" = "J"
\`\`\`

Places are \`prefix\`, \`diff\`, \`list\`, \`picker\`, \`dialog\`, \`editor\` and \`copy\`. A key is a character (\`J\`, \`?\`), a name (\`enter\`, \`escape\`, \`tab\`, \`space\`,
\`left\`, \`pageup\`, \`f5\`) or one of these behind \`ctrl+\`, \`alt+\`, \`shift+\` or \`super+\`. Your key displaces the default on it. Over a terminal only the
prefix is herd's: nothing you type there is ever taken from the program. The help (prefix \`?\`) shows the keys as they are.
`;

const REPOSITORY = `
## .herd.toml, in a repository

What herd does in new worktrees of a repository stands in a file \`.herd.toml\` at its root:

\`\`\`toml
[worktree]
copy = [".env", "config/*.local.json"]
setup = ["npm ci"]
\`\`\`

`;

const CONSENT = `
Nothing is overwritten and nothing outside the two worktrees is touched. The commands run by \`/bin/sh\` in the new worktree, with the environment of
the client that asked and \`HERD_REPOSITORY\`, the main worktree's path. They run only once you have seen and allowed them: \`herd new\` asks on a
terminal, the dialog for a new workspace on the screen, \`herd config allow\` at any time. Consent holds for the file as it stands, and is asked for again when it changes.
`;

/** The whole reference, Markdown. */
export function configReference(): string {
  const groups = Map.groupBy(Object.entries(SETTINGS) as [SettingKey, Setting][], ([key]) => (key.includes('.') ? key.split('.')[0]! : ''));
  const tables = [...groups].map(([group, rows]) => groupTable(group, rows));
  return `${[INTRO, ...tables].join('\n')}${KEYS}${REPOSITORY}${table(Object.entries(REPOSITORY_SETTINGS))}${CONSENT}`;
}

function groupTable(group: string, rows: [SettingKey, Setting][]): string {
  return `${group === '' ? '' : `## [${group}]\n\n`}${table(rows)}`;
}

function table(rows: readonly (readonly [string, Setting])[]): string {
  const lines = rows.map(
    ([key, { kind, unless, doc }]) => `| \`${key}\` | ${kindText(kind)} | ${defaultText(unless)} | ${doc.replaceAll('|', '\\|')} |`,
  );
  return `| key | value | default | |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}

function kindText(kind: Setting['kind']): string {
  if (kind === 'boolean') return 'true or false';
  if (kind === 'strings') return 'list of strings';
  if (kind === 'map') return 'table';
  if (typeof kind === 'string') return kind;
  return 'oneOf' in kind ? kind.oneOf.map((value) => `\`"${value}"\``).join(', ') : `${kind.from} to ${kind.to}`;
}

function defaultText(value: unknown): string {
  const empty = value === '' || (typeof value === 'object' && Object.keys(value as object).length === 0);
  return empty ? '' : `\`${JSON.stringify(value)}\``;
}

if (import.meta.main) process.stdout.write(configReference());
