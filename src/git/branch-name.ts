// Names of branches and of the folders their worktrees get. Pure. git itself has the last word on a branch (check-ref-format).

/** Characters of a folder's name: well below the 255 bytes of a file name, room left for a number. */
const LEAF_LIMIT = 60;

/** A folder name for a branch: letters, digits, dot, dash and underscore of any script; never hidden, never empty, never reserved. */
export function folderName(branch: string): string {
  const safe = branch
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  const leaf = [...safe].slice(0, LEAF_LIMIT).join('');
  return leaf === '' ? 'worktree' : leaf;
}

/** "name", "name-2", "name-3", …: the first that `taken` does not know; `taken` compares as it must (case, normal form). */
export function freeName(name: string, taken: (candidate: string) => boolean): string {
  if (!taken(name)) return name;
  for (let n = 2; ; n += 1) if (!taken(`${name}-${n}`)) return `${name}-${n}`;
}

/** Equal on a file system that ignores case and normal form. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** What keeps `name` from being created beside `branches`; null when nothing does. */
export function clash(name: string, branches: readonly string[]): { kind: 'same' | 'folder' | 'case'; with: string } | null {
  for (const branch of branches) {
    if (branch === name) return { kind: 'same', with: branch };
    if (name.startsWith(`${branch}/`) || branch.startsWith(`${name}/`)) return { kind: 'folder', with: branch };
  }
  const folded = foldedName(name);
  for (const branch of branches) {
    const other = foldedName(branch);
    if (other === folded || folded.startsWith(`${other}/`) || other.startsWith(`${folded}/`)) return { kind: 'case', with: branch };
  }
  return null;
}
