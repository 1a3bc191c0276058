// The `.git` file of a linked worktree or a submodule.

/** Bytes of such a file that are read: one path. */
export const GIT_LINK_MAX = 8 * 1024;

/** The git directory that the file's text names, relative to the folder it lies in; null when it names none (gitrepository-layout(5)). */
export function linkedGitDir(text: string): string | null {
  return /^gitdir: ([^\r\n].*?)[\r\n]*$/s.exec(text)?.[1] ?? null;
}
