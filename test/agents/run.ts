// `npm run test:agents [KIND…] [--deliveries N] [--seed N]`: drives real agent CLIs through herd against a scripted model on loopback and says which steps held.
// Casts and the report go to .cache/agents. Not part of `npm test`: it installs the agents from npm first.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deliverMany } from './deliveries.ts';
import { install } from './install.ts';
import { SETUPS } from './setups.ts';
import { Stage } from './stage.ts';
import { STEPS } from './steps.ts';

const OUT = '.cache/agents';
/** Set inside the network of our own. */
const INSIDE = 'HERD_TEST_ISOLATED';

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { deliveries: { type: 'string' }, seed: { type: 'string', default: '1' } },
});
const setups = SETUPS.filter((s) => !wanted.length || wanted.includes(s.kind));
const ready = setups.map((setup) => ({ setup, at: install(setup) }));

// Agents get loopback and nothing else, where this user may make a network of its own.
if (!process.env[INSIDE] && spawnSync('unshare', ['-n', 'true']).status === 0) {
  const again = spawnSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up; exec "$@"', 'sh', process.execPath, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  });
  process.exit(again.status ?? 1);
}

const report: { agent: string; step: string; result: 'held' | 'failed' | 'skipped'; detail?: string }[] = [];
for (const { setup, at } of ready) {
  if ('missing' in at) {
    report.push({ agent: setup.kind, step: 'install', result: 'skipped', detail: at.missing });
    continue;
  }
  const stage = await Stage.open(setup, join(at.folder, 'node_modules/.bin', setup.bin));
  if (options.deliveries !== undefined) {
    await STEPS[0]!.run(stage);
    const { wrong, broken, ...counts } = await deliverMany(stage, Number(options.deliveries), Number(options.seed));
    const detail = [JSON.stringify(counts), ...wrong.map((text) => `WRONG ${text}`), ...broken.map((text) => `broken ${text}`)].join('\n');
    report.push({ agent: setup.kind, step: 'deliveries', result: wrong.length > 0 ? 'failed' : 'held', detail });
    process.stdout.write(`${setup.kind} ${detail}\n`);
    await stage.close();
    continue;
  }
  let recording = false;
  for (const step of STEPS) {
    try {
      await step.run(stage);
      report.push({ agent: setup.kind, step: step.name, result: 'held' });
    } catch (error) {
      const detail = (error as Error).message;
      report.push({ agent: setup.kind, step: step.name, result: detail.startsWith('skipped') ? 'skipped' : 'failed', detail });
      if (step === STEPS[0]) break;
      stage.model.steps.length = 0;
    }
    if (!recording) stage.record(join(OUT, `${setup.kind}.cast`));
    recording = true;
    const last = report.at(-1)!;
    process.stdout.write(
      `${last.agent.padEnd(9)} ${last.step.padEnd(32)} ${last.result}${last.detail ? `  ${last.detail.split('\n')[0]}` : ''}\n`,
    );
  }
  await stage.close();
}
mkdirSync(OUT, { recursive: true });
writeFileSync(join(OUT, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
const failed = report.filter((r) => r.result === 'failed');
for (const f of failed) process.stdout.write(`\n${f.agent}: ${f.step}\n${f.detail}\n`);
process.stdout.write(
  `\n${report.filter((r) => r.result === 'held').length} steps held, ${failed.length} failed, ${report.filter((r) => r.result === 'skipped').length} skipped\n`,
);
process.exitCode = failed.length ? 1 : 0;
