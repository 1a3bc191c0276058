// Which views a new client is given before it has said which it wants: those of the last client of its size, if they would be shown.
import { expect, test } from 'vitest';
import { BLANK, CELL_WORDS, createGrid } from '../../model/cell.ts';
import type { ViewSpec } from '../../wire/requests.ts';
import type { ClientLink } from '../clients.ts';
import { FirstFrames } from './first-frame.ts';
import type { Publisher } from './publisher.ts';

const ENV = { TERM: 'xterm-256color' };
const client = {} as ClientLink;
const placed = (terminal: number, x: number, front = false): ViewSpec => ({
  ...{ view: terminal, terminal, cols: 4, rows: 2, sizing: true, focused: true },
  place: { x, y: 1, front },
});

function frames(isShown: (terminal: number) => boolean = () => true) {
  const given: ViewSpec[][] = [];
  const publisher = {
    set: (_client: ClientLink, specs: ViewSpec[]) => given.push(specs),
    get: (_client: ClientLink, view: number) => ({
      show: () => {
        const grid = createGrid(4, 2);
        grid.cells[CELL_WORDS] = BLANK - 32 + 48 + view;
        return { grid, facts: { cursor: { x: 2, y: 1, visible: true, shape: 'block', blink: false } } };
      },
    }),
  };
  return { first: new FirstFrames(publisher as unknown as Publisher, isShown), given };
}

test('the views of the last client of that size, at their places, none with the focus', () => {
  const { first, given } = frames();
  first.remember({ cols: 20, rows: 5 }, [placed(1, 3), placed(2, 9, true)]);
  const frame = first.begin(client, { cols: 20, rows: 5 }, ENV);
  expect(given).toEqual([[1, 2].map((id) => ({ view: id, terminal: id, cols: 4, rows: 2, sizing: true, focused: false }))]);
  expect(frame.panes).toEqual([
    { view: 1, x: 3, y: 1, cols: 4, rows: 2 },
    { view: 2, x: 9, y: 1, cols: 4, rows: 2 },
  ]);
  expect(frame.cursor).toMatchObject({ x: 11, y: 2 });
  expect(frame.paint).toMatch(/\x1b\[2;5H1/);
  expect(frame.paint).toMatch(/2.*\x1b\[3;12H/);
});

test.each<[string, ReturnType<typeof frames>]>([
  ['another size', frames()],
  ['a terminal that would not be shown', frames((terminal) => terminal !== 2)],
])('nothing for %s', (what, { first, given }) => {
  first.remember({ cols: 20, rows: 5 }, [placed(1, 3), placed(2, 9)]);
  const size = what === 'another size' ? { cols: 21, rows: 5 } : { cols: 20, rows: 5 };
  expect(first.begin(client, size, ENV)).toMatchObject({ paint: '', panes: [] });
  expect(given).toEqual([]);
});

test('a client without panes takes the memory of its size away, and old sizes are forgotten', () => {
  const { first } = frames();
  const paintOf = (cols: number) => first.begin(client, { cols, rows: 5 }, ENV).paint;
  for (let cols = 20; cols < 40; cols++) first.remember({ cols, rows: 5 }, [placed(1, 3)]);
  expect([paintOf(20), paintOf(23)]).toEqual(['', '']);
  expect(paintOf(24)).not.toBe('');
  first.remember({ cols: 39, rows: 5 }, []);
  expect(paintOf(39)).toBe('');
});
