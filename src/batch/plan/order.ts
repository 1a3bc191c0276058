// Dependencies between tasks: cycles, an order in which to land, the longest line. Pure.

export interface Node {
  id: string;
  needs: readonly string[];
}

/** One cycle as ids, first repeated at the end; null when there is none. */
export function findCycle(nodes: readonly Node[]): string[] | null {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const done = new Set<string>();
  for (const { id } of nodes) {
    const cycle = walk(id, byId, done, []);
    if (cycle) return cycle;
  }
  return null;
}

function walk(id: string, byId: Map<string, Node>, done: Set<string>, path: string[]): string[] | null {
  const at = path.indexOf(id);
  if (at >= 0) return [...path.slice(at), id];
  if (done.has(id)) return null;
  for (const need of byId.get(id)?.needs ?? []) {
    const cycle = walk(need, byId, done, [...path, id]);
    if (cycle) return cycle;
  }
  done.add(id);
  return null;
}

/** The nodes so that each stands behind what it needs, otherwise as given. There must be no cycle. */
export function inOrder<T extends Node>(nodes: readonly T[]): T[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placed = new Set<string>();
  const order: T[] = [];
  const place = (node: T): void => {
    if (placed.has(node.id)) return;
    placed.add(node.id);
    for (const need of node.needs) {
      const before = byId.get(need);
      if (before) place(before);
    }
    order.push(node);
  };
  for (const node of nodes) place(node);
  return order;
}

/** How many tasks the longest chain of dependencies has. */
export function longestLine(nodes: readonly Node[]): number {
  const lengths = new Map<string, number>();
  for (const node of inOrder(nodes)) lengths.set(node.id, 1 + Math.max(0, ...node.needs.map((need) => lengths.get(need) ?? 0)));
  return Math.max(0, ...lengths.values());
}

/** Everything that needs one of `ids`, directly or through others. */
export function dependents(nodes: readonly Node[], ids: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const from = new Set(ids);
  for (const node of inOrder(nodes)) {
    if (node.needs.some((need) => from.has(need) || found.has(need))) found.add(node.id);
  }
  return found;
}
