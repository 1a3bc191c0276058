// Command line words to a call: which verb, its options, what follows `--`. Pure: reads no environment, prints nothing.
import { parseArgs } from 'node:util';
import { usage } from './failure.ts';

export interface Option {
  type: 'boolean' | 'string';
  short?: string;
  /** How help names the value. */
  value?: string;
  doc: string;
}

/** Options every verb takes. */
export const GLOBAL_OPTIONS: Record<string, Option> = {
  json: { type: 'boolean', doc: 'Print JSON.' },
  session: { type: 'string', value: 'NAME', doc: 'The session; HERD_SESSION or "default" unless given.' },
  help: { type: 'boolean', short: 'h', doc: 'Show this.' },
};

/** What a verb takes, as data: parsing, help and the skills' command lists come from it. */
export interface VerbShape {
  /** Lines after `herd `, one per form. */
  usage: string[];
  summary: string;
  options?: Record<string, Option>;
  /** How many words it takes; those after `--` do not count. */
  words: [min: number, max: number];
  /** Takes `-- CMD ARG…`. */
  command?: boolean;
}

export interface Words {
  words: string[];
  /** What stands after `--`; null without one. */
  command: string[] | null;
  options: Record<string, string | boolean | undefined>;
}

/** The words of one verb. Throws a usage Failure naming the option or count that is wrong. */
export function parseWords(name: string, shape: VerbShape, argv: string[]): Words {
  const options = { ...GLOBAL_OPTIONS, ...shape.options };
  const { own, command } = bindValues(argv, options);
  const help = `See: herd ${name} --help`.replace('  ', ' ');
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    const config = Object.fromEntries(Object.entries(options).map(([key, { type, short }]) => [key, short ? { type, short } : { type }]));
    parsed = parseArgs({ args: own, options: config, allowPositionals: true, strict: true });
  } catch (error) {
    throw usage(`${reason(error as Error)}.`, help);
  }
  const values = parsed.values as Words['options'];
  if (values.help) return { words: [], command, options: values };
  if (command !== null && !shape.command) throw usage(`herd ${name} takes no "--".`, help);
  if (command?.length === 0) throw usage('Nothing stands after "--".', help);
  const [min, max] = shape.words;
  if (parsed.positionals.length < min) throw usage(`Something is missing: herd ${shape.usage[0]}.`, help);
  if (parsed.positionals.length > max) throw usage(`herd ${name} does not take "${parsed.positionals[max]}".`, help);
  return { words: parsed.positionals, command, options: values };
}

/** Splits at `--`, and turns `--text -x` into `--text=-x`: a value may begin with a dash, which parseArgs would call ambiguous. */
function bindValues(argv: string[], options: Record<string, Option>): { own: string[]; command: string[] | null } {
  const own: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--') return { own, command: argv.slice(i + 1) };
    const takes = word.startsWith('--') && options[word.slice(2)]?.type === 'string';
    if (takes && i + 1 < argv.length) own.push(`${word}=${argv[++i]}`);
    else own.push(word);
  }
  return { own, command: null };
}

function reason(error: Error): string {
  return error.message.split(/\.\s|\n/)[0]!.replace(/\.$/, '');
}

/** The words of `known` that `word` may have meant, nearest first; at most two edits, one in a short word. */
export function didYouMean(word: string, known: string[]): string | undefined {
  const near = known.map((k) => [distance(word, k), k] as const).filter(([d, k]) => d <= (k.length > 3 ? 2 : 1));
  return near.sort((a, b) => a[0] - b[0])[0]?.[1];
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}
