import { describe, expect, it } from 'vitest';
import { commentOn } from '../../test/support/diff-samples.ts';
import { NOW, sampleState, sampleStatus, sampleWorkspace } from '../../test/support/sample-session.ts';
import type { KeyEvent } from '../model/input.ts';
import { CLOSED_WORKSPACE } from '../model/review/comment.ts';
import type { CommandContext } from './commands/context.ts';
import { createEditor } from './editor.ts';
import { chordEvent } from './input/chord.ts';
import { createKeymap } from './input/keymap.ts';
import { createKeys } from './keys.ts';
import { panesOf } from './layout.ts';
import { layoutOf } from './present.ts';
import { editorOf, type OverlayOf } from './store/overlay.ts';
import { openOverlay, openWriting } from './store/overlay-stack.ts';
import { type ClientState, createClientStore, workspaceOf } from './store/state.ts';

const receipt = { prompt: 1, outcome: 'queued', reason: 'it works', at: NOW };
const answers: Record<string, unknown> = {
  'agent.answer': { answered: 'Yes' },
  'prompt.send': { receipt },
  'prompt.list': { prompts: [] },
  'comment.list': { comments: [] },
  'comment.preview': { text: 'please', comments: [3] },
  'comment.send': { receipt: { ...receipt, outcome: 'accepted' }, comments: [3] },
  'worktree.list': {
    worktrees: [{ path: '/w/old', branch: 'old', head: '1', main: false, locked: false, prunable: false, workspace: null }],
  },
  'worktree.settings': { main: '/home/me/shop', copy: [], setup: ['npm ci'], faults: [], hash: 'h1', allowed: true },
  'workspace.new': { workspace: sampleWorkspace(9, 'made', sampleStatus()), notes: [] },
  'workspace.close': { leftovers: [] },
  'workspace.resume': { workspace: sampleWorkspace(2, 'api-v2', sampleStatus()) },
  'agent.explain': { status: sampleStatus(), evidence: [], screen: ['❯'] },
  'terminal.new': { terminal: { id: 77 } },
};

const HOOK = `lint:\n  a.ts\n${'x'.repeat(100)}\n`;

/** A client without a server: what it asks is written down and answered from the table. */
function client(state: ClientState, refused: (method: string) => object = () => ({ code: 'refused', message: 'No.' })) {
  const store = createClientStore(state.cols, state.rows, NOW);
  store.setState(state, true);
  const asked: string[] = [];
  const { keymap } = createKeymap();
  const context: CommandContext = {
    store,
    request: async (method, params) => {
      const { workspace, place, ...rest } = params as Record<string, unknown>;
      asked.push(`${method} ${JSON.stringify(workspace === undefined ? rest : { workspace, ...rest })}`);
      if (!(method in answers) && !['terminal.input', 'workspace.rename', 'workspace.look', 'comment.add'].includes(method))
        throw refused(method);
      return (answers[method] ?? {}) as never;
    },
    now: () => NOW,
    place: { cwd: '/', env: {} },
    keymap,
    layout: () => layoutOf(store.getState()),
    diff: {
      run: (command) => asked.push(command),
      reveal: () => {},
      search: (text) => asked.push(`search ${text}`),
      filterFiles: (text) => asked.push(`filter ${text}`),
      goToLine: (line) => asked.push(`line ${line}`),
      changeBase: async (_workspace, base) => void asked.push(`base ${base}`),
    },
    copy: { enter: (terminal, at) => asked.push(`copy ${terminal} ${at}`), run: (command) => asked.push(command), find: async () => {} },
    openEditor: async () => {},
    copyText: (text) => void asked.push(`copied ${text}`),
    editText: async (text) => `${text} and more`,
    allowSetup: ({ hash }) => asked.push(`allow ${hash}`),
    redraw: () => {},
    leave: () => asked.push('leave'),
    defaultAgent: '',
  };
  return { store, asked, keys: createKeys(context) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Chords by blanks; a word in quotes is typed. */
async function press(keys: ReturnType<typeof createKeys>, script: string): Promise<void> {
  for (const word of script.match(/'[^']*'|\S+/g) ?? []) {
    if (word.startsWith("'")) for (const char of word.slice(1, -1)) keys.key(chordEvent(char === ' ' ? 'space' : char));
    else keys.key(chordEvent(word));
    await settled();
  }
}

/** Where the person is: workspace, zone or pane, overlays with their text. */
function where(state: ClientState): string {
  const pane =
    state.zone === 'list' ? `list ${workspaceOf(state, state.listAt)?.name}` : String(state.arrangements[state.shown ?? 0]?.focus);
  const overlays = state.overlays.map((overlay) => {
    const text = editorOf(overlay)?.text;
    return `${overlay.kind}${'at' in overlay && overlay.at > 0 ? `:${overlay.at}` : ''}${text ? `=${text}` : ''}`;
  });
  return [workspaceOf(state, state.shown)?.name, pane, ...(state.prefix ? ['prefix'] : []), ...overlays].join(' / ');
}

describe('keys', () => {
  // Workspace 2 (api-v2) is shown with its agent (terminal 20) in front; 1 (fix-login) asks, 5 (rss) asks with options.
  const cases: [keys: string, where: string, asked: string[]][] = [
    ['x', 'api-v2 / 20', ['terminal.input {"terminal":20,"events":[{"type":"key","key":"x","mods":0,"action":"press","text":"x"}]}']],
    ['ctrl+b', 'api-v2 / 20 / prefix', []],
    ['ctrl+b escape', 'api-v2 / 20', []],
    ['ctrl+b ctrl+b', 'api-v2 / 20', ['terminal.input {"terminal":20,"events":[{"type":"key","key":"b","mods":4,"action":"press"}]}']],
    ['ctrl+b j', 'docs / 30', []],
    ['ctrl+b k', 'fix-login / 10', []],
    ['ctrl+b 4', 'main / 40', []],
    ['ctrl+b 4 ctrl+b `', 'api-v2 / 20', []],
    ['ctrl+b a', 'fix-login / 10', []],
    ['ctrl+b a ctrl+b a', 'rss / 50', []],
    ['ctrl+b tab', 'api-v2 / diff', []],
    ['ctrl+b tab j', 'api-v2 / diff', ['diff.down']],
    ['ctrl+b tab ctrl+b tab', 'api-v2 / 20', []],
    ['ctrl+b right', 'api-v2 / diff', []],
    ['ctrl+b left', 'api-v2 / list api-v2', []],
    ['ctrl+b R', 'api-v2 / 20', ['workspace.resume {"workspace":2,"fresh":false}']],
    [
      "ctrl+b o v j v p 'go' ctrl+s",
      'api-v2 / list docs',
      ['prompt.send {"workspace":2,"text":"go","queue":true}', 'prompt.send {"workspace":3,"text":"go","queue":true}'],
    ],
    ["ctrl+b o v v p 'go' ctrl+s", 'api-v2 / list api-v2', ['prompt.send {"workspace":2,"text":"go","queue":true}']],
    ['ctrl+b o j', 'api-v2 / list docs', []],
    ['ctrl+b o j enter', 'docs / 30', []],
    ['ctrl+b o g d', 'fix-login / diff', []],
    ['ctrl+b o escape', 'api-v2 / 20', []],
    ["ctrl+b w 'rss'", 'api-v2 / 20 / workspaces=rss', []],
    ["ctrl+b w 'rss' enter", 'rss / 50', []],
    ['ctrl+b w down down enter', 'main / 40', []],
    ['ctrl+b w escape', 'api-v2 / 20', []],
    ['ctrl+b A', 'api-v2 / 20 / attention', []],
    ['ctrl+b A y', 'api-v2 / 20 / attention', ['agent.answer {"workspace":1,"answer":"approve","dialog":"d1"}']],
    ['ctrl+b A N', 'api-v2 / 20 / attention', ['agent.answer {"workspace":1,"answer":"reject","dialog":"d1"}']],
    ['ctrl+b A j 2', 'api-v2 / 20 / attention:1', ['agent.answer {"workspace":5,"answer":2,"dialog":"d2"}']],
    ['ctrl+b A j 7', 'api-v2 / 20 / attention:1', []],
    ["ctrl+b A j t 'xml' enter", 'api-v2 / 20 / attention:1', ['agent.answer {"workspace":5,"answer":{"text":"xml"},"dialog":"d2"}']],
    ['ctrl+b y', 'api-v2 / 20', ['agent.answer {"workspace":1,"answer":"approve","dialog":"d1"}']],
    ["ctrl+b p 'do it' escape", 'api-v2 / 20', []],
    ["ctrl+b p 'do it' escape ctrl+b p", 'api-v2 / 20 / prompt=do it', []],
    ["ctrl+b p 'do it' ctrl+q ctrl+b p", 'api-v2 / 20 / prompt', []],
    ["ctrl+b p 'do it' ctrl+s", 'api-v2 / 20', ['prompt.send {"workspace":2,"text":"do it","queue":true}']],
    ["ctrl+b p 'a' enter 'b' ctrl+w ctrl+z", 'api-v2 / 20 / prompt=a\nb', []],
    ['ctrl+b s', 'api-v2 / 20 / preview=please', ['comment.preview {"workspace":2}']],
    ['ctrl+b s ctrl+s', 'api-v2 / 20', ['comment.preview {"workspace":2}', 'comment.send {"workspace":2,"comments":[3],"queue":true}']],
    [
      "ctrl+b n 'made' tab tab tab 'go' ctrl+s",
      'api-v2 / 20',
      [
        'worktree.list {"repository":"/home/me/shop"}',
        'worktree.list {"repository":"/"}',
        'worktree.settings {"repository":"/home/me/shop"}',
        'workspace.new {"branch":"made","repository":"/home/me/shop","noAgent":true,"cols":66,"rows":45}',
      ],
    ],
    ['ctrl+b n ctrl+s', 'api-v2 / 20 / new', ['worktree.list {"repository":"/home/me/shop"}', 'worktree.list {"repository":"/"}']],
    ['ctrl+b n down', 'api-v2 / 20 / new=old', ['worktree.list {"repository":"/home/me/shop"}', 'worktree.list {"repository":"/"}']],
    [
      "ctrl+b n 'made' shift+tab left ctrl+s",
      'api-v2 / 20',
      [
        'worktree.list {"repository":"/home/me/shop"}',
        'worktree.list {"repository":"/"}',
        'worktree.list {"repository":"/w/old"}',
        'worktree.settings {"repository":"/w/old"}',
        'workspace.new {"branch":"made","repository":"/w/old","noAgent":true,"cols":66,"rows":45}',
      ],
    ],
    ["ctrl+b , ctrl+u 'v3' enter", 'api-v2 / 20', ['workspace.rename {"workspace":2,"name":"v3"}']],
    ['ctrl+b X', 'api-v2 / 20 / confirm', []],
    ['ctrl+b X n', 'api-v2 / 20', []],
    ['ctrl+b X enter', 'api-v2 / 20', ['workspace.close {"workspace":2}']],
    ['ctrl+b -', 'api-v2 / 77', ['terminal.new {"workspace":2,"cols":66,"rows":15}']],
    ['ctrl+b [', 'api-v2 / 20', ['copy 20 cursor']],
    ['ctrl+b e', 'api-v2 / 20 / explain', ['agent.explain {"workspace":2}']],
    ["ctrl+b : 'zoom' enter", 'api-v2 / 20', []],
    ["ctrl+b ? 'scope'", 'api-v2 / 20 / help=scope', []],
    ['ctrl+b d', 'api-v2 / 20', ['leave']],
    ['ctrl+b ctrl+x', 'api-v2 / 20', []],
  ];
  it.each(cases)('%s', async (script, expected, asked) => {
    const { store, asked: log, keys } = client(sampleState(160, 48));
    await press(keys, script);
    expect(where(store.getState())).toBe(expected);
    expect(log).toEqual(asked);
  });

  it('does not answer a question that has just appeared', async () => {
    const { store, asked, keys } = client({ ...sampleState(160, 48), questions: { 1: { id: 'd1', at: NOW - 100 } } });
    await press(keys, 'ctrl+b y');
    expect(asked).toEqual([]);
    expect(store.getState().notice?.text).toBe('that question has just appeared: press again');
  });

  it('shows all that a hook said against a commit, above the message, which is kept', async () => {
    const { store, keys } = client(sampleState(160, 48), () => ({ code: 'hook-refused', message: 'No.', detail: { said: HOOK } }));
    store.setState((state) => openWriting(state, { kind: 'commit', workspace: 2, amend: false, editor: createEditor('why'), busy: false }));
    await press(keys, 'ctrl+s');
    expect(where(store.getState())).toBe('api-v2 / 20 / commit=why / explain');
    const { lines } = store.getState().overlays.at(-1) as OverlayOf<'explain'>;
    expect(lines?.map(({ text }) => text)).toEqual(['lint:', '  a.ts', 'x'.repeat(100), '', expect.stringContaining('is kept')]);
    await press(keys, 'escape');
    expect(editorOf(store.getState().overlays.at(-1)!)?.text).toBe('why');
  });

  it('says a refusal in the bar and keeps what was written', async () => {
    const { store, keys } = client(sampleState(160, 48));
    await press(keys, 'ctrl+b i');
    expect(store.getState().notice).toMatchObject({ text: 'No.', tone: 'error' });
    await press(keys, 'x');
    expect(store.getState().notice).toBe(null);
  });

  it('gives input-method text to what is being written', () => {
    const { store, keys } = client(sampleState(160, 48));
    const event: KeyEvent = { type: 'key', key: '', mods: 0, action: 'press', text: '한국어' };
    keys.key(chordEvent('ctrl+b'));
    keys.key(chordEvent('p'));
    keys.key(event);
    expect(where(store.getState())).toBe('api-v2 / 20 / prompt=한국어');
    keys.paste({ type: 'paste', text: '\r\nx\x1b[201~' });
    expect(where(store.getState())).toBe('api-v2 / 20 / prompt=한국어\nx[201~');
  });

  it('moves a divider again without the prefix for a moment; any other key ends that', async () => {
    const { store, asked, keys } = client(sampleState(160, 48));
    const ratio = () => {
      const { tree } = store.getState().arrangements[2]!;
      return 'ratio' in tree ? tree.ratio : Number.NaN;
    };
    const start = ratio();
    await press(keys, 'ctrl+b shift+right');
    const step = ratio() - start;
    expect(step).toBeGreaterThan(0);
    await press(keys, 'shift+right ctrl+right');
    expect(ratio()).toBeCloseTo(start + 3 * step, 5);
    await press(keys, 'x shift+right');
    expect(ratio()).toBeCloseTo(start + 3 * step, 5);
    expect(asked.map((text) => /"key":"(\w+)"/.exec(text)?.[1])).toEqual(['x', 'right']);
  });

  it('goes from tab to tab where only one pane is shown', async () => {
    const { store, keys } = client(sampleState(80, 24));
    const focus = () => store.getState().arrangements[2]!.focus;
    const [first, second] = panesOf(store.getState().arrangements[2]!.tree);
    await press(keys, 'ctrl+b right');
    expect(focus()).toBe(second);
    await press(keys, 'ctrl+b right');
    expect(focus()).toBe(second);
    await press(keys, 'ctrl+b left');
    expect(focus()).toBe(first);
  });

  it('swaps a pane with the next one and keeps the focus on it', async () => {
    const { store, keys } = client(sampleState(160, 48));
    const panes = () => panesOf(store.getState().arrangements[2]!.tree);
    const [first, ...others] = panes();
    await press(keys, 'ctrl+b }');
    expect([panes(), store.getState().arrangements[2]!.focus]).toEqual([[...others, first], first]);
    await press(keys, 'ctrl+b {');
    expect(panes()).toEqual([first, ...others]);
  });

  describe('commands of a .herd.toml', () => {
    const setup = ['npm ci', `echo ${'long '.repeat(30)}end`];
    const made = (asked: string[]) => asked.filter((text) => /^(allow|workspace.new)/.test(text)).map((text) => text.split(' {')[0]);
    const begin = async (setup: string[]) => {
      answers['worktree.settings'] = { ...(answers['worktree.settings'] as object), setup, allowed: false };
      const seat = client(sampleState(160, 48));
      await press(seat.keys, "ctrl+b n 'made' ctrl+s");
      return seat;
    };

    it('are shown whole and asked about before the worktree is made', async () => {
      const { store, asked } = await begin(setup);
      const top = store.getState().overlays.at(-1) as OverlayOf<'confirm'>;
      expect(top.lines[0]).toBe('In new worktrees of shop, until its .herd.toml changes:');
      const shown = top.lines.slice(1).join('').replaceAll('> ', '');
      expect(shown).toBe(setup.map((command) => `$ ${command}`).join(''));
      expect(Math.max(...top.lines.map((line) => line.length))).toBeLessThanOrEqual(64);
      expect(made(asked)).toEqual([]);
    });

    it.each([
      ['y', ['allow h1', 'workspace.new'], 'api-v2 / 20'],
      ['r', ['workspace.new'], 'api-v2 / 20'],
      ['n', [], 'api-v2 / 20 / new=made'],
    ] as const)('%s', async (key, expected, place) => {
      const { store, asked, keys } = await begin(setup);
      await press(keys, key);
      await settled();
      expect(made(asked)).toEqual(expected);
      expect(where(store.getState())).toBe(place);
    });

    it('that do not fit are not agreed to here', async () => {
      const { store, asked } = await begin(Array.from({ length: 60 }, (_, i) => `step ${i}`));
      expect(store.getState().overlays).toEqual([]);
      expect(made(asked)).toEqual(['workspace.new']);
    });
  });

  it('zooms and comes back', async () => {
    const { store, keys } = client(sampleState(160, 48));
    await press(keys, 'ctrl+b z');
    expect(layoutOf(store.getState()).panes.map(({ pane }) => pane)).toEqual([20]);
    await press(keys, 'ctrl+b z');
    expect(layoutOf(store.getState()).panes.map(({ pane }) => pane)).toEqual([20, 'diff']);
  });

  it('moves the divider', async () => {
    const { store, keys } = client(sampleState(160, 48));
    const before = layoutOf(store.getState()).panes[0]!.body.cols;
    await press(keys, 'ctrl+b shift+right');
    expect(layoutOf(store.getState()).panes[0]!.body.cols).toBe(before + 4);
  });
});

it('a comment of a closed workspace is read and dropped, nothing else', async () => {
  const left = { ...commentOn(4, 'a.ts', 3, 'why?'), workspace: CLOSED_WORKSPACE, left: '/w/away', gone: true };
  const list = { kind: 'comments', workspace: 2, at: 0, filter: 'closed' } as const;
  const comments = { [CLOSED_WORKSPACE]: [left] };
  const { store, asked, keys } = client({ ...openOverlay(sampleState(100, 30), list), comments });
  await press(keys, 'enter E R');
  expect(asked).toEqual([]);
  expect(store.getState().overlays).toEqual([list]);
  expect(store.getState().notice?.text).toBe('its workspace is closed');
  await press(keys, 'D');
  expect(store.getState().overlays.at(-1)).toMatchObject({ kind: 'confirm', ask: { do: 'remove-comment', comment: 4 } });
});

it('a filter of files stays when it is taken, and is what it was before when one leaves', async () => {
  const purpose = { for: 'filter-files' as const, before: 'old' };
  const input = { kind: 'input' as const, purpose, label: 'files', editor: createEditor('old', { singleLine: true }) };
  for (const [key, expected] of [
    ['enter', 'filter oldx'],
    ['escape', 'filter old'],
  ] as const) {
    const { asked, keys } = client(openOverlay(sampleState(100, 30), input));
    await press(keys, `x ${key}`);
    await settled();
    expect(asked).toEqual([expected]);
  }
});
