// The test's end of program.ts: what it is to write, what it has read.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../support/held-session.ts';

export class ProgramLink {
  /** Command line of the program. */
  readonly argv: string[];
  /** Environment of the program. */
  env: Record<string, string> = {};
  size = { cols: 0, rows: 0 };
  /** Every size it has had, as `COLSxROWS`. */
  readonly sizes: string[] = [];
  /** What the program has read, latin1; the test may empty it. */
  input = '';
  readonly #dir = mkdtempSync(join(tmpdir(), 'hp-'));
  readonly #listener: Server;
  #socket: Socket | null = null;

  constructor() {
    const path = join(this.#dir, 's');
    this.argv = [process.execPath, join(import.meta.dirname, 'program.ts'), path];
    this.#listener = createServer((socket) => this.#connected(socket)).listen(path);
  }

  /** Resolves when the program runs. */
  async started(): Promise<void> {
    await eventually(() => this.#socket && this.size.cols > 0, 'the program runs');
  }

  write(text: string | Uint8Array): void {
    this.#socket!.write(`${JSON.stringify({ write: Buffer.from(text).toString('base64') })}\n`);
  }

  /** Ends the program. */
  close(): void {
    this.#socket?.destroy();
    this.#listener.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #connected(socket: Socket): void {
    this.#socket = socket;
    socket.on('error', () => {});
    createInterface(socket).on('line', (line) => {
      const { read, size, env } = JSON.parse(line);
      if (read) this.input += Buffer.from(read, 'base64').toString('latin1');
      if (size) {
        this.size = size;
        this.sizes.push(`${size.cols}x${size.rows}`);
      }
      if (env) this.env = env;
    });
  }
}
