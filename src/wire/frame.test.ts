// Frames come out as they went in, wherever the stream was cut.
import { expect, test } from 'vitest';
import { createRandom } from '../../test/support/random.ts';
import { encodeFrame, type Frame, FrameDecoder } from './frame.ts';

const FRAMES = [0, 1, 3, 40, 5, 0, 17].map((size, i) => ({ type: i + 1, channel: i * 1000, payload: Buffer.alloc(size, `${i}abc`) }));
const STREAM = Buffer.concat(FRAMES.map(({ type, channel, payload }) => encodeFrame(type, channel, payload)));

function decode(cuts: number[]): Frame[] {
  const decoder = new FrameDecoder();
  const frames: Frame[] = [];
  for (const [i, cut] of cuts.entries()) {
    decoder.push(STREAM.subarray(cut, cuts[i + 1]));
    for (let frame = decoder.next(); frame; frame = decoder.next()) frames.push(frame);
  }
  return frames;
}

test('cut once, at every byte, and into pieces of every size', () => {
  for (let at = 1; at < STREAM.length; at++) {
    expect(decode([0, at])).toEqual(FRAMES);
    expect(decode(Array.from({ length: Math.ceil(STREAM.length / at) }, (_, i) => i * at))).toEqual(FRAMES);
  }
});

test('frames are the same wherever the stream is cut', () => {
  const random = createRandom(1);
  for (let round = 0; round < 300; round++) {
    const cuts = Array.from({ length: 6 }, () => 1 + random(STREAM.length - 1));
    expect(decode([0, ...new Set(cuts.sort((a, b) => a - b))])).toEqual(FRAMES);
  }
});
