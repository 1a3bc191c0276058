// Agents that run without a screen, as data: how each is called and where its output says result, cost and tokens. A kind that prints
// structured output is asked for it; of any other command the last words are kept.
import type { TaskSpec } from '../task.ts';

/** One kind of line of JSON in the output, and what it tells. Paths are dotted; `*` stands for every entry of a list or object. */
export interface Reading {
  /** Paths that must have these values. */
  where: Record<string, string>;
  /** Amounts of several such lines add up, or the last one holds for all. */
  amounts: 'sum' | 'last';
  cost?: string;
  tokens?: string[];
  result?: string;
  error?: string;
  /** True there means failed, whatever the exit code. */
  failed?: string;
}

export interface HeadlessKind {
  name: string;
  /** `{prompt}` stands for the prompt; without it the prompt comes on standard input. */
  argv: string[];
  /** Option that takes a task's cap in US dollars: of an agent that tells only at its end what it has cost, and watches over that itself. */
  capOption?: string;
  readings: Reading[];
}

/** What an unknown command may print to say what it used: the shape of Claude Code's result line. */
const RESULT_LINE: Reading = {
  where: { type: 'result' },
  amounts: 'last',
  cost: 'total_cost_usd',
  tokens: ['usage.input_tokens', 'usage.output_tokens', 'usage.cache_creation_input_tokens', 'usage.cache_read_input_tokens'],
  result: 'result',
  failed: 'is_error',
};

export const HEADLESS: Readonly<Record<string, HeadlessKind>> = {
  claude: {
    name: 'Claude Code',
    argv: [
      ...['claude', '-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
      ...['--permission-mode', 'acceptEdits'],
    ],
    capOption: '--max-budget-usd',
    readings: [
      // A message's own line has the tokens it began with; what it came to is in the events alone.
      {
        where: { type: 'stream_event', 'event.type': 'message_start' },
        amounts: 'sum',
        tokens: ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map((name) => `event.message.usage.${name}`),
      },
      { where: { type: 'stream_event', 'event.type': 'message_delta' }, amounts: 'sum', tokens: ['event.usage.output_tokens'] },
      {
        ...RESULT_LINE,
        // `usage` leaves out the last message when a cap ended it, and what other models did.
        tokens: ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'].map((name) => `modelUsage.*.${name}`),
        error: 'errors.*',
      },
    ],
  },
  codex: {
    name: 'Codex',
    argv: ['codex', 'exec', '--json', '--full-auto', '-'],
    readings: [
      { where: { type: 'turn.completed' }, amounts: 'sum', tokens: ['usage.input_tokens', 'usage.output_tokens'] },
      { where: { type: 'item.completed', 'item.type': 'agent_message' }, amounts: 'last', result: 'item.text' },
      { where: { type: 'turn.failed' }, amounts: 'last', error: 'error.message' },
      { where: { type: 'error' }, amounts: 'last', error: 'message' },
    ],
  },
  pi: {
    name: 'Pi',
    argv: ['pi', '-p', '--mode', 'json', '{prompt}'],
    readings: [
      {
        where: { type: 'message_end', 'message.role': 'assistant' },
        amounts: 'sum',
        cost: 'message.usage.cost.total',
        tokens: ['message.usage.input', 'message.usage.output', 'message.usage.cacheRead', 'message.usage.cacheWrite'],
        result: 'message.content.*.text',
        error: 'message.errorMessage',
      },
    ],
  },
  gemini: {
    name: 'Gemini CLI',
    argv: ['gemini', '--output-format', 'stream-json', '--approval-mode', 'auto_edit', '-p', '{prompt}'],
    readings: [{ where: { type: 'result' }, amounts: 'last', tokens: ['stats.total_tokens'], result: 'response', error: 'error.message' }],
  },
  qwen: {
    name: 'Qwen Code',
    argv: ['qwen', '--output-format', 'stream-json', '--approval-mode', 'auto-edit', '-p', '{prompt}'],
    readings: [RESULT_LINE],
  },
  opencode: {
    name: 'OpenCode',
    argv: ['opencode', 'run', '--format', 'json', '{prompt}'],
    readings: [
      { where: { type: 'step_finish' }, amounts: 'sum', cost: 'part.cost', tokens: ['part.tokens.input', 'part.tokens.output'] },
      { where: { type: 'text' }, amounts: 'last', result: 'part.text' },
      { where: { type: 'error' }, amounts: 'last', error: 'error.data.message' },
    ],
  },
  copilot: { name: 'GitHub Copilot', argv: ['copilot', '--allow-all-tools', '-p', '{prompt}'], readings: [] },
  command: { name: 'command', argv: [], readings: [RESULT_LINE] },
};

/** The command of a task and what its standard input is. `command` replaces the kind's. */
export function commandFor(
  kind: HeadlessKind,
  { command, prompt, budget }: Pick<TaskSpec, 'command' | 'prompt' | 'budget'>,
): { argv: string[]; input: string } {
  const cap = kind.capOption !== undefined && budget.cost !== null ? [kind.capOption, String(budget.cost)] : [];
  const argv = command ?? [...kind.argv, ...cap];
  const asWord = argv.some((word) => word.includes('{prompt}'));
  return { argv: argv.map((word) => word.replaceAll('{prompt}', () => prompt)), input: asWord ? '' : prompt };
}

export interface Told {
  cost: number | null;
  tokens: number | null;
  result: string | null;
  error: string | null;
  failed: boolean;
}

/** Collects what lines of output tell. Amounts that no line names stay null: unknown is not nothing. */
export class OutputReader {
  readonly #readings: readonly Reading[];
  readonly told: Told = { cost: null, tokens: null, result: null, error: null, failed: false };

  constructor(readings: readonly Reading[]) {
    this.#readings = readings;
  }

  line(line: string): void {
    if (this.#readings.length === 0 || !line.startsWith('{')) return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return;
    }
    for (const reading of this.#readings) {
      if (Object.entries(reading.where).every(([path, wanted]) => at(value, path)[0] === wanted)) this.#take(reading, value);
    }
  }

  #take(reading: Reading, value: unknown): void {
    const { told } = this;
    const cost = reading.cost === undefined ? null : amount([reading.cost], value);
    const tokens = reading.tokens === undefined ? null : amount(reading.tokens, value);
    if (cost !== null) told.cost = reading.amounts === 'sum' ? (told.cost ?? 0) + cost : cost;
    if (tokens !== null) told.tokens = reading.amounts === 'sum' ? (told.tokens ?? 0) + tokens : tokens;
    const result = words(reading.result, value);
    if (result !== null) told.result = result;
    // The last such line counts: an agent that got over an error has none.
    if (reading.error !== undefined) told.error = words(reading.error, value);
    if (reading.failed !== undefined) told.failed = at(value, reading.failed)[0] === true;
  }
}

function amount(paths: readonly string[], value: unknown): number | null {
  const known = paths.flatMap((path) => at(value, path)).filter((n): n is number => typeof n === 'number' && Number.isFinite(n) && n >= 0);
  return known.length === 0 ? null : known.reduce((sum, n) => sum + n, 0);
}

function words(path: string | undefined, value: unknown): string | null {
  if (path === undefined) return null;
  const texts = at(value, path).filter((text): text is string => typeof text === 'string' && text !== '');
  return texts.length === 0 ? null : texts.join('\n');
}

/** Values at a dotted path; own keys only. */
function at(value: unknown, path: string): unknown[] {
  let found: unknown[] = [value];
  for (const part of path.split('.')) {
    found = found.flatMap((entry) => {
      if (typeof entry !== 'object' || entry === null) return [];
      if (part === '*') return Object.values(entry);
      return Object.hasOwn(entry, part) ? [(entry as Record<string, unknown>)[part]] : [];
    });
  }
  return found;
}
