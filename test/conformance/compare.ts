// The same bytes to a bare terminal and to a pane: whole characters to the first, whose decoder loses some that come in two parts, and
// pieces cut anywhere to the second.
import { StringDecoder } from 'node:string_decoder';
import { createRandom } from '../support/random.ts';
import { bareTerminal, diffPictures, feed, pictureOf } from './bare.ts';
import { ABLE, Pane } from './pane.ts';

export interface CompareOptions {
  cols: number;
  rows: number;
  /** Largest piece, bytes; pieces are of random length by this seed. */
  piece?: number;
  seed?: number;
  /** Sizes change between pieces. */
  resizes?: boolean;
  /** The server dies between pieces. */
  restarts?: boolean;
  /** The outer terminal measures clusters as one. */
  graphemes?: boolean;
}

/** Compares after every piece, the answers too; the first difference in words, null when there is none. */
export async function compareStream(bytes: Uint8Array, options: CompareOptions): Promise<string | null> {
  const random = createRandom(options.seed ?? 1);
  const chance = (wanted: boolean | undefined, one: number) => wanted === true && random(one) === 0;
  let replies = '';
  const bare = bareTerminal(options.cols, options.rows, (text) => {
    replies += text;
  });
  const pane = new Pane(options.cols, options.rows, { ...ABLE, graphemes: options.graphemes ?? true });
  const decoder = new StringDecoder('utf8');
  try {
    for (let at = 0; at < bytes.length; ) {
      const piece = bytes.subarray(at, at + 1 + random(options.piece ?? 200));
      at += piece.length;
      feed(bare, decoder.write(Buffer.from(piece)));
      await pane.write(piece);
      if (chance(options.resizes, 4)) {
        const [cols, rows] = [20 + random(60), 5 + random(20)];
        bare.resize(cols, rows);
        pane.resize(cols, rows);
      }
      if (chance(options.restarts, 6)) await pane.restart();
      const differences = diffPictures(pictureOf(bare), pictureOf(pane.show()));
      if (reports(replies) !== reports(pane.replies)) differences.push(`answers ${reports(replies)} | ${reports(pane.replies)}`);
      if (differences.length > 0) {
        const near = Buffer.from(bytes.subarray(Math.max(0, at - 200), at)).toString();
        return `byte ${at} of ${bytes.length}, ${bare.cols}x${bare.rows}: ${differences.join('; ')} after ${JSON.stringify(near)}`;
      }
    }
    return null;
  } finally {
    bare.dispose();
    pane.dispose();
  }
}

/** Status and cursor reports: answers that must be the bare terminal's. Identity, modes and colours are herd's own. */
function reports(replies: string): string {
  return JSON.stringify(replies.match(/\x1b\[\??(?:0n|\d+;\d+R)/g) ?? []);
}
