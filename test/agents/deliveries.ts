// Many deliveries to one real agent while a person types at random, dialogs come up and the agent exits: what the model was sent and what the
// receipts say must agree, no prompt may hold a person's words or arrive twice, no dialog may be answered by a prompt.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectLink } from '../../src/cli/link.ts';
import type { Link } from '../../src/cli/verb.ts';
import { sessionPaths } from '../../src/config/paths.ts';
import type { Receipt } from '../../src/model/review/comment.ts';
import type { Stage } from './stage.ts';

/** What happens around a delivery, and how often in 40. */
const SCENES = { plain: 18, typing: 10, dialog: 7, draft: 4, exit: 1 } as const;
type Scene = keyof typeof SCENES;

export interface DeliveryReport {
  deliveries: number;
  outcomes: Record<string, number>;
  scenes: Record<string, number>;
  /** One sentence for each byte that went where it should not have. Must be empty. */
  wrong: string[];
  /** Rounds that could not be played to their end. */
  broken: string[];
}

/** Pseudo-random numbers from a seed, so that a run can be repeated (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The agent must run and rest in the stage's workspace. */
export async function deliverMany(stage: Stage, count: number, seed: number): Promise<DeliveryReport> {
  const link = (await connectLink(sessionPaths('default', stage.env), {}))!;
  const run = new Run(stage, link, dice(seed));
  for (let i = 1; run.report.deliveries < count && i <= count; i++) {
    try {
      await run.round(i);
    } catch (error) {
      run.report.broken.push(`${i}: ${(error as Error).message.split('\n')[0]}`);
      await run.recover();
    }
  }
  await run.recover();
  run.checkAll();
  link.close();
  return run.report;
}

class Run {
  readonly report: DeliveryReport = { deliveries: 0, outcomes: {}, scenes: {}, wrong: [], broken: [] };
  readonly #stage: Stage;
  readonly #link: Link;
  readonly #random: () => number;
  readonly #sent = new Map<string, Receipt['outcome']>();
  readonly #killed = new Set<string>();
  readonly #screens = new Map<string, string>();
  #approved = 0;

  constructor(stage: Stage, link: Link, random: () => number) {
    this.#stage = stage;
    this.#link = link;
    this.#random = random;
  }

  async round(n: number): Promise<void> {
    const scene = this.#pick();
    this.report.scenes[scene] = (this.report.scenes[scene] ?? 0) + 1;
    await this.#rest();
    this.#stage.model.steps.length = 0;
    await this[scene](`delivery ${n} ${Math.floor(this.#random() * 1e9).toString(36)}x`);
    await this.#look();
  }

  async plain(text: string): Promise<void> {
    this.#answers();
    await this.#send(text);
  }

  /** A person types a word some time before, in or after the delivery. */
  async typing(text: string): Promise<void> {
    this.#answers();
    const typed = pause(this.#random() * 900).then(() => this.#type(`human${Math.floor(this.#random() * 1e6)}`));
    await pause(this.#random() * 300);
    await Promise.all([this.#send(text), typed]);
    await this.#clear();
  }

  /** A draft stands in the box: the prompt must be refused. */
  async draft(text: string): Promise<void> {
    await this.#type(`human${Math.floor(this.#random() * 1e6)}`);
    await pause(700);
    this.#answers();
    await this.#send(text);
    await this.#clear();
  }

  /** A dialog comes up while prompts are sent. */
  async dialog(text: string): Promise<void> {
    const before = this.#runs();
    const tools = [{ kind: 'shell' as const, command: 'sh scripts/check.sh', escalate: true, why: 'Run the checks' }];
    this.#stage.model.steps.push({ delay: 200, text: 'I will run a command.', tools }, { delay: 100, text: 'Fine.' });
    if ((await this.#send(`${text}first`)).outcome !== 'accepted') return;
    await pause(this.#random() * 1500);
    await this.#send(`${text}early`);
    await this.#link.request('agent.wait', { workspace: this.#stage.name, until: ['blocked'], timeout: 30_000 });
    await this.#send(`${text}again`);
    if (this.#runs() !== before) this.report.wrong.push(`${text}: the dialog was answered by a prompt`);
    const approve = this.#random() < 0.5;
    if (approve) this.#approved++;
    await this.#answer(approve ? 'approve' : 'reject');
  }

  /** As a person does: a dialog that has changed meanwhile is looked at again. */
  async #answer(answer: 'approve' | 'reject'): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { agent } = (await this.#link.request('workspace.get', { workspace: this.#stage.name })).workspace;
      try {
        await this.#link.request('agent.answer', { workspace: this.#stage.name, answer, dialog: agent.question?.id });
        return;
      } catch (error) {
        if (tries === 4 || !/^(changed|no-option|no-question)$/.test((error as { code?: string }).code ?? '')) throw error;
        await pause(500);
      }
    }
  }

  /** The agent goes while a prompt is sent; a new one is started in its place. */
  async exit(text: string): Promise<void> {
    const { terminals } = (await this.#link.request('workspace.get', { workspace: this.#stage.name })).workspace;
    const end = pause(this.#random() * 600).then(() => process.kill(terminals[0]!.pid!, 'SIGKILL'));
    this.#killed.add(text);
    this.#answers();
    await Promise.all([this.#send(text), end]);
    await this.#link.request('agent.wait', { workspace: this.#stage.name, until: ['exited'], timeout: 20_000 }).catch(() => null);
    const place = { cwd: this.#stage.repository, env: this.#stage.env };
    await this.#link.request('workspace.resume', { workspace: this.#stage.name, place, fresh: true });
    await this.#rest(this.#stage.setup.startLimit ?? 60_000);
  }

  /** What stood on the screen when a prompt that was accepted had not reached the model by the end of its round. */
  async #look(): Promise<void> {
    await this.#rest();
    const sent = JSON.stringify(this.#stage.model.requests.slice(-12));
    for (const [text, outcome] of this.#sent)
      if (outcome === 'accepted' && !sent.includes(text) && !this.#screens.has(text) && !this.#killed.has(text))
        this.#screens.set(text, await this.#stage.screen());
  }

  /** After a round that did not end: whatever waits is left, the box is emptied. */
  async recover(): Promise<void> {
    for (let i = 0; i < 20; i++) {
      const { agent } = (await this.#link.request('workspace.get', { workspace: this.#stage.name })).workspace;
      if (agent.state === 'idle' || agent.state === 'done') return this.#clear();
      if (agent.state === 'blocked')
        await this.#link.request('agent.answer', { workspace: this.#stage.name, answer: 'reject' }).catch(() => null);
      await pause(1000);
    }
  }

  /** What reached the model against what the receipts say. */
  checkAll(): void {
    const last = this.#stage.model.requests.map((body) =>
      JSON.stringify([...((body.messages ?? body.input ?? []) as unknown[])].slice(-2)),
    );
    for (const [text, outcome] of this.#sent) {
      // A request repeats what went before; a prompt that was sent is the newest thing in at least one.
      const seen = last.filter((body) => body.includes(text));
      // One that was taken as the agent was killed need not have gone further.
      if (outcome === 'accepted' && seen.length === 0 && !this.#killed.has(text))
        this.report.wrong.push(`${text}: accepted, but the model did not get it\n${this.#screens.get(text) ?? ''}`);
      if (outcome === 'refused' && seen.length > 0) this.report.wrong.push(`${text}: refused, but the model got it`);
      const bare = (body: string) => new RegExp(`human\\d+[^"]{0,40}${text}|${text}[^"]{0,40}human\\d`).test(body);
      if (seen.some(bare)) this.report.wrong.push(`${text}: a person's words are in it`);
      if (seen.some((body) => body.split(text).length > 2 && !/ (first|again)/.test(body)))
        this.report.wrong.push(`${text}: it arrived twice`);
    }
    if (this.#runs() > this.#approved) this.report.wrong.push(`${this.#runs()} commands ran, ${this.#approved} were approved`);
  }

  async #send(text: string): Promise<Receipt> {
    const { receipt } = await this.#link.request('prompt.send', { workspace: this.#stage.name, text, queue: false });
    this.report.deliveries++;
    this.report.outcomes[receipt.outcome] = (this.report.outcomes[receipt.outcome] ?? 0) + 1;
    this.#sent.set(text, receipt.outcome);
    return receipt;
  }

  async #type(text: string): Promise<void> {
    await this.#link.request('terminal.keys', { workspace: this.#stage.name, text });
  }

  /** Empties the box as a person does. */
  async #clear(): Promise<void> {
    await this.#rest();
    await this.#link.request('terminal.keys', { workspace: this.#stage.name, keys: ['ctrl+u'] });
    await pause(300);
  }

  async #rest(limit = 45_000): Promise<void> {
    const end = Date.now() + limit;
    for (;;) {
      const { agent } = (await this.#link.request('workspace.get', { workspace: this.#stage.name })).workspace;
      if (agent.state === 'idle' || agent.state === 'done') return;
      if (Date.now() > end) throw new Error(`it does not rest: ${agent.state}, ${agent.why}`);
      await pause(100);
    }
  }

  #answers(): void {
    this.#stage.model.steps.push({ delay: 100 + this.#random() * 400, text: 'Fine.' });
  }

  /** How often the check has run. */
  #runs(): number {
    const file = join(this.#stage.model.folder, 'checked.txt');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
  }

  #pick(): Scene {
    let at = this.#random() * Object.values(SCENES).reduce((a, b) => a + b, 0);
    for (const [scene, weight] of Object.entries(SCENES)) {
      at -= weight;
      if (at < 0) return scene as Scene;
    }
    return 'plain';
  }
}
