import { describe, expect, it } from 'vitest';
import { ALT, CTRL, type KeyEvent, SHIFT } from '../../model/input.ts';
import { chordEvent, chordLabel, chordOf, parseChord } from './chord.ts';
import { readKeyOverrides } from './key-overrides.ts';
import { createKeymap, helpGroups, keysOf, lookUp, PLACES } from './keymap.ts';
import { COMMAND_ROWS } from './keymap-table.ts';

const key = (k: string, mods = 0, text?: string): KeyEvent => ({
  type: 'key',
  key: k,
  mods,
  action: 'press',
  ...(text === undefined ? {} : { text }),
});

describe('chords', () => {
  it.each([
    [key('b', CTRL), 'ctrl+b'],
    [key('a', SHIFT, 'A'), 'A'],
    [key('a', SHIFT), 'A'],
    [key('/', SHIFT, '?'), '?'],
    [key(' ', 0, ' '), 'space'],
    [key('tab', SHIFT), 'shift+tab'],
    [key('enter', ALT), 'alt+enter'],
    [key('kpenter'), 'enter'],
    [key('left', CTRL | SHIFT), 'ctrl+shift+left'],
    [key('é', 0, 'é'), 'é'],
    [key('leftshift', SHIFT), null],
    [key('', 0, '한'), null],
    [{ ...key('a', 0, 'a'), action: 'release' as const }, null],
  ])('%j is %s', (event, chord) => expect(chordOf(event)).toBe(chord));

  it.each([
    ['Ctrl+B', 'ctrl+b'],
    ['shift+ctrl+x', 'ctrl+shift+x'],
    ['esc', 'escape'],
    ['shift+a', 'A'],
    ['ctrl++', 'ctrl++'],
    ['+', '+'],
    ['?', '?'],
    ['hyper+x', null],
    ['ctrl+', null],
    ['foo', null],
  ])('%s parses to %s', (text, chord) => expect(parseChord(text)).toBe(chord));

  it('shows arrows and plus signs as they are on the keys', () =>
    expect(['ctrl+b', 'left', '+', 'ctrl++', 'shift+up'].map(chordLabel)).toEqual(['ctrl+b', '←', '+', 'ctrl++', 'shift+↑']));

  it('makes the event a chord stands for', () => {
    for (const chord of ['ctrl+b', 'alt+x', 'A', '?', 'space', 'f3']) expect(chordOf(chordEvent(chord))).toBe(chord);
  });
});

describe('keymap', () => {
  it('has no chord twice in a place, and only chords that parse to themselves', () => {
    for (const place of PLACES) {
      const chords = COMMAND_ROWS.flatMap(([, row]) => row.keys[place] ?? []);
      expect(chords.filter((c, i) => chords.indexOf(c) !== i)).toEqual([]);
      expect(chords.filter((c) => parseChord(c) !== c)).toEqual([]);
    }
  });

  it('finds the command of a key in its place, and none where it has none', () => {
    const { keymap, problems } = createKeymap();
    expect(problems).toEqual([]);
    expect(lookUp(keymap, 'prefix', 'w')).toBe('workspace.pick');
    expect(lookUp(keymap, 'diff', 'S')).toBe('review.send');
    expect(lookUp(keymap, 'copy', 'S')).toBe(null);
  });

  it('lays own keys over the table', () => {
    const { keymap, problems } = createKeymap('ctrl+a', {
      prefix: { 'workspace.next': ['n', 'ctrl+n'], 'pane.zoom': false },
      diff: { 'diff.down': 'J' },
    });
    expect(problems).toEqual([]);
    expect(keymap.prefix).toBe('ctrl+a');
    expect(lookUp(keymap, 'prefix', 'n')).toBe('workspace.next');
    expect(lookUp(keymap, 'prefix', 'j')).toBe(null);
    expect(lookUp(keymap, 'prefix', 'z')).toBe(null);
    expect(keysOf(keymap, 'diff', 'diff.down')).toEqual(['J']);
  });

  it('says what is wrong with own keys', () => {
    const { problems } = createKeymap('b', {
      prefix: { 'no.such': 'x', 'pane.zoom': 'ctrl+foo' },
      diff: { 'diff.down': 'x', 'diff.up': 'x' },
    });
    expect(problems.map(({ key, message }) => `${key} ${message}`)).toEqual([
      'keys.prefix.no.such is not a command',
      'keys.prefix.pane.zoom names no key: "ctrl+foo"',
      'keys.diff.diff.up has the key x, as diff.down has',
      'ui.prefix must be a key with ctrl or alt, or a function key, not "b"',
    ]);
  });

  it('makes help from the table', () => {
    const groups = helpGroups(createKeymap().keymap);
    expect(groups[0]).toMatchObject({ group: 'Workspaces' });
    expect(groups[0]!.rows[1]).toMatchObject({ keys: 'ctrl+b 1…9' });
    expect(groups.flatMap((g) => g.rows).length).toBeGreaterThan(100);
  });
});

describe('keys in config', () => {
  it('are written by place or by key', () => {
    const { keys, problems } = readKeyOverrides({
      'ctrl+b x': 'pane.zoom',
      'ctrl+b y': 'pane.zoom',
      diff: { 'diff.down': ['J', 'j'], 'diff.up': false },
    });
    expect(problems).toEqual([]);
    expect(keys).toEqual({ prefix: { 'pane.zoom': ['x', 'y'] }, diff: { 'diff.down': ['J', 'j'], 'diff.up': false } });
  });

  it('are named when they are wrong', () => {
    const { problems } = readKeyOverrides({ difff: { a: 'b' }, x: 'pane.zoom', diff: { 'diff.down': 3 } });
    expect(problems.map(({ key }) => key)).toEqual(['keys.difff', 'keys.x', 'keys.diff.diff.down']);
  });
});
