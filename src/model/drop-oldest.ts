// What is kept of late, and no more of it.

/** Lets the entries go that were set first, down to `most`. Whoever sets one anew deletes it before, so that it counts as the newest. */
export function dropOldest<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
