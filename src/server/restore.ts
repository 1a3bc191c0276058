// Brings a session back from the ledger and from what the holder still has. Terminals that live are adopted; a workspace whose agent is
// gone is shown as exited and offered for resume. Nothing is ever started here.
import { basename } from 'node:path';
import { detectKind } from '../agents/kinds/table.ts';
import type { Session } from './session.ts';
import { knownAgent } from './state/watch-memory.ts';

/** Call once, before clients are let in. */
export async function restore(session: Session): Promise<void> {
  const { store, host, terminals, workspaces, comments, prompts, kinds, git } = session;
  await comments.load();
  const rows = await store.workspaces();
  await git.forgetOthers(rows.map(({ id }) => id));
  const held = new Map(host.list().map((terminal) => [terminal.id, terminal]));
  for (const row of rows) {
    const live = row.terminals.filter((terminal) => held.has(terminal.id));
    const workspace = workspaces.adopt({ ...row, terminals: live });
    // Left in a closing that the server's death cut short.
    if (row.repository !== null) await comments.takeUp(row.id, row.path);
    if (row.more?.ephemeral === true) session.ephemeral = true;
    for (const { id, role, proof = '' } of live) {
      const agent = role === 'agent';
      const kind = agent ? (kinds.get(row.agentKind) ?? kinds.get('generic')!) : null;
      terminals.adopt(held.get(id)!, { workspace: row.id, role, kind, proof, known: agent ? knownAgent(row) : null });
      held.delete(id);
    }
    if (!live.some(({ role }) => role === 'agent')) await workspaces.agentGone(workspace);
    if (live.length !== row.terminals.length) {
      session.log.add('restore', row.id, `the terminals of ${row.name} are gone with the holder; it can be resumed`);
      await store.putWorkspace(workspace.row);
    }
  }
  // Started, and then the server died before the ledger knew.
  for (const stray of held.values()) {
    const kind = kinds.get(detectKind(stray.argv, kinds)) ?? kinds.get('generic')!;
    const workspace = await workspaces.create({
      ...{ name: `recovered-${basename(stray.argv[0] ?? 'terminal')}`, path: stray.cwd, repository: null, branch: null, base: null },
      ...{ agentKind: kind.id, argv: stray.argv },
    });
    terminals.adopt(stray, { workspace: workspace.row.id, role: 'agent', kind, proof: '', known: null });
    await workspaces.update(workspace, { terminals: [{ id: stray.id, role: 'agent', argv: stray.argv, cwd: stray.cwd }] });
    session.log.add('restore', workspace.row.id, `terminal ${stray.id} belonged to no workspace: kept in one of its own`);
  }
  await prompts.load();
  for (const workspace of workspaces.all()) {
    const { id, more } = workspace.row;
    session.attention.found(id, workspaces.status(workspace), typeof more?.told === 'number' ? more.told : null);
    prompts.pump(id);
  }
}
