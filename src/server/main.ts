// Entry of `herd server --session NAME`: opens the ledger, the terminals that live in the holder and the socket, and puts the parts of
// the session together. Started by the holder; when it dies the holder starts another, which finds everything as it was.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withOwnKinds } from '../agents/kinds/own-kinds.ts';
import { faultText, loadConfig } from '../config/load.ts';
import { type SessionPaths, securePrivateDir } from '../config/paths.ts';
import { createGit } from '../git/git.ts';
import { sweepScratch } from '../git/scratch.ts';
import { UNKNOWN_OUTER } from '../model/outer.ts';
import type { Store } from '../store/store.ts';
import { openStore } from '../store/store.ts';
import { CLIENT_PROTOCOL } from '../wire/hello.ts';
import { Clients } from './clients.ts';
import { attemptFacts } from './commands/attempt.ts';
import { createDeliverer } from './delivery-run.ts';
import { Intake } from './intake.ts';
import { type Listening, listen } from './listen.ts';
import { createLog } from './log.ts';
import type { Mailboxes } from './mailbox.ts';
import { createMailboxes } from './mailbox-letters.ts';
import { notifiers } from './notifiers.ts';
import { writeOwnProgram } from './own-program.ts';
import { Pictures } from './pictures.ts';
import { FirstFrames } from './publish/first-frame.ts';
import { Publisher } from './publish/publisher.ts';
import { Sizing } from './publish/sizing.ts';
import { restore } from './restore.ts';
import { fileReview, readReview, withTemplate } from './review-file.ts';
import type { Session } from './session.ts';
import { AgentMemories } from './state/agent-memory.ts';
import { Attention } from './state/attention.ts';
import { Batches } from './state/batches.ts';
import { Comments } from './state/comments.ts';
import { EventLog } from './state/event-log.ts';
import { Layouts } from './state/layouts.ts';
import { Prompts } from './state/prompts.ts';
import { Sendings } from './state/sendings.ts';
import { Terminals } from './state/terminals.ts';
import { Workspaces } from './state/workspaces.ts';
import { TerminalHost } from './terminal-host.ts';
import { terminalReports } from './terminal-reports.ts';
import { followComment } from './waiting-review.ts';

/** git processes at a time, over all worktrees. */
const GIT_AT_ONCE = 4;
/** ms that programs get to end by themselves when the session ends. */
const STOP_GRACE = 5000;
/** ms that clients get to show how the last program of a session ended. */
const LAST_LOOK = 3000;

const logLine = createLog((text) => process.stderr.write(text));

export interface ServerRun {
  session: string;
  version: string;
  paths: SessionPaths;
  env: NodeJS.ProcessEnv;
  /** Terminals to set aside. */
  quarantine: number[];
  /** Absolute paths of node and of this program's main file. */
  program: { node: string; main: string };
}

/** Resolves when the server has ended. Rejects when it cannot start: another one runs, the ledger cannot be opened, no holder. */
export async function serve(run: ServerRun): Promise<void> {
  process.umask(0o077);
  securePrivateDir(run.paths.runtime);
  securePrivateDir(run.paths.state);
  securePrivateDir(run.paths.screens);
  const ended = Promise.withResolvers<void>();
  const session = await openSession(run, ended.resolve);
  const token = readFileSync(run.paths.token, 'utf8').trim();
  const fault = (error: unknown, where: string) => reportFault(session, error, where);
  for (const notice of session.notices) session.log.add('notice', null, notice);
  await restore(session);
  writeOwnProgram(run.paths, run.program.node, run.program.main);
  const listening = await listen(session, token, fault);
  session.intake.onClose = listening.close;
  catchProcess(session, listening, fault);
  session.log.add('server', null, `server ${process.pid} of version ${run.version} is up`);
  await ended.promise;
  await listening.close();
}

async function openSession(run: ServerRun, onEnd: () => void): Promise<Session> {
  const { paths, version } = run;
  const now = () => Date.now();
  const { config, faults } = loadConfig(paths.config);
  const clients = new Clients();
  const notices = faults.map(faultText);
  const store = await openStore(paths.state, {
    now,
    onNotice: (text, hint) => {
      notices.push(text);
      clients.emit({ event: 'notice', text, hint });
    },
  });
  notices.push(...store.notices);
  const { layouts, notice } = await Layouts.open(paths.state, now(), (error) => reportFault(session, error, 'saving the layout'));
  if (notice) notices.push(notice);
  const log = new EventLog(store, (event) => clients.emit(event), now);
  const git = createGit({ cap: GIT_AT_ONCE, snapshotDir: join(paths.state, 'snapshots'), env: run.env, now });
  void sweepScratch(now());
  const sizing: Sizing = new Sizing({
    wish: (terminal) => publisher.wish(terminal),
    size: (terminal) => {
      const live = terminals.find(terminal);
      return live && !live.exit ? { cols: live.screen.cols, rows: live.screen.rows } : null;
    },
    resize: (terminal, { cols, rows }) => void host.resize(terminal, cols, rows).catch(() => {}),
    now: () => performance.now(),
  });
  const publisher = new Publisher(
    (terminal) => terminals.find(terminal),
    (terminal) => sizing.consider(terminal),
    (terminal, focused) => terminals.focus(terminal, focused),
  );
  const firstFrames = new FirstFrames(publisher, (terminal) => terminals.find(terminal)?.workspace === layouts.selected);
  const comments: Comments = new Comments({
    ...{ store, now },
    emit: (event) => clients.emit(event),
    onChange: (before, after) =>
      followComment(
        {
          ...{ prompts, comment: (id) => comments.find(id), finish: (text) => withTemplate(config, text) },
          filed: async (id, ids, round) => readReview(git, workspaces.get(id).row.path, ids, round).catch(() => null),
          file: async (id, text, ids, round) => fileReview(git, workspaces.get(id).row.path, text, ids, round),
        },
        before,
        after,
      ),
    onCount: (id) => {
      workspaces.touch(id);
      mailboxes.touch(id);
    },
  });
  const mailboxes: Mailboxes = createMailboxes(() => session);
  const attention = new Attention({
    ...{ log, now, sound: config['notifications.sound'] },
    watches: (id) => clients.watches(id),
    name: (id) => workspaces.find(id)?.row.name ?? `workspace ${id}`,
    changes: (id) => workspaces.find(id)?.review?.size ?? null,
    terminalOff: config['notifications.terminal'] ? null : 'notifications.terminal is off',
    toTerminal: (event) => {
      const client = clients.leading();
      client?.send(event);
      return client !== null;
    },
    channels: notifiers({ env: run.env, desktop: config['notifications.desktop'], command: config['notifications.command'] }),
    onTold: (id, since) => {
      const workspace = workspaces.find(id);
      if (workspace) void workspaces.update(workspace, { more: { ...workspace.row.more, told: since } });
    },
  });
  const terminals: Terminals = new Terminals({
    ...{ now, stallAfter: config['agents.stalled_minutes'] * 60_000 },
    ...terminalReports(
      () => session,
      () => endIfLast(session),
    ),
  });
  const prompts: Prompts = new Prompts({
    ...{ store, now },
    emit: (event) => clients.emit(event),
    agentOf: (workspace) => terminals.agentOf(workspace),
    deliver: createDeliverer({ store, host: () => host, now }),
    onComments: async (ids, intent) => {
      for (const id of ids) await comments.apply(id, intent).catch(() => null);
    },
    onDeliver: ({ comments: ids, round }) => {
      // Not the agent's workspace: a review may go to another one's.
      const from = new Set(ids.flatMap((id) => comments.find(id)?.workspace ?? []));
      if (round !== null) for (const workspace of from) void workspaces.find(workspace)?.review?.roundSent(round);
    },
    onChange: (id) => workspaces.touch(id),
    onReceipt: ({ workspace, id }, { outcome, reason }) =>
      log.add('prompt', workspace, `prompt ${id} ${outcome}${reason ? `: ${reason}` : ''}`),
  });
  const workspaces: Workspaces = new Workspaces({
    ...{ store, git, terminals, comments, now },
    emit: (event) => {
      if (event.event === 'workspace.gone') layouts.forget(event.id);
      clients.emit(event);
    },
    queued: (id) => prompts.queued(id),
    onGone: (id) => {
      prompts.forget(id);
      attention.forget(id);
      memories.forget(id);
    },
    onChangeset: ({ row, review }, changeset) => {
      if (!review) return;
      void comments
        .replace(row.id, changeset, review)
        .then(() => mailboxes.touch(row.id))
        .catch((error) => reportFault(session, error, 'finding comments again'));
    },
  });
  const memories = new AgentMemories(async (id, memory) => {
    const workspace = workspaces.find(id);
    if (workspace) await workspaces.update(workspace, { more: { ...workspace.row.more, agent: memory } });
  });
  // While screens are primed programs go on asking, and the holder may go: there is no session yet.
  let opened: Session | null = null;
  const host = await TerminalHost.open({
    ...{ socket: paths.holderSocket, token: readFileSync(paths.token, 'utf8').trim(), version, dir: paths.screens },
    outer: () => opened?.outer ?? UNKNOWN_OUTER,
    ...{ scrollback: config['terminal.scrollback'], historyQuota: config['terminal.history_mb'] * 1024 * 1024 },
    onHistoryFull: (id) => log.add('notice', null, `The oldest lines of terminal ${id} were dropped: the history has its size.`),
    ...{ quarantine: run.quarantine, events: terminals.events },
    onPlainExit: (program) => clients.emitRuns({ event: 'attempt', attempt: attemptFacts(program) }),
    onLost: (why) => {
      if (!opened) return;
      logLine(`the holder is gone: ${why.message}`);
      void shutDown(opened, store, onEnd);
    },
    log: logLine,
  });
  terminals.connect(host);
  const session: Session = {
    ...{
      name: run.session,
      version,
      protocol: CLIENT_PROTOCOL,
      started: now(),
      paths,
      config,
      herdDir: run.env.HERD_DIR,
      kinds: withOwnKinds(config['agents.kinds']).kinds,
    },
    ...{
      store,
      git,
      host,
      clients,
      intake: new Intake(),
      publisher,
      firstFrames,
      sizing,
      log,
      terminals,
      comments,
      workspaces,
      prompts,
      sendings: new Sendings(prompts),
      attention,
      memories,
      notices,
      now,
    },
    ...{ mailboxes, layouts, pictures: new Pictures(paths.pictures) },
    batches: new Batches((event) => clients.emit(event), now),
    ...{ quarantined: run.quarantine, ephemeral: false, vanishing: false, outer: null },
    end: (how) => endSession(session, store, how, onEnd),
  };
  opened = session;
  return session;
}

/** Ends this server in order: screens saved, ledger closed, and with 'stop' every program and the holder. */
async function endSession(session: Session, store: Store, how: 'stop' | 'restart', onEnd: () => void): Promise<void> {
  if (how === 'restart') {
    await session.memories.flush();
    await session.host.save();
    await session.host.restartServer();
    return;
  }
  session.vanishing = session.ephemeral;
  session.ephemeral = false;
  // The reply to whoever asked for it goes out before the holder ends us.
  setImmediate(async () => {
    await session.host.stop(STOP_GRACE).catch(() => []);
    await shutDown(session, store, onEnd);
  });
}

let leaving: Promise<void> | null = null;

function shutDown(session: Session, store: Store, onEnd: () => void): Promise<void> {
  leaving ??= (async () => {
    await session.intake.close();
    session.attention.close();
    session.prompts.close();
    await session.mailboxes.close();
    await session.workspaces.close();
    await session.git.dispose();
    session.clients.closeAll();
    await session.layouts.close();
    await store.close();
    // A session of `herd run` leaves nothing behind. Here, since the holder that ends may end us first.
    const { state, runtime } = session.paths;
    if (session.vanishing) for (const dir of [state, runtime]) rmSync(dir, { recursive: true, force: true });
    onEnd();
  })();
  return leaving;
}

/** Leaves everything to the next server: programs go on, and what was asked last is answered. */
async function giveWay(session: Session): Promise<void> {
  await session.memories.flush().catch(() => {});
  await session.host.save().catch(() => {});
  await session.intake.close();
  await session.layouts.close();
  await session.mailboxes.close();
  await session.store.close();
}

/** In a session of `herd run`: the last program has ended, and its clients, also one on its way to attach, have seen how. */
function endIfLast(session: Session): void {
  if (!session.ephemeral || session.terminals.all().some((terminal) => !terminal.exit)) return;
  const started = performance.now();
  const timer = setInterval(() => {
    if (session.clients.connected > 0 && performance.now() - started < LAST_LOOK) return;
    clearInterval(timer);
    void session.end('stop');
  }, 50);
}

function catchProcess(session: Session, listening: Listening, fault: (error: unknown, where: string) => void): void {
  process.on('uncaughtException', (error) => fault(error, 'the server'));
  process.on('unhandledRejection', (error) => fault(error, 'the server'));
  process.on('SIGUSR1', () => listening.look());
  process.on('SIGHUP', () => {});
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, async () => {
      leaving ??= session.vanishing ? shutDown(session, session.store, () => {}) : giveWay(session);
      await leaving;
      process.exit(0);
    });
  }
}

/** A bug of ours: logged with where it was, and the server goes on. */
function reportFault(session: Session, error: unknown, where: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logLine(`fault in ${where}: ${text}`);
  session.log.add('fault', null, `fault in ${where}: ${text.split('\n').slice(0, 4).join(' | ')}`);
}
