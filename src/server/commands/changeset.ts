// changeset.*, hunk.*, commit.*: what the worktree holds, and acting on it. Git does the work; a person asked for each write.
import { KnownError } from '../../model/known-error.ts';
import type { SeenHunks, WorkspaceRef } from '../../wire/requests.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import type { Review } from '../state/review.ts';
import type { OpenWorkspace } from '../state/workspaces.ts';
import type { Family } from './handler.ts';

export const changesetHandlers: Family<'changeset'> = {
  'changeset.get': async (session, { workspace: ref, scope, ignoreWhitespace }) => {
    const { workspace, review } = reviewed(session, ref);
    const [changeset, viewed] = await Promise.all([review.changeset(scope, ignoreWhitespace), session.store.viewed(workspace.row.id)]);
    if (scope === undefined || scope === 'base') return { changeset, viewed };
    return { changeset, viewed, places: await session.comments.placesIn(workspace.row.id, changeset, review) };
  },
  'changeset.file': async (session, { workspace, path, ...query }) => ({
    diff: await reviewed(session, workspace).review.fileDiff(inside(path), query),
  }),
  'changeset.lines': (session, { workspace, path, side, scope, from, to }) =>
    reviewed(session, workspace).review.lines(inside(path), side, from, to, scope),
  'changeset.base': async (session, { workspace: ref, base }) => {
    const { workspace, review } = reviewed(session, ref);
    const { name, commit } = await session.git.resolveBase(workspace.row.path, base);
    await session.workspaces.update(workspace, { base: { name, commit } });
    session.log.add('base', workspace.row.id, `diff against ${name} at ${commit.slice(0, 8)}`);
    review.invalidate();
    const changeset = await review.changeset();
    void review.refresh();
    return { changeset };
  },
  'changeset.viewed': async (session, { workspace: ref, path, viewed }) => {
    const { workspace, review } = reviewed(session, ref);
    const fingerprint = viewed ? await review.changes.fingerprint(inside(path)) : null;
    await session.store.setViewed(workspace.row.id, path, fingerprint);
    return {};
  },
  'changeset.commits': async (session, { workspace }) => {
    const { review } = reviewed(session, workspace);
    return { commits: await review.changes.commits(await review.query('base', false)) };
  },
  'changeset.moved': async (session, { workspace, scope = 'base', ignoreWhitespace = false }) => {
    const { review } = reviewed(session, workspace);
    return review.changes.moved(await review.query(scope, ignoreWhitespace));
  },
  'changeset.patch': async (session, { workspace, scope = 'base', path, binary }) => {
    const { review } = reviewed(session, workspace);
    // Only the default scope is read anew by itself: a patch made from an older listing lacks what was written since.
    await review.changeset(scope);
    const query = await review.query(scope, false);
    return { patch: await review.changes.patch(query, { path: path === undefined ? undefined : inside(path), binary }) };
  },
};

export const hunkHandlers: Family<'hunk'> = {
  'hunk.apply': async (session, { workspace: ref, seen, scope = 'base', ignoreWhitespace = false, ...asked }) => {
    const { workspace, review } = reviewed(session, ref);
    const { action, path } = asked;
    inside(path);
    const query = await review.query(scope, ignoreWhitespace);
    const act = async ({ revision, hunks, lines, ...how }: SeenHunks) => {
      const patch = await review.changes.patchOfHunks(path, { ...query, ...how }, { revision, hunks });
      return session.git.applyHunk(workspace.row.path, { ...asked, patch, lines, ignoreWhitespace });
    };
    const done = await (seen === null ? session.git.applyFile(workspace.row.path, asked, query) : act(seen));
    session.log.add('hunk', workspace.row.id, `${action} in ${path}`, { undoRef: done.undoRef });
    changed(review);
    return done;
  },
  'hunk.undo': async (session, { workspace: ref }) => {
    const { workspace, review } = reviewed(session, ref);
    const paths = await session.git.undo(workspace.row.path);
    session.log.add('hunk', workspace.row.id, `brought back: ${paths.join(', ')}`);
    changed(review);
    return { paths };
  },
};

/** Characters of a hook's words in the log: the one who commits sees all of them. */
const LOGGED = 2000;

export const commitHandlers: Family<'commit'> = {
  'commit.create': async (session, { workspace: ref, message, amend }) => {
    const { workspace, review } = reviewed(session, ref);
    const done = await session.git.commit(workspace.row.path, message, { amend }).catch((error: unknown) => {
      const said = error instanceof KnownError ? error.detail?.said : undefined;
      if (typeof said === 'string')
        session.log.add(
          'commit',
          workspace.row.id,
          `not committed: ${said
            .trim()
            .replace(/\s*\n\s*/g, ' · ')
            .slice(0, LOGGED)}`,
        );
      throw error;
    });
    session.log.add('commit', workspace.row.id, `${amend ? 'amended' : 'committed'} ${done.commit.slice(0, 8)}: ${message.split('\n')[0]}`);
    changed(review);
    return done;
  },
};

function reviewed(session: Session, ref: WorkspaceRef): { workspace: OpenWorkspace; review: Review } {
  const workspace = session.workspaces.get(ref);
  return { workspace, review: session.workspaces.review(workspace) };
}

/** A path relative to the worktree, or a refusal: nothing outside of it is read or written for a client. */
function inside(path: string): string {
  if (path === '' || path.startsWith('/') || path.includes('\0') || path.split('/').includes('..')) {
    throw new Refusal('bad-path', `${path || 'An empty path'} is not a path in the worktree.`);
  }
  return path;
}

function changed(review: Review): void {
  review.invalidate();
  void review.refresh();
}
