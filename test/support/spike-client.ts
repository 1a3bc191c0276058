// A drawing client with a face made for one test: sidebar and dialog, a flooding pane, a caret in an editor. Started with the
// socket's path; ctrl+q leaves, Escape closes the dialog, all other keys go to the dialog or the pane. With 'bare' as the second argument: without chrome.

import type { Layers, Rect } from '../../src/compositor/compositor.ts';
import type { InputEvent } from '../../src/model/input.ts';
import { width } from '../../src/model/width.ts';
import { bareFace } from '../../src/tui/bare-face.ts';
import { Chrome } from '../../src/tui/chrome.ts';
import type { Face, FacePorts } from '../../src/tui/face.ts';
import { runClient } from '../../src/tui/start.ts';
import { createTheme } from '../../src/tui/theme.ts';
import { Tty } from '../../src/tui/tty.ts';
import type { Block } from '../../src/tui/views/block.ts';
import { connectClient } from '../../src/wire/client.ts';

const SIDEBAR = 16;
const theme = createTheme({ dark: true, colors: 'true' });

class SpikeFace implements Face {
  readonly #ports: FacePorts;
  readonly #chrome = new Chrome();
  #dialog = true;
  #text = '';
  #caret = 0;
  #down = false;

  constructor(ports: FacePorts) {
    this.#ports = ports;
  }

  attached(): void {
    this.#down = false;
    this.#setView();
    this.#redraw();
  }

  event(): void {}
  viewChanged(): void {
    this.#ports.draw('focused');
  }
  pasteRefused(): void {}
  outerChanged(): void {}
  silent(): void {}
  disconnected(): void {
    this.#down = true;
    this.#redraw();
  }

  resized(): void {
    this.#setView();
    this.#redraw();
  }

  input(event: InputEvent): void {
    if (event.type === 'key' && event.key === 'q' && event.mods === 4) return this.#ports.leave(7, 'bye');
    if (event.type === 'key' && this.#dialog) return this.#edit(event);
    this.#ports.request('terminal.input', { terminal: 1, events: [event] }).catch(() => {});
  }

  #edit(event: InputEvent & { type: 'key' }): void {
    if (event.key === 'escape') this.#dialog = false;
    else if (event.key === 'left') this.#caret = Math.max(0, this.#caret - 1);
    else if (event.text) {
      const chars = [...this.#text];
      chars.splice(this.#caret, 0, ...event.text);
      this.#text = chars.join('');
      this.#caret += [...event.text].length;
    }
    this.#redraw();
  }

  layers(): Layers {
    const { cols, rows } = this.#ports.size();
    this.#chrome.draw(cols, rows, this.#blocks(), theme);
    const view = this.#ports.view(1);
    const { pane, dialog } = this.#rects();
    const before = width([...this.#text].slice(0, this.#caret).join(''));
    const shape = { visible: true, shape: 'block', blink: false } as const;
    const own = view?.facts?.cursor ?? { x: 0, y: 0, ...shape };
    return {
      chrome: this.#chrome.grid,
      panes: view?.grid ? [{ id: 1, grid: view.grid, ...pane }] : [],
      overlays: this.#dialog ? [{ ...dialog, grid: this.#chrome.grid }] : [],
      cursor: this.#dialog ? { x: dialog.x + 1 + before, y: dialog.y + 1, ...shape } : { ...own, x: pane.x + own.x, y: pane.y + own.y },
    };
  }

  close(): void {}

  #blocks(): Block[] {
    const { dialog } = this.#rects();
    const inside = dialog.cols - 2;
    const text = this.#text + ' '.repeat(Math.max(0, inside - width(this.#text)));
    const at = (rect: Rect, ...lines: string[]): Block => ({
      rect,
      lines: lines.map((line, i) => [{ text: line, ...(i === 0 ? { color: 'accent' as const } : {}) }]),
    });
    const side = [`▲ 🚀rocket`, `○ main`, this.#down ? 'down' : 'up'].map((line) => `${line}${' '.repeat(SIDEBAR - 1 - width(line))}│`);
    const box = at(dialog, `╭${'─'.repeat(inside)}╮`, `│${text}│`, `╰${'─'.repeat(inside)}╯`);
    return [at({ x: 0, y: 0, cols: SIDEBAR, rows: 3 }, ...side), ...(this.#dialog ? [box] : [])];
  }

  #redraw(): void {
    this.#ports.draw('focused');
  }

  #rects(): { pane: Rect; dialog: Rect } {
    const { cols, rows } = this.#ports.size();
    return {
      pane: { x: SIDEBAR, y: 0, cols: cols - SIDEBAR, rows },
      dialog: { x: SIDEBAR + 4, y: 5, cols: 24, rows: 3 },
    };
  }

  #setView(): void {
    const { pane } = this.#rects();
    const view = { view: 1, terminal: 1, cols: pane.cols, rows: pane.rows, sizing: true, focused: true };
    this.#ports.request('view.set', { views: [view] }).catch(() => {});
  }
}

const ending = await runClient({
  connect: (handlers) => connectClient({ socket: process.argv[2]!, token: '', version: '0.0.0', ...handlers }),
  openFace:
    process.argv[3] === 'bare'
      ? bareFace({ terminal: 5, prefix: 'ctrl+b', detached: 'detached: herd attach' })
      : (ports) => new SpikeFace(ports),
  place: { cwd: '/', env: {} },
  tty: new Tty(process.stdin, 1),
  env: process.env,
});
process.stdout.write(`${ending.message}\n`);
process.exit(ending.code);
