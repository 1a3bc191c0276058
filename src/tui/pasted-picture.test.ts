import { expect, test } from 'vitest';
import { picturePath } from './pasted-picture.ts';

test.each<[pasted: string, path: string | null]>([
  ['/tmp/shot.png', '/tmp/shot.png'],
  ['/tmp/Screen Shot 1.PNG ', '/tmp/Screen Shot 1.PNG'],
  ['/tmp/Screen\\ Shot\\ \\(1\\).jpeg', '/tmp/Screen Shot (1).jpeg'],
  ["'/tmp/a b.webp'", '/tmp/a b.webp'],
  ['"/tmp/a b.gif"', '/tmp/a b.gif'],
  ['file:///tmp/a%20b.png', '/tmp/a b.png'],
  ['file://%zz/a.png', null],
  ['shot.png', null],
  ['/tmp/notes.txt', null],
  ['look at /tmp/shot.png', null],
  ['/tmp/one.png\n/tmp/two.png', null],
  [`/${'x'.repeat(5000)}.png`, null],
  ['', null],
])('%j is %j', (pasted, path) => expect(picturePath(pasted)).toBe(path));
