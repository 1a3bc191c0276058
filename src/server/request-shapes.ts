// The shape of every request's parameters: what a client sends is checked here, once, and trusted behind it.
import type { AgentState } from '../model/agent.ts';
import { BATCH_COLUMNS, type BatchColumn, type BatchRow, type BatchState, type BatchSummary } from '../model/batch.ts';
import type { InputEvent } from '../model/input.ts';
import type { Method, OuterTerminal, Params, SeenHunks } from '../wire/requests.ts';
import { arrangementShape, diffArrangementShape, scopeShape } from './arrangement-shapes.ts';
import { either, flag, id, integer, line, list, MAX_ID, Misfit, maybe, object, oneOf, orNull, type Shape, text, texts } from './schema.ts';

/** Longest prompt, comment or paste, characters: with every character escaped it still fits a frame. */
const LONG = 1024 * 1024 + 1024;

const nothing: Shape<Record<string, never>> = () => ({});
const ref = either(id, text(256));
const cells = integer(1, 10_000);
/** A side of a screen that is drawn here. */
const screenSide = integer(1, 1000);
const argv = list(text(128 * 1024), 4096);
const place = object({ cwd: text(), env: texts(10_000, 2 * 1024 * 1024) });
const point = object({ line: integer(0, Number.MAX_SAFE_INTEGER), col: integer(0, 1_000_000) });
const count = integer(0, Number.MAX_SAFE_INTEGER);
const stateName = oneOf<AgentState>('working', 'blocked', 'done', 'idle', 'exited', 'unknown');
const side = oneOf('old', 'new');
const author = oneOf('user', 'agent');
const code = list(text(LONG), 100_000);
const seen = maybe(object({ lines: code, before: code, after: code }));
const target = object({
  ...{ path: orNull(text()), side, range: orNull(object({ start: line, end: line })) },
  ...{ seen, scope: maybe(scopeShape), foreign: maybe(flag) },
});
const lineIndex = integer(0, 100_000_000);
const range: Shape<[from: number, to: number]> = (value) => {
  const [from, to] = list(lineIndex, 2)(value);
  if (from === undefined || to === undefined) throw new Misfit('two numbers');
  return [from, to];
};
const seenHunks: Shape<SeenHunks> = object({
  ...{ revision: text(64), context: maybe(integer(0, 1_000_000)), load: maybe(flag) },
  ...{ hunks: list(lineIndex, 100_000), lines: maybe(list(range, 100_000)) },
});
const colour = orNull(text(32));
const outer: Shape<OuterTerminal> = object({
  name: text(256),
  foreground: colour,
  background: colour,
  cursor: colour,
  palette: list(colour, 256),
  dark: orNull(flag),
  cell: orNull(object({ width: integer(1, 1000), height: integer(1, 1000) })),
});
const view = object({
  ...{ view: id, terminal: id, cols: cells, rows: cells, sizing: flag, focused: flag },
  ...{ at: maybe(point), seen: maybe(integer(0, Number.MAX_SAFE_INTEGER)), hold: maybe(flag) },
  place: maybe(object({ x: integer(0, 10_000), y: integer(0, 10_000), front: flag })),
});

const attemptName: Shape<string> = (value) => {
  const name = text(256)(value);
  if (!/^[\p{L}\p{N}._-]+$/u.test(name)) throw new Misfit('letters, digits, dots, dashes and underscores');
  return name;
};
const commitName: Shape<string> = (value) => {
  const name = text(64)(value);
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(name)) throw new Misfit('a full commit id');
  return name;
};
/** Not a person's: nothing but a batch's own may be made and removed this way. */
const attemptBranch: Shape<string> = (value) => {
  const name = text(256)(value);
  if (!/^herd-batch\/[\w-]+\/[\p{L}\p{N}._-]+$/u.test(name) || name.includes('..')) throw new Misfit('a branch of a batch');
  return name;
};
const amount: Shape<number> = (value) => {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Misfit('a number of at least 0');
  return value;
};
const column = oneOf<BatchColumn>(...BATCH_COLUMNS);
const batchSummary: Shape<BatchSummary> = object({
  ...{ key: text(256), goal: id, name: text(256), repository: text(), why: text() },
  state: oneOf<BatchState>('checking', 'canary', 'asking', 'running', 'paused', 'reducing', 'stopped', 'done', 'cancelled'),
  ...{ limit: id, slots: id, total: id, runner: id },
  counts: object({ queued: id, running: id, needs: id, failed: id, done: id }),
  ...{ rate: orNull(amount), cost: orNull(amount), tokens: orNull(amount), left: orNull(amount), started: amount, gone: orNull(amount) },
});
const batchRow: Shape<BatchRow> = object({
  ...{ id: text(256), column, why: text(), attempt: id, agent: text(64), since: amount, cost: orNull(amount), workspace: orNull(id) },
});

const mods = integer(0, 255);
const at = integer(-10_000, 10_000);
const inputKinds: { [K in InputEvent['type']]: Shape<Extract<InputEvent, { type: K }>> } = {
  key: object({
    type: oneOf('key'),
    key: text(64),
    mods,
    action: oneOf('press', 'repeat', 'release'),
    text: maybe(text(256)),
    shifted: maybe(text(16)),
    base: maybe(text(16)),
  }),
  mouse: object({
    type: oneOf('mouse'),
    action: oneOf('press', 'release', 'move'),
    button: oneOf('left', 'middle', 'right', 'wheelup', 'wheeldown', 'wheelleft', 'wheelright', 'back', 'forward', 'none'),
    mods,
    x: at,
    y: at,
  }),
  paste: object({ type: oneOf('paste'), text: text(LONG) }),
  focus: object({ type: oneOf('focus'), focused: flag }),
};
const input: Shape<InputEvent> = (value) => {
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(inputKinds, type)) throw new Misfit('a kind of input').within('.type');
  return inputKinds[type as InputEvent['type']](value);
};

/** By method; a missing one is a compile error. */
export const REQUEST_SHAPES: { [M in Method]: Shape<Params<M>> } = {
  'session.state': nothing,
  'session.reset': nothing,
  'server.status': nothing,
  'server.stop': object({ force: maybe(flag) }),
  'server.restart': nothing,
  'events.follow': object({ since: maybe(integer(0, Number.MAX_SAFE_INTEGER)) }),
  'events.log': object({ workspace: maybe(ref), limit: maybe(integer(0, 1_000_000)), grep: maybe(text(1024)) }),

  'client.attach': object({ cols: cells, rows: cells, outer, place, workspace: maybe(ref) }),
  'client.begin': object({
    ...{ cols: screenSide, rows: screenSide },
    env: object({ TERM: maybe(text(256)), COLORTERM: maybe(text(256)), TERM_PROGRAM: maybe(text(256)) }),
  }),
  'client.size': object({ cols: cells, rows: cells }),
  'client.focus': object({ focused: flag, workspace: orNull(id) }),
  'client.outer': object({ outer }),
  'view.set': object({ views: list(view, 64), screen: maybe(object({ cols: cells, rows: cells })) }),
  'draft.keep': object({ workspace: id, key: text(), text: orNull(text(LONG)) }),
  'layout.save': object({ workspace: id, arrangement: maybe(arrangementShape), diff: maybe(diffArrangementShape) }),
  'view.scroll': object({
    view: id,
    by: maybe(integer(-10_000_000, 10_000_000)),
    to: (value) => (value === null ? null : maybe(point)(value)),
  }),

  'workspace.new': object({
    place,
    repository: maybe(text()),
    branch: maybe(text(256)),
    base: maybe(text(256)),
    agent: maybe(text(64)),
    argv: maybe(argv),
    prompt: maybe(text(LONG)),
    noAgent: maybe(flag),
    cols: maybe(cells),
    rows: maybe(cells),
  }),
  'workspace.open': object({ place, path: text(), agent: maybe(text(64)), argv: maybe(argv) }),
  'workspace.run': object({ place, argv, agent: maybe(text(64)), cols: maybe(cells), rows: maybe(cells), ephemeral: maybe(flag) }),
  'workspace.close': object({ workspace: ref }),
  'workspace.remove': object({ workspace: ref, discard: maybe(flag) }),
  'workspace.rename': object({ workspace: ref, name: text(256) }),
  'workspace.get': object({ workspace: maybe(ref), from: maybe(place) }),
  'workspace.look': object({ workspace: ref }),
  'workspace.resume': object({ workspace: ref, place, fresh: maybe(flag) }),
  'worktree.add': object({ repository: text(), branch: attemptBranch, commit: commitName, prepared: maybe(text()) }),
  'worktree.prepare': object({ repository: text(), name: attemptBranch, commit: commitName }),
  'worktree.remove': object({ repository: text(), path: text(), branch: maybe(attemptBranch) }),
  'worktree.settings': object({ repository: text() }),
  'worktree.list': object({ repository: text() }),

  'terminal.new': object({ workspace: ref, place, argv: maybe(argv), cols: maybe(cells), rows: maybe(cells) }),
  'terminal.close': object({ terminal: id }),
  'terminal.input': object({ terminal: id, events: list(input, 10_000) }),
  'terminal.read': object({ workspace: maybe(ref), terminal: maybe(id), lines: maybe(integer(0, 10_000_000)), ansi: maybe(flag) }),
  'terminal.keys': object({ workspace: maybe(ref), terminal: maybe(id), text: maybe(text(LONG)), keys: maybe(list(text(64), 10_000)) }),
  'terminal.text': object({ terminal: id, from: point, to: point, rectangle: maybe(flag) }),
  'picture.begin': object({ path: text(4096), size: count, inode: count, modified: count }),
  'picture.part': object({ picture: text(16), bytes: text(1024 * 1024) }),
  'terminal.dump': object({ workspace: maybe(ref), terminal: maybe(id), ansi: maybe(flag), at: maybe(point) }),
  'terminal.search': object({
    terminal: id,
    pattern: text(1024),
    regex: maybe(flag),
    caseSensitive: maybe(flag),
    limit: maybe(integer(1, 100_000)),
  }),

  'attempt.start': object({ attempt: attemptName, place, argv, env: maybe(texts(1000, 2 * 1024 * 1024)) }),
  'attempt.list': object({ prefix: text(256), follow: maybe(flag) }),
  'attempt.end': object({ attempt: attemptName, grace: integer(0, 60_000) }),
  'attempt.forget': object({ attempt: attemptName }),

  'batch.publish': object({ summary: batchSummary, rows: list(batchRow, 10_000) }),
  'batch.list': nothing,
  'batch.ask': object({ key: text(256), ask: oneOf('pause', 'resume', 'cancel', 'retry'), task: maybe(text(256)) }),

  'agent.explain': object({ workspace: ref }),
  'agent.answer': object({
    workspace: ref,
    answer: either(either(oneOf('approve', 'reject'), integer(1, 999)), object({ text: text(LONG) })),
    dialog: maybe(text(256)),
  }),
  'agent.interrupt': object({ workspace: ref }),
  'agent.wait': object({ workspace: ref, until: list(stateName, 6), timeout: maybe(integer(0, MAX_ID * 1000)) }),
  'agent.report': object({
    terminal: id,
    token: text(256),
    seq: integer(0, Number.MAX_SAFE_INTEGER),
    state: text(32),
    message: maybe(text()),
    session: maybe(text(256)),
    child: maybe(text(64)),
  }),

  'prompt.send': object({ workspace: ref, text: text(LONG), queue: flag, later: maybe(flag), force: maybe(flag) }),
  'prompt.list': object({ workspace: ref, all: maybe(flag) }),
  'prompt.edit': object({ prompt: id, text: text(LONG) }),
  'prompt.move': object({ prompt: id, before: orNull(id) }),
  'prompt.drop': object({ prompt: id }),
  'prompt.retry': object({ prompt: id }),

  'changeset.get': object({ workspace: ref, scope: maybe(scopeShape), ignoreWhitespace: maybe(flag) }),
  'changeset.file': object({
    workspace: ref,
    path: text(),
    scope: maybe(scopeShape),
    context: maybe(integer(0, 1_000_000)),
    ignoreWhitespace: maybe(flag),
    load: maybe(flag),
    rows: maybe(integer(1, 1_000_000)),
    after: maybe(integer(0, 100_000_000)),
    held: maybe(text(64)),
  }),
  'changeset.lines': object({ workspace: ref, path: text(), side, scope: maybe(scopeShape), from: line, to: line }),
  'changeset.base': object({ workspace: ref, base: text(256) }),
  'changeset.viewed': object({ workspace: ref, path: text(), viewed: flag }),
  'changeset.commits': object({ workspace: ref }),
  'changeset.moved': object({ workspace: ref, scope: maybe(scopeShape), ignoreWhitespace: maybe(flag) }),
  'changeset.patch': object({ workspace: ref, scope: maybe(scopeShape), path: maybe(text()), binary: maybe(flag) }),
  'hunk.apply': object({
    workspace: ref,
    path: text(),
    seen: orNull(seenHunks),
    action: oneOf('stage', 'unstage', 'discard'),
    fingerprint: text(256),
    scope: maybe(scopeShape),
    ignoreWhitespace: maybe(flag),
  }),
  'hunk.undo': object({ workspace: ref }),
  'commit.create': object({ workspace: ref, message: text(64 * 1024), amend: maybe(flag) }),

  'comment.add': object({
    ...{ workspace: ref, target, body: text(LONG), author },
    ...{ suggestion: maybe(text(LONG)), source: maybe(text(256)) },
  }),
  'comment.list': object({ workspace: maybe(ref), state: maybe(text(32)), closed: maybe(flag) }),
  'comment.edit': object({ comment: id, body: text(LONG), suggestion: maybe(orNull(text(LONG))) }),
  'comment.reply': object({ comment: id, body: text(LONG), author }),
  'comment.mark': object({ comment: id, state: oneOf('addressed', 'resolved', 'reopened'), body: maybe(text(LONG)) }),
  'comment.source': object({ comment: id, source: text(256) }),
  'comment.remove': object({ comment: id }),
  'comment.preview': object({ workspace: ref, comments: maybe(list(id, 10_000)) }),
  'comment.write': object({ workspace: ref, text: text(LONG) }),
  'comment.send': object({
    ...{ workspace: ref, comments: maybe(list(id, 10_000)), text: maybe(text(LONG)) },
    ...{ queue: flag, later: maybe(flag), to: maybe(ref) },
  }),
};
