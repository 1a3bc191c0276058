// `.herd.toml` of a repository: what herd does in a new worktree of it, and whether this user has agreed to the commands in it. Reading
// one runs nothing. Agreement holds for one content of one repository: any change of the file asks anew.
import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigFault, readSettings } from './load.ts';
import type { Setting } from './settings.ts';

export const REPOSITORY_FILE = '.herd.toml';

/** Bytes of such a file: far more than anybody reads before agreeing to it. */
const FILE_MAX = 64 * 1024;

export const REPOSITORY_SETTINGS = {
  'worktree.copy': {
    kind: 'strings',
    unless: [],
    doc: 'Files that git does not track, as patterns below the main worktree: copied into new worktrees where they are missing.',
  },
  'worktree.setup': {
    kind: 'strings',
    unless: [],
    doc: 'Shell commands, run one after the other in a new worktree before the agent starts.',
  },
} as const satisfies Record<string, Setting>;

export interface RepositorySettings {
  copy: string[];
  setup: string[];
  faults: ConfigFault[];
  /** Names content and repository: what agreement is given to. */
  hash: string;
}

/** The settings in `folder`, of the repository whose main worktree or bare folder is `repository`; null where there is no file. */
export function readRepositorySettings(folder: string, repository: string): RepositorySettings | null {
  const file = join(folder, REPOSITORY_FILE);
  let text: string;
  try {
    text = readRegular(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return null;
    return { copy: [], setup: [], faults: [{ file, line: 1, key: '', message: `cannot be read (${code})` }], hash: '' };
  }
  const { config, faults } = readSettings(text, file, REPOSITORY_SETTINGS);
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256').update(`${repository}\0${text}`).digest('hex');
  return { copy: config['worktree.copy'] as string[], setup: config['worktree.setup'] as string[], faults, hash };
}

/** The text of a regular file: what a repository names so may lead to a pipe or a device, which would hold the server up for ever. */
function readRegular(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw Object.assign(new Error('no regular file'), { code: 'EINVAL' });
    if (stat.size > FILE_MAX) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** The user has agreed to this content. `consents` is the folder that remembers. */
export function isAllowed(consents: string, { hash }: { hash: string }): boolean {
  return hash !== '' && existsSync(join(consents, hash));
}

/** Remembers that the user agrees. */
export function allow(consents: string, { hash }: { hash: string }, repository: string): void {
  mkdirSync(consents, { recursive: true, mode: 0o700 });
  writeFileSync(join(consents, hash), `${repository}\n`, { mode: 0o600 });
}
