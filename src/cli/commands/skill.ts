// herd skill install, uninstall, path: the Agent Skills that come with herd, copied to where agents look for them. What a person has changed
// in a copy stays: beside the copies lies what they were when herd wrote them.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure, usage } from '../failure.ts';
import { columns } from '../output.ts';
import type { Call, RunVerb } from '../verb.ts';

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
  droid: '.factory/skills',
};

export const path: RunVerb = async (call) => {
  const folder = skillsFolder();
  if (call.json) call.out.json({ path: folder });
  else call.out.text(folder);
};

/** Lies in a skill's folder: by file the SHA-256 of what herd wrote. */
const WRITTEN = '.herd.json';

export const install: RunVerb = async (call) => {
  const targets = targetsOf(call);
  const force = call.options.force === true;
  const files = targets.flatMap((target) => SKILLS.flatMap((skill) => copySkill(skill, target, force)));
  if (call.json) call.out.json({ installed: targets.flatMap((target) => SKILLS.map((skill) => join(target, skill))), files });
  else print(call, files, 'herd skill install --force writes herd’s over it');
};

export const uninstall: RunVerb = async (call) => {
  const files = targetsOf(call).flatMap((target) => SKILLS.flatMap((skill) => removeSkill(skill, target)));
  if (call.json) call.out.json({ files });
  else if (files.length === 0) call.out.text('none is there');
  else print(call, files, 'remove it yourself');
};

function print(call: Call, files: readonly Done[], hint: string): void {
  call.out.text(columns(files.map(({ path, change }) => [change, path])));
  if (files.some(({ change }) => change === 'edited')) call.out.note(`edited: changed since herd wrote it, and left as it is; ${hint}`);
}

/** The folders of the kind that is named, or the two that most agents read. */
function targetsOf(call: Call): string[] {
  const kind = call.options.for as string | undefined;
  if (kind !== undefined && !(kind in FOLDERS))
    throw usage(`herd knows no skill folder for "${kind}".`, `It knows: ${Object.keys(FOLDERS).join(', ')}.`);
  const repository = call.options.repo as string | undefined;
  const root = repository === undefined ? call.env.HOME : resolve(call.cwd, repository);
  if (!root || !existsSync(root)) throw new Failure('no-folder', `There is no folder ${root ?? '(HOME is not set)'}.`);
  return [...new Set(kind ? [FOLDERS[kind]!] : [FOLDERS.agents!, FOLDERS.claude!])].map((folder) => join(root, folder));
}

interface Done {
  path: string;
  change: 'new' | 'updated' | 'same' | 'edited' | 'removed';
}

/** Copies a skill's files, those that differ; what became of each. */
function copySkill(skill: string, target: string, force: boolean): Done[] {
  const folder = join(target, skill);
  const written = readWritten(folder);
  const done = filesOf(skill).map(({ name, bytes }): Done => {
    const path = join(folder, name);
    try {
      const before = existsSync(path) ? readFileSync(path) : null;
      if (before && !before.equals(bytes) && written[name] !== hashOf(before) && !force) return { path, change: 'edited' };
      written[name] = hashOf(bytes);
      if (before?.equals(bytes)) return { path, change: 'same' };
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
      return { path, change: before ? 'updated' : 'new' };
    } catch (error) {
      throw cannotWrite(path, error);
    }
  });
  writeWritten(folder, written);
  return done;
}

/** Removes what is as herd wrote it, and the folders that are empty then. */
function removeSkill(skill: string, target: string): Done[] {
  const folder = join(target, skill);
  const written = readWritten(folder);
  const there = filesOf(skill).filter(({ name }) => existsSync(join(folder, name)));
  const done = there.map(({ name, bytes }): Done => {
    const path = join(folder, name);
    try {
      const now = readFileSync(path);
      if (!now.equals(bytes) && written[name] !== hashOf(now)) return { path, change: 'edited' };
      rmSync(path);
      return { path, change: 'removed' };
    } catch (error) {
      throw cannotWrite(path, error);
    }
  });
  if (done.some(({ change }) => change === 'edited')) return done;
  rmSync(join(folder, WRITTEN), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // Not there, or something of the person's own lies in it.
  }
  return done;
}

function filesOf(skill: string): { name: string; bytes: Buffer }[] {
  const from = join(skillsFolder(), skill);
  const entries = readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { name: relative(from, path), bytes: readFileSync(path) };
  });
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Empty when there is none that can be read: everything that differs is the person's then. */
function readWritten(folder: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, WRITTEN), 'utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function writeWritten(folder: string, written: Record<string, unknown>): void {
  if (Object.keys(written).length === 0) return;
  const path = join(folder, WRITTEN);
  const text = `${JSON.stringify(written, null, 2)}\n`;
  try {
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  return new Failure('cannot-write', `Cannot write ${path}: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
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
