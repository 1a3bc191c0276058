// `.herd.toml`: files come along into new worktrees, commands run only when their very content was agreed to.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';
import { eventually } from '../support/held-session.ts';
import { Outer } from '../support/outer.ts';
import { makeRepository } from '../support/repository.ts';

const MAIN = join(import.meta.dirname, '../../dist/main.js');

const SETTINGS = `[worktree]
copy = [".env", "config/*.local.json", "../outside", "link/*"]
setup = ["echo ran-in-$(pwd) > made-by-setup; echo $HERD_REPOSITORY >> made-by-setup"]
`;

test('untracked files come along; commands run once they were allowed, and not after they changed', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  const { dir } = repository;
  writeFileSync(join(dir, '.herd.toml'), SETTINGS);
  writeFileSync(join(dir, '.gitignore'), '.env\nconfig\nlink\n');
  repository.git('add', '-A');
  repository.git('commit', '-qm', 'settings');
  writeFileSync(join(dir, '.env'), 'KEY=1\n');
  mkdirSync(join(dir, 'config'));
  writeFileSync(join(dir, 'config/a.local.json'), '{}');
  mkdirSync(join(herd.dir, 'elsewhere'));
  writeFileSync(join(herd.dir, 'elsewhere/secret'), 'x');
  symlinkSync(join(herd.dir, 'elsewhere'), join(dir, 'link'));

  const make = async (name: string) => {
    const ran = await herd.run(['new', name, '--no-agent', '--json'], { cwd: dir });
    expect(ran.code, ran.stderr).toBe(0);
    return { path: (JSON.parse(ran.stdout) as { path: string }).path, notes: ran.stderr };
  };
  const first = await make('first');
  expect(readFileSync(join(first.path, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(existsSync(join(first.path, 'config/a.local.json'))).toBe(true);
  expect(existsSync(join(first.path, 'link'))).toBe(false);
  expect(first.notes).toMatch(/only name files below the repository, not \.\.\/outside/);
  expect(first.notes).toMatch(/nothing was run\. To see and allow: herd config allow/);
  expect(existsSync(join(first.path, 'made-by-setup'))).toBe(false);

  // Nobody is there to be asked.
  expect((await herd.run(['config', 'allow'], { cwd: dir })).code).toBe(1);
  expect(await herd.ok(['config', 'allow', '--yes'], { cwd: dir })).toMatch(/echo ran-in/);
  const second = await make('second');
  expect(readFileSync(join(second.path, 'made-by-setup'), 'utf8')).toBe(`ran-in-${second.path}\n${dir}\n`);

  writeFileSync(join(dir, '.herd.toml'), SETTINGS.replace('echo ran-in', 'exit 3; echo ran-in'));
  repository.git('commit', '-qam', 'changed');
  const third = await make('third');
  expect(third.notes).toMatch(/nothing was run/);
  await herd.ok(['config', 'allow', '--yes'], { cwd: dir });
  expect((await make('fourth')).notes).toMatch(/Setting up failed at `exit 3;.*exit code 3/);
});

test('the dialog for a new workspace shows the commands and asks', async () => {
  await using herd = new Driver();
  using repository = makeRepository();
  const { dir } = repository;
  writeFileSync(join(dir, '.herd.toml'), SETTINGS);
  repository.git('add', '-A');
  repository.git('commit', '-qm', 'settings');
  const { path } = JSON.parse(await herd.ok(['new', 'first', '--no-agent', '--json'], { cwd: dir })) as { path: string };
  const outer = new Outer({ cols: 120, rows: 36, argv: [process.execPath, MAIN, '--session', herd.session], env: herd.env, cwd: dir });
  const see = (wanted: RegExp): Promise<unknown> =>
    eventually(
      () => wanted.test(outer.rows().join('\n')),
      () => `the screen shows ${wanted}:\n${outer.rows().join('\n')}`,
    );
  const ask = async (name: string): Promise<void> => {
    outer.send('\x02n');
    await see(/new workspace/);
    // No agent, whatever is installed here.
    outer.send(`${name}\t\t${'\x1b[C'.repeat(20)}`);
    await see(new RegExp(`name +${name}`));
    outer.send('\x13');
    await see(/run these commands\?[\s\S]*echo ran-in-[\s\S]*⏎ allow/);
  };
  await see(/ctrl\+b/);
  await ask('without');
  outer.send('r');
  const without = path.replace(/first$/, 'without');
  await eventually(() => existsSync(join(without, '.herd.toml')), 'the worktree without');
  await eventually(() => !/new workspace|run these commands/.test(outer.rows().join('\n')), 'the dialog is gone');
  await ask('allowed');
  expect(existsSync(join(without, 'made-by-setup'))).toBe(false);
  outer.send('y');
  const allowed = path.replace(/first$/, 'allowed');
  await eventually(() => existsSync(join(allowed, 'made-by-setup')), 'what the command made');
  outer.kill();
});
