// A server that only draws, for tests of the client: answers what a client asks on a real socket, sends what a test says.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Grid } from '../../src/model/cell.ts';
import type { InputEvent } from '../../src/model/input.ts';
import { ClientFrame, decodeKeys } from '../../src/wire/client-frames.ts';
import { Connection, type Json } from '../../src/wire/connection.ts';
import { DiffEncoder } from '../../src/wire/diff-encoder.ts';
import { CLIENT_PROTOCOL } from '../../src/wire/hello.ts';
import type { ViewSpec } from '../../src/wire/requests.ts';
import type { ViewFacts } from '../../src/wire/screen-diff.ts';

/** Unsent bytes at which frames are skipped, as the server does. */
const SOCKET_FULL = 256 * 1024;

export class DrawSession {
  readonly folder = mkdtempSync(join(tmpdir(), 'herd-draw-'));
  readonly socket = join(this.folder, 's');
  readonly input: InputEvent[] = [];
  readonly asked: Json[] = [];
  views: ViewSpec[] = [];
  connection: Connection | null = null;
  attaches = 0;
  /** What the session's one workspace holds. */
  terminals: { id: number; exit?: { code: number; signal: null } }[] = [];
  #server: Server | null = null;
  #encoders = new Map<number, DiffEncoder>();

  async listen(): Promise<void> {
    this.#server = createServer((socket) => {
      this.#encoders.clear();
      this.views = [];
      this.connection = new Connection(socket, {
        hello: { protocol: CLIENT_PROTOCOL, version: '0.0.0', pid: process.pid },
        admit: () => null,
        onRequest: (request) => this.#answer(request),
        onFrame: (frame) => this.input.push(...decodeKeys(frame.payload)),
      });
    });
    await new Promise<void>((resolve) => this.#server!.listen(this.socket, resolve));
  }

  /** The server dies as by kill -9: the connection breaks, nobody listens. */
  async die(): Promise<void> {
    this.connection?.close({ code: 'gone', message: '' });
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async close(): Promise<void> {
    await this.die();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Sends a view's cells as they are now; skipped while the client does not read. */
  draw(view: number, grid: Grid, facts: Partial<ViewFacts> = {}): void {
    const { connection } = this;
    if (!connection || connection.queued > SOCKET_FULL) return;
    const encoder = this.#encoders.get(view) ?? new DiffEncoder();
    this.#encoders.set(view, encoder);
    const payload = encoder.encode(grid, {
      cursor: { x: 0, y: 0, visible: true, shape: 'block', blink: false },
      top: { line: 0, col: 0 },
      ...{ wraps: [], left: 0, first: 0, last: grid.rows - 1 },
      atTail: true,
      newLines: 0,
      mouse: 'none',
      wheel: 'scroll',
      ...facts,
    });
    if (payload) connection.send(ClientFrame.screen, view, payload);
  }

  /** The program of a terminal has ended. */
  exit(id: number, code: number): void {
    this.terminals = [{ id, exit: { code, signal: null } }];
    this.connection?.event({ event: 'workspace', workspace: this.#workspace() });
  }

  #workspace(): object {
    return { id: 1, name: 'one', terminals: this.terminals };
  }

  #answer(request: Json & { id: number }): void {
    this.asked.push(request);
    const params = request.params as Json;
    if (request.method === 'view.set') this.views = params.views as ViewSpec[];
    if (request.method === 'terminal.input') this.input.push(...(params.events as InputEvent[]));
    if (request.method === 'client.attach') this.attaches++;
    const state = { session: 'draw', version: '0.0.0', workspaces: [this.#workspace()], selected: null, layouts: {}, notices: [] };
    this.connection!.reply(request.id, { result: request.method === 'client.attach' ? state : {} });
  }
}
