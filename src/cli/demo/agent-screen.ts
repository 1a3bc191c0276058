// How the scripted agent looks: transcript, status row, composer or dialog, drawn whole inside synchronized output. Pure: state in, bytes out.

export interface Dialog {
  question: string;
  command: string;
  options: string[];
  selected: number;
}

export interface AgentView {
  transcript: { kind: 'user' | 'agent' | 'tool'; text: string }[];
  /** What it is at, with seconds since the turn began; null when not working. */
  status: { text: string; seconds: number } | null;
  composer: string;
  dialog: Dialog | null;
}

/** Spinner frames, one a drawing; the status row is the only thing that moves. */
const SPINNER = ['·', '✢', '✳', '✶', '✻', '✽'];

const dim = (s: string): string => `\x1b[2m${s}\x1b[22m`;
const bold = (s: string): string => `\x1b[1m${s}\x1b[22m`;
const color = (n: number, s: string): string => `\x1b[38;5;${n}m${s}\x1b[39m`;

/** Greedy wrap of one paragraph to `cols`; the demo's texts are narrow characters. */
function wrap(text: string, cols: number): string[] {
  const rows: string[] = [];
  for (const paragraph of text.split('\n')) {
    let row = '';
    for (const word of paragraph.split(' ')) {
      if (row && row.length + 1 + word.length > cols) {
        rows.push(row);
        row = word;
      } else row = row ? `${row} ${word}` : word;
      while (row.length > cols) {
        rows.push(row.slice(0, cols));
        row = row.slice(cols);
      }
    }
    rows.push(row);
  }
  return rows;
}

/** The bytes that draw `view` on a screen of this size; `tick` turns the spinner. */
export function drawAgent(view: AgentView, cols: number, rows: number, tick: number): string {
  const body = view.transcript.flatMap((entry) => [...entryRows(entry, cols), '']);
  const bottom = view.dialog ? dialogRows(view.dialog, cols) : composerRows(view.composer, cols, view.status !== null);
  const status =
    view.status && !view.dialog
      ? [color(215, `${SPINNER[tick % SPINNER.length]} ${view.status.text}…`) + dim(` (${view.status.seconds}s · esc to interrupt)`), '']
      : [];
  const room = Math.max(0, rows - bottom.length - status.length);
  const shown = room === 0 ? [] : body.slice(-room);
  const lines = [...shown, ...Array<string>(room - shown.length).fill(''), ...status, ...bottom].slice(-rows);
  let out = '\x1b[?2026h\x1b[?25l\x1b[H';
  lines.forEach((line, y) => {
    out += `\x1b[${y + 1};1H${line}\x1b[m\x1b[K`;
  });
  if (!view.dialog) {
    const caret = wrap(`❯ ${view.composer}`, cols);
    out += `\x1b[${rows - 2};${Math.min(cols, (caret.at(-1)?.length ?? 2) + 1)}H\x1b[?25h`;
  }
  return `${out}\x1b[?2026l`;
}

function entryRows(entry: AgentView['transcript'][number], cols: number): string[] {
  const rows = wrap(entry.text, cols - 4);
  if (entry.kind === 'user') return rows.map((row, i) => dim(`${i ? '  ' : '> '}${row}`));
  if (entry.kind === 'tool') return rows.map((row, i) => `${i ? '    ' : `  ${color(72, '└')} `}${row}`);
  return rows.map((row, i) => `${i ? '  ' : `${color(72, '●')} `}${row}`);
}

function composerRows(text: string, cols: number, working: boolean): string[] {
  const rows = wrap(text, cols - 4);
  const line = dim('─'.repeat(cols));
  return [
    line,
    ...rows.map((row, i) => (i ? `  ${row}` : `❯ ${row || dim('Say what to do')}`)),
    line,
    dim(working ? '  esc to interrupt' : '  enter to send · ctrl+c twice to leave'),
  ];
}

function dialogRows(dialog: Dialog, cols: number): string[] {
  const options = dialog.options.map((option, i) =>
    i === dialog.selected ? color(111, `❯ ${i + 1}. ${option}`) : `  ${i + 1}. ${option}`,
  );
  return [
    color(111, '─'.repeat(cols)),
    bold(dialog.question),
    '',
    `  ${dialog.command}`,
    '',
    ...options,
    '',
    dim('enter to confirm · esc to cancel'),
  ];
}
