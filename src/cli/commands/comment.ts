// herd comment: add, list, send, reply, edit, addressed, resolve, reopen, rm. What agents call: it must start fast, so it imports little.
import { counted } from '../../model/counted.ts';
import { type Comment, commentBlock } from '../comment-lines.ts';
import { usage } from '../failure.ts';
import { leaveLetter, linkOrMailbox, readMailbox } from '../mailbox.ts';
import { plain } from '../output.ts';
import { receiptLine } from '../receipt.ts';
import { textOrInput } from '../standard-input.ts';
import { authorOf, commentStateOf, idNumber, lineTarget } from '../values.ts';
import type { Call, RunVerb } from '../verb.ts';

export const add: RunVerb = async (call) => {
  const [first, second, third] = call.words;
  const [word, target, text] = third === undefined ? [undefined, first!, second!] : [first, second!, third];
  // A single word that names lines is where the comment goes, not what it says.
  if (third === undefined && !/\s/.test(text) && lineTarget(text).range) throw usage(`What the comment on ${plain(text)} says is missing.`);
  const side = call.options.side ?? 'new';
  if (side !== 'old' && side !== 'new') throw usage('--side is old or new.');
  const body = await textOrInput(text);
  const author = authorOf(call.options.author, 'user');
  const place = lineTarget(target);
  const way = author === 'agent' && side === 'new' ? await linkOrMailbox(call) : { link: await call.link() };
  if ('folder' in way) {
    const { start: line, end } = place.range ?? {};
    return printLetter(call, leaveLetter(way.folder, { do: 'note', file: place.path ?? undefined, line, end, text: body }));
  }
  const { comment } = await way.link.request('comment.add', {
    workspace: call.workspace(word),
    target: { ...place, side },
    body,
    author,
    suggestion: call.options.suggestion as string | undefined,
  });
  printOne(call, comment);
};

export const list: RunVerb = async (call) => {
  const state = commentStateOf(call.options.state as string | undefined);
  if (call.options.closed === true) return listClosed(call, state);
  const way = await linkOrMailbox(call);
  const workspace = call.words[0] === undefined && call.env.HERD_WORKSPACE === undefined ? undefined : call.workspace(call.words[0]);
  const { comments, waiting } =
    'folder' in way
      ? { comments: readMailbox(way.folder).filter((comment) => isIn(comment, state)), waiting: 0 }
      : await way.link.request('comment.list', { workspace, state });
  if (call.json) return call.out.json({ comments });
  call.out.text(comments.map((c) => commentBlock(c, c.excerpt)).join('\n\n') || 'none');
  if (workspace === undefined && waiting > 0) call.out.text(`\n${waiting} more of closed workspaces: herd comment list --closed`);
};

/** Comments that wait for a worktree, which may be gone for good. */
async function listClosed(call: Call, state: string | undefined): Promise<void> {
  if (call.words.length > 0) throw usage('--closed lists those of all closed workspaces: no workspace goes with it.');
  const { comments } = await (await call.link()).request('comment.list', { state, closed: true });
  if (call.json) return call.out.json({ comments });
  const paths = [...new Set(comments.map(({ left }) => left!))];
  const blocks = paths.map((path) => {
    const own = comments.filter(({ left }) => left === path);
    const blocks = own.map((comment) => commentBlock(comment, comment.excerpt));
    return [`${plain(path)}${own[0]!.gone ? '  (gone)' : ''}`, ...blocks].join('\n\n');
  });
  call.out.text(blocks.join('\n\n') || 'none');
}

export const send: RunVerb = async (call) => {
  const ids = call.words.filter((word, i) => i > 0 || (/^\d+$/.test(word) && call.env.HERD_WORKSPACE !== undefined));
  const workspace = call.workspace(ids.length === call.words.length ? undefined : call.words[0]);
  const comments = ids.length > 0 ? ids.map((id) => idNumber(id, 'comment')) : undefined;
  const link = await call.link();
  if (call.options.preview === true) {
    const preview = await link.request('comment.preview', { workspace, comments });
    return call.json ? call.out.json(preview) : call.out.text(plain(preview.text));
  }
  const sent = await link.request('comment.send', {
    workspace,
    comments,
    queue: call.options.queue === true,
    later: call.options.later === true || undefined,
    to: call.options.to === undefined ? undefined : call.workspace(call.options.to as string),
  });
  if (call.json) call.out.json(sent);
  else call.out.text(`${receiptLine(sent.receipt)}: ${counted(sent.comments.length, 'comment')}`);
  return sent.receipt.outcome === 'accepted' || sent.receipt.outcome === 'queued' ? 0 : 1;
};

export const reply: RunVerb = async (call) => {
  const body = await textOrInput(call.words[1]!);
  const author = authorOf(call.options.author, call.env.HERD_WORKSPACE === undefined ? 'user' : 'agent');
  const comment = idNumber(call.words[0], 'comment');
  const way = author === 'agent' ? await linkOrMailbox(call) : { link: await call.link() };
  if ('folder' in way) return printLetter(call, leaveLetter(way.folder, { do: 'reply', comment, text: body }));
  printOne(call, (await way.link.request('comment.reply', { comment, body, author })).comment);
};

export const edit: RunVerb = async (call) => {
  const body = await textOrInput(call.words[1]!);
  const link = await call.link();
  printOne(call, (await link.request('comment.edit', { comment: idNumber(call.words[0], 'comment'), body })).comment);
};

export const addressed: RunVerb = (call) => mark(call, 'addressed');
export const resolve: RunVerb = (call) => mark(call, 'resolved');
export const reopen: RunVerb = (call) => mark(call, 'reopened');

export const rm: RunVerb = async (call) => {
  const link = await call.link();
  await link.request('comment.remove', { comment: idNumber(call.words[0], 'comment') });
  if (call.json) call.out.json({});
  else call.out.text('deleted');
};

async function mark(call: Call, state: 'addressed' | 'resolved' | 'reopened'): Promise<void> {
  const body = call.words[1] === undefined ? undefined : await textOrInput(call.words[1]);
  const comment = idNumber(call.words[0], 'comment');
  const way = state === 'addressed' ? await linkOrMailbox(call) : { link: await call.link() };
  if ('folder' in way) return printLetter(call, leaveLetter(way.folder, { do: 'addressed', comment, text: body }));
  printOne(call, (await way.link.request('comment.mark', { comment, state, body })).comment);
}

/** As the server filters. */
function isIn({ state }: Comment, wanted: string | undefined): boolean {
  return wanted === undefined || (wanted === 'open' ? state !== 'resolved' : state === wanted);
}

function printLetter(call: Call, file: string): void {
  if (call.json) call.out.json({ left: file });
  else call.out.text(`the server is out of reach from here: left for it in ${plain(file)}`);
}

function printOne(call: Call, comment: Comment): void {
  if (call.json) call.out.json(comment);
  else call.out.text(commentBlock(comment, comment.anchor.lines));
}
