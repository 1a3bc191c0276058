// Tells people that an agent needs them or has finished, when nobody has it before them. Held back for a moment, grouped, never twice for
// the same thing; each telling is logged by channel as sent, failed or suppressed with the reason.
import type { AgentState, AgentStatus } from '../../model/agent.ts';
import { counted } from '../../model/counted.ts';
import type { DiffSize } from '../../model/workspace.ts';
import type { ServerEvent } from '../../wire/requests.ts';
import type { EventLog } from './event-log.ts';

/** ms that a state must hold before anybody is told: an approval given at once is no news. */
const SETTLE = 400;
/** ms in which what others need joins the same telling. */
const GROUP = 500;
/** ms in which the same agent's same state is not told again: one that flickers between two states is one piece of news. */
const AGAIN = 10_000;
/** ms in which an agent's own notification is about what herd has told (measured: Claude's comes 6 s after its dialog). */
const ECHO = 15_000;
/** Longest body, characters: what notifications of terminals and desktops show. */
const BODY_MAX = 200;

/** A way to tell. Resolves with null when it was told, else with why not. */
export type Channel = (title: string, body: string) => Promise<string | null>;

export interface AttentionOptions {
  log: EventLog;
  now(): number;
  /** A person has this workspace before them. */
  watches(workspace: number): boolean;
  name(workspace: number): string;
  /** What has changed in its worktree; null when nothing has, or it is not known. */
  changes(workspace: number): DiffSize | null;
  /** To the terminal of the person who did something last; false when nobody is attached. */
  toTerminal(event: Extract<ServerEvent, { event: 'attention' }>): boolean;
  /** Why the terminal is not told by the person's wish; null: it is. */
  terminalOff: string | null;
  sound: boolean;
  /** Desktop and the person's own command, where they are wanted. */
  channels: Record<string, Channel>;
  /** It was told (or need not be) that the workspace is in its state since `since`: kept, so that a new server does not repeat it. */
  onTold(workspace: number, since: number): void;
}

interface News {
  workspace: number;
  since: number;
  title: string;
  body: string;
}

export class Attention {
  readonly #o: AttentionOptions;
  readonly #settling = new Map<number, { timer: NodeJS.Timeout; status: AgentStatus }>();
  readonly #last = new Map<string, number>();
  readonly #told = new Map<number, number>();
  #due: News[] = [];
  #group: NodeJS.Timeout | null = null;

  constructor(o: AttentionOptions) {
    this.#o = o;
  }

  /** The agent of a workspace changed its state. */
  status(workspace: number, status: AgentStatus, before: AgentState): void {
    const settling = this.#settling.get(workspace);
    // Its question may be drawn a moment after it says that it asks.
    if (status.state === before && settling) settling.status = status;
    if (status.state === before) return;
    this.#calm(workspace);
    if (needsTelling(status, before)) this.#settle(workspace, status);
  }

  /** As a new server finds it: told only when the one before did not come to it. */
  found(workspace: number, status: AgentStatus, told: number | null): void {
    const waits = status.state === 'blocked' || status.state === 'done';
    if (waits && told !== status.since) this.#settle(workspace, status);
  }

  /** A program's own notification; news only where herd has not just told of its agent. */
  said(workspace: number, title: string, body: string): void {
    const told = this.#told.get(workspace) ?? Number.NEGATIVE_INFINITY;
    if (this.#o.now() - told < ECHO) return this.#log({ workspace, since: 0, title, body }, 'all', 'herd has told of it already');
    this.#add({ workspace, since: 0, title: title || this.#o.name(workspace), body });
  }

  /** It is gone. */
  forget(workspace: number): void {
    this.#calm(workspace);
    this.#told.delete(workspace);
  }

  /** Nothing is told of its state any more. */
  #calm(workspace: number): void {
    clearTimeout(this.#settling.get(workspace)?.timer);
    this.#settling.delete(workspace);
    this.#due = this.#due.filter((news) => news.workspace !== workspace || news.since === 0);
  }

  close(): void {
    for (const { timer } of this.#settling.values()) clearTimeout(timer);
    this.#settling.clear();
    if (this.#group) clearTimeout(this.#group);
  }

  #settle(workspace: number, status: AgentStatus): void {
    // What a new server finds may have changed in the same breath.
    clearTimeout(this.#settling.get(workspace)?.timer);
    const timer = setTimeout(() => {
      const { status } = this.#settling.get(workspace)!;
      this.#settling.delete(workspace);
      const title = `${this.#o.name(workspace)} ${phrase(status.state)}`;
      const body = this.#about(workspace, status);
      this.#told.set(workspace, this.#o.now());
      this.#add({ workspace, since: status.since, title, body });
      this.#o.onTold(workspace, status.since);
    }, SETTLE);
    this.#settling.set(workspace, { timer, status });
  }

  #about(workspace: number, { state, question, marks, why }: AgentStatus): string {
    const changes = state === 'done' ? this.#o.changes(workspace) : null;
    return question?.text ?? marks.error ?? marks.task ?? (changes && sizeText(changes)) ?? why;
  }

  #add(news: News): void {
    const { now, watches } = this.#o;
    const key = `${news.workspace} ${news.title}`;
    if (watches(news.workspace)) return this.#log(news, 'all', 'it is being looked at');
    if (now() - (this.#last.get(key) ?? Number.NEGATIVE_INFINITY) < AGAIN) return this.#log(news, 'all', 'told a moment ago');
    for (const [old, at] of this.#last) if (now() - at >= AGAIN) this.#last.delete(old);
    this.#last.set(key, now());
    this.#due.push({ ...news, body: news.body.replace(/\s+/g, ' ').slice(0, BODY_MAX) });
    this.#group ??= setTimeout(() => this.#tell(), GROUP);
  }

  #tell(): void {
    this.#group = null;
    const due = this.#due;
    this.#due = [];
    const [first, ...more] = due;
    if (!first) return;
    const title = more.length === 0 ? first.title : `${due.length} agents want you`;
    const body =
      more.length === 0
        ? first.body
        : due
            .map((news) => news.title)
            .join(', ')
            .slice(0, BODY_MAX);
    const { toTerminal, terminalOff, sound, channels } = this.#o;
    const event = {
      event: 'attention' as const,
      workspace: first.workspace,
      title,
      body,
      sound,
      ...(due.every((news) => news.since === 0) ? { said: true as const } : {}),
    };
    const off = terminalOff ?? (toTerminal(event) ? null : 'no client is attached');
    for (const news of due) this.#log(news, 'terminal', off);
    for (const [name, channel] of Object.entries(channels)) {
      void channel(title, body).then((failed) => {
        for (const news of due) this.#log(news, name, failed, 'failed');
      });
    }
  }

  #log({ workspace, title, body }: News, channel: string, reason: string | null, how = 'suppressed'): void {
    const outcome = reason === null ? 'sent' : how;
    const text = `${outcome} (${channel}${reason === null ? '' : `: ${reason}`}) ${title} - ${body}`;
    this.#o.log.add('attention', workspace, text, { channel, outcome, ...(reason === null ? {} : { reason }) });
  }
}

function needsTelling(status: AgentStatus, before: AgentState): boolean {
  return status.state === 'blocked' || status.state === 'done' || (status.state === 'exited' && before === 'working');
}

function sizeText({ files, added, removed }: DiffSize): string | null {
  return files === 0 ? null : `${counted(files, 'file')} changed, +${added} −${removed}`;
}

function phrase(state: AgentState): string {
  if (state === 'blocked') return 'needs you';
  return state === 'done' ? 'has finished' : 'has ended';
}
