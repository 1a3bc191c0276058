// A receipt as one line.
import type { Receipt } from '../model/review/comment.ts';
import { plain } from './output.ts';

/** "accepted (prompt 4, turn 2)", "refused: blocked …". */
export function receiptLine(receipt: Receipt): string {
  const turn = receipt.turn === undefined ? '' : `, turn ${receipt.turn}`;
  const id = receipt.prompt > 0 ? ` (prompt ${receipt.prompt}${turn})` : '';
  return plain(`${receipt.outcome}${id}${receipt.reason ? `: ${receipt.reason}` : ''}`);
}
