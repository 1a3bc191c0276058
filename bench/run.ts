// `npm run bench [PART…]`: every figure as a ratio within this run, printed as a table and written to .cache/bench.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { agents } from './agents.ts';
import { batches } from './batch.ts';
import { clients } from './clients.ts';
import { exits } from './exits.ts';
import { type Row, table } from './figures.ts';
import { floods } from './flood.ts';
import { growth } from './growth.ts';
import { kills } from './kills.ts';
import { keyToScreen } from './latency.ts';
import { reviews } from './review.ts';
import { scale } from './scale.ts';
import { starts } from './start.ts';
import { streams } from './streams.ts';

const PARTS: Record<string, () => Promise<Row[]>> = {
  latency: keyToScreen,
  starts,
  floods,
  streams,
  clients,
  growth,
  scale,
  exits,
  agents,
  review: reviews,
  batch: batches,
  kills,
};
/** Run only when named: some ten minutes. */
const LONG = ['kills'];

const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 ? !wanted.includes(name) : LONG.includes(name)) continue;
  process.stderr.write(`${name} …\n`);
  try {
    rows.push(...(await measure()));
  } catch (error) {
    // A part that fails takes no other with it.
    rows.push({ measure: name, must: '', figure: 'failed', holds: false, detail: (error as Error).message.split('\n')[0] });
  }
}
process.stdout.write(`\n${table(rows)}\n`);
mkdirSync('.cache', { recursive: true });
writeFileSync('.cache/bench.json', `${JSON.stringify({ node: process.version, at: new Date().toISOString(), rows }, null, 2)}\n`);
process.exit(0);
