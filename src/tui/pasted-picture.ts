// The picture behind a pasted path: a terminal pastes the path that a dropped file has where the terminal is, and the program may run
// elsewhere. Reads that file and nothing else.
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandContext, say, sayError } from './commands/context.ts';

/** Bytes sent in one request: a frame holds some MiB, and keys go between two. */
const PART = 512 * 1024;
const PICTURE = /\.(?:png|jpe?g|gif|webp|bmp|tiff?|heic)$/i;
/** Longest path there is. */
const PATH_MAX = 4096;

/** The path when pasted text is that of one picture, as terminals write it: bare, quoted, with escapes, or as a file URL; else null. */
export function picturePath(text: string): string | null {
  const word = text.trim();
  if (word.length > PATH_MAX || /[\n\r\0]/.test(word)) return null;
  const path = unquoted(word);
  return path?.startsWith('/') && PICTURE.test(path) ? path : null;
}

function unquoted(word: string): string | null {
  if (word.startsWith('file://')) {
    try {
      return fileURLToPath(word);
    } catch {
      return null;
    }
  }
  const quoted = /^'([^']*)'$|^"([^"]*)"$/.exec(word);
  return quoted ? (quoted[1] ?? quoted[2]!) : word.replace(/\\(.)/g, '$1');
}

/**
 * The path to paste for the picture at `path`: null when it is to be pasted as it was, being no file of this host or one that the session's
 * host has too. Says what cannot be brought, and then is false: there is nothing to paste.
 */
export async function bringPicture(context: CommandContext, path: string): Promise<string | null | false> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile() || facts.size === 0) return null;
  try {
    const { size, ino, mtimeMs } = facts;
    const { picture } = await context.request('picture.begin', { path, size, inode: ino, modified: Math.floor(mtimeMs) });
    if (picture === null) return null;
    say(context, `bringing ${basename(path)} to the program's host`);
    const brought = await send(context, path, size, picture);
    say(context, `brought ${basename(path)} to the program's host`);
    return brought;
  } catch (error) {
    sayError(context, error);
    return false;
  }
}

async function send(context: CommandContext, path: string, size: number, picture: string): Promise<string> {
  const file = await open(path);
  try {
    for (let at = 0; at < size; ) {
      const bytes = Buffer.alloc(Math.min(PART, size - at));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const { path: brought } = await context.request('picture.part', { picture, bytes: bytes.toString('base64', 0, bytesRead) });
      if (brought !== null) return brought;
    }
  } finally {
    await file.close();
  }
  throw { code: 'changed', message: `${basename(path)} became shorter while it was read: nothing was pasted.` };
}
