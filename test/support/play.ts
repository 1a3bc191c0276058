// A tracker that is told its facts at imagined times: screens as text, titles, reports, keys; and every state it went through.
import type { AgentFact } from '../../src/agents/facts.ts';
import { KINDS } from '../../src/agents/kinds/table.ts';
import { observe } from '../../src/agents/observe.ts';
import { createTracker, judge, type Tracker } from '../../src/agents/tracker.ts';
import type { AgentState } from '../../src/model/agent.ts';
import type { ProgramStatus } from '../../src/model/terminal-facts.ts';
import { screenOf } from './screen-of.ts';

export const RULE = '─'.repeat(60);
export const box = (draft = '', footer = '  ⏸ manual mode on · ? for shortcuts') => `\n${RULE}\n❯ ${draft}▏\n${RULE}\n${footer}`;
export const idle = (text = '● Done.') => `${text}\n${box()}`;
export const busy = (n: number) => `✻ Brewing… (${n}s · ↓ ${n * 7} tokens)\n${box('', '  ⏸ manual mode on · esc to interrupt')}`;
export const dialog = ' Do you want to proceed?\n ▏❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend';

/** A tracker with its clock: facts at times, timers in between, every state it went through. */
export class Play {
  readonly tracker: Tracker;
  readonly states: AgentState[] = [];
  #now = 0;
  #due: number | null = null;

  constructor(kind = 'claude', o: { headless?: boolean } = {}) {
    this.tracker = createTracker(KINDS.get(kind)!, 0, { stallAfter: 60_000, ...o });
    this.#judge();
  }

  at(ms: number, fact: AgentFact): this {
    this.until(ms);
    observe(this.tracker, fact, ms);
    this.#judge();
    return this;
  }

  screen(ms: number, text: string, cols = 100): this {
    return this.at(ms, { fact: 'screen', screen: screenOf(text, cols) });
  }

  title(ms: number, title: string): this {
    return this.at(ms, { fact: 'terminal', report: { fact: 'title', title } });
  }

  report(ms: number, state: ProgramStatus['state'], more: Partial<ProgramStatus> = {}): this {
    return this.at(ms, { fact: 'terminal', report: { fact: 'status', report: { id: '', state, ...more } } });
  }

  key(ms: number, submit = false): this {
    return this.at(ms, { fact: 'input', by: 'person', submit });
  }

  /** A claude that was started, was given a prompt at 5 s and works since. */
  working(): this {
    this.screen(1000, idle('Welcome')).until(4000);
    this.screen(4900, `Welcome\n${box('do it')}`).at(5000, { fact: 'input', by: 'herd', submit: true });
    for (let s = 0; s < 3; s++) this.screen(5200 + s * 500, busy(s));
    return this;
  }

  until(ms: number): this {
    while (this.#due !== null && this.#due <= ms) {
      this.#now = this.#due;
      this.#judge();
    }
    this.#now = ms;
    this.#judge();
    return this;
  }

  get status() {
    return this.tracker.status;
  }

  get state(): AgentState {
    return this.status.state;
  }

  #judge(): void {
    for (;;) {
      const { status, next } = judge(this.tracker, this.#now);
      if (this.states.at(-1) !== status.state) this.states.push(status.state);
      this.#due = next;
      if (next === null || next > this.#now) return;
    }
  }
}
