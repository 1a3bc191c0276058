// Layout files: generations, a damaged file, none at all.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLayout, writeLayout } from './layout.ts';

const any = () => true;
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'herd-layout-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('the newest generation is read back', async () => {
  expect(await readLayout(dir, 0, any)).toEqual({ saved: null, notice: null });
  await writeLayout(dir, { generation: 1, layout: { split: 0.5 } });
  await writeLayout(dir, { generation: 2, layout: { split: 0.6 } });
  expect(await readLayout(dir, 0, any)).toEqual({ saved: { generation: 2, layout: { split: 0.6 } }, notice: null });
});

test('a damaged file is kept aside and the generation before it used', async () => {
  await writeLayout(dir, { generation: 1, layout: 'a' });
  await writeLayout(dir, { generation: 2, layout: 'b' });
  writeFileSync(join(dir, 'layout.json'), '{"generation": 2, "lay');
  const { saved, notice } = await readLayout(dir, 0, any);
  expect(saved).toEqual({ generation: 1, layout: 'a' });
  expect(notice).toContain('layout.broken-1970-01-01T00-00-00-000Z.json');
  expect(readdirSync(dir).sort()).toEqual(['layout.broken-1970-01-01T00-00-00-000Z.json', 'layout.previous.json']);
});

test('a file that does not fit is kept aside like a damaged one', async () => {
  await writeLayout(dir, { generation: 1, layout: { version: 2 } });
  const { saved, notice } = await readLayout(dir, 0, (layout) => (layout as { version: number }).version === 1);
  expect(saved).toBeNull();
  expect(notice).toContain('newer herd');
  expect(readdirSync(dir)).toEqual(['layout.broken-1970-01-01T00-00-00-000Z.json']);
});
