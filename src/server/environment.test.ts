import { expect, test } from 'vitest';
import { paneEnvironment } from './environment.ts';

const pane = {
  session: 's',
  workspace: 3,
  terminal: 7,
  token: 'tok',
  bin: '/run/s/bin',
  herdDir: undefined,
  sshAgent: '/run/s/ssh-agent',
  version: '1.0.0',
};

test('is the client’s, cleaned, with herd’s own marks', () => {
  const env = paneEnvironment(
    {
      HOME: '/h',
      LANG: 'C.UTF-8',
      SECRET: 'mine',
      TMUX: 'x',
      STY: 'x',
      ZELLIJ_SESSION_NAME: 'x',
      npm_config_cache: 'x',
      NODE_OPTIONS: '--inspect',
      HERD_TOKEN: 'another',
      HERD_WORKSPACE: '99',
      TERM: 'dumb',
      KITTY_WINDOW_ID: '1',
      SSH_AUTH_SOCK: '/tmp/agent',
      PATH: '/p/node_modules/.bin:/usr/bin:/run/s/bin',
    },
    '/w',
    pane,
  );
  expect(env).toEqual({
    HOME: '/h',
    LANG: 'C.UTF-8',
    SECRET: 'mine',
    SSH_AUTH_SOCK: '/run/s/ssh-agent',
    PATH: '/run/s/bin:/usr/bin',
    PWD: '/w',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'herd',
    TERM_PROGRAM_VERSION: '1.0.0',
    HERD_SESSION: 's',
    HERD_WORKSPACE: '3',
    HERD_TERMINAL: '7',
    HERD_TOKEN: 'tok',
    HERD_BIN: '/run/s/bin/herd',
  });
});

test('no agent socket unless the client has one, HERD_DIR when the session has one', () => {
  const env = paneEnvironment({ A: '1' }, '/w', { ...pane, herdDir: '/d' });
  expect([env.SSH_AUTH_SOCK, env.HERD_DIR, env.PATH]).toEqual([undefined, '/d', '/run/s/bin:/usr/local/bin:/usr/bin:/bin']);
});

test.each([
  ['a name with =', { 'A=B': 'x' }],
  ['a name with NUL', { 'A\0B': 'x' }],
  ['a value with NUL', { N: 'a\0b' }],
])('drops what no process can be given: %s', (_what, given) => {
  expect(paneEnvironment({ ...given, KEPT: 'k' }, '/w', pane)).toEqual(paneEnvironment({ KEPT: 'k' }, '/w', pane));
});
