// The face of a drawing client: events from the server into the store, the store onto the screen, keys and mouse into commands or to
// the program in front. Holds the parts together and decides nothing itself.

import type { Layers } from '../compositor/compositor.ts';
import type { InputEvent } from '../model/input.ts';
import type { ClientPlace, OuterTerminal, ServerEvent, SessionState, WireError } from '../wire/requests.ts';
import { nextAgeChange, windowTitle } from './agent-look.ts';
import { type CommandContext, change, say } from './commands/context.ts';
import { runCommand } from './commands/run.ts';
import { lookAround } from './commands/workspaces.ts';
import { createCopyHost } from './copy-mode.ts';
import { hitTest } from './diff/draw.ts';
import { createHighlighter, type Highlighter } from './diff/highlight/highlighter.ts';
import { diffHead, diffHeadKey } from './diff-head.ts';
import { DiffHost } from './diff-host.ts';
import { DraftKeeper } from './draft-keeper.ts';
import type { Face, FacePorts, OpenFace } from './face.ts';
import { hintLine } from './hints.ts';
import type { Keymap } from './input/keymap.ts';
import { createKeys, type Keys, placeOf } from './keys.ts';
import type { Layout } from './layout.ts';
import { createOverlapWatch, type OverlapWatch } from './overlap-watch.ts';
import { Overlays } from './overlays.ts';
import { personEditor } from './person-editor.ts';
import { Pointer } from './pointer.ts';
import { type DiffHead, isInline, layoutOf, terminalOf } from './present.ts';
import { ProgramLooks } from './program-looks.ts';
import { Scene } from './scene.ts';
import { cutText } from './spans.ts';
import { attentionList, rollUp } from './store/attention.ts';
import { begunComments, isSameBegun } from './store/begun-comments.ts';
import { takeEvent } from './store/events.ts';
import { draftName } from './store/overlay.ts';
import { focusPane, restorePanes, showArranged } from './store/panes.ts';
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
import { ToldViews } from './told-views.ts';
import { MAX_CLIPBOARD } from './tty-modes.ts';
import type { Block } from './views/block.ts';
import { overlayRows } from './views/overlay-rows.ts';
import { screenBlocks } from './views/screen.ts';

export interface AppOptions {
  keymap: Keymap;
  /** Faults of the config, said once at start. */
  problems: string[];
  place: ClientPlace;
  theme: 'auto' | 'dark' | 'light';
  defaultAgent: string;
  /** Said after detaching: how to come back. */
  detached: string;
  /** Looks for agent programs; called once attached. */
  findAgents(): Promise<InstalledKind[]>;
  /** Remembers that the person agrees to the commands of a repository's `.herd.toml`. */
  allowSetup: CommandContext['allowSetup'];
  now(): number;
}

/** ms after the first frame until agent programs are looked for: what the panes still wait for comes first. */
const AGENTS_AFTER = 500;
/** Cells for what is said of texts that were begun. */
const BEGUN_CELLS = 120;
/** Cells for the keys at the foot of the diff's own card. */
const CARD_HINTS = 60;

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
  readonly #keys: Keys;
  readonly #scene: Scene;
  readonly #overlays: Overlays;
  readonly #highlighter: Highlighter;
  readonly #overlaps: OverlapWatch;
  readonly #drafts: DraftKeeper;
  readonly #looks: ProgramLooks;
  #theme: Theme;
  #layout: Layout;
  readonly #told: ToldViews;
  #title = '';
  /** Terminal in which text is being marked with the mouse. */
  #marking: number | null = null;
  /** What the title above the diff was made of. */
  #headOf: readonly unknown[] = [];
  #clock: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: AppOptions, ports: FacePorts) {
    this.#o = options;
    this.#ports = ports;
    this.#looks = new ProgramLooks(ports);
    this.#told = new ToldViews(ports);
    const { cols, rows } = ports.size();
    this.#store = createClientStore(cols, rows, options.now());
    this.#theme = this.#themeFor(ports.outer());
    this.#layout = layoutOf(this.#store.getState());
    this.#highlighter = createHighlighter(() => this.#redrawDiff('focused'));
    this.#diff = new DiffHost({
      context: () => this.#context,
      changed: (workspace) => this.#diffChanged(workspace),
    });
    this.#drafts = new DraftKeeper({
      state: () => this.#store.getState(),
      request: (method, params) => this.#ports.request(method, params),
    });
    this.#context = this.#makeContext();
    this.#keys = createKeys(this.#context);
    this.#overlaps = createOverlapWatch(this.#context);
    this.#overlays = new Overlays(
      () => this.#redraw(),
      (error) => ports.leave(1, `herd could not draw: ${error.message}`),
    );
    const screen = (terminal: number) => this.#screen(terminal);
    const diff = (workspace: number) => this.#diff.view(workspace);
    this.#scene = new Scene({
      screen,
      diff,
      highlighter: this.#highlighter,
      chrome: () => this.#blocks(),
      overlays: () => this.#overlays.draw(this.#look()),
      overlayRows: () => overlayRows(this.#look()),
    });
    this.#pointer = this.#makePointer();
    this.#store.subscribe((state, before) => this.#changed(state, before));
  }

  #makeContext(): CommandContext {
    const { keymap, place, defaultAgent, now, detached } = this.#o;
    return {
      store: this.#store,
      request: (method, params) => this.#ports.request(method, params),
      now,
      place,
      keymap,
      layout: () => this.#layout,
      diff: this.#diff,
      copy: createCopyHost({ context: () => this.#context, screen: (terminal) => this.#screen(terminal) }),
      copyText: (text, said, hint) => this.#copyText(text, said, hint),
      ...personEditor({
        env: place.env,
        suspend: (during) => this.#ports.suspend(during),
        sayError: (text, hint) => say(this.#context, text, 'error', hint),
      }),
      allowSetup: this.#o.allowSetup,
      redraw: () => {
        this.#told.forget('views');
        this.#sync(this.#store.getState());
        this.#redraw();
      },
      leave: () => void Promise.all([this.#drafts.leave(), this.#diff.leave()]).then(() => this.#ports.leave(0, detached)),
      defaultAgent,
    };
  }

  #makePointer(): Pointer {
    return new Pointer({
      context: () => this.#context,
      layout: () => this.#layout,
      screen: (terminal) => this.#screen(terminal),
      pass: (terminal, event) => this.#keys.pass(terminal, event),
      diffClick: (x, y, extend, double) => this.#diffClick(x, y, extend, double),
      diffWheel: (at, rows, cols) => this.#diffWheel(at, rows, cols),
      diffHead: () => this.#diffHead(),
      openOverlayEntry: () => runCommand(this.#context, 'list.open', ''),
      selected: (selection) => {
        if (selection === this.#scene.selection) return;
        this.#scene.selection = selection;
        this.#ports.draw('focused');
      },
      marking: (terminal) => {
        if (terminal === this.#marking) return;
        this.#marking = terminal;
        this.#sync(this.#store.getState());
      },
      openReference: (path, line) => this.#openReference(path, line),
    });
  }

  // Facts from the server

  attached(session: SessionState): void {
    const first = this.#store.getState().session === '';
    this.#told.forget();
    this.#diff.allStale();
    this.#diff.attached(session.diffs);
    const drafts = this.#drafts.attached(session.drafts);
    this.#update((state) => {
      const known = { ...state, drafts: { ...drafts, ...state.drafts } };
      return showArranged(restorePanes(takeSession(known, session, this.#o.now()), session.layouts));
    });
    if (!first) return;
    this.#update((state) => (state.zone === 'list' ? { ...state, listAt: attentionList(state)[0]?.id ?? null } : state));
    this.#overlaps.changed();
    if (session.workspaces.length === 0) void this.#lookAround();
    const begun = Object.keys(drafts).map(draftName);
    if (begun.length > 0) say(this.#context, `begun and not saved: ${cutText(begun.join(', '), BEGUN_CELLS)}`);
    if (this.#o.problems.length > 0) say(this.#context, this.#o.problems[0]!, 'error', 'herd config check shows all');
  }

  painted(): void {
    setTimeout(() => this.#findAgents(), AGENTS_AFTER).unref();
  }

  #findAgents(): void {
    this.#o
      .findAgents()
      .then((installed) => this.#update((state) => ({ ...state, installed })))
      .catch(() => this.#update((state) => ({ ...state, installed: [] })));
  }

  /** Where the person stands, for an empty session to say what it would begin in. */
  async #lookAround(): Promise<void> {
    const standing = await lookAround(this.#context);
    this.#update((state) => ({ ...state, standing }));
  }

  event(event: ServerEvent): void {
    this.#update((state) => takeEvent(state, event, this.#o.now()));
    switch (event.event) {
      case 'draft':
        return this.#drafts.heard(event.key, event.text);
      case 'changeset':
        this.#diff.stale(event.workspace, this.#isDiffShown(event.workspace));
        return this.#overlaps.changed();
      case 'workspace.gone':
        return this.#diff.drop(event.id);
      case 'clipboard':
        return this.#ports.act({ act: 'clipboard', text: event.text });
      case 'attention':
        this.#ports.act({ act: 'notify', title: event.title, body: event.body });
        if (event.sound) this.#ports.act({ act: 'bell' });
        return;
      case 'bell':
        if (this.#layout.panes.some(({ pane }) => pane === event.terminal)) this.#ports.act({ act: 'bell' });
    }
  }

  viewChanged(view: number): void {
    const shown = this.#ports.view(view);
    const body = this.#layout.panes.find(({ pane }) => pane === view)?.body;
    if (!shown?.facts || !body) return;
    this.#scene.newRows(body, shown.rows);
    const { atTail, newLines } = shown.facts;
    const known = this.#store.getState().scrolls[view] ?? { atTail: true, newLines: 0 };
    if (known.atTail !== atTail || known.newLines !== newLines)
      this.#update((state) => ({ ...state, scrolls: { ...state.scrolls, [view]: { atTail, newLines } } }));
    this.#ports.draw(focusedPane(this.#store.getState()) === view ? 'focused' : 'visible');
  }

  silent(since: number | null): void {
    this.#update((state) => ({ ...state, link: since === null ? { state: 'up' } : { state: 'silent', since } }));
  }

  disconnected(why: WireError): void {
    const plain = why.code === 'disconnected' || why.code === 'closed';
    this.#update((state) => ({ ...state, link: { state: 'down', since: this.#o.now(), ...(plain ? {} : { why: why.message }) } }));
  }

  // Input

  input(event: InputEvent): void {
    switch (event.type) {
      case 'key':
        if (this.#scene.selection && event.action !== 'release') this.#scene.selection = null;
        return this.#keys.key(event);
      case 'mouse':
        return this.#pointer.take(event);
      case 'paste':
        return this.#keys.paste(event);
      case 'focus':
        return this.#update((state) => ({ ...state, focused: event.focused }));
    }
  }

  pasteRefused(bytes: number): void {
    say(this.#context, `a paste of ${Math.round(bytes / 1024 / 1024)} MiB is too large and was left out`, 'error');
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

  // The diff pane

  #diffHead(): DiffHead {
    const { shown } = this.#store.getState();
    return shown === null ? { name: 'diff', brief: 'diff', facts: [], keys: 'diff' } : diffHead(this.#diff.view(shown));
  }

  #isDiffShown(workspace: number): boolean {
    return this.#store.getState().shown === workspace && this.#layout.panes.some(({ pane }) => pane === 'diff');
  }

  #diffChanged(workspace: number): void {
    if (!this.#isDiffShown(workspace)) return;
    // A step in the diff mostly leaves the chrome as it is.
    const head = diffHeadKey(this.#diff.view(workspace));
    if (head.some((fact, i) => fact !== this.#headOf[i])) {
      this.#headOf = head;
      this.#scene.staleChrome();
    }
    this.#redrawDiff('focused');
  }

  #redrawDiff(urgency: 'focused' | 'visible'): void {
    this.#scene.staleDiff();
    this.#ports.draw(urgency);
  }

  #diffClick(x: number, y: number, extend: boolean, double: boolean): void {
    const { shown } = this.#store.getState();
    const { drawn } = this.#scene;
    if (shown === null || !drawn) return;
    const hit = hitTest(this.#diff.view(shown), drawn, x, y);
    if (!hit) return;
    if (hit.at === 'list') return extend ? undefined : this.#diff.apply(shown, { do: 'list-pick', line: hit.line });
    if (double) runCommand(this.#context, 'diff.comment-open', '');
    else this.#diff.apply(shown, { do: 'click', spot: hit.spot, side: hit.side, extend });
  }

  #diffWheel(at: { x: number; y: number }, rows: number, cols: number): void {
    const { shown } = this.#store.getState();
    const { drawn } = this.#scene;
    if (shown === null) return;
    if (drawn && hitTest(this.#diff.view(shown), drawn, at.x, at.y)?.at === 'list')
      return this.#diff.apply(shown, { do: 'list-move', by: rows });
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

  #copyText(text: string, said: string, hint?: string): void {
    if (Buffer.byteLength(text) > MAX_CLIPBOARD) return say(this.#context, 'that is too much for a clipboard: nothing was copied', 'error');
    this.#ports.act({ act: 'clipboard', text });
    say(this.#context, said, 'good', hint);
  }

  // State onto the screen

  #update(step: (state: ClientState) => ClientState): void {
    change(this.#context, step);
  }

  #redraw(): void {
    this.#scene.staleChrome();
    this.#ports.draw('focused');
  }

  #changed(state: ClientState, before: ClientState): void {
    if (state === before || this.#closed) return;
    this.#layout = layoutOf(state);
    if (state.shown !== before.shown) this.#scene.staleDiff();
    // Behind the prefix a list or a dialog is likely: while the hand goes to the next key there is time. One that came along says itself.
    if (state.prefix && !before.prefix) setImmediate(() => this.#store.getState().prefix && this.#overlays.load());
    this.#sync(state);
    this.#planClock(state);
    if (state.arrangements !== before.arrangements) this.#savePanes(state, before);
    const written = state.drafts !== before.drafts || state.overlays !== before.overlays;
    if (written) this.#drafts.look();
    if (written || state.comments !== before.comments) this.#giveComments(state, before);
    this.#giveWords(state);
    this.#redraw();
  }

  /** The diff learns its size, the tty the roll-up, the server what is looked at. */
  #sync(state: ClientState): void {
    const diff = this.#layout.panes.find(({ pane }) => pane === 'diff');
    if (diff && state.shown !== null) this.#diff.show(state.shown, diff.body.cols, diff.body.rows);
    const title = windowTitle(rollUp(state.workspaces));
    if (title !== this.#title) this.#ports.act({ act: 'title', text: title });
    this.#title = title;
    if (state.session === '') return;
    const focused = focusedPane(state);
    this.#looks.show(focused === null ? null : terminalOf(shownWorkspace(state), focused));
    this.#told.tell(state, this.#layout.panes, this.#marking);
  }

  /** What the person changed; how panes stand at first is not worth keeping. */
  #savePanes(state: ClientState, before: ClientState): void {
    for (const { id } of state.workspaces) {
      const arrangement = state.arrangements[id];
      const old = before.arrangements[id];
      if (arrangement && old && arrangement !== old) this.#ports.request('layout.save', { workspace: id, arrangement }).catch(() => {});
    }
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
      if (!comments) continue;
      const begun = begunComments(state, id);
      const all = [...comments, ...begun];
      if (comments !== before.comments[id]) this.#diff.takeComments(id, all, this.#isDiffShown(id));
      else if (!isSameBegun(begun, begunComments(before, id))) this.#diff.apply(id, { do: 'take-comments', comments: all });
    }
  }

  /** What is being written for the diff: a comment in it, a filter of its files. */
  #giveWords(state: ClientState): void {
    if (state.shown === null) return;
    const top = state.overlays.at(-1);
    if (top?.kind === 'input' && top.purpose.for === 'filter-files') this.#diff.filterFiles(top.editor.text.trim());
    const diffShown = this.#layout.panes.some(({ pane }) => pane === 'diff');
    const overlay = state.overlays.find((open) => isInline(open, state, diffShown));
    const keys = hintLine(this.#o.keymap, 'comment', CARD_HINTS).map(({ text }) => text);
    this.#diff.setDraft(state.shown, overlay?.kind === 'comment' ? overlay : null, keys.join(''));
  }

  #themeFor(outer: OuterTerminal): Theme {
    const dark = this.#o.theme === 'auto' ? (outer.dark ?? true) : this.#o.theme === 'dark';
    // Mapped down colour by colour, the grounds of a diff would all be the same dark grey: the palette has its own choice for each.
    return createTheme({ dark, colors: this.#ports.colors() });
  }

  outerChanged(outer: OuterTerminal): void {
    this.#theme = this.#themeFor(outer);
    this.#scene.staleDiff();
    this.#redraw();
  }

  resized(cols: number, rows: number): void {
    this.#update((state) => ({ ...state, cols, rows }));
  }

  #screen(terminal: number) {
    const view = this.#ports.view(terminal);
    return view?.grid && view.facts ? { grid: view.grid, facts: view.facts } : null;
  }

  layers(): Layers {
    return this.#scene.layers(this.#store.getState(), this.#layout, this.#theme);
  }

  #blocks(): Block[] {
    return screenBlocks({ ...this.#look(), diff: this.#diffHead() });
  }

  #look() {
    return { state: this.#store.getState(), layout: this.#layout, keymap: this.#o.keymap, theme: this.#theme };
  }

  close(): void {
    this.#closed = true;
    if (this.#clock) clearTimeout(this.#clock);
    this.#overlaps.close();
    this.#overlays.close();
    this.#diff.close();
    void this.#highlighter.dispose();
  }
}
