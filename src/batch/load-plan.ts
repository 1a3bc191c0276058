// A task file from disk to a plan: reads it, finds out what its globs and commands give, expands it. What a person got wrong is thrown as
// one PlanError that names every place.
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import type { Runner as GitRunner } from '../git/run.ts';
import { KnownError } from '../model/known-error.ts';
import { type Fault, FILE_MAX, formatOf } from './plan/document.ts';
import { expand, type Lists, sourceKey, sourcesOf } from './plan/expand.ts';
import { patternMatcher } from './plan/paths.ts';
import { readTaskFile, type Source } from './plan/task-file.ts';
import { HEADLESS } from './runner/headless.ts';
import type { Plan } from './task.ts';

/** ms for a command of a matrix. */
const COMMAND_TIME = 60_000;
/** Faults named; more are counted. */
const FAULTS_SHOWN = 20;

export class PlanError extends KnownError<'bad-task-file'> {
  readonly faults: readonly Fault[];
  constructor(file: string, faults: readonly Fault[]) {
    const shown = faults.slice(0, FAULTS_SHOWN).map(({ line, message }) => `${file}:${line}: ${message}`);
    const more = faults.length - shown.length;
    super('bad-task-file', [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'), 'What may stand in it: docs/batch.md');
    this.faults = faults;
  }
}

/** `name` is how the file is called in messages; `worktree` is where globs and commands of a matrix look. */
export async function loadPlan(file: string, name: string, worktree: string, git: GitRunner): Promise<{ plan: Plan; text: string }> {
  const format = formatOf(file);
  if (!format) throw new PlanError(name, [{ line: 1, message: 'is none of .toml, .yaml, .yml, .jsonl' }]);
  const text = readText(file, name);
  const read = readTaskFile(text, format);
  if (Array.isArray(read)) throw new PlanError(name, read);
  const lists = new Map<string, readonly string[]>();
  for (const source of sourcesOf(read)) {
    if (lists.has(sourceKey(source))) continue;
    try {
      lists.set(sourceKey(source), await valuesOf(source, worktree, git));
    } catch (error) {
      throw new PlanError(name, [{ line: 1, message: `a matrix failed: ${(error as Error).message.split('\n')[0]}` }]);
    }
  }
  return { plan: checked(expand(read, lists as Lists), name), text };
}

function checked(plan: Plan | Fault[], name: string): Plan {
  if (Array.isArray(plan)) throw new PlanError(name, plan);
  const unknown = plan.tasks.find((task) => task.command === null && !Object.hasOwn(HEADLESS, task.agent) && task.mode === 'headless');
  if (unknown) {
    const kinds = Object.keys(HEADLESS).filter((kind) => kind !== 'command');
    throw new PlanError(name, [
      {
        line: unknown.line,
        message: `herd does not know how ${unknown.agent} runs without a screen: name a command, or one of ${kinds.join(', ')}`,
      },
    ]);
  }
  return plan;
}

function readText(file: string, name: string): string {
  try {
    if (statSync(file).size > FILE_MAX) throw new PlanError(name, [{ line: 1, message: `is larger than ${FILE_MAX / 1024 / 1024} MB` }]);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof PlanError) throw error;
    throw new PlanError(name, [{ line: 1, message: `cannot be read (${(error as NodeJS.ErrnoException).code})` }]);
  }
}

async function valuesOf(source: Source, worktree: string, git: GitRunner): Promise<string[]> {
  if ('values' in source) return source.values;
  if ('glob' in source) {
    const look = await git.look(worktree);
    const { stdout } = await look.run(['ls-files', '-z', '--full-name'], { action: 'Listing the files' });
    const matcher = patternMatcher(source.glob);
    return stdout
      .toString()
      .split('\0')
      .filter((path) => path !== '' && matcher.test(path));
  }
  const [program, ...args] = source.command;
  return new Promise((resolve, reject) => {
    execFile(program!, args, { cwd: worktree, timeout: COMMAND_TIME, maxBuffer: FILE_MAX, encoding: 'utf8' }, (error, stdout) => {
      if (error)
        reject(
          new Error(`${program} ${typeof error.code === 'number' ? `ended with ${error.code}` : `failed (${error.code ?? error.signal})`}`),
        );
      else
        resolve(
          stdout
            .split('\n')
            .map((line) => line.trim())
            .filter(Boolean),
        );
    });
  });
}
