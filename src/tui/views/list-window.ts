// The part of a list that a window shows: always the part with the cursor, which stays off the edges while there is more.

/** First item to show of `total`, in a window of `rows`, with the cursor at `at`. */
export function windowTop(at: number, rows: number, total: number): number {
  return Math.max(0, Math.min(at - Math.floor(rows / 2), total - rows));
}
