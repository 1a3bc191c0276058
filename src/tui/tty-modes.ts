// The sequences that take the outer terminal for herd and give it back, and the few whole ones herd sends beside cells. Strings only.
import type { NotificationForm } from '../model/terminal-facts.ts';
import type { OuterAct } from './face.ts';

/** Kitty flags herd always asks for: tell keys apart (1), and say shifted and base keys (4). */
export const KITTY_FLAGS = 5;

/** Takes back what ENTER put on the keyboard stack, on which LEAVE looks for one of ours. */
const KEYS_OFF = '\x1b[<u';

/** No autowrap (cells are placed one by one), focus, paste, mouse, colour scheme news, keys told apart. */
const MODES = [
  '\x1b[?7l',
  '\x1b[?1004h',
  '\x1b[?2004h',
  '\x1b[?1002h',
  '\x1b[?1006h',
  '\x1b[?2031h',
  // For terminals without the kitty keyboard protocol; those that have it go by the flags pushed after it.
  '\x1b[>4;2m',
  `\x1b[>${KITTY_FLAGS}u`,
].join('');

/** Alternate screen, title kept, and the modes. */
export const ENTER = `\x1b[?1049h\x1b[22;2t${MODES}`;

/** ENTER for a terminal that may still be as ENTER left it: what is kept on stacks is there once. */
export const REENTER = `\x1b[?1049h${KEYS_OFF}${MODES}`;

/** Undoes ENTER and whatever a frame cut short may have left: an open string, a link, a synchronized update, looks, margins. */
export const LEAVE = [
  '\x1b\\\x1b]8;;\x1b\\',
  '\x1b[?2026l',
  '\x1b[m\x1b[r',
  KEYS_OFF,
  '\x1b[>4m',
  '\x1b[?2031l',
  '\x1b[?1006l',
  '\x1b[?1003l',
  '\x1b[?1002l',
  '\x1b[?2004l',
  '\x1b[?1004l',
  '\x1b[?7h',
  '\x1b[0 q\x1b]112\x1b\\\x1b]9;4;0\x1b\\',
  '\x1b[?25h',
  '\x1b[23;2t',
  '\x1b[?1049l',
].join('');

/** For `herd reset`: a tty in any state, left by a client that was killed, becomes usable; its text stays. */
export const RESET_SEQUENCE = [
  '\x18\x1b\\\x1b]8;;\x1b\\',
  '\x1b[?2026l',
  '\x1b[<99u\x1b[=0u',
  '\x1b[>4m',
  ['9', '1000', '1001', '1002', '1003', '1004', '1005', '1006', '1015', '1016', '2004', '2027', '2031', '2048']
    .map((mode) => `\x1b[?${mode}l`)
    .join(''),
  '\x1b[?1l\x1b>\x1b[4l\x1b[?6l\x1b[?69l\x1b[r\x0f\x1b(B',
  '\x1b[?1049l',
  // The main screen has a keyboard stack of its own.
  '\x1b[<99u\x1b[=0u',
  '\x1b[m\x1b[0 q\x1b[?7h\x1b[?12l\x1b[?25h\x1b]104\x1b\\\x1b]110\x1b\\\x1b]111\x1b\\\x1b]112\x1b\\',
].join('');

/** Other kitty flags than those pushed by ENTER; herd's own always stay. */
export function keyboardFlags(flags: number): string {
  return `\x1b[=${(flags | KITTY_FLAGS) & 31};1u`;
}

/** Has the outer terminal tell each move of the mouse, or only those with a button held (DEC 1003, 1002). */
export function mouseMoves(wanted: boolean): string {
  return wanted ? '\x1b[?1003h' : '\x1b[?1003l\x1b[?1002h';
}

/** Characters of a title or notification; terminals cut earlier. */
const MAX_LABEL = 256;
/** Bytes put on a clipboard: what terminals take (xterm.js and kitty stop at about 8 MiB of base64, Ghostty takes more). */
export const MAX_CLIPBOARD = 1024 * 1024;

/** Text without controls and direction overrides, cut to `limit` characters. */
function clean(text: string, limit = MAX_LABEL): string {
  return [...text.toWellFormed().replace(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, ' ')].slice(0, limit).join('').trim();
}

/** The sequence for an act; '' when there is nothing to say. Inside tmux what tmux would keep is also sent through it. */
export function actSequence(act: OuterAct, insideTmux: boolean, name: string): string {
  switch (act.act) {
    case 'title':
      return `\x1b]2;${clean(act.text)}\x1b\\`;
    case 'bell':
      return '\x07';
    case 'progress':
      return `\x1b]9;4;${act.state}${act.value === null ? '' : `;${Math.round(Math.max(0, Math.min(100, act.value)))}`}\x1b\\`;
    case 'cursor-colour':
      return act.colour !== null && /^#[\da-f]{6}$/i.test(act.colour) ? `\x1b]12;${act.colour}\x1b\\` : '\x1b]112\x1b\\';
    case 'notify':
      return through(notification(act.form ?? formOf(name), clean(act.title), clean(act.body)), insideTmux);
    case 'clipboard': {
      if (act.text === '' || Buffer.byteLength(act.text) > MAX_CLIPBOARD) return '';
      const copy = `\x1b]52;c;${Buffer.from(act.text).toString('base64')}\x1b\\`;
      // tmux takes the plain one when its set-clipboard is on, and lets the wrapped one through when its allow-passthrough is.
      return insideTmux ? copy + through(copy, true) : copy;
    }
  }
}

/** What the outer terminal knows of notifications: OSC 99 is kitty's; the bell where nothing else is. */
function formOf(name: string): NotificationForm | null {
  if (/kitty/i.test(name)) return 'osc99';
  if (/ghostty|wezterm|foot|vte|contour|rio|konsole/i.test(name)) return 'osc777';
  return /iterm|windows terminal|conemu|mintty/i.test(name) ? 'osc9' : null;
}

/** Digits after `9;` begin other commands: progress, in some terminals folders. */
function notification(form: NotificationForm | null, title: string, body: string): string {
  const both = [title, body].filter(Boolean);
  switch (form) {
    case 'osc99':
      // Parts of one note: the title first, `d=0` says that more comes.
      if (both.length === 1) return `\x1b]99;i=herd;${both[0]}\x1b\\`;
      return `\x1b]99;i=herd:d=0;${title}\x1b\\\x1b]99;i=herd:p=body;${body}\x1b\\`;
    case 'osc777':
      return `\x1b]777;notify;${title.replaceAll(';', ',')};${body}\x1b\\`;
    case 'osc9':
      return `\x1b]9;${/^\d/.test(both[0] ?? '') ? 'herd: ' : ''}${both.join(': ')}\x1b\\`;
    case null:
      return '\x07';
  }
}

function through(sequence: string, insideTmux: boolean): string {
  return insideTmux ? `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}\x1b\\` : sequence;
}
