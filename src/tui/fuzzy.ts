// Fuzzy choice: the letters of the query in order, anywhere; words' beginnings and runs count more. Pure.

/** Higher is better; null when the letters are not there in order. An empty query fits everything equally. */
export function fuzzyScore(query: string, text: string): number | null {
  const letters = query.toLowerCase().replace(/\s+/g, '');
  const hay = text.toLowerCase();
  let score = 0;
  let at = -1;
  for (const letter of letters) {
    const found = hay.indexOf(letter, at + 1);
    if (found < 0) return null;
    const starts = found === 0 || /[\s/\-_.·]/.test(hay[found - 1]!);
    score += found === at + 1 ? 4 : starts ? 3 : 1;
    at = found;
  }
  return score - hay.length / 1000;
}

/** Items that fit, best first; in their own order where equal. */
export function fuzzyFilter<T>(query: string, items: readonly T[], textOf: (item: T) => string): T[] {
  if (query.trim() === '') return [...items];
  return items
    .map((item, index) => ({ item, index, score: fuzzyScore(query, textOf(item)) }))
    .filter((entry): entry is typeof entry & { score: number } => entry.score !== null)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ item }) => item);
}
