// Frames on a socket: u32le length of what follows | u8 type | u32le channel | payload. Knows no commands.

/** Bytes before the payload. */
export const FRAME_HEADER = 9;

/** Largest payload, bytes: a 1 MiB paste as JSON with every character escaped stays below it; more is an attack or a bug. */
export const MAX_PAYLOAD = 8 * 1024 * 1024;

export interface Frame {
  type: number;
  channel: number;
  payload: Buffer;
}

/** A stream that is not frames, or a frame past the limit; the connection it came from must be closed. */
export class FrameError extends Error {}

/** One frame as bytes, without the last `rest` bytes of its payload, which are sent behind it. `type` 0-255, `channel` 0-2^32-1. */
export function encodeFrame(type: number, channel: number, payload: Uint8Array, rest = 0): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER + payload.length);
  bytes.writeUInt32LE(FRAME_HEADER - 4 + payload.length + rest, 0);
  bytes[4] = type;
  bytes.writeUInt32LE(channel, 5);
  bytes.set(payload, FRAME_HEADER);
  return bytes;
}

/** Cuts a byte stream into frames, whatever its chunks. Payloads are views into the stream's buffers: copy what is kept. */
export class FrameDecoder {
  #chunks: Buffer[] = [];
  #size = 0;
  readonly #limit: number;

  constructor(limit = MAX_PAYLOAD) {
    this.#limit = limit;
  }

  /** Takes bytes as they came; `next` gives the frames they complete. */
  push(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }

  /** The next whole frame; null when more bytes are needed. Throws FrameError on a length out of bounds. */
  next(): Frame | null {
    if (this.#size < 4) return null;
    const length = this.#head(4).readUInt32LE(0);
    if (length < FRAME_HEADER - 4 || length > this.#limit + FRAME_HEADER - 4) throw new FrameError(`frame of ${length} bytes`);
    if (this.#size < 4 + length) return null;
    const frame = this.#take(4 + length);
    return { type: frame[4]!, channel: frame.readUInt32LE(5), payload: frame.subarray(FRAME_HEADER) };
  }

  /** At least `n` buffered bytes in one piece, left in place. */
  #head(n: number): Buffer {
    if (this.#chunks[0]!.length < n) this.#chunks = [Buffer.concat(this.#chunks, this.#size)];
    return this.#chunks[0]!;
  }

  /** The first `n` bytes in one piece: where they came in one, that very piece, else a copy of them and of no more. */
  #take(n: number): Buffer {
    const [first] = this.#chunks as [Buffer];
    const whole = first.length < n ? Buffer.allocUnsafe(n) : first.subarray(0, n);
    for (let done = 0; done < n; ) {
      const chunk = this.#chunks[0]!;
      const part = Math.min(n - done, chunk.length);
      if (first.length < n) chunk.copy(whole, done, 0, part);
      done += part;
      if (part === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(part);
    }
    this.#size -= n;
    return whole;
  }
}
