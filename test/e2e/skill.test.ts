// herd skill install: the right folder per kind, twice without a change, and what it wrote is said.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
])('for %s into %s', async (kind, folder) => {
  await using herd = new Driver();
  const file = join(herd.dir, folder, 'herd-review/SKILL.md');
  const change = async () => {
    const { files } = await herd.json<{ files: { path: string; change: string }[] }>(['skill', 'install', '--for', kind]);
    return files.find(({ path }) => path === file)?.change;
  };
  expect(await change()).toBe('new');
  expect(await change()).toBe('same');
  writeFileSync(file, 'old');
  expect(await change()).toBe('updated');
  expect(readFileSync(file, 'utf8')).toMatch(/^---\nname: herd-review\ndescription: /);
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
