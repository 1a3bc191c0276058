import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFolder } from '../../test/support/own-folder.ts';
import { securePrivateDir, sessionPaths } from './paths.ts';

test.each([
  [{ HERD_DIR: '/x' }, 'm', '/x/m/herd.sock', '/x/state/m', '/x/config.toml'],
  [
    { HOME: '/h', XDG_RUNTIME_DIR: '/run/user/7' },
    'default',
    '/run/user/7/herd/default/herd.sock',
    '/h/.local/state/herd/default',
    '/h/.config/herd/config.toml',
  ],
  [{ HOME: '/h' }, 'a', '/h/.local/state/herd/run/a/herd.sock', '/h/.local/state/herd/a', '/h/.config/herd/config.toml'],
])('%o session %s', (env, session, socket, state, config) => {
  const paths = sessionPaths(session, env);
  expect([paths.socket, paths.state, paths.config]).toEqual([socket, state, config]);
});

test.each(['', '..', '.x', 'a/b', 'a b', 'x'.repeat(33)])('refuses the name %j', (name) => {
  expect(() => sessionPaths(name, { HERD_DIR: '/x' })).toThrow(/cannot be a session/);
});

test('names the limit when the socket path is too long', () => {
  expect(() => sessionPaths('m', { HERD_DIR: `/${'x'.repeat(120)}` })).toThrow(/too long/);
});

test('says what is in the way where no folder can be made', () => {
  const file = join(ownFolder(), 'file');
  writeFileSync(file, '');
  expect(() => securePrivateDir(file)).toThrow(/a file stands in the way/);
  expect(() => securePrivateDir(join(file, 'below'))).toThrow(/a file stands in the way/);
});

test('makes a private folder, and refuses links and open ones', () => {
  const dir = ownFolder();
  const made = join(dir, 'a', 'b');
  securePrivateDir(made);
  expect(statSync(made).mode & 0o777).toBe(0o700);
  mkdirSync(join(dir, 'open'));
  chmodSync(join(dir, 'open'), 0o755);
  expect(() => securePrivateDir(join(dir, 'open'))).toThrow(/entered by others/);
  symlinkSync(made, join(dir, 'link'));
  expect(() => securePrivateDir(join(dir, 'link'))).toThrow(/symbolic link/);
  expect(() => securePrivateDir(made, 12345678)).toThrow(/another user/);
});
