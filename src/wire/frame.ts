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
  putHeader(bytes, type, channel, bytes.length + rest);
  bytes.set(payload, FRAME_HEADER);
  return bytes;
}

/** One frame whose payload is the object as JSON. */
export function encodeJson(type: number, channel: number, body: object): Buffer {
  const text = JSON.stringify(body);
  const bytes = Buffer.allocUnsafe(FRAME_HEADER + Buffer.byteLength(text));
  putHeader(bytes, type, channel, bytes.length);
  bytes.write(text, FRAME_HEADER);
  return bytes;
}

/** `size`: of the whole frame. */
function putHeader(bytes: Buffer, type: number, channel: number, size: number): void {
  bytes.writeUInt32LE(size - 4, 0);
  bytes[4] = type;
  bytes.writeUInt32LE(channel, 5);
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Cuts a byte stream into frames, whatever its chunks. Payloads are views into the stream's buffers: copy what is kept. */
export class FrameDecoder {
  /** The chunk that is read, from `#at` on, and those behind it; `#size` bytes in all. */
  #chunk: Buffer = NOTHING;
  #at = 0;
  #behind: Buffer[] = [];
  #size = 0;
  readonly #limit: number;

  constructor(limit = MAX_PAYLOAD) {
    this.#limit = limit;
  }

  /** Takes bytes as they came; `next` gives the frames they complete. */
  push(bytes: Buffer): void {
    if (this.#size > 0) this.#behind.push(bytes);
    else {
      this.#chunk = bytes;
      this.#at = 0;
    }
    this.#size += bytes.length;
  }

  /** The next whole frame; null when more bytes are needed. Throws FrameError on a length out of bounds. */
  next(): Frame | null {
    if (this.#size < 4) return null;
    if (this.#chunk.length - this.#at < 4) this.#join();
    const length = this.#chunk.readUInt32LE(this.#at);
    if (length < FRAME_HEADER - 4 || length > this.#limit + FRAME_HEADER - 4) throw new FrameError(`frame of ${length} bytes`);
    const whole = 4 + length;
    if (this.#size < whole) return null;
    if (this.#chunk.length - this.#at < whole) return frameIn(this.#gather(whole), 0, whole);
    const frame = frameIn(this.#chunk, this.#at, whole);
    this.#took(whole);
    return frame;
  }

  /** All that is buffered in one piece: where a length was cut. */
  #join(): void {
    this.#chunk = Buffer.concat([this.#chunk.subarray(this.#at), ...this.#behind], this.#size);
    this.#at = 0;
    this.#behind = [];
  }

  /** The first `n` bytes, from several chunks: a copy of them and of no more. */
  #gather(n: number): Buffer {
    const whole = Buffer.allocUnsafe(n);
    for (let done = 0; done < n; ) {
      const part = Math.min(n - done, this.#chunk.length - this.#at);
      this.#chunk.copy(whole, done, this.#at, this.#at + part);
      done += part;
      this.#took(part);
    }
    return whole;
  }

  /** `n` bytes of the chunk are not wanted any more. */
  #took(n: number): void {
    this.#at += n;
    this.#size -= n;
    if (this.#at < this.#chunk.length) return;
    this.#chunk = this.#behind.shift() ?? NOTHING;
    this.#at = 0;
  }
}

/** The frame of `whole` bytes that begins at `at`. */
function frameIn(bytes: Buffer, at: number, whole: number): Frame {
  return { type: bytes[at + 4]!, channel: bytes.readUInt32LE(at + 5), payload: bytes.subarray(at + FRAME_HEADER, at + whole) };
}
