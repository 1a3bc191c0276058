// herd skill install and uninstall: the right folder per kind, twice without a change, what it did is said, and what a person changed stays.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Driver } from '../support/driver.ts';

test.each([
  ['claude', '.claude/skills'],
  ['codex', '.agents/skills'],
  ['pi', '.agents/skills'],
  ['opencode', '.agents/skills'],
  ['gemini', '.gemini/skills'],
  ['qwen', '.qwen/skills'],
  ['copilot', '.copilot/skills'],
  ['kilo', '.kilocode/skills'],
  ['cline', '.agents/skills'],
  ['droid', '.factory/skills'],
])('for %s into %s, and away again', async (kind, folder) => {
  await using herd = new Driver();
  const file = join(herd.dir, folder, 'herd-review/SKILL.md');
  const change = async (...words: string[]) => {
    const { files } = await herd.json<{ files: { path: string; change: string }[] }>(['skill', ...words, '--for', kind]);
    return files.find(({ path }) => path === file)?.change;
  };
  expect(await change('install')).toBe('new');
  expect(await change('install')).toBe('same');
  expect(readFileSync(file, 'utf8')).toMatch(/^---\nname: herd-review\ndescription: /);
  expect(await change('uninstall')).toBe('removed');
  expect(readdirSync(join(herd.dir, folder))).toEqual([]);
  expect(await change('uninstall')).toBeUndefined();
});

test('what a person has changed in a skill stays, what an older herd wrote does not', async () => {
  await using herd = new Driver();
  const folder = join(herd.dir, '.agents/skills/herd');
  const file = join(folder, 'SKILL.md');
  const change = async (...words: string[]) => {
    const { files } = await herd.json<{ files: { path: string; change: string }[] }>(['skill', ...words, '--for', 'pi']);
    return files.find(({ path }) => path === file)?.change;
  };
  await change('install');
  const herds = readFileSync(file, 'utf8');
  writeFileSync(file, `${herds}\nAnd say please.\n`);
  writeFileSync(join(folder, 'own.md'), 'mine');
  expect([await change('install'), await change('uninstall')]).toEqual(['edited', 'edited']);
  expect(readFileSync(file, 'utf8')).toBe(`${herds}\nAnd say please.\n`);
  expect((await herd.run(['skill', 'install', '--for', 'pi'])).stderr).toContain('left as it is');
  expect(await change('install', '--force')).toBe('updated');
  expect(readFileSync(file, 'utf8')).toBe(herds);

  const older = 'as an older herd wrote it';
  writeFileSync(file, older);
  writeFileSync(join(folder, '.herd.json'), JSON.stringify({ 'SKILL.md': createHash('sha256').update(older).digest('hex') }));
  expect(await change('install')).toBe('updated');
  expect(await change('uninstall')).toBe('removed');
  // What herd did not put there is not its to take away.
  expect(readdirSync(folder)).toEqual(['own.md']);
});

test('both shared folders without a kind; an unknown kind is refused', async () => {
  await using herd = new Driver();
  await herd.ok(['skill', 'install']);
  expect([existsSync(join(herd.dir, '.agents/skills/herd/SKILL.md')), existsSync(join(herd.dir, '.claude/skills/herd/SKILL.md'))]).toEqual([
    true,
    true,
  ]);
  expect(await herd.run(['skill', 'install', '--for', 'nobody'])).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody') });
});
