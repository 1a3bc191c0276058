// A scripted model on loopback: speaks four APIs and plays a list of steps, one for each request that offers tools. Side requests
// (titles, routing, token counts) get a canned answer and take no step.
import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { APIS, type ApiName, apiOf, type Streaming } from './apis.ts';
import { callFor, type OfferedTool, offeredTools, type ToolCall, type ToolSpec } from './tools.ts';

/** A reply: text at `speed` characters a second after `delay` ms, then tool calls; or an API error. */
export type ModelStep =
  | { text?: string; delay?: number; speed?: number; tools?: ToolSpec[] }
  | { error: 400 | 429 | 500 | 529; delay?: number; message?: string; headers?: Record<string, string> };

type Body = Record<string, unknown>;

export interface ModelEvent {
  /** ms since the epoch. */
  at: number;
  event: 'request' | 'response' | 'aborted' | 'no-tool' | 'fault';
  main: boolean;
  /** What a response was: text, tool, error. */
  kind?: string;
  detail?: string;
}

/** Piece of a stream, ms. */
const TICK = 60;
/** What titles, routers and summarisers want, whatever they ask. */
const SIDE_JSON = {
  title: 'Small project task',
  isNewTopic: true,
  reasoning: 'ok',
  model_choice: 'flash',
  complexity_score: 10,
  complexity_reasoning: 'ok',
  next_speaker: 'user',
  ok: true,
};
const ERROR_TEXT: Record<number, string> = { 429: 'Rate limit reached for requests', 529: 'Overloaded' };

export class ScriptedModel extends EventEmitter {
  readonly steps: ModelStep[] = [];
  readonly events: ModelEvent[] = [];
  /** Bodies of the requests that took a step. */
  readonly requests: Body[] = [];
  /** Folder that tool calls' paths lie in. */
  folder: string;
  readonly #isMain: (body: Body, tools: OfferedTool[]) => boolean;
  readonly #server: Server;
  #ids = 0;

  constructor(folder: string, isMain: (body: Body, tools: OfferedTool[]) => boolean = (_, tools) => tools.length > 0) {
    super();
    this.folder = folder;
    this.#isMain = isMain;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: Error) => {
        this.#note({ event: 'fault', main: false, detail: error.message });
        response.destroy();
      });
    });
  }

  /** Listens on a free port of loopback; the base address. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #note(event: Omit<ModelEvent, 'at'>): void {
    const noted = { at: Date.now(), ...event };
    this.events.push(noted);
    this.emit('event', noted);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const body = await readJson(request);
    const api = request.method === 'POST' ? apiOf(url.pathname) : null;
    if (!api) return answerOther(url.pathname, response);
    const tools = offeredTools(body);
    const main = this.#isMain(body, tools);
    const step: ModelStep = main
      ? (this.steps.shift() ?? { text: 'Nothing more to do.' })
      : { text: wantsJson(body) ? JSON.stringify(SIDE_JSON) : 'Small project task', speed: 4000 };
    if (main) this.requests.push(body);
    this.#note({ event: 'request', main });
    const model = typeof body.model === 'string' ? body.model : (/models\/([^:]+)/.exec(url.pathname)?.[1] ?? 'mock-1');
    const stream = api === 'gemini' ? /stream/i.test(url.pathname) : body.stream === true;
    await this.#play(step, { api, stream, model, tools, main, response });
  }

  async #play(
    step: ModelStep,
    r: { api: ApiName; stream: boolean; model: string; tools: OfferedTool[]; main: boolean; response: ServerResponse },
  ): Promise<void> {
    let gone = false;
    r.response.on('close', () => {
      if (r.response.writableFinished) return;
      gone = true;
      this.#note({ event: 'aborted', main: r.main });
    });
    if (step.delay) await sleep(step.delay);
    if (gone) return;
    if ('error' in step) {
      const message = step.message ?? ERROR_TEXT[step.error] ?? 'The server had an error while processing your request';
      sendJson(r.response, step.error, APIS[r.api].error(step.error, message), step.headers);
      return this.#note({ event: 'response', main: r.main, kind: 'error' });
    }
    const calls = this.#calls(step.tools ?? [], r.tools);
    const streaming: Streaming = {
      response: r.response,
      model: r.model,
      calls,
      id: (prefix) => `${prefix}_${(++this.#ids).toString(36).padStart(8, '0')}`,
    };
    if (!r.stream) sendJson(r.response, 200, APIS[r.api].plain(streaming, step.text ?? ''));
    else if (!(await this.#stream(step.text ?? '', step.speed ?? 120, r.api, streaming, () => gone))) return;
    this.#note({ event: 'response', main: r.main, kind: calls.length ? 'tool' : 'text' });
  }

  #calls(specs: ToolSpec[], tools: OfferedTool[]): ToolCall[] {
    const calls: ToolCall[] = [];
    for (const spec of specs) {
      const call = callFor(spec, tools, this.folder);
      if (call) calls.push(call);
      else this.#note({ event: 'no-tool', main: true, detail: `${spec.kind}: ${tools.map((t) => t.name).join(' ')}` });
    }
    return calls;
  }

  /** False when the agent hung up. */
  async #stream(text: string, speed: number, api: ApiName, s: Streaming, gone: () => boolean): Promise<boolean> {
    s.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    const writer = APIS[api].writer(s);
    writer.open();
    const size = Math.max(1, Math.round((speed * TICK) / 1000));
    for (let i = 0; i < text.length; i += size) {
      if (gone()) return false;
      writer.text(text.slice(i, i + size));
      await sleep(TICK);
    }
    if (gone()) return false;
    s.calls.forEach((call, i) => {
      writer.tool(call, i);
    });
    writer.close();
    s.response.end();
    return true;
  }
}

async function readJson(request: IncomingMessage): Promise<Body> {
  let raw = '';
  for await (const piece of request) raw += piece;
  try {
    return raw ? JSON.parse(raw) : {};
  } catch {
    return {};
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

function answerOther(path: string, response: ServerResponse): void {
  if (/models\/?$/.test(path)) {
    return sendJson(response, 200, {
      object: 'list',
      data: [{ id: 'mock-1', object: 'model', type: 'model', display_name: 'mock-1' }],
      models: [{ name: 'models/mock-1' }],
    });
  }
  if (/count_?tokens$/i.test(path)) return sendJson(response, 200, { input_tokens: 900, totalTokens: 900 });
  sendJson(response, 404, { error: { message: 'not found' } });
}

function wantsJson(body: Body): boolean {
  const generation = body.generationConfig as Body | undefined;
  const text = body.text as Body | undefined;
  return /json/i.test(JSON.stringify(body.response_format ?? generation?.responseMimeType ?? body.output_config ?? text?.format ?? ''));
}
