// What a program has said of itself and not taken back: title, records of OSC 7501, progress, folder. Every fact is passed on as it comes,
// but of replayed output only what stays so: no bell, no notification, no clipboard.
import type { IParser } from '@xterm/headless';
import { clean } from '../model/clean.ts';
import type { ProgramStatus, TerminalFact } from '../model/terminal-facts.ts';
import { FACT_CODES, NotificationParts, readFact } from './facts.ts';

const MAX_TITLE = 256;
/** Titles kept by CSI 22 t. */
const MAX_TITLE_STACK = 16;
/** Records of OSC 7501 kept of one program; more are an accident or an attack. */
const MAX_RECORDS = 64;

export interface SaidOptions {
  /** The output that is parsed is replayed. */
  muted(): boolean;
  onFact(fact: TerminalFact): void;
  /** To the program. */
  send(text: string): void;
}

export class Said {
  readonly #o: SaidOptions;
  #title = '';
  #titles: string[] = [];
  readonly #records = new Map<string, ProgramStatus>();
  #progress: Extract<TerminalFact, { fact: 'progress' }> | null = null;
  #folder: TerminalFact | null = null;

  constructor(options: SaidOptions) {
    this.#o = options;
  }

  get title(): string {
    return this.#title;
  }

  /** Titles that were put by, the last one at the end. */
  get titles(): string[] {
    return this.#titles;
  }

  /** Records, progress and folder, as they would be told anew. */
  get facts(): TerminalFact[] {
    const records = [...this.#records.values()].map((report): TerminalFact => ({ fact: 'status', report }));
    return [...records, ...[this.#progress, this.#folder].filter((fact) => fact !== null)];
  }

  get progress(): { state: 0 | 1 | 2 | 3 | 4; value: number | null } | null {
    return this.#progress && { state: this.#progress.state, value: this.#progress.value };
  }

  /** Another program has the terminal now: what the one before said of its state no longer holds. */
  forgetStatus(): void {
    this.#records.clear();
    this.#progress = null;
  }

  /** As an earlier screen had it; all of it is told. */
  restore(title: string, titles: string[], facts: readonly TerminalFact[]): void {
    this.#title = title;
    this.#titles = titles;
    if (title) this.tell({ fact: 'title', title });
    for (const fact of facts) this.tell(fact);
  }

  tell(fact: TerminalFact): void {
    if (fact.fact === 'status') this.#keepRecord(fact.report);
    if (fact.fact === 'progress') this.#progress = fact.state === 0 ? null : fact;
    if (fact.fact === 'cwd') this.#folder = fact;
    const transient = fact.fact === 'bell' || fact.fact === 'notification' || fact.fact === 'clipboard';
    if (!(transient && this.#o.muted())) this.#o.onFact(fact);
  }

  /** Has a parser tell what it comes upon. */
  watch(parser: IParser): void {
    this.#watchTitles(parser);
    const notes = new NotificationParts();
    for (const code of FACT_CODES) {
      parser.registerOscHandler(code, (data) => {
        if (code === 7501 && data === '?') this.#o.send('\x1b]7501;?\x1b\\');
        else for (const fact of readFact(code, data, notes)) this.tell(fact);
        return true;
      });
    }
  }

  #watchTitles(parser: IParser): void {
    parser.registerOscHandler(0, (data) => this.#setTitle(data));
    parser.registerOscHandler(2, (data) => this.#setTitle(data));
    parser.registerOscHandler(1, (data) => {
      this.tell({ fact: 'icon-title', title: clean(data, MAX_TITLE) });
      return true;
    });
    parser.registerCsiHandler({ final: 't' }, (params) => {
      if (params[0] === 22) {
        this.#titles.push(this.#title);
        if (this.#titles.length > MAX_TITLE_STACK) this.#titles.shift();
      } else if (params[0] === 23) {
        const title = this.#titles.pop();
        if (title !== undefined) this.#setTitle(title);
      } else return false;
      return true;
    });
  }

  #setTitle(data: string): boolean {
    const title = clean(data, MAX_TITLE);
    if (title !== this.#title) {
      this.#title = title;
      this.tell({ fact: 'title', title });
    }
    return true;
  }

  #keepRecord(report: ProgramStatus): void {
    if (report.state === 'clear') this.#records.delete(report.id);
    else if (this.#records.has(report.id) || this.#records.size < MAX_RECORDS) this.#records.set(report.id, report);
  }
}
