// The face of a drawing client: events from the server into the store, the store onto the screen, keys and mouse into commands or to
// the program in front. Holds the parts together and decides nothing itself; Ink is loaded late, by `loadChrome`.
import type { Grid } from '../model/cell.ts';
import { createGrid } from '../model/cell.ts';
import type { InputEvent, KeyEvent } from '../model/input.ts';
import type { ClientPlace, OuterTerminal, ServerEvent, SessionState, ViewSpec, WireError } from '../wire/requests.ts';
import { nextAgeChange, windowTitle } from './agent-look.ts';
import { type CommandContext, say } from './commands/context.ts';
import { typeText } from './commands/editing.ts';
import { runCommand } from './commands/run.ts';
import type { Layers } from './compositor.ts';
import { copySelection, createCopyHost } from './copy-mode.ts';
import { type DiffDrawn, drawDiff, hitTest } from './diff/draw.ts';
import { createHighlighter, type Highlighter } from './diff/highlight/highlighter.ts';
import { DiffHost, diffHead } from './diff-host.ts';
import type { Face, FacePorts, OpenFace } from './face.ts';
import { hintLine } from './hints.ts';
import { chordEvent, chordLabel, chordOf } from './input/chord.ts';
import { type Keymap, lookUp } from './input/keymap.ts';
import type { Place } from './input/keymap-table.ts';
import type { Layout } from './layout.ts';
import { overlayCaret } from './overlay-geometry.ts';
import { Pointer } from './pointer.ts';
import { boxedOverlays, isInline, layoutOf } from './present.ts';
import { type Selection, withSelection } from './selection.ts';
import { attentionList, rollUp } from './store/attention.ts';
import { takeEvent } from './store/events.ts';
import { editorOf, placeOfOverlay } from './store/overlay.ts';
import { topOverlay } from './store/overlay-stack.ts';
import { focusPane, showArranged } from './store/panes.ts';
import {
  type ClientState,
  type ClientStore,
  createClientStore,
  focusedPane,
  type InstalledKind,
  shownWorkspace,
  takeSession,
} from './store/state.ts';
import { createTheme, type Theme } from './theme.ts';

export interface AppOptions {
  keymap: Keymap;
  /** Faults of the config, said once at start. */
  problems: string[];
  place: ClientPlace;
  theme: 'auto' | 'dark' | 'light';
  defaultAgent: string;
  /** Said after detaching: how to come back. */
  detached: string;
  /** Looks for agent programs; called when the answer is first of use. */
  findAgents(): Promise<InstalledKind[]>;
  now(): number;
}

/** Paths of changesets larger than this are not compared for overlaps. */
const OVERLAP_FILES = 500;
/** Changes of changesets within this time are read as one, ms. */
const OVERLAP_PAUSE = 1000;

export function openApp(options: AppOptions): OpenFace {
  return (ports) => new App(options, ports);
}

class App implements Face {
  readonly #o: AppOptions;
  readonly #ports: FacePorts;
  readonly #store: ClientStore;
  readonly #context: CommandContext;
  readonly #diff: DiffHost;
  readonly #pointer: Pointer;
  readonly #highlighter: Highlighter;
  #theme: Theme;
  #layout: Layout;
  #chrome: { grid: Grid; render(): void; resize(cols: number, rows: number): void; close(): void } | null = null;
  #sentViews = '';
  #sentFocus = '';
  #title = '';
  #diffGrid: Grid | null = null;
  #diffDrawn: DiffDrawn | null = null;
  #diffDirty = true;
  /** The chrome is rendered once a frame at most, when the frame is put together. */
  #chromeDirty = false;
  #rendering = false;
  #selection: Selection | null = null;
  #pending: { terminal: number; events: InputEvent[] } | null = null;
  #clock: NodeJS.Timeout | null = null;
  #overlapTimer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: AppOptions, ports: FacePorts) {
    this.#o = options;
    this.#ports = ports;
    const { cols, rows } = ports.size();
    this.#store = createClientStore(cols, rows, options.now());
    this.#theme = this.#themeFor(ports.outer());
    this.#layout = layoutOf(this.#store.getState());
    this.#diff = new DiffHost({
      context: () => this.#context,
      changed: (workspace) => this.#diffChanged(workspace),
      openEditor: (path, line) => void this.#openEditor(path, line),
    });
    this.#highlighter = createHighlighter(() => {
      this.#diffDirty = true;
      this.#ports.draw('visible');
    });
    this.#context = this.#makeContext();
    this.#pointer = this.#makePointer();
    this.#store.subscribe((state, before) => this.#changed(state, before));
  }

  #makeContext(): CommandContext {
    const { keymap, place, defaultAgent } = this.#o;
    const copy = createCopyHost({ context: () => this.#context, screen: (terminal) => this.#screen(terminal) });
    return {
      store: this.#store,
      request: (method, params) => this.#ports.request(method, params),
      now: this.#o.now,
      place,
      keymap,
      layout: () => this.#layout,
      diff: this.#diff,
      copy,
      copyText: (text) => this.#ports.act({ act: 'clipboard', text }),
      redraw: () => {
        this.#sentViews = '';
        this.#sync(this.#store.getState());
        this.#chromeDirty = true;
        this.#ports.draw('focused');
      },
      leave: () => this.#ports.leave(0, this.#o.detached),
      defaultAgent,
    };
  }

  #makePointer(): Pointer {
    return new Pointer({
      context: () => this.#context,
      layout: () => this.#layout,
      screen: (terminal) => this.#screen(terminal),
      pass: (terminal, event) => this.#pass(terminal, event),
      diffClick: (x, y, extend, double) => this.#diffClick(x, y, extend, double),
      diffWheel: (rows, cols) => this.#diffWheel(rows, cols),
      openOverlayEntry: () => runCommand(this.#context, 'list.open', ''),
      selected: (selection) => {
        if (selection === this.#selection) return;
        this.#selection = selection;
        this.#ports.draw('focused');
      },
      openReference: (path, line) => this.#openReference(path, line),
    });
  }

  // Facts from the server

  attached(session: SessionState): void {
    const first = this.#store.getState().session === '';
    this.#sentViews = '';
    this.#sentFocus = '';
    this.#diff.allStale();
    this.#update((state) => showArranged(takeSession(state, session, this.#o.now())));
    if (!first) return;
    if (this.#store.getState().zone === 'list') this.#update((state) => ({ ...state, listAt: attentionList(state)[0]?.id ?? null }));
    if (this.#o.problems.length > 0) say(this.#context, this.#o.problems[0]!, 'error', 'herd config check shows all');
    this.#o
      .findAgents()
      .then((installed) => this.#update((state) => ({ ...state, installed })))
      .catch(() => this.#update((state) => ({ ...state, installed: [] })));
  }

  event(event: ServerEvent): void {
    this.#update((state) => takeEvent(state, event, this.#o.now()));
    switch (event.event) {
      case 'changeset':
        this.#diff.stale(event.workspace, this.#isDiffShown(event.workspace));
        return this.#planOverlaps();
      case 'workspace.gone':
        return this.#diff.drop(event.id);
      case 'clipboard':
        return this.#ports.act({ act: 'clipboard', text: event.text });
      case 'attention':
        this.#ports.act({ act: 'notify', title: event.title, body: event.body });
        if (event.sound) this.#ports.act({ act: 'bell' });
        return;
      case 'bell':
        if (this.#isTerminalShown(event.terminal)) this.#ports.act({ act: 'bell' });
    }
  }

  viewChanged(view: number): void {
    const facts = this.#ports.view(view)?.facts;
    const box = this.#layout.panes.find(({ pane }) => pane === view);
    if (!facts || !box) return;
    const { scrolls } = this.#store.getState();
    const { atTail, newLines } = facts;
    const known = scrolls[view];
    if (known ? known.atTail !== atTail || known.newLines !== newLines : !atTail)
      this.#update((state) => ({ ...state, scrolls: { ...state.scrolls, [view]: { atTail, newLines } } }));
    this.#ports.draw(focusedPane(this.#store.getState()) === view ? 'focused' : 'visible');
  }

  silent(since: number | null): void {
    this.#update((state) => ({ ...state, link: since === null ? { state: 'up' } : { state: 'silent', since } }));
  }

  disconnected(why: WireError): void {
    const since = this.#o.now();
    this.#update((state) => ({
      ...state,
      link: { state: 'down', since, ...(why.code === 'disconnected' || why.code === 'closed' ? {} : { why: why.message }) },
    }));
  }

  // Input

  input(event: InputEvent): void {
    switch (event.type) {
      case 'key':
        return this.#key(event);
      case 'mouse':
        return this.#pointer.take(event);
      case 'paste':
        return this.#paste(event);
      case 'focus':
        return this.#update((state) => ({ ...state, focused: event.focused }));
    }
  }

  pasteRefused(bytes: number): void {
    say(this.#context, `a paste of ${Math.round(bytes / 1024 / 1024)} MiB is too large and was left out`, 'error');
  }

  #key(event: KeyEvent): void {
    const chord = chordOf(event);
    const state = this.#store.getState();
    if (event.action !== 'release') this.#forgetNotice(state);
    if (chord !== null && state.prefix) return this.#afterPrefix(chord);
    if (chord !== null && chord === this.#o.keymap.prefix) return this.#update((now) => ({ ...now, prefix: true }));
    const place = placeOf(state);
    if (place === null) return this.#toPane(event);
    const command = chord === null ? null : lookUp(this.#o.keymap, place, chord);
    if (command) return runCommand(this.#context, command, chord!);
    if (event.action !== 'release' && event.text && isTyped(event)) typeText(this.#context, event.text, false);
  }

  #afterPrefix(chord: string): void {
    this.#update((state) => ({ ...state, prefix: false }));
    const { keymap } = this.#o;
    if (chord === 'escape') return;
    if (chord === keymap.prefix) return this.#toPane(chordEvent(keymap.prefix));
    const command = lookUp(keymap, 'prefix', chord);
    if (command) runCommand(this.#context, command, chord);
    else
      say(
        this.#context,
        `${chordLabel(keymap.prefix)} ${chordLabel(chord)} is not bound`,
        'plain',
        `${chordLabel(keymap.prefix)} ? shows every key`,
      );
  }

  #forgetNotice(state: ClientState): void {
    if (this.#selection) {
      this.#selection = null;
      this.#ports.draw('focused');
    }
    if (state.notice) this.#update((now) => ({ ...now, notice: null }));
  }

  /** To the program in front. A view that was scrolled back returns to the tail at a key, as every terminal does. */
  #toPane(event: InputEvent): void {
    const pane = focusedPane(this.#store.getState());
    if (typeof pane !== 'number') return;
    const scroll = this.#store.getState().scrolls[pane];
    if (scroll && !scroll.atTail && event.type === 'key' && event.action === 'press')
      this.#ports.request('view.scroll', { view: pane, to: null }).catch(() => {});
    this.#pass(pane, event);
  }

  #paste(event: InputEvent & { type: 'paste' }): void {
    const state = this.#store.getState();
    if (placeOf(state) === null) return this.#toPane(event);
    typeText(this.#context, event.text, true);
  }

  /** Events of one read go as one request. */
  #pass(terminal: number, event: InputEvent): void {
    if (this.#pending?.terminal === terminal) {
      this.#pending.events.push(event);
      return;
    }
    const batch = { terminal, events: [event] };
    this.#pending = batch;
    queueMicrotask(() => {
      if (this.#pending === batch) this.#pending = null;
      this.#ports.request('terminal.input', batch).catch((error: WireError) => say(this.#context, error.message, 'error', error.hint));
    });
  }

  // The diff pane

  #isDiffShown(workspace: number): boolean {
    return this.#store.getState().shown === workspace && this.#layout.panes.some(({ pane }) => pane === 'diff');
  }

  #isTerminalShown(terminal: number): boolean {
    return this.#layout.panes.some(({ pane }) => pane === terminal);
  }

  #diffChanged(workspace: number): void {
    if (!this.#isDiffShown(workspace)) return;
    this.#diffDirty = true;
    this.#chromeDirty = true;
    this.#ports.draw('focused');
  }

  #diffClick(x: number, y: number, extend: boolean, double: boolean): void {
    const { shown } = this.#store.getState();
    if (shown === null || !this.#diffDrawn) return;
    const hit = hitTest(this.#diff.view(shown), this.#diffDrawn, x, y);
    if (hit?.at === 'list') this.#diff.apply(shown, { do: 'list-pick', line: hit.line });
    else if (hit && double) runCommand(this.#context, 'diff.comment-open', '');
    else if (hit) this.#diff.apply(shown, { do: 'click', spot: hit.spot, side: hit.side, extend });
  }

  #diffWheel(rows: number, cols: number): void {
    const { shown } = this.#store.getState();
    if (shown === null) return;
    if (rows !== 0) this.#diff.apply(shown, { do: 'scroll', by: rows });
    if (cols !== 0) this.#diff.apply(shown, { do: 'sideways', by: cols });
  }

  #openReference(path: string, line: number): void {
    const { shown } = this.#store.getState();
    const files = shown === null ? [] : (this.#diff.view(shown).changeset?.files ?? []);
    const found = files.find((file) => file.path === path || path.endsWith(`/${file.path}`) || file.path.endsWith(`/${path}`));
    if (!found) return;
    this.#update((state) => focusPane(state, 'diff'));
    this.#diff.reveal(found.path, 'new', line);
  }

  async #openEditor(path: string, line: number | null): Promise<void> {
    const { VISUAL, EDITOR } = this.#o.place.env;
    const [program = 'vi', ...args] = (VISUAL || EDITOR || 'vi').split(' ').filter((word) => word !== '');
    const at = line === null ? [] : [`+${line}`];
    let fault: string | null = null;
    await this.#ports.suspend(
      () =>
        new Promise((resolve) => {
          const { spawn } = process.getBuiltinModule('node:child_process');
          const child = spawn(program, [...args, ...at, path], { stdio: 'inherit' });
          child.once('error', (error) => {
            fault = error.message;
            resolve();
          });
          child.once('exit', () => resolve());
        }),
    );
    if (fault) say(this.#context, `${program} could not be started`, 'error', 'set EDITOR to a program that is there');
  }

  // State onto the screen

  #update(step: (state: ClientState) => ClientState): void {
    this.#store.setState(step, true);
  }

  #changed(state: ClientState, before: ClientState): void {
    if (state === before || this.#closed) return;
    this.#layout = layoutOf(state);
    this.#sync(state);
    this.#setTitle(state);
    this.#planClock(state);
    if (state.comments !== before.comments) this.#giveComments(state, before);
    this.#giveDraft(state);
    this.#chromeDirty = true;
    this.#ports.draw('focused');
  }

  /** Tells the server which terminals are on the screen and at what size, and where the person looks. */
  #sync(state: ClientState): void {
    const focused = focusedPane(state);
    const views: ViewSpec[] = this.#layout.panes.flatMap(({ pane, body }) =>
      pane === 'diff' || body.rows < 1
        ? []
        : [
            {
              view: pane,
              terminal: pane,
              cols: body.cols,
              rows: body.rows,
              sizing: state.sizing,
              focused: pane === focused && state.focused,
            },
          ],
    );
    const wanted = JSON.stringify(views);
    if (wanted !== this.#sentViews && state.session !== '') {
      for (const { view } of JSON.parse(this.#sentViews || '[]') as ViewSpec[])
        if (!views.some((next) => next.view === view)) this.#ports.forgetView(view);
      this.#sentViews = wanted;
      this.#ports.request('view.set', { views }).catch(() => {});
    }
    const workspace = state.zone === 'panes' ? state.shown : null;
    const focus = `${state.focused} ${workspace}`;
    if (focus !== this.#sentFocus && state.session !== '') {
      this.#sentFocus = focus;
      this.#ports.request('client.focus', { focused: state.focused, workspace }).catch(() => {});
    }
    const diff = this.#layout.panes.find(({ pane }) => pane === 'diff');
    if (diff && state.shown !== null) this.#diff.show(state.shown, diff.body.cols, diff.body.rows);
  }

  #setTitle(state: ClientState): void {
    const title = windowTitle(rollUp(state.workspaces));
    if (title === this.#title) return;
    this.#title = title;
    this.#ports.act({ act: 'title', text: title });
  }

  /** One timer, for the next visible change of an age or the end of a notice; none when nothing will change. */
  #planClock(state: ClientState): void {
    if (this.#clock) clearTimeout(this.#clock);
    this.#clock = null;
    const now = this.#o.now();
    const age = nextAgeChange(
      state.workspaces.map(({ agent }) => agent.since),
      now,
    );
    const waits = [...(age === null ? [] : [age]), ...(state.notice ? [Math.max(0, state.notice.until - now)] : [])];
    if (waits.length === 0) return;
    this.#clock = setTimeout(() => this.#tick(), Math.min(...waits) + 1);
    this.#clock.unref();
  }

  #tick(): void {
    const now = this.#o.now();
    this.#update((state) => ({ ...state, now, notice: state.notice && state.notice.until <= now ? null : state.notice }));
  }

  #giveComments(state: ClientState, before: ClientState): void {
    for (const { id } of state.workspaces) {
      const comments = state.comments[id];
      if (comments && comments !== before.comments[id]) this.#diff.apply(id, { do: 'take-comments', comments });
    }
  }

  #giveDraft(state: ClientState): void {
    if (state.shown === null) return;
    const diffShown = this.#layout.panes.some(({ pane }) => pane === 'diff');
    const overlay = state.overlays.find((open) => isInline(open, state, diffShown));
    const keys = hintLine(this.#o.keymap, 'comment', 60)
      .map(({ text }) => text)
      .join('');
    this.#diff.setDraft(state.shown, overlay?.kind === 'comment' ? overlay : null, keys);
  }

  #planOverlaps(): void {
    if (this.#overlapTimer) return;
    this.#overlapTimer = setTimeout(() => {
      this.#overlapTimer = null;
      void this.#readOverlaps();
    }, OVERLAP_PAUSE);
    this.#overlapTimer.unref();
  }

  /** Which paths each worktree holds, where another one of the same repository has changes too. */
  async #readOverlaps(): Promise<void> {
    const { workspaces } = this.#store.getState();
    const changing = workspaces.filter(({ repository, diff }) => repository !== null && diff.files > 0 && diff.files <= OVERLAP_FILES);
    const shared = changing.filter((one) => changing.some((other) => other !== one && other.repository === one.repository));
    const found = await Promise.all(
      shared.map(async ({ id }) => {
        try {
          const { changeset } = await this.#ports.request('changeset.get', { workspace: id });
          return [id, changeset.files.map(({ path }) => path)] as const;
        } catch {
          return [id, []] as const;
        }
      }),
    );
    if (!this.#closed) this.#update((state) => ({ ...state, paths: Object.fromEntries(found) }));
  }

  #themeFor(outer: OuterTerminal): Theme {
    const dark = this.#o.theme === 'auto' ? (outer.dark ?? true) : this.#o.theme === 'dark';
    return createTheme({ dark, trueColor: true });
  }

  outerChanged(outer: OuterTerminal): void {
    this.#theme = this.#themeFor(outer);
    this.#diffDirty = true;
    this.#chromeDirty = true;
    this.#ports.draw('focused');
  }

  resized(cols: number, rows: number): void {
    this.#chrome?.resize(cols, rows);
    this.#update((state) => ({ ...state, cols, rows }));
  }

  #screen(terminal: number) {
    const view = this.#ports.view(terminal);
    return view?.grid && view.facts ? { grid: view.grid, facts: view.facts } : null;
  }

  wantsMoves(): boolean {
    const pane = focusedPane(this.#store.getState());
    return typeof pane === 'number' && this.#screen(pane)?.facts.mouse === 'any';
  }

  keyboardFlags(): number {
    const state = this.#store.getState();
    const pane = focusedPane(state);
    return typeof pane === 'number' && placeOf(state) === null ? (this.#screen(pane)?.facts.kitty ?? 0) : 0;
  }

  layers(): Layers {
    const state = this.#store.getState();
    this.#renderChrome();
    const panes = this.#layout.panes.flatMap(({ pane, body }) => {
      const grid = pane === 'diff' ? this.#drawDiff(state, body.cols, body.rows) : this.#terminalGrid(state, pane);
      return grid && body.rows > 0 ? [{ id: pane === 'diff' ? 0 : pane, grid, ...body }] : [];
    });
    return { chrome: this.#chrome?.grid ?? null, panes, overlays: this.#chrome ? this.#layout.overlays : [], cursor: this.#cursor(state) };
  }

  #renderChrome(): void {
    if (!this.#chrome || !this.#chromeDirty) return;
    this.#chromeDirty = false;
    this.#rendering = true;
    this.#chrome.render();
    this.#rendering = false;
  }

  #terminalGrid(state: ClientState, terminal: number): Grid | null {
    const screen = this.#screen(terminal);
    if (!screen) return null;
    const copied = state.copy?.terminal === terminal ? copySelection(state.copy) : null;
    const selection = copied ?? (this.#selection?.terminal === terminal ? this.#selection : null);
    return selection ? withSelection(screen.grid, selection, screen.facts.top) : screen.grid;
  }

  #drawDiff(state: ClientState, cols: number, rows: number): Grid | null {
    if (state.shown === null || cols < 1 || rows < 1) return null;
    if (!this.#diffGrid || this.#diffGrid.cols !== cols || this.#diffGrid.rows !== rows) {
      this.#diffGrid = createGrid(cols, rows);
      this.#diffDirty = true;
    }
    if (!this.#diffDirty) return this.#diffGrid;
    this.#diffDirty = false;
    const view = this.#diff.view(state.shown);
    this.#diffDrawn = drawDiff(view, this.#diffGrid, { x: 0, y: 0, cols, rows }, this.#theme, this.#highlighter.colorsOf);
    this.#highlighter.want(view);
    return this.#diffGrid;
  }

  /** The tty's own cursor stands where one types, so that input methods open there. */
  #cursor(state: ClientState): Layers['cursor'] {
    const bar = (at: { x: number; y: number }) => ({ ...at, visible: true, shape: 'bar' as const, blink: false });
    const boxes = boxedOverlays(state, this.#layout);
    const top = topOverlay(state);
    if (top) {
      const rect = this.#layout.overlays[boxes.indexOf(top)];
      const caret = rect ? overlayCaret(top, rect) : this.#diffCaret();
      return caret && editorOf(top) ? bar(caret) : null;
    }
    const focused = focusedPane(state);
    const box = this.#layout.panes.find(({ pane }) => pane === focused);
    if (!box || typeof focused !== 'number') return null;
    const screen = this.#screen(focused);
    if (!screen) return null;
    const { body } = box;
    if (state.copy?.terminal === focused) {
      const y = state.copy.cursor.line - screen.facts.top.line;
      return y < 0 || y >= body.rows
        ? null
        : { x: body.x + Math.min(state.copy.cursor.col, body.cols - 1), y: body.y + y, visible: true, shape: 'block', blink: false };
    }
    const { cursor } = screen.facts;
    return cursor.x < body.cols && cursor.y < body.rows ? { ...cursor, x: body.x + cursor.x, y: body.y + cursor.y } : null;
  }

  #diffCaret(): { x: number; y: number } | null {
    const body = this.#layout.panes.find(({ pane }) => pane === 'diff')?.body;
    const caret = this.#diffDrawn?.caret;
    return body && caret ? { x: body.x + caret.x, y: body.y + caret.y } : null;
  }

  async loadChrome(): Promise<void> {
    // One after the other: chrome.ts settles Ink's colours before anything else loads Ink.
    const { createChrome } = await import('./chrome.ts');
    const { screenElement } = await import('./views/screen.tsx');
    if (this.#closed) return;
    const { cols, rows } = this.#ports.size();
    const element = () => {
      const state = this.#store.getState();
      const diff = state.shown === null ? { name: 'diff', facts: [] } : diffHead(this.#diff.view(state.shown));
      return screenElement({ state, layout: this.#layout, keymap: this.#o.keymap, theme: this.#theme, diff });
    };
    const chrome = createChrome(element(), cols, rows, () => {
      if (!this.#rendering) this.#ports.draw('focused');
    });
    this.#chrome = {
      get grid() {
        return chrome.grid;
      },
      render: () => chrome.render(element()),
      resize: (nextCols, nextRows) => chrome.resize(nextCols, nextRows),
      close: () => chrome.close(),
    };
    this.#ports.draw('focused');
  }

  close(): void {
    this.#closed = true;
    if (this.#clock) clearTimeout(this.#clock);
    if (this.#overlapTimer) clearTimeout(this.#overlapTimer);
    this.#diff.close();
    void this.#highlighter.dispose();
    this.#chrome?.close();
  }
}

/** Which table of keys counts now; null: every key but the prefix is the program's. */
function placeOf(state: ClientState): Place | null {
  const top = topOverlay(state);
  if (top) return placeOfOverlay(top);
  if (state.copy) return 'copy';
  if (state.zone === 'list' || !shownWorkspace(state)) return 'list';
  return focusedPane(state) === 'diff' ? 'diff' : null;
}

/** Text that a key typed, not a control character of a chord. */
function isTyped(event: KeyEvent): boolean {
  return event.text !== undefined && event.text >= ' ' && (event.mods & 0b111110) === 0;
}
