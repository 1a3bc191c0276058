// Makes the recorded comparison anew: `node build.ts && node test/conformance/record.ts`. Runs all features on a bare terminal, tmux and
// herd, writes comparison.json and prints the table for docs/terminals.md. `record.ts HOST NAME` runs one case.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURES } from './features.ts';
import { HOSTS, type HostName } from './hosts.ts';
import { AT_REST, runFeatures } from './run-features.ts';

/** ms after which a bare terminal that counts to 2^31 is taken for hanging. */
const HANGING = 15_000;
const RECORD = join(import.meta.dirname, 'comparison.json');

export type Comparison = Record<string, Record<HostName, boolean>>;

export function readComparison(): Comparison {
  return JSON.parse(readFileSync(RECORD, 'utf8')) as Comparison;
}

/** The bare terminal is this process's own: what may hang it runs in another. */
async function outcomes(host: HostName): Promise<Map<string, boolean>> {
  const counts = FEATURES.filter(({ name }) => host === 'bare' && name.startsWith('hostile: CSI'));
  const all = await runFeatures(
    host,
    FEATURES.filter((feature) => !counts.includes(feature)),
    AT_REST,
  );
  for (const { name } of counts) {
    const { status } = spawnSync(process.execPath, [import.meta.filename, host, name], { timeout: HANGING, killSignal: 'SIGKILL' });
    all.set(name, status === 0);
  }
  return all;
}

async function record(): Promise<void> {
  const comparison: Comparison = Object.fromEntries(FEATURES.map(({ name }) => [name, { bare: false, tmux: false, herd: false }]));
  for (const host of HOSTS) for (const [name, worked] of await outcomes(host)) comparison[name]![host] = worked;
  writeFileSync(RECORD, `${JSON.stringify(comparison, null, 1)}\n`);
  console.log(table(comparison));
}

/** How many work, by family, in Markdown. */
function table(comparison: Comparison): string {
  const families = [...new Set(Object.keys(comparison).map((name) => name.split(':')[0]!)), ''];
  const row = (family: string) => {
    const cases = Object.entries(comparison).filter(([name]) => name.startsWith(family));
    const counts = HOSTS.map((host) => cases.filter(([, worked]) => worked[host]).length);
    return `| ${family || 'all'} | ${cases.length} | ${counts.join(' | ')} |`;
  };
  return [`| family | cases | ${HOSTS.join(' | ')} |`, '|---|---|---|---|---|', ...families.map(row)].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const [host, name] = process.argv.slice(2);
  if (!host) await record();
  else {
    const worked = await runFeatures(
      host as HostName,
      FEATURES.filter((feature) => feature.name === name),
      AT_REST,
    );
    process.exit([...worked.values()].every(Boolean) ? 0 : 1);
  }
  process.exit(0);
}
