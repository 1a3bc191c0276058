// Finds the verb, loads its file and no other, and prints what went wrong in one place.
import { resolve } from 'node:path';
import { PathError, type SessionPaths, sessionPaths } from '../config/paths.ts';
import type { Opening } from '../tui/first-frame.ts';
import { Failure, usage } from './failure.ts';
import { createOutput, type Output, plain } from './output.ts';
import { didYouMean, parseWords } from './parse.ts';
import type { Call, Finding, Link } from './verb.ts';
import { findVerb, VERBS } from './verbs.ts';
import { VERSION } from './version.ts';

/** Runs the command line and ends the process with its exit code, once everything printed was taken. */
export async function run(argv: string[], opening: Opening | null): Promise<void> {
  const out = createOutput(process.stdout, process.stderr);
  const links: Link[] = [];
  let code: number;
  try {
    code = await runVerb(argv, out, links, opening);
  } catch (error) {
    code = complain(error, argv.includes('--json'), out);
  }
  for (const link of links) link.close();
  await out.flush();
  process.exit(code);
}

async function runVerb(argv: string[], out: Output, links: Link[], opening: Opening | null): Promise<number> {
  if (argv[0] === '--version' || argv[0] === '-V') {
    out.text(`herd ${VERSION}`);
    return 0;
  }
  const found = findVerb(argv) ?? (await otherWord(argv));
  if (argv[0] === 'help' || (found.name === '' && (argv[0] === '--help' || argv[0] === '-h'))) {
    return printHelp(argv[0] === 'help' ? argv.slice(1).join(' ') : '*', out);
  }
  if (VERBS[found.name] === undefined || (VERBS[found.name]!.hidden && argv.includes('--help'))) return printHelp(found.name, out);
  const verb = VERBS[found.name]!;
  const words = parseWords(found.name, verb, argv.slice(found.length));
  if (words.options.help) return printHelp(found.name, out);
  const named = (words.options.session as string | undefined) ?? process.env.HERD_SESSION;
  const session = named || verb.session || 'default';
  const paths = sessionPaths(session, process.env);
  const call: Call = {
    ...words,
    json: words.options.json === true,
    session,
    sessionNamed: Boolean(named),
    paths,
    env: process.env,
    cwd: workingFolder(),
    out,
    opening,
    link: async () => keep(links, await openLink(paths, 'start')),
    running: async (finding = {}) => keep(links, await openLink(paths, finding)),
    workspace: (word) => workspaceWord(word, process.env, workingFolder()),
  };
  const runIt = await verb.load();
  const code: unknown = await runIt(call);
  return typeof code === 'number' ? code : 0;
}

/** `help`, a family such as `comment` alone, a path; else a usage failure that names the nearest verb. */
async function otherWord(argv: string[]): Promise<{ name: string; length: number }> {
  const word = argv[0]!;
  if (word === 'help') return { name: '', length: 0 };
  const family = Object.keys(VERBS).filter((name) => name.startsWith(`${word} `));
  if (family.length > 0) {
    if (argv.length === 1 || argv.includes('--help') || argv.includes('-h')) return { name: word, length: 1 };
    const subs = family.map((name) => name.slice(word.length + 1));
    throw usage(`herd ${word} has no "${argv[1]}".`, `It has: ${subs.join(', ')}.`);
  }
  const { existsSync } = await import('node:fs');
  if (/^[./~]/.test(word) || existsSync(word)) return { name: '', length: 0 };
  const near = didYouMean(word, [...new Set(Object.keys(VERBS).map((name) => name.split(' ')[0]!))].filter(Boolean));
  throw usage(`"${plain(word)}" is no herd verb and no folder.`, near ? `Did you mean: herd ${near}` : 'All verbs: herd --help');
}

async function printHelp(name: string, out: Output): Promise<number> {
  const { helpAll, helpVerb } = await import('./help.ts');
  const text = name === '*' || name === '' ? helpAll(VERSION) : helpVerb(name);
  if (text === null) throw usage(`herd has no verb "${plain(name)}".`, 'All verbs: herd --help');
  out.text(text);
  return 0;
}

async function openLink(paths: SessionPaths, finding: Finding): Promise<Link | null> {
  const { connectLink } = await import('./link.ts');
  return connectLink(paths, finding);
}

function keep<T extends Link | null>(links: Link[], link: T): T extends null ? never : T {
  if (link) links.push(link);
  return link as T extends null ? never : T;
}

/** A word as reference: digits are an id, what begins like a path is one. Without a word, the pane's workspace, else the one this folder is in. */
function workspaceWord(word: string | undefined, env: NodeJS.ProcessEnv, cwd: string): string | number {
  const value = word ?? env.HERD_WORKSPACE ?? cwd;
  if (/^\d+$/.test(value)) return Number(value);
  return /^[./]/.test(value) ? resolve(cwd, value) : value;
}

function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new Failure('no-folder', 'The current folder is gone.', { hint: 'Change to one that exists.' });
  }
}

/** Prints one sentence and a hint, as JSON when asked for; returns the exit code. */
function complain(error: unknown, json: boolean, out: Output): number {
  const known =
    error instanceof Failure ? error : error instanceof PathError ? new Failure(error.code, error.message, { hint: error.hint }) : null;
  if (known) {
    const { code, message, hint, detail } = known;
    if (json) out.note(JSON.stringify({ error: { code, message, hint, detail } }));
    else out.note(`herd: ${message}${hint ? `\n      ${hint}` : ''}`);
    return known.exit;
  }
  const text = error instanceof Error ? error.message : String(error);
  if (json) out.note(JSON.stringify({ error: { code: 'bug', message: text } }));
  else out.note(`herd: This should not have happened: ${text}\n      Run with HERD_DEBUG=1 for where, and report it.`);
  if (process.env.HERD_DEBUG && error instanceof Error) out.note(error.stack ?? '');
  return 1;
}
