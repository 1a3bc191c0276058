// Texts that are written in clients: what each tells the server, and what it goes on with. The server here is a record and those who hear of it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DraftKeeper } from './draft-keeper.ts';
import { createEditor, insert } from './editor.ts';
import { takeEvent } from './store/events.ts';
import { draftKey, draftName, type OverlayOf } from './store/overlay.ts';
import { closeOverlay, finishOverlay, openWriting } from './store/overlay-stack.ts';
import { type ClientState, createClientState } from './store/state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server with clients on it, each with its own state. */
function stage() {
  const kept = new Map<string, string>();
  const told: string[] = [];
  const clients: { hear(key: string, text: string | null): void }[] = [];
  const attach = () => {
    let state = createClientState(160, 48, 0);
    const keeper = new DraftKeeper({
      state: () => state,
      request: async (_method, params) => {
        const { key, text } = params as { key: string; text: string | null };
        told.push(`${key} ${text}`);
        if (text === null) kept.delete(key);
        else kept.set(key, text);
        for (const other of clients) if (other !== me) other.hear(key, text);
        return {} as never;
      },
    });
    const change = (step: (state: ClientState) => ClientState) => {
      const before = state;
      state = step(state);
      if (state.drafts !== before.drafts || state.overlays !== before.overlays) keeper.look();
    };
    const me = {
      hear(key: string, text: string | null) {
        change((now) => takeEvent(now, { event: 'draft', key, text }, 0));
        keeper.heard(key, text);
      },
    };
    clients.push(me);
    change((now) => ({ ...now, drafts: keeper.attached(Object.fromEntries(kept)) }));
    return {
      change,
      keeper,
      open: (overlay: OverlayOf<'comment'>) => change((now) => openWriting(now, overlay)),
      type: (text: string) =>
        change((now) => {
          const top = now.overlays.at(-1) as OverlayOf<'comment'>;
          return { ...now, overlays: now.overlays.with(-1, { ...top, editor: insert(top.editor, text) }) };
        }),
      shown: () => (state.overlays.at(-1) as OverlayOf<'comment'> | undefined)?.editor.text,
    };
  };
  return { kept, told, attach };
}

const soon = () => vi.advanceTimersByTimeAsync(10_000);
const comment = (line: number, code = 'const a = 1;', path = 'src/a.ts'): OverlayOf<'comment'> => ({
  kind: 'comment',
  workspace: 3,
  target: { path, side: 'new', range: { start: line, end: line }, seen: { lines: [code], before: [], after: [] } },
  comment: null,
  reply: false,
  excerpt: [],
  editor: createEditor(),
  busy: false,
});

test('a client that ends while one writes: the next one goes on with the text, also where its code has moved', async () => {
  const { attach, kept } = stage();
  const first = attach();
  first.open(comment(12));
  first.type('why ');
  first.type('not two?');
  await soon();
  expect([...kept.values()]).toEqual(['why not two?']);
  const second = attach();
  second.open(comment(15));
  expect(second.shown()).toBe('why not two?');
  await soon();
  expect([...kept]).toEqual([[draftKey(comment(15)), 'why not two?']]);
});

test.each<[string, OverlayOf<'comment'>]>([
  ['other code on the same line', comment(12, 'const b = 2;')],
  ['the same code in another file', comment(12, 'const a = 1;', 'src/b.ts')],
  ['the other side', { ...comment(12), target: { ...comment(12).target, side: 'old' } }],
  ['the file', { ...comment(12), target: { path: 'src/a.ts', side: 'new', range: null } }],
])('a text that was begun elsewhere does not come up on %s, and is not written over', async (_what, other) => {
  const { attach, kept } = stage();
  const client = attach();
  client.open(comment(12));
  client.type('on line 12');
  client.change(closeOverlay);
  client.open(other);
  expect(client.shown()).toBe('');
  client.type('elsewhere');
  await soon();
  expect([...kept.values()].toSorted()).toEqual(['elsewhere', 'on line 12']);
});

test('saved or discarded, it is kept no more; opened and left as it was, never', async () => {
  const { attach, kept, told } = stage();
  const client = attach();
  client.open({ ...comment(12), editor: createEditor('as it is') });
  client.change(closeOverlay);
  await soon();
  expect(told).toEqual([]);
  client.open(comment(12));
  client.type('x');
  await soon();
  client.change((now) => finishOverlay(now, 'comment'));
  await soon();
  expect([...kept.keys()]).toEqual([]);
});

test('words put into a review come up again while it is made of the same comments', async () => {
  const { attach } = stage();
  const client = attach();
  const review = (original: string) =>
    client.change((now) =>
      openWriting(now, { kind: 'preview', workspace: 3, to: 3, comments: [1], editor: createEditor(original), original, busy: false }),
    );
  review('one comment');
  client.type(', please');
  client.change(closeOverlay);
  review('one comment');
  expect(client.shown()).toBe('one comment, please');
  client.change(closeOverlay);
  review('two comments');
  expect(client.shown()).toBe('two comments');
});

test('a client that leaves while it saves waits for that', async () => {
  const { attach, kept } = stage();
  const client = attach();
  client.open(comment(12));
  client.type('x');
  await soon();
  client.change((now) => ({ ...now, overlays: now.overlays.map((overlay) => ({ ...overlay, busy: true }) as typeof overlay) }));
  setTimeout(() => client.change((now) => finishOverlay(now, 'comment')), 100);
  const left = client.keeper.leave();
  await soon();
  await left;
  expect([...kept]).toEqual([]);
});

test('a comment opened over one that is being written takes nothing of it', async () => {
  const { attach, kept } = stage();
  const client = attach();
  client.open(comment(12));
  client.type('one');
  client.open(comment(40, 'other'));
  client.type('two');
  await soon();
  expect([...kept.values()].toSorted()).toEqual(['one', 'two']);
});

test('two clients that write the same text do not answer each other', async () => {
  const { attach, kept, told } = stage();
  const [first, second] = [attach(), attach()];
  first.open(comment(12));
  second.open(comment(12));
  first.type('first');
  second.type('second');
  await soon();
  expect(told.length).toBe(2);
  expect([first.shown(), second.shown()]).toEqual(['first', 'second']);
  first.change((now) => finishOverlay(now, 'comment'));
  await soon();
  expect([...kept]).toEqual([]);
  second.type(', more');
  await soon();
  expect([...kept.values()]).toEqual(['second, more']);
});

test.each([
  [draftKey(comment(12)), 'comment on src/a.ts:12'],
  [draftKey({ ...comment(12), target: { path: 'a:b.ts', side: 'old', range: null } }), 'comment on a:b.ts'],
  [draftKey({ ...comment(12), target: { path: null, side: 'new', range: null } }), 'comment on the whole change'],
  [draftKey({ ...comment(12), comment: 7, reply: true }), 'reply to #7'],
  [draftKey({ ...comment(12), comment: 7 }), 'comment #7'],
  ['3:review:abc', 'review'],
  ['3:prompt', 'prompt'],
  ['3:amend', 'commit message'],
])('%s is a %s', (key, name) => {
  expect(draftName(key!)).toBe(name);
});

test('a text that another client went on with, or ended, is not told again', async () => {
  const { attach, told } = stage();
  const [first, second] = [attach(), attach()];
  first.open(comment(12));
  first.type('begun');
  await soon();
  const key = draftKey(comment(12));
  expect(told).toEqual([`${key} begun`]);
  second.change((now) => now);
  second.keeper.look();
  await soon();
  expect(told).toEqual([`${key} begun`]);
  first.change((now) => finishOverlay(now, 'comment'));
  await soon();
  second.keeper.look();
  await soon();
  expect(told).toEqual([`${key} begun`, `${key} null`]);
});
