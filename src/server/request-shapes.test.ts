import { expect, test } from 'vitest';
import type { Method } from '../wire/requests.ts';
import { REQUEST_SHAPES } from './request-shapes.ts';
import { Misfit } from './schema.ts';

test.each<[Method, unknown, string]>([
  ['terminal.input', { terminal: 1, events: [{ type: 'launch' }] }, 'events[0].type must be a kind of input'],
  ['terminal.input', { terminal: 1, events: [{ type: '__proto__' }] }, 'events[0].type must be a kind of input'],
  ['terminal.input', { terminal: -1, events: [] }, 'terminal must be a whole number'],
  ['view.set', { views: [{ view: 1, terminal: 1, cols: 0, rows: 1, sizing: true, focused: true }] }, 'views[0].cols must be'],
  ['workspace.rename', { workspace: {}, name: 'x' }, 'workspace must be text'],
  ['workspace.open', { place: { cwd: '/', env: { A: 1 } }, path: '/' }, 'place.env must be'],
  [
    'comment.add',
    { workspace: 1, target: { path: 'a', side: 'left', range: null }, body: 'x', author: 'user' },
    'target.side must be one of',
  ],
  ['agent.wait', { workspace: 1, until: ['asleep'] }, 'until[0] must be one of'],
  ['server.stop', 'now', 'params must be an object'],
  ['server.stop', null, 'params must be an object'],
])('%s refuses %j', (method, params, message) => {
  expect(() => REQUEST_SHAPES[method](params)).toThrow(Misfit);
  expect(() => REQUEST_SHAPES[method](params)).toThrow(message);
});

test('what fits keeps its values, unknown fields are dropped, null is as good as absent', () => {
  const params = { workspace: 'x', text: 'y', queue: true, force: null, more: 1 };
  expect(REQUEST_SHAPES['prompt.send'](params)).toEqual({ workspace: 'x', text: 'y', queue: true, force: undefined });
  expect(REQUEST_SHAPES['view.scroll']({ view: 1, to: null })).toEqual({ view: 1, by: undefined, to: null });
});
