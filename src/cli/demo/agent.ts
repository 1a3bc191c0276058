// A scripted agent for `herd demo` and the tests: a real program in a real PTY that draws a composer, works, asks for approval, edits real
// files and answers follow-up prompts with further edits. It calls no model and touches nothing outside its working folder.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type AgentView, drawAgent } from './agent-screen.ts';
import { SCRIPTS, type Script, type Step } from './scripts.ts';

/** Spinner and clock redraw, ms: what terminal agents do while they work. */
const TICK = 120;
/** How long a double ctrl+c may take, ms. */
const LEAVE_WINDOW = 1500;
/** Terminals that know no program status answer DA1 alone; none at all answers within this, ms. */
const QUERY_LIMIT = 1000;

const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';

/** Runs until the person leaves it. `speed` divides every waiting time. Resolves to the exit code. */
export async function runScriptedAgent(name: string, speed: number): Promise<number> {
  const script = SCRIPTS.find((s) => s.name === name);
  if (!script) {
    process.stderr.write(`herd: no scripted agent named ${name}: try ${SCRIPTS.map((s) => s.name).join(', ')}.\n`);
    return 2;
  }
  const agent = new ScriptedAgent(script, speed);
  return agent.run();
}

class ScriptedAgent {
  readonly #script: Script;
  readonly #speed: number;
  readonly #view: AgentView = { transcript: [], status: null, composer: '', dialog: null };
  #tick = 0;
  #reports = false;
  #paste: string | null = null;
  #lastInterrupt = 0;
  #turns = 0;
  /** Set while a turn runs; aborts it. */
  #turn: AbortController | null = null;
  #choose: ((option: number | null) => void) | null = null;
  #leave: (code: number) => void = () => {};

  constructor(script: Script, speed: number) {
    this.#script = script;
    this.#speed = speed;
  }

  async run(): Promise<number> {
    process.stdin.setRawMode?.(true);
    process.stdout.write('\x1b[?1049h\x1b[?2004h');
    this.#title('ready');
    const left = new Promise<number>((resolve) => {
      this.#leave = resolve;
    });
    this.#reports = await this.#asksForStatus();
    process.stdin.on('data', (bytes: Buffer) => this.#read(bytes.toString('utf8')));
    process.stdout.on('resize', () => this.#draw());
    this.#report('idle');
    this.#draw();
    const code = await left;
    process.stdout.write(`${this.#reports ? '\x1b]7501;state=clear\x1b\\' : ''}\x1b[?2004l\x1b[?1049l`);
    process.stdin.setRawMode?.(false);
    process.stdin.pause();
    return code;
  }

  /** Whether the terminal takes program status reports: it answers the query before DA1. */
  #asksForStatus(): Promise<boolean> {
    return new Promise((resolve) => {
      let seen = '';
      const done = (): void => {
        clearTimeout(limit);
        process.stdin.off('data', onData);
        resolve(seen.includes('\x1b]7501;?'));
      };
      const onData = (bytes: Buffer): void => {
        seen += bytes.toString('latin1');
        if (/\x1b\[\?[\d;]*c/.test(seen)) done();
      };
      const limit = setTimeout(done, QUERY_LIMIT);
      process.stdin.on('data', onData);
      process.stdout.write('\x1b]7501;?\x1b\\\x1b[c');
    });
  }

  #draw(): void {
    process.stdout.write(drawAgent(this.#view, process.stdout.columns || 80, process.stdout.rows || 24, this.#tick));
  }

  #title(text: string): void {
    process.stdout.write(`\x1b]0;demo agent · ${text}\x07`);
  }

  #report(state: string, message?: string): void {
    if (!this.#reports) return;
    const text = message ? `:msg=${Buffer.from(message).toString('base64')}` : '';
    process.stdout.write(`\x1b]7501;state=${state}:app=herd-demo${text}\x1b\\`);
  }

  /** Input as it comes; pastes may be cut anywhere. */
  #read(text: string): void {
    let rest = text;
    while (rest) {
      if (this.#paste !== null) {
        const buffered: string = this.#paste + rest;
        const end = buffered.indexOf(PASTE_END);
        if (end < 0) {
          this.#paste = buffered;
          return;
        }
        this.#paste = null;
        this.#type(buffered.slice(0, end).replaceAll('\r\n', '\n').replaceAll('\r', '\n'));
        rest = buffered.slice(end + PASTE_END.length);
      } else if (rest.startsWith(PASTE_START)) {
        this.#paste = '';
        rest = rest.slice(PASTE_START.length);
      } else {
        const sequence = /^\x1b(?:\[[\d;?]*[ -/]*[@-~]|O.|\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\)/.exec(rest)?.[0];
        const key = sequence ?? String.fromCodePoint(rest.codePointAt(0)!);
        this.#key(key);
        rest = rest.slice(key.length);
      }
    }
    this.#draw();
  }

  #key(key: string): void {
    if (key === '\x03') return this.#interrupt();
    if (this.#view.dialog) return this.#dialogKey(key);
    if (key === '\x1b') return this.#turn?.abort();
    if (key === '\r') return this.#submit();
    if (key === '\n' || key === '\x1b[13;2u') return this.#type('\n');
    if (key === '\x7f' || key === '\b') this.#view.composer = this.#view.composer.slice(0, -1);
    else if (key === '\x15') this.#view.composer = '';
    else if (key === '\x04' && !this.#view.composer) this.#leave(0);
    else if (key >= ' ' && !key.startsWith('\x1b')) this.#type(key);
  }

  #dialogKey(key: string): void {
    const dialog = this.#view.dialog!;
    const count = dialog.options.length;
    if (key === '\x1b[A' || key === '\x1bOA') dialog.selected = (dialog.selected + count - 1) % count;
    else if (key === '\x1b[B' || key === '\x1bOB') dialog.selected = (dialog.selected + 1) % count;
    else if (key === '\r') this.#choose?.(dialog.selected);
    else if (key === '\x1b') this.#choose?.(null);
    else if (Number(key) >= 1 && Number(key) <= count) this.#choose?.(Number(key) - 1);
  }

  #interrupt(): void {
    const now = Date.now();
    if (now - this.#lastInterrupt < LEAVE_WINDOW) return this.#leave(0);
    this.#lastInterrupt = now;
    if (this.#view.dialog) this.#choose?.(null);
    else if (this.#turn) this.#turn.abort();
    else this.#view.composer = '';
  }

  #type(text: string): void {
    if (!this.#view.dialog) this.#view.composer += text;
  }

  #submit(): void {
    const prompt = this.#view.composer.trim();
    if (!prompt || this.#turn) return;
    this.#view.composer = '';
    this.#view.transcript.push({ kind: 'user', text: prompt });
    void this.#runTurn(prompt);
  }

  async #runTurn(prompt: string): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    const began = Date.now();
    this.#view.status = { text: 'Thinking', seconds: 0 };
    this.#title('working');
    this.#report('working');
    const ticker = setInterval(() => {
      this.#tick++;
      if (this.#view.status) this.#view.status.seconds = Math.floor((Date.now() - began) / 1000);
      if (!this.#view.dialog) this.#draw();
    }, TICK);
    let ended = 'done';
    try {
      const answer = this.#turns++ === 0 ? await this.#firstTurn(turn.signal) : await this.#followUp(prompt, turn.signal);
      this.#view.transcript.push({ kind: 'agent', text: answer });
    } catch {
      ended = 'idle';
      this.#view.transcript.push({ kind: 'tool', text: 'Interrupted' });
    }
    clearInterval(ticker);
    this.#turn = null;
    this.#view.status = null;
    this.#title('ready');
    this.#report(ended);
    this.#draw();
  }

  async #firstTurn(signal: AbortSignal): Promise<string> {
    for (const step of this.#script.steps) await this.#step(step, signal);
    return this.#script.answer;
  }

  async #step(step: Step, signal: AbortSignal): Promise<void> {
    if (step.do === 'think') return this.#think(step.text, step.seconds, signal);
    if (step.do === 'say') {
      this.#view.transcript.push({ kind: 'agent', text: step.text });
      return;
    }
    if (step.do === 'edit') return this.#edit(step.path, step.find, step.replace);
    if (!(await this.#ask(step.question, step.command))) throw new Error('refused');
    await this.#think(`Running ${step.command}`, step.seconds, signal);
    this.#view.transcript.push({ kind: 'tool', text: [step.command, ...step.output].join('\n') });
  }

  async #think(text: string, seconds: number, signal: AbortSignal): Promise<void> {
    this.#view.status = { text, seconds: this.#view.status?.seconds ?? 0 };
    await sleep((seconds * 1000) / this.#speed, undefined, { signal });
  }

  async #ask(question: string, command: string): Promise<boolean> {
    this.#view.dialog = {
      question,
      command,
      options: ['Yes', 'Yes, and do not ask again for this command', 'No, and say what to do instead'],
      selected: 0,
    };
    this.#title('waits');
    this.#report('blocked:kind=permission', `${question} ${command}`);
    this.#draw();
    const option = await new Promise<number | null>((resolve) => {
      this.#choose = resolve;
    });
    this.#choose = null;
    this.#view.dialog = null;
    this.#title('working');
    this.#report('working');
    return option === 0 || option === 1;
  }

  #edit(path: string, find: string, replace: string): void {
    const before = find ? readFileSync(path, 'utf8') : '';
    writeFileSync(path, find ? before.replace(find, replace) : replace);
    const added = replace.split('\n').length - 1;
    this.#view.transcript.push({ kind: 'tool', text: `${find ? 'Edited' : 'Wrote'} ${path} (+${added})` });
  }

  /** Answers a prompt that names places (`path:line`) by a note in the code there, and marks the comments it names as addressed. */
  async #followUp(prompt: string, signal: AbortSignal): Promise<string> {
    await this.#think('Reading your comments', 2, signal);
    const places = findPlaces(prompt);
    if (!places.length) return 'Understood. Point me at lines and I will change them.';
    for (const { path, line, note } of places.toReversed()) {
      await this.#think(`Editing ${path}`, 2, signal);
      this.#insertNote(path, line, note);
    }
    for (const id of new Set([...prompt.matchAll(/\bComment (\d+)/g)].map((m) => m[1]!))) await markAddressed(id);
    return `I noted your ${places.length === 1 ? 'comment' : `${places.length} comments`} in the code.`;
  }

  #insertNote(path: string, line: number, note: string): void {
    const lines = readFileSync(path, 'utf8').split('\n');
    const at = Math.min(Math.max(line - 1, 0), lines.length - 1);
    const indent = /^\s*/.exec(lines[at] ?? '')![0];
    const mark = path.endsWith('.md') ? `<!-- ${note} -->` : `// ${note}`;
    lines.splice(at, 0, indent + mark);
    writeFileSync(path, lines.join('\n'));
    this.#view.transcript.push({ kind: 'tool', text: `Edited ${path}:${line} (+1)` });
  }
}

/** Places a review prompt names, in its order, each with the first line of the comment that follows; only files below the working folder. */
export function findPlaces(prompt: string): { path: string; line: number; note: string }[] {
  const places: { path: string; line: number; note: string }[] = [];
  const lines = prompt.split('\n');
  lines.forEach((text, i) => {
    const match = /(?:^|[\s`(])([\w@.][\w@./-]*\.\w+):(\d+)/.exec(text);
    if (!match) return;
    const path = normalize(match[1]!);
    if (isAbsolute(path) || path.startsWith('..') || !exists(path)) return;
    const body = lines.slice(i + 1).find((l) => l.trim() && !/^\s*(?:[>|`]|[-+] |\d+[ :|])/.test(l)) ?? 'see the comment';
    places.push({ path, line: Number(match[2]), note: body.trim().slice(0, 100) });
  });
  return places;
}

function exists(path: string): boolean {
  try {
    readFileSync(join(process.cwd(), path));
    return true;
  } catch {
    return false;
  }
}

/** Tells herd; outside a workspace, where there is no herd on the PATH, nobody needs to know. */
async function markAddressed(id: string): Promise<void> {
  await promisify(execFile)('herd', ['comment', 'addressed', id, 'noted in the code']).catch(() => {});
}
