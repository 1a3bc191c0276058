import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillVerbs } from './skill-verbs.ts';

const skill = (name: string) => readFileSync(join(import.meta.dirname, '../../skills', name, 'SKILL.md'), 'utf8');

test.each(['herd', 'herd-review'])('skills/%s lists the verbs as they are (else: node skills/generate.ts)', (name) => {
  expect(fillVerbs(skill(name))).toBe(skill(name));
});

test.each(['herd', 'herd-review'])('skills/%s has a name, a description and at least one list', (name) => {
  const text = skill(name);
  expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: .{40,1000}\n---\n`));
  expect(text).toMatch(/<!-- verbs: /);
});

test('a verb that is gone is an error', () => {
  expect(() => fillVerbs('<!-- verbs: no such verb -->\n<!-- end of verbs -->')).toThrow(/no such verb/);
});
