// Writes the command lists of the skills anew from the verb table: node skills/generate.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillVerbs } from '../src/cli/skill-verbs.ts';

for (const name of ['herd', 'herd-review']) {
  const path = join(import.meta.dirname, name, 'SKILL.md');
  writeFileSync(path, fillVerbs(readFileSync(path, 'utf8')));
}
