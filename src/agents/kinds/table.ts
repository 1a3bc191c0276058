// The kinds herd brings along, and which of them a command line is. Pure; overrides are laid over the table by the caller.
import { claude } from './claude.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { droid } from './droid.ts';
import { gemini } from './gemini.ts';
import { generic } from './generic.ts';
import { kilo } from './kilo.ts';
import type { Kind } from './kind.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';
import { shell } from './shell.ts';

/** Kinds by id, in the order in which people are offered them. */
export const KINDS: ReadonlyMap<string, Kind> = new Map(
  [claude, codex, pi, opencode, gemini, qwen, copilot, cline, kilo, droid, generic, shell].map((kind) => [kind.id, kind]),
);

/** Programs that only carry another: the kind is that of the script or command behind them. */
const CARRIERS = new Set(['node', 'bun', 'deno', 'python', 'python3', 'env', 'npx', 'bunx', 'uvx', 'sudo', 'nice', 'stdbuf']);

/**
 * The kind of a command line (argv as started or as read from the process table); `generic` when none fits. Looks through interpreters
 * and package runners.
 */
export function detectKind(argv: readonly string[], kinds: ReadonlyMap<string, Kind> = KINDS): string {
  let rest = [...argv];
  for (let depth = 0; depth < 4 && rest.length > 0; depth++) {
    const program = baseName(rest[0]!);
    for (const kind of kinds.values()) if (kind.detect.programs.includes(program)) return kind.id;
    if (!CARRIERS.has(program)) break;
    rest = rest.slice(1).filter((word, i, all) => !word.startsWith('-') && !(i < all.length - 1 && /^\w+=/.test(word)));
    const script = rest[0];
    if (!script) break;
    for (const kind of kinds.values()) if (kind.detect.scripts.some((part) => script.includes(part))) return kind.id;
  }
  return 'generic';
}

/** Started so that it has no screen of its own. Words behind `--` are its prompt. */
export function isHeadless(kind: Kind, argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(1, end < 0 ? undefined : end).some((word) => kind.headless?.includes(word));
}

function baseName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/^-/, '');
  return name.replace(/\.(m?js|cjs|exe|cmd)$/, '').replace(/@[\w.-]+$/, '');
}
