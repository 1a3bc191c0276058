// A client without chrome: one terminal fills the tty, all keys are its own but the prefix. For `herd run -- CMD`.

import type { Layers } from '../compositor/compositor.ts';
import type { InputEvent } from '../model/input.ts';
import { soon } from '../model/soon.ts';
import type { ServerEvent, SessionState } from '../wire/requests.ts';
import type { Face, FacePorts, OpenFace } from './face.ts';
import { gridText } from './grid-text.ts';
import { chordOf } from './input/chord.ts';
import { ProgramLooks } from './program-looks.ts';
import { readingPlace } from './reading-place.ts';

/** The only view of such a client. */
const VIEW = 1;
/** Rows a turn of the wheel scrolls. */
const WHEEL_ROWS = 3;

export interface BareOptions {
  terminal: number;
  /** Chord before `d`. */
  prefix: string;
  /** Said after detaching: how to come back. */
  detached: string;
}

/** The face for one terminal. Ends with the program's exit code, its last screen printed; 0 when detached. */
export function bareFace(options: BareOptions): OpenFace {
  return (ports) => new BareFace(options, ports);
}

class BareFace implements Face {
  readonly #o: BareOptions;
  readonly #ports: FacePorts;
  #prefixed = false;
  #focused = true;
  #pending: InputEvent[] = [];
  #exit: { code: number | null; signal: string | null } | null = null;

  readonly #outer: ProgramLooks;

  constructor(options: BareOptions, ports: FacePorts) {
    this.#o = options;
    this.#ports = ports;
    this.#outer = new ProgramLooks(ports);
  }

  attached(state: SessionState): void {
    this.#setView();
    const terminal = state.workspaces.flatMap((workspace) => workspace.terminals).find(({ id }) => id === this.#o.terminal);
    if (!terminal) return this.#ports.leave(1, 'The terminal is gone.');
    this.#outer.show(terminal);
    if (terminal.exit) this.#exited(terminal.exit);
  }

  event(event: ServerEvent): void {
    if (event.event === 'terminal' && event.terminal.id === this.#o.terminal) {
      this.#ports.act({ act: 'title', text: event.terminal.title });
      this.#outer.show(event.terminal);
      if (event.terminal.exit) this.#exited(event.terminal.exit);
    } else if (event.event === 'workspace') {
      const mine = event.workspace.terminals.find(({ id }) => id === this.#o.terminal);
      if (mine?.exit) this.#exited(mine.exit);
    } else if (event.event === 'clipboard') this.#ports.act({ act: 'clipboard', text: event.text });
    else if (event.event === 'bell') this.#ports.act({ act: 'bell' });
    else if (event.event === 'attention' && !event.said) this.#ports.act({ act: 'notify', title: event.title, body: event.body });
    else if (event.event === 'notification') this.#ports.act({ act: 'notify', title: event.title, body: event.body, form: event.form });
    else if (event.event === 'server.stopping' && !event.restart) {
      if (this.#exit) this.#end();
      else this.#ports.leave(1, 'The session has ended.');
    }
  }

  viewChanged(): void {
    this.#ports.draw('focused');
  }

  input(event: InputEvent): void {
    if (event.type === 'focus') {
      this.#focused = event.focused;
      return this.#setView();
    }
    if (event.type === 'mouse' && this.#isOurs(event)) return;
    if (event.type === 'key' && event.action !== 'release') {
      const chord = chordOf(event);
      if (this.#prefixed) {
        this.#prefixed = false;
        if (chord === 'd') return this.#ports.leave(0, this.#o.detached);
        if (chord !== this.#o.prefix) return;
      } else if (chord === this.#o.prefix) {
        this.#prefixed = true;
        return;
      }
    }
    this.#pass(event);
  }

  pasteRefused(): void {
    this.#ports.act({ act: 'bell' });
  }

  resized(): void {
    this.#setView();
  }

  outerChanged(): void {}
  silent(): void {}
  disconnected(): void {}

  layers(): Layers {
    const view = this.#ports.view(VIEW);
    if (!view?.grid || !view.facts) return { chrome: null, panes: [], overlays: [], cursor: null };
    const { cols, rows } = this.#ports.size();
    return {
      chrome: null,
      panes: [{ id: this.#o.terminal, grid: view.grid, x: 0, y: 0, cols, rows }],
      overlays: [],
      cursor: view.facts.cursor,
    };
  }

  wantsMoves(): boolean {
    return this.#ports.view(VIEW)?.facts?.mouse === 'any';
  }

  keyboardFlags(): number {
    return this.#ports.view(VIEW)?.facts?.kitty ?? 0;
  }

  close(): void {}

  #setView(): void {
    const { cols, rows } = this.#ports.size();
    const view = { view: VIEW, terminal: this.#o.terminal, cols, rows, sizing: true, focused: this.#focused };
    const place = readingPlace(this.#ports.view(VIEW)?.facts);
    this.#ports.request('view.set', { views: [{ ...view, ...place }] }).catch(() => {});
  }

  /** The wheel scrolls the view when the program does not want it; other mouse events are the program's, if it asked for them. */
  #isOurs(event: InputEvent & { type: 'mouse' }): boolean {
    const facts = this.#ports.view(VIEW)?.facts;
    if (!facts) return true;
    const step = { wheelup: -WHEEL_ROWS, wheeldown: WHEEL_ROWS }[event.button as 'wheelup' | 'wheeldown'];
    // The server knows best whether the program wants it: its newest modes may be on their way here.
    if (step === undefined) return false;
    if (facts.wheel === 'program') return false;
    if (event.action === 'press') this.#ports.request('view.scroll', { view: VIEW, by: step }).catch(() => {});
    return true;
  }

  /** Events of one read go as one request. */
  #pass(event: InputEvent): void {
    this.#pending.push(event);
    if (this.#pending.length > 1) return;
    soon(() => {
      const events = this.#pending;
      this.#pending = [];
      this.#ports.request('terminal.input', { terminal: this.#o.terminal, events }).catch(() => {});
    });
  }

  /** The last frames may still be on their way: a look at the tail is answered after them. */
  #exited(exit: { code: number | null; signal: string | null }): void {
    if (this.#exit) return;
    this.#exit = exit;
    this.#ports
      .request('view.scroll', { view: VIEW, to: null })
      .catch(() => {})
      .finally(() => this.#end());
  }

  #end(): void {
    const grid = this.#ports.view(VIEW)?.grid;
    const { code = null, signal = null } = this.#exit ?? {};
    const text = grid ? gridText(grid) : '';
    this.#ports.leave(code ?? 1, signal ? `${text}\nended by ${signal}` : text);
  }
}
