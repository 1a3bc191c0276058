// herd doctor: looks for what could keep herd from working, says what to do, and with --fix repairs what can be repaired without loss.
import { execFile } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { faultText, loadConfig } from '../../config/load.ts';
import { securePrivateDir } from '../../config/paths.ts';
import { counted } from '../../model/counted.ts';
import { gitVersion, isTooOld, OLDEST_GIT } from '../../model/git-version.ts';
import { columns, plain } from '../output.ts';
import type { Call, RunVerb } from '../verb.ts';

interface Finding {
  check: string;
  ok: boolean;
  says: string;
  hint?: string;
}

export const run: RunVerb = async (call) => {
  const findings = [node(), await git(), ...folders(call), config(call), await server(call), terminal(call)];
  const faults = findings.filter((f) => !f.ok);
  if (call.json) call.out.json({ ok: faults.length === 0, findings });
  else {
    call.out.text(columns(findings.map((f) => [f.ok ? 'ok' : 'FAULT', f.check, plain(f.says)])));
    for (const fault of faults) if (fault.hint) call.out.note(`${fault.check}: ${fault.hint}`);
  }
  return faults.length === 0 ? 0 : 1;
};

function node(): Finding {
  return { check: 'node', ok: true, says: `${process.versions.node} at ${process.execPath}` };
}

async function git(): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 10_000 });
    const ok = !isTooOld(gitVersion(stdout));
    return { check: 'git', ok, says: stdout.trim(), hint: `herd needs git ${OLDEST_GIT} or newer: install a newer one.` };
  } catch {
    return { check: 'git', ok: false, says: 'not found', hint: 'Install git: worktrees and diffs need it.' };
  }
}

function folders(call: Call): Finding[] {
  return [call.paths.runtime, call.paths.state].map((dir) => {
    try {
      securePrivateDir(dir);
      return { check: 'folder', ok: true, says: dir };
    } catch (error) {
      const { message, hint } = error as { message: string; hint?: string };
      return { check: 'folder', ok: false, says: message, hint };
    }
  });
}

function config(call: Call): Finding {
  const { faults } = loadConfig(call.paths.config);
  if (faults.length === 0) return { check: 'config', ok: true, says: call.paths.config };
  return {
    check: 'config',
    ok: false,
    says: faults.map(faultText).join('; '),
    hint: 'These settings keep their defaults until they are corrected.',
  };
}

/** A socket nobody listens on is left by a crash; it is replaced at the next start, or now with --fix. */
async function server(call: Call): Promise<Finding> {
  try {
    const link = await call.running();
    if (link) {
      const status = await link.request('server.status', {});
      return { check: 'server', ok: true, says: `herd ${status.version}, pid ${status.pid}, ${counted(status.terminals, 'terminal')}` };
    }
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return { check: 'server', ok: false, says: message, hint };
  }
  const stale = existsSync(call.paths.socket) && statSync(call.paths.socket).isSocket();
  if (!stale) return { check: 'server', ok: true, says: `none runs for session ${call.session}` };
  if (call.options.fix !== true)
    return { check: 'server', ok: false, says: 'a socket without a server', hint: 'herd doctor --fix removes it.' };
  rmSync(call.paths.socket);
  return { check: 'server', ok: true, says: 'a socket without a server: removed' };
}

function terminal(call: Call): Finding {
  const { TERM = '', COLORTERM = '', TMUX } = call.env;
  const says = [`TERM=${TERM}`, COLORTERM && `COLORTERM=${COLORTERM}`, TMUX && 'inside tmux'].filter(Boolean).join(', ');
  return { check: 'terminal', ok: TERM !== '' && TERM !== 'dumb', says, hint: 'Attaching needs a terminal: TERM is empty or "dumb".' };
}
