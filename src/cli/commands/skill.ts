// herd skill install, path: the Agent Skills that come with herd, copied to where agents look for them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, usage } from '../failure.ts';
import { columns } from '../output.ts';
import type { RunVerb } from '../verb.ts';

const SKILLS = ['herd', 'herd-review'];

/** Folder below home (and below a repository) that each kind of agent reads skills from. `agents` is the shared one. */
const FOLDERS: Record<string, string> = {
  agents: '.agents/skills',
  claude: '.claude/skills',
  codex: '.agents/skills',
  gemini: '.gemini/skills',
  opencode: '.agents/skills',
  pi: '.agents/skills',
  copilot: '.copilot/skills',
  qwen: '.qwen/skills',
  kilo: '.kilocode/skills',
  cline: '.agents/skills',
};

export const path: RunVerb = async (call) => {
  const folder = skillsFolder();
  if (call.json) call.out.json({ path: folder });
  else call.out.text(folder);
};

export const install: RunVerb = async (call) => {
  const kind = call.options.for as string | undefined;
  if (kind !== undefined && !(kind in FOLDERS))
    throw usage(`herd knows no skill folder for "${kind}".`, `It knows: ${Object.keys(FOLDERS).join(', ')}.`);
  const repository = call.options.repo as string | undefined;
  const root = repository === undefined ? call.env.HOME : resolve(call.cwd, repository);
  if (!root || !existsSync(root)) throw new Failure('no-folder', `There is no folder ${root ?? '(HOME is not set)'}.`);
  const targets = [...new Set(kind ? [FOLDERS[kind]!] : [FOLDERS.agents!, FOLDERS.claude!])].map((folder) => join(root, folder));
  const files = targets.flatMap((target) => SKILLS.flatMap((skill) => copySkill(skill, target)));
  if (call.json) call.out.json({ installed: targets.flatMap((target) => SKILLS.map((skill) => join(target, skill))), files });
  else call.out.text(columns(files.map(({ path, change }) => [change, path])));
};

interface Written {
  path: string;
  change: 'new' | 'updated' | 'same';
}

/** Copies a skill's files, those that differ; what became of each. */
function copySkill(skill: string, target: string): Written[] {
  const from = join(skillsFolder(), skill);
  const names = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return names.map((entry) => {
    const source = join(entry.parentPath, entry.name);
    const path = join(target, skill, relative(from, source));
    try {
      const text = readFileSync(source);
      const before = existsSync(path) ? readFileSync(path) : null;
      if (before?.equals(text)) return { path, change: 'same' };
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return { path, change: before ? 'updated' : 'new' };
    } catch (error) {
      throw new Failure('cannot-write', `Cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
    }
  });
}

/** `skills/` of the package, from sources and from the bundle alike. */
function skillsFolder(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(at, 'skills', 'herd', 'SKILL.md'))) {
    const above = dirname(at);
    if (above === at) throw new Failure('no-skills', 'The skills folder of this herd is missing.', { hint: 'Install herd again.' });
    at = above;
  }
  return join(at, 'skills');
}
