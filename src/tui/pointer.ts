// What the mouse does: click to focus and choose, drag to select or to move a divider, wheel to scroll what is under it. A program that
// asked for the mouse gets it instead, unless shift is held.
import { type MouseEvent, SHIFT } from '../model/input.ts';
import { pointAt } from '../model/text-rows.ts';
import { answer } from './commands/attention.ts';
import { type CommandContext, change, say, sayError } from './commands/context.ts';
import { moveList } from './commands/lists.ts';
import { type CopyScreen, copiedText, selectedText } from './copy-mode.ts';
import { editorRows, placeCaret, textAt } from './editor.ts';
import type { Divider, Layout, PaneId } from './layout.ts';
import { editorRect, editorWindow, innerRect } from './overlay-geometry.ts';
import { dividerAtTitle, type PointerTarget, ratioAt, targetAt } from './pointer-target.ts';
import { boxedOverlays, type DiffHead, paneTitle } from './present.ts';
import { attentionRows } from './rows/attention-rows.ts';
import { sidebarHit, sidebarProps } from './rows/sidebar-rows.ts';
import { fileReference, type Selection, wordAt } from './selection.ts';
import { clusterCells } from './spans.ts';
import { attentionList, attentionQueue } from './store/attention.ts';
import { editorOf, type Overlay, withEditor } from './store/overlay.ts';
import { closeOverlay, openOverlay } from './store/overlay-stack.ts';
import { arrange, focusPane, setRatio, showWorkspace, swapPanes } from './store/panes.ts';
import { nameAt } from './views/pane-title.ts';

/** Rows a turn of the wheel scrolls. */
const WHEEL_ROWS = 3;
/** Clicks this close together are one double or triple click, ms. */
const CLICK_PAUSE = 400;

export interface PointerOptions {
  context(): CommandContext;
  layout(): Layout;
  screen(terminal: number): CopyScreen | null;
  /** Gives an event to a program; x and y count from its pane. */
  pass(terminal: number, event: MouseEvent): void;
  /** Clicks and wheel over the diff pane. */
  diffClick(x: number, y: number, extend: boolean, double: boolean): void;
  diffWheel(at: { x: number; y: number }, rows: number, cols: number): void;
  openOverlayEntry(): void;
  /** What stands in the title of the diff. */
  diffHead(): DiffHead;
  /** The selection changed; null: there is none. */
  selected(selection: Selection | null): void;
  /** Text is being marked in a terminal, whose view stays on it; null: no longer. */
  marking(terminal: number | null): void;
  /** Opens a place in the shown workspace's diff. */
  openReference(path: string, line: number): void;
}

type Drag =
  | { what: 'divider'; divider: Divider }
  | { what: 'pane'; pane: PaneId; over: PaneId | null }
  | { what: 'select'; selection: Selection; moved: boolean; toTail: boolean }
  | { what: 'program'; terminal: number }
  | { what: 'diff' };

export class Pointer {
  readonly #o: PointerOptions;
  #drag: Drag | null = null;
  #clicks = { count: 0, at: Number.NEGATIVE_INFINITY, x: -1, y: -1 };

  constructor(options: PointerOptions) {
    this.#o = options;
  }

  take(event: MouseEvent): void {
    if (this.#drag && event.action !== 'press') return this.#dragged(this.#drag, event);
    const target = targetAt(this.#o.layout(), event.x, event.y);
    if (event.button.startsWith('wheel')) return this.#wheel(target, event);
    if (event.action === 'press') return this.#press(target, event);
    if (target.on === 'pane' && typeof target.pane === 'number') this.#toProgram(target.pane, target, event);
  }

  #press(target: PointerTarget, event: MouseEvent): void {
    const context = this.#o.context();
    const count = this.#count(event);
    this.#o.selected(null);
    if (target.on === 'overlay') return this.#overlay(target.index, target.x, target.y, event, count);
    if (context.store.getState().overlays.length > 0) return this.#outside();
    switch (target.on) {
      case 'pane':
        return this.#pane(target.pane, target.x, target.y, event, count);
      case 'title':
        return this.#title(target.pane, target.x);
      case 'divider':
        this.#drag = target.divider.path ? { what: 'divider', divider: target.divider } : null;
        return;
      case 'list':
        return this.#list(target.x, target.y);
    }
  }

  #count(event: MouseEvent): number {
    const now = this.#o.context().now();
    const again = now - this.#clicks.at < CLICK_PAUSE && this.#clicks.x === event.x && this.#clicks.y === event.y;
    this.#clicks = { count: again ? (this.#clicks.count % 3) + 1 : 1, at: now, x: event.x, y: event.y };
    return this.#clicks.count;
  }

  #pane(pane: PaneId, x: number, y: number, event: MouseEvent, count: number): void {
    const context = this.#o.context();
    change(context, (state) => focusPane(state, pane));
    if (pane === 'diff') {
      this.#drag = { what: 'diff' };
      return this.#o.diffClick(x, y, (event.mods & SHIFT) !== 0, count === 2);
    }
    if (this.#toProgram(pane, { x, y }, event)) {
      this.#drag = { what: 'program', terminal: pane };
      return;
    }
    const screen = this.#o.screen(pane);
    if (!screen || event.button !== 'left') return;
    this.#select(pane, x, y, count, screen);
  }

  #select(terminal: number, x: number, y: number, count: number, { grid, facts }: CopyScreen): void {
    const word = count === 2 ? wordAt(grid, x, y) : null;
    const reference = word && fileReference(word.text);
    if (reference) this.#o.openReference(reference.path, reference.line);
    const selection: Selection = {
      terminal,
      anchor: pointAt(facts, word?.from ?? x, y),
      head: pointAt(facts, word?.to ?? x, y),
      shape: count === 3 ? 'lines' : 'characters',
    };
    this.#drag = { what: 'select', selection, moved: count > 1, toTail: facts.atTail };
    if (count > 1) this.#o.selected(selection);
  }

  /** True when the program asked for it. Shift keeps the mouse for herd. */
  #toProgram(terminal: number, at: { x: number; y: number }, event: MouseEvent): boolean {
    const mouse = this.#o.screen(terminal)?.facts.mouse ?? 'none';
    if (mouse === 'none' || event.mods & SHIFT) return false;
    if (event.action === 'move' && mouse === 'press') return true;
    if (event.action === 'move' && event.button === 'none' && mouse !== 'any') return true;
    this.#o.pass(terminal, { ...event, x: at.x, y: at.y });
    return true;
  }

  #dragged(drag: Drag, event: MouseEvent): void {
    const released = event.action === 'release';
    if (released) this.#drag = null;
    if (drag.what === 'program') {
      const body = this.#o.layout().panes.find(({ pane }) => pane === drag.terminal)?.body;
      if (body) this.#toProgram(drag.terminal, { x: clamp(event.x - body.x, body.cols), y: clamp(event.y - body.y, body.rows) }, event);
    } else if (drag.what === 'divider') {
      const ratio = ratioAt(drag.divider, event.x, event.y);
      const path = drag.divider.path ?? [];
      change(this.#o.context(), (state) => arrange(state, (panes) => ({ ...panes, tree: setRatio(panes.tree, path, ratio) })));
    } else if (drag.what === 'pane') this.#carrying(drag, event, released);
    else if (drag.what === 'diff') {
      const body = this.#o.layout().panes.find(({ pane }) => pane === 'diff')?.body;
      if (body && event.action === 'move')
        this.#o.diffClick(clamp(event.x - body.x, body.cols), clamp(event.y - body.y, body.rows), true, false);
    } else this.#selecting(drag, event, released);
  }

  /** A pane is carried by its name: where it is let go over another, the two change places. */
  #carrying(drag: Extract<Drag, { what: 'pane' }>, event: MouseEvent, released: boolean): void {
    const context = this.#o.context();
    const target = targetAt(this.#o.layout(), event.x, event.y);
    const over = (target.on === 'pane' || target.on === 'title') && target.pane !== drag.pane ? target.pane : null;
    if (released) {
      if (over !== null) change(context, (state) => arrange(state, (panes) => swapPanes(panes, drag.pane, over)));
    } else if (over !== drag.over) {
      this.#drag = { ...drag, over };
      if (over !== null) say(context, 'let go here to swap the two panes');
    }
  }

  #selecting(drag: Extract<Drag, { what: 'select' }>, event: MouseEvent, released: boolean): void {
    const { terminal } = drag.selection;
    const body = this.#o.layout().panes.find(({ pane }) => pane === terminal)?.body;
    const screen = this.#o.screen(terminal);
    if (!body || !screen) return;
    if (event.action === 'move') {
      const head = pointAt(screen.facts, clamp(event.x - body.x, body.cols), clamp(event.y - body.y, body.rows));
      const selection = { ...drag.selection, head };
      this.#o.marking(terminal);
      // Past the edge the text moves under the pointer, and stays there.
      const by = event.y < body.y ? -1 : event.y >= body.y + body.rows ? 1 : 0;
      this.#drag = { ...drag, selection, moved: true, toTail: drag.toTail && by === 0 };
      if (by !== 0)
        this.#o
          .context()
          .request('view.scroll', { view: terminal, by })
          .catch(() => {});
      return this.#o.selected(selection);
    }
    if (!released || !drag.moved) return;
    const context = this.#o.context();
    // Asked for before the view is let go: the text is what they see.
    selectedText(context, drag.selection)
      .then((text) => {
        if (text.trim() === '') return;
        context.copyText(text, copiedText(text));
      })
      .catch((error) => sayError(context, error));
    this.#o.marking(null);
    if (drag.toTail) context.request('view.scroll', { view: terminal, to: null }).catch(() => {});
  }

  #wheel(target: PointerTarget, event: MouseEvent): void {
    if (event.action !== 'press') return;
    const by = event.button === 'wheelup' ? -WHEEL_ROWS : event.button === 'wheeldown' ? WHEEL_ROWS : 0;
    const sideways = event.button === 'wheelleft' ? -1 : event.button === 'wheelright' ? 1 : 0;
    const context = this.#o.context();
    if (target.on === 'overlay' || target.on === 'list') return this.#scrollList(Math.sign(by));
    if (target.on !== 'pane') return;
    if (target.pane === 'diff') return this.#o.diffWheel(target, by, sideways);
    const screen = this.#o.screen(target.pane);
    if (screen?.facts.wheel === 'program' && !(event.mods & SHIFT))
      return this.#o.pass(target.pane, { ...event, x: target.x, y: target.y });
    if (by !== 0) context.request('view.scroll', { view: target.pane, by }).catch((error) => sayError(context, error));
  }

  #scrollList(by: number): void {
    const context = this.#o.context();
    const top = context.store.getState().overlays.at(-1);
    if (top) moveList(top.kind === 'explain' ? by * WHEEL_ROWS : by)(context);
  }

  /** A click on a name among tabs goes there; a drag moves the pane by its name, and by the rest of a lower pane's title the divider. */
  #title(pane: PaneId, x: number): void {
    const context = this.#o.context();
    const layout = this.#o.layout();
    const name = nameAt(paneTitle(context.store.getState(), layout, pane, this.#o.diffHead()), x);
    if (layout.tabs.length > 1) return change(context, (state) => focusPane(state, layout.tabs[name ?? -1] ?? pane));
    const divider = dividerAtTitle(layout, pane);
    if (name !== null) this.#drag = { what: 'pane', pane, over: null };
    else if (divider) this.#drag = { what: 'divider', divider };
    change(context, (state) => focusPane(state, pane));
  }

  #list(x: number, y: number): void {
    const context = this.#o.context();
    const state = context.store.getState();
    const layout = this.#o.layout();
    const rect = layout.sidebar!;
    if (layout.tier === 'narrow') {
      const row = attentionRows(attentionList(state), state.listAt, state.now, rect.cols, rect.rows)[y];
      const chosen = row?.answers.find(({ from, to }) => x >= from && x < to);
      if (chosen) return this.#answer(row!.workspace, chosen.answer);
      if (row?.workspace != null) change(context, (now) => showWorkspace(now, row.workspace!));
      return;
    }
    const hit = sidebarHit(sidebarProps(state), rect, layout.tier === 'rail', y);
    if (!hit) return;
    const asks = state.workspaces.find(({ id }) => id === hit.workspace)?.agent.question;
    const at = attentionQueue(state).findIndex(({ id }) => id === hit.workspace);
    if (hit.detail && asks && at >= 0) return change(context, (now) => openOverlay(now, { kind: 'attention', at }));
    change(context, (now) => showWorkspace(now, hit.workspace));
  }

  #answer(workspace: number | null, with_: 'approve' | 'reject' | number): void {
    const context = this.#o.context();
    answer(context, workspace, with_).catch((error) => sayError(context, error));
  }

  /** A click beside what can be closed without loss closes it. */
  #outside(): void {
    change(this.#o.context(), (state) => {
      const top = state.overlays.at(-1);
      return top && top.kind !== 'new' && top.kind !== 'preview' && top.kind !== 'confirm' ? closeOverlay(state) : state;
    });
  }

  #overlay(index: number, x: number, y: number, event: MouseEvent, count: number): void {
    const context = this.#o.context();
    const state = context.store.getState();
    const layout = this.#o.layout();
    const overlay = boxedOverlays(state, layout)[index];
    const rect = layout.overlays[index];
    if (!overlay || !rect || overlay !== state.overlays.at(-1)) return;
    const editor = editorOf(overlay);
    const field = editorRect(overlay, rect);
    const inField = field && event.x >= field.x && event.x < field.x + field.cols && event.y >= field.y && event.y < field.y + field.rows;
    if (editor && field && inField) {
      const window = editorWindow(editor, field.cols, field.rows);
      const start = window.rows[event.y - field.y]?.start ?? editor.text.length;
      const at = editor.singleLine
        ? start +
          textAt(editor.text.slice(start), [{ start: 0, end: editor.text.length - start, soft: false }], 0, event.x - field.x, clusterCells)
        : textAt(
            editor.text,
            editorRows(editor.text, field.cols, clusterCells),
            window.above + event.y - field.y,
            event.x - field.x,
            clusterCells,
          );
      const next = withEditor(overlay, placeCaret(editor, at));
      return change(context, (now) => ({ ...now, overlays: now.overlays.with(-1, next) }));
    }
    this.#row(overlay, y - 1, x - 2, innerRect(rect), count);
  }

  /** A click on a row chooses it, a second one opens it; on an answer it answers. */
  #row(overlay: Overlay, y: number, x: number, inner: { cols: number; rows: number }, count: number): void {
    const context = this.#o.context();
    const state = context.store.getState();
    if (overlay.kind === 'attention') {
      const queue = attentionQueue(state);
      const row = attentionRows(queue, queue[overlay.at]?.id ?? null, state.now, inner.cols, inner.rows)[y];
      const chosen = row?.answers.find(({ from, to }) => x >= from && x < to);
      if (chosen) return this.#answer(row!.workspace, chosen.answer);
      const at = queue.findIndex(({ id }) => id === row?.workspace);
      if (at >= 0) change(context, (now) => ({ ...now, overlays: now.overlays.with(-1, { ...overlay, at }) }));
    } else if ((overlay.kind === 'workspaces' || overlay.kind === 'palette') && y >= 2) {
      const rows = Math.max(0, inner.rows - 2);
      const top = Math.max(0, overlay.at - Math.floor(rows / 2));
      change(context, (now) => ({ ...now, overlays: now.overlays.with(-1, { ...overlay, at: Math.max(0, top) + y - 2 }) }));
    } else return;
    if (count === 2) this.#o.openOverlayEntry();
  }
}

function clamp(value: number, end: number): number {
  return Math.max(0, Math.min(end - 1, value));
}
