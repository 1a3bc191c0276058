import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, existsSync, writeFileSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeRepository } from './src/cli/demo/repository.ts';
import { Outer } from './test/support/outer.ts';
const MAIN = join(import.meta.dirname, 'dist/main.js');
let seed = Number(process.argv[2] ?? 1); const STEPS = Number(process.argv[3] ?? 400);
const rnd = () => ((seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff);
const pick = <T>(a: T[]): T => a[Math.floor(rnd() * a.length)]!;
const dir = mkdtempSync('/tmp/mine/mk/');
const env = { PATH: process.env.PATH!, HOME: dir, SHELL: '/bin/sh', TERM: 'xterm-256color', HERD_DIR: dir, HERD_SESSION: 'm', LANG: 'C.UTF-8', COLORTERM: 'truecolor', EDITOR: 'true' };
const herd = (...w: string[]) => { const r = spawnSync(process.execPath, [MAIN, ...w], { env, cwd: repo, encoding: 'utf8' }); return r.stdout + r.stderr; };
const repo = join(dir, 'work', 'shop');
await makeRepository(repo);
for (const n of ['fix-login', 'api-v2', 'docs']) console.log(herd('new', n, '--prompt', 'go on', '--', process.execPath, MAIN, 'demo-agent', n, '--speed', '10').trim());
let size: [number, number] = [160, 48];
const start = () => new Outer({ cols: size[0], rows: size[1], argv: [process.execPath, MAIN, '--session', 'm'], env, cwd: repo });
let outer = start();
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));
await sleep(6000);
const PRE = 'w123jka`Anobq,ieyr|-\\z[/:?xHJKL\tX pgsSR'.split('').filter((c) => c !== ' ');
const PLAIN = 'jkJKgGdu[].,{}cvxmo012wizaU/nNyYEtfhlTVRrMA:sS \r?+-%<>'.split('');
const EDIT = ['hello', 'é漢🚀', '\x13', '\x1b', '\x11', '\r', '\x7f', '\x15', '\t', '\x1b[A', '\x1b[B', '\x1b[C', '\x1b[D', '\x1b[5~', '\x1b[6~', '\x1b[200~one\ntwo\x1b[201~', '\x1b[H', '\x1b[F', '\x1b\r', '\x1bn','\x1bc'];
const SIZES: [number, number][] = [[160, 48], [80, 24], [50, 20], [20, 5], [120, 30], [200, 60], [19, 4]];
let exited = false; const watch = () => { const o = outer; exited = false; o.exited.then((e) => { if (o === outer) { exited = true; console.log('exit', JSON.stringify(e)); } }); };
watch();
const log: string[] = [];
for (let i = 0; i < STEPS; i++) {
  if (exited) { outer = start(); watch(); await sleep(2500); }
  const r = rnd(); let s = '';
  if (r < 0.3) s = '\x02' + pick(PRE);
  else if (r < 0.6) s = pick(PLAIN);
  else if (r < 0.75) s = pick(EDIT);
  else if (r < 0.82) s = '\x1b';
  else if (r < 0.95) { const x = 1 + Math.floor(rnd() * size[0]), y = 1 + Math.floor(rnd() * size[1]); const b = pick([0, 0, 0, 2, 64, 65, 32]); s = `\x1b[<${b};${x};${y}M`; if (b < 64) s += `\x1b[<${b === 32 ? 0 : b};${x};${y}m`; }
  else { size = pick(SIZES); outer.resize(...size); log.push(`resize ${size}`); await sleep(200); continue; }
  if (s === '\x02d') continue;
  log.push(JSON.stringify(s));
  try { outer.send(s); } catch (e) { console.log('send failed', e); }
  await sleep(rnd() < 0.1 ? 150 : 15);
  const text = outer.rows().join('\n');
  if (/should not have happened|undefined|\[object|NaN/.test(text)) { console.log('BAD', i, text); writeFileSync(join(dir, 'log'), log.join('\n')); process.exitCode = 1; break; }
  if (i % 50 === 49) {
    if (size[0] < 30) { size = [160, 48]; outer.resize(...size); }
    await sleep(2500);
    const strip = (rows: string[]) => rows.map((l) => l.trimEnd().replace(/\b\d+[smhd]\b|<1m/g, 'AGE'));
    let before = strip(outer.rows()); for (let k = 0; k < 20; k++) { await sleep(1500); const now = strip(outer.rows()); if (now.join() === before.join()) break; before = now; }
    outer.resize(size[0], size[1]); outer.pty.resize(size[0] - 1, size[1]); await sleep(600); outer.pty.resize(size[0], size[1]); await sleep(2000);
    const after = strip(outer.rows());
    const diff = before.map((l, y) => [y, l, after[y]]).filter(([, a, b]) => a !== b);
    if (diff.length) { console.log(`DIFF at ${i} size ${size}`, diff.slice(0, 6)); writeFileSync(join(dir, `before${i}`), before.join('\n')); writeFileSync(join(dir, `after${i}`), after.join('\n')); writeFileSync(join(dir, `log${i}`), log.join('\n')); }
    console.log(i, herd('server', 'ping').trim() || 'pong', herd('ls').split('\n').length);
  }
}
console.log(dir, 'end');
outer.kill();
console.log(herd('server', 'stop', '-y'));
process.exit();
