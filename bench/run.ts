// `npm run bench [PART…]`: every figure as a ratio within this run, printed as a table and written to .cache/bench.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { agents } from './agents.ts';
import { type Row, table } from './figures.ts';
import { floods } from './flood.ts';
import { keyToScreen } from './latency.ts';
import { reviews } from './review.ts';
import { scale } from './scale.ts';
import { starts } from './start.ts';

const PARTS: Record<string, () => Promise<Row[]>> = { latency: keyToScreen, starts, floods, scale, agents, review: reviews };

const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length && !wanted.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  rows.push(...(await measure()));
}
process.stdout.write(`\n${table(rows)}\n`);
mkdirSync('.cache', { recursive: true });
writeFileSync('.cache/bench.json', `${JSON.stringify({ node: process.version, at: new Date().toISOString(), rows }, null, 2)}\n`);
process.exit(0);
