// Tells people that an agent needs them or has finished, when nobody has it before them: grouped by holding back for a moment, each one
// logged as sent or suppressed with the reason.
import { spawn } from 'node:child_process';
import type { AgentState, AgentStatus } from '../../model/agent.ts';
import type { ServerEvent } from '../../wire/requests.ts';
import type { EventLog } from './event-log.ts';

/** ms that a state must hold before anybody is told: an approval given at once is no news. */
const SETTLE = 400;
/** Longest body, characters: what notifications of terminals and desktops show. */
const BODY_MAX = 200;

export interface AttentionOptions {
  log: EventLog;
  emit(event: ServerEvent): void;
  watches(workspace: number): boolean;
  clients(): number;
  name(workspace: number): string;
  sound: boolean;
  /** Program and arguments of the user's own hook; empty: none. */
  command: string[];
}

export class Attention {
  readonly #o: AttentionOptions;
  readonly #timers = new Map<number, NodeJS.Timeout>();

  constructor(o: AttentionOptions) {
    this.#o = o;
  }

  /** The agent of a workspace changed its state. */
  status(workspace: number, status: AgentStatus, before: AgentState): void {
    if (status.state === before) return;
    clearTimeout(this.#timers.get(workspace));
    this.#timers.delete(workspace);
    const needs = status.state === 'blocked' || status.state === 'done' || (status.state === 'exited' && before === 'working');
    if (needs)
      this.#timers.set(
        workspace,
        setTimeout(() => this.#tell(workspace, status), SETTLE),
      );
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  #tell(workspace: number, status: AgentStatus): void {
    this.#timers.delete(workspace);
    const { log, emit, watches, clients, sound } = this.#o;
    const title = `${this.#o.name(workspace)}: ${phrase(status.state)}`;
    const body = (status.question?.text ?? status.marks.task ?? status.why).replace(/\s+/g, ' ').slice(0, BODY_MAX);
    if (watches(workspace)) {
      log.add('attention', workspace, `not told, it is being looked at: ${title}`);
      return;
    }
    emit({ event: 'attention', workspace, title, body, sound });
    this.#runCommand(workspace, title, body);
    log.add('attention', workspace, `${clients() > 0 ? 'told' : 'nobody attached to tell'}: ${title} - ${body}`);
  }

  #runCommand(workspace: number, title: string, body: string): void {
    const [program, ...args] = this.#o.command;
    if (!program) return;
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env: { ...process.env, HERD_TITLE: title, HERD_BODY: body } });
    child.on('error', (error) => this.#o.log.add('attention', workspace, `notifications.command failed: ${error.message}`));
    child.unref();
  }
}

function phrase(state: AgentState): string {
  if (state === 'blocked') return 'needs you';
  return state === 'done' ? 'has finished' : 'has ended';
}
