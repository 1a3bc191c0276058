// The environment a pane's program gets: that of the client that asked for it, never the server's own, cleaned of what would lie about
// the terminal or leak from the way herd was started. Pure.

/** Names that belong to another terminal, another multiplexer, a package manager's run, or to herd. */
const DROPPED =
  /^(TMUX|TMUX_.*|STY|WINDOW|ZELLIJ|ZELLIJ_.*|npm_.*|INIT_CWD|NODE_OPTIONS|NODE_CHANNEL_.*|NODE_UNIQUE_ID|HERD_.*|TERM|TERM_PROGRAM.*|COLORTERM|COLORFGBG|TERMINFO|TERMINFO_DIRS|TERMCAP|LINES|COLUMNS|KITTY_.*|GHOSTTY_.*|WEZTERM_.*|ITERM_.*|LC_TERMINAL.*|ALACRITTY_.*|KONSOLE_.*|VTE_VERSION|WT_SESSION|WT_PROFILE_ID|TERM_SESSION_ID|VSCODE_.*|SHELL_SESSION_ID|OLDPWD|_)$/;

export interface PaneIdentity {
  session: string;
  workspace: number;
  terminal: number;
  /** By which programs in the pane may report about this pane, and nothing else. */
  token: string;
  /** Folder whose `herd` is this program. */
  bin: string;
  /** HERD_DIR of the session, where it has one. */
  herdDir: string | undefined;
  /** Link to the agent socket of the client that attached last. */
  sshAgent: string;
  version: string;
}

/** `env` is the requesting client's; `cwd` where the program starts. */
export function paneEnvironment(env: Record<string, string>, cwd: string, pane: PaneIdentity): Record<string, string> {
  const clean = cleanEnvironment(env);
  return {
    ...clean,
    ...(clean.SSH_AUTH_SOCK ? { SSH_AUTH_SOCK: pane.sshAgent } : {}),
    PATH: panePath(clean.PATH, pane.bin),
    PWD: cwd,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'herd',
    TERM_PROGRAM_VERSION: pane.version,
    HERD_SESSION: pane.session,
    HERD_WORKSPACE: String(pane.workspace),
    HERD_TERMINAL: String(pane.terminal),
    HERD_TOKEN: pane.token,
    // For shells that set a PATH of their own, as login shells do.
    HERD_BIN: `${pane.bin}/herd`,
    ...(pane.herdDir ? { HERD_DIR: pane.herdDir } : {}),
  };
}

/** Without what belongs to another terminal or to herd. */
export function cleanEnvironment(env: Record<string, string>): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (DROPPED.test(name) || name.includes('=') || name.includes('\0') || value.includes('\0')) continue;
    clean[name] = value;
  }
  return clean;
}

/** herd's own folder first; without the folders that `npm run` puts in front, and without another session's own. */
function panePath(path: string | undefined, bin: string): string {
  const folders = (path || '/usr/local/bin:/usr/bin:/bin').split(':');
  const kept = folders.filter((folder) => folder !== bin && !/node_modules\/\.bin\/?$/.test(folder) && !/node-gyp-bin\/?$/.test(folder));
  return [bin, ...kept].join(':');
}
