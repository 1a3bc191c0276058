// Every setting of config.toml: its key, what it may be, what it is unless set, one sentence for the reference. Data only.

export type SettingKind = 'string' | 'boolean' | 'strings' | 'map' | { oneOf: readonly string[] } | { from: number; to: number };

export interface Setting {
  kind: SettingKind;
  /** What holds unless set. */
  unless: unknown;
  doc: string;
}

export const SETTINGS = {
  'ui.prefix': { kind: 'string', unless: 'ctrl+b', doc: 'Key that starts a herd command; pressed twice it goes to the pane.' },
  'ui.theme': {
    kind: { oneOf: ['auto', 'dark', 'light'] },
    unless: 'auto',
    doc: 'Colours of the chrome; auto follows the outer terminal.',
  },
  'ui.mouse': { kind: 'boolean', unless: true, doc: 'Whether herd asks the outer terminal for the mouse.' },
  keys: {
    kind: 'map',
    unless: {},
    doc: 'Own keys: a key after the prefix, "ctrl+b x" = "pane.close", or by place, [keys.diff] with "diff.down" = ["J"]; false takes a key away.',
  },
  'agents.default': { kind: 'string', unless: '', doc: 'Kind that `herd new` starts; empty: the first one that is installed.' },
  'agents.stalled_minutes': { kind: { from: 1, to: 1440 }, unless: 8, doc: 'Working without any sign of life for this long is stalled.' },
  'agents.kinds': { kind: 'map', unless: {}, doc: 'Own kinds, or changes to those that come with herd; one table per kind.' },
  'worktrees.folder': { kind: 'string', unless: '', doc: 'Folder for new worktrees; empty: beside the repository.' },
  'worktrees.branch_prefix': { kind: 'string', unless: '', doc: 'Put before the branch names that herd makes.' },
  'terminal.scrollback': {
    kind: { from: 100, to: 10_000 },
    unless: 300,
    doc: 'Lines kept in memory per terminal above its screen; older ones go to disk and are read from there.',
  },
  'terminal.history_mb': { kind: { from: 1, to: 10_000 }, unless: 256, doc: 'Disk space for the older lines of a session, MiB.' },
  'notifications.terminal': { kind: 'boolean', unless: true, doc: 'Tell the outer terminal when an agent needs you.' },
  'notifications.desktop': { kind: 'boolean', unless: false, doc: 'Tell the desktop of the machine that runs the server.' },
  'notifications.sound': { kind: 'boolean', unless: false, doc: 'Ring the bell too.' },
  'notifications.command': { kind: 'strings', unless: [], doc: 'Program and arguments to run; gets HERD_TITLE and HERD_BODY.' },
  'review.template': { kind: 'string', unless: '', doc: 'Text above the comments of a review prompt.' },
} as const satisfies Record<string, Setting>;

export type SettingKey = keyof typeof SETTINGS;
type ValueOf<S extends Setting> = S['kind'] extends 'string'
  ? string
  : S['kind'] extends 'boolean'
    ? boolean
    : S['kind'] extends 'strings'
      ? string[]
      : S['kind'] extends 'map'
        ? Record<string, unknown>
        : S['kind'] extends { oneOf: readonly string[] }
          ? string
          : number;

/** All settings by their dotted key. */
export type Config = { [K in SettingKey]: ValueOf<(typeof SETTINGS)[K]> };
