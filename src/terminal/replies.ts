// Answers to a program's questions, each in stream order, once, in one write. Overrides every question the parser would answer by
// itself, never echoes text the program sent, and says nothing of the window title or the clipboard.
import type { IParser } from '@xterm/headless';
import { CODE_MASK } from '../model/cell.ts';
import type { OuterColours } from '../model/outer.ts';
import { type Colours, SPECIALS, type Special } from './colours.ts';
import type { Keyboard } from './keyboard.ts';
import { ansiMode, privateMode } from './modes.ts';
import { looksOf } from './vt-row.ts';
import { X_WORDS, type XCore } from './xterm.ts';

export interface ReplyContext {
  core: XCore;
  parser: IParser;
  keyboard: Keyboard;
  colours: Colours;
  ownModes: Map<number, boolean>;
  outer: () => OuterColours;
  version: string;
  /** Mode 12 and mode 20, which the parser keeps among its options. */
  options: () => { blink: boolean; newline: boolean };
  alternate: () => boolean;
  /** Sends (or, while muted, drops) one reply. */
  send(text: string): void;
}

type Params = (number | number[])[];

/** VT220 with ANSI colour; no sixel (4), which is not drawn. */
const DEVICE_ATTRIBUTES = '\x1b[?62;22c';
/** Pixels of a cell while no client has told its own: programs wait for an answer. */
const USUAL_CELL = { width: 10, height: 20 };
const OSC_END = '\x1b\\';

/** Terminfo names that programs ask for by XTGETTCAP; null: true without a value. */
const CAPABILITIES: Record<string, string | null> = {
  TN: 'xterm-256color',
  name: 'xterm-256color',
  Co: '256',
  colors: '256',
  RGB: '8/8/8',
  Tc: null,
  Su: null,
  Smulx: '\x1b[4:%p1%dm',
  Setulc: '\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%d%;m',
  Ms: '\x1b]52;%p1%s;%p2%s\x07',
  Ss: '\x1b[%p1%d q',
  Se: '\x1b[2 q',
  Sync: '\x1b[?2026%?%p1%{1}%-%tl%eh%;',
};

/** Report of mode 2048 (rows, columns, both in pixels): when it is turned on and at each change of size. */
export function sizeReport({ cols, rows }: XCore, outer: OuterColours): string {
  const { width, height } = outer.cell ?? USUAL_CELL;
  return `\x1b[48;${rows};${cols};${rows * height};${cols * width}t`;
}

/** Kitty graphics are not drawn: the answer to a program that asks for them; '' for one that just sends images. */
export function graphicsAnswer(payload: Uint8Array): string {
  const control = /^G([^;]*)/.exec(Buffer.from(payload).toString('latin1'))?.[1];
  if (control === undefined || !/(?:^|,)a=q(?:,|$)/.test(control)) return '';
  const id = /(?:^|,)i=(\d{1,10})(?:,|$)/.exec(control)?.[1];
  return `\x1b_G${id ? `i=${id}` : ''};ENOTSUP:images are not supported${OSC_END}`;
}

/** Registers the answers on the parser. */
export function installReplies(context: ReplyContext): void {
  identity(context);
  status(context);
  modes(context);
  keyboard(context);
  colours(context);
  sizes(context);
  checksum(context);
}

const first = (params: Params, or = 0): number => (typeof params[0] === 'number' ? params[0] : or);

function identity({ parser, send, version }: ReplyContext): void {
  const answer = (id: Parameters<IParser['registerCsiHandler']>[0], text: string) =>
    parser.registerCsiHandler(id, (params) => {
      if (first(params) === 0) send(text);
      return true;
    });
  answer({ final: 'c' }, DEVICE_ATTRIBUTES);
  answer({ prefix: '>', final: 'c' }, '\x1b[>1;10;0c');
  // Unit id: none.
  answer({ prefix: '=', final: 'c' }, `\x1bP!|00000000${OSC_END}`);
  answer({ prefix: '>', final: 'q' }, `\x1bP>|herd(${version})${OSC_END}`);
  parser.registerDcsHandler({ intermediates: '+', final: 'q' }, (data) => {
    for (const name of data.slice(0, 4096).split(';')) send(capability(name));
    return true;
  });
  // The name comes back only when it is one of ours, so nothing a program wrote is ever echoed.
  const capability = (hex: string) => {
    const name = /^(?:[\da-f]{2})+$/i.test(hex) ? Buffer.from(hex, 'hex').toString('latin1') : '';
    if (!Object.hasOwn(CAPABILITIES, name)) return `\x1bP0+r${OSC_END}`;
    const value = CAPABILITIES[name];
    const coded = (text: string) => Buffer.from(text, 'latin1').toString('hex').toUpperCase();
    return `\x1bP1+r${coded(name)}${value == null ? '' : `=${coded(value)}`}${OSC_END}`;
  };
}

function status({ core, parser, send, colours, keyboard, alternate }: ReplyContext): void {
  const position = () => {
    const { x, y } = core.buffers.active;
    return `${y + 1};${Math.min(x, core.cols - 1) + 1}`;
  };
  parser.registerCsiHandler({ final: 'n' }, (params) => {
    if (first(params) === 5) send('\x1b[0n');
    else if (first(params) === 6) send(`\x1b[${position()}R`);
    return true;
  });
  parser.registerCsiHandler({ prefix: '?', final: 'n' }, (params) => {
    if (first(params) === 6) send(`\x1b[?${position()}R`);
    else if (first(params) === 996) send(`\x1b[?997;${colours.dark ? 1 : 2}n`);
    return true;
  });
  parser.registerDcsHandler({ intermediates: '$', final: 'q' }, (data) => {
    const value = setting(core, data);
    send(value === null ? `\x1bP0$r${OSC_END}` : `\x1bP1$r${value}${OSC_END}`);
    return true;
  });
  parser.registerCsiHandler({ prefix: '?', final: 'u' }, () => {
    send(`\x1b[?${keyboard.flags(alternate())}u`);
    return true;
  });
}

/** DECRQSS: only the few settings that have an answer of our own making. */
function setting(core: XCore, name: string): string | null {
  const buffer = core.buffers.active;
  switch (name) {
    case 'm': {
      const { fg, bg, extended } = core._inputHandler._curAttrData;
      const looks = looksOf(fg, bg, extended._ext).replace('"', '');
      return looks === '' ? '0m' : `0;${looks}m`;
    }
    case 'r':
      return `${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`;
    case '"p':
      return '62;1"p';
    case '"q':
      return `${core._inputHandler._curAttrData.bg & (1 << 29) ? 1 : 0}"q`;
    case ' q': {
      const { cursorStyle, cursorBlink } = core.coreService.decPrivateModes;
      const style = cursorStyle === 'underline' ? 4 : cursorStyle === 'bar' ? 6 : 2;
      return `${style - (cursorBlink ? 1 : 0)} q`;
    }
    default:
      return null;
  }
}

/** DECRQCRA: the checksum of a rectangle of the program's own screen, as the negative sum of its characters. */
function checksum({ core, parser, send }: ReplyContext): void {
  parser.registerCsiHandler({ intermediates: '*', final: 'y' }, (params) => {
    const [id = 0, , top = 1, left = 1, bottom = core.rows, right = core.cols] = params.map((param) => Number(param) || undefined);
    const buffer = core.buffers.active;
    let sum = 0;
    for (let y = top - 1; y < Math.min(bottom, core.rows); y++) {
      const data = buffer.lines.get(buffer.ybase + y)?._data;
      for (let x = left - 1; x < Math.min(right, core.cols); x++) sum += (data?.[x * X_WORDS] ?? 0) & CODE_MASK || 0x20;
    }
    send(`\x1bP${id}!~${(-sum & 0xffff).toString(16).toUpperCase().padStart(4, '0')}${OSC_END}`);
    return true;
  });
}

function modes({ core, parser, send, ownModes, options }: ReplyContext): void {
  parser.registerCsiHandler({ prefix: '?', intermediates: '$', final: 'p' }, (params) => {
    send(`\x1b[?${first(params)};${privateMode(core, ownModes, options().blink, first(params))}$y`);
    return true;
  });
  parser.registerCsiHandler({ intermediates: '$', final: 'p' }, (params) => {
    send(`\x1b[${first(params)};${ansiMode(core, options().newline, first(params))}$y`);
    return true;
  });
}

function keyboard({ parser, keyboard, alternate, send }: ReplyContext): void {
  const on = (prefix: string, final: string, act: (params: Params) => void) =>
    parser.registerCsiHandler({ prefix, final }, (params) => {
      act(params);
      return true;
    });
  const number = (value: number | number[] | undefined, or: number) => (typeof value === 'number' ? value : or);
  on('>', 'u', (params) => keyboard.push(alternate(), first(params)));
  on('<', 'u', (params) => keyboard.pop(alternate(), first(params, 1)));
  on('=', 'u', (params) => keyboard.set(alternate(), first(params), number(params[1], 1)));
  on('>', 'm', (params) => {
    if (params.length === 1 && first(params) === 0) keyboard.otherKeys = 0;
    if (first(params) === 4) keyboard.otherKeys = Math.min(number(params[1], 0), 2) as 0 | 1 | 2;
  });
  on('>', 'n', (params) => {
    if (first(params) === 4) keyboard.otherKeys = 0;
  });
  on('>', 'f', (params) => {
    if (first(params) === 4) keyboard.otherKeysAsU = number(params[1], 0) === 1;
  });
  on('?', 'm', (params) => {
    if (first(params) === 4) send(`\x1b[>4;${keyboard.otherKeys}m`);
  });
}

function colours({ parser, colours, send }: ReplyContext): void {
  parser.registerOscHandler(4, (data) => {
    const parts = data.split(';');
    for (let i = 0; i + 1 < parts.length; i += 2) {
      const index = /^\d{1,3}$/.test(parts[i]!) ? Number(parts[i]) : 256;
      if (index > 255) continue;
      if (parts[i + 1] === '?') send(`\x1b]4;${index};${colours.report(index)}${OSC_END}`);
      else colours.set(index, parts[i + 1]!);
    }
    return true;
  });
  parser.registerOscHandler(104, (data) => {
    if (data === '') colours.reset('palette');
    else for (const index of data.split(';')) colours.reset(Number(index));
    return true;
  });
  SPECIALS.forEach((_, offset) => {
    parser.registerOscHandler(10 + offset, (data) => special(data, offset));
    parser.registerOscHandler(110 + offset, () => {
      colours.reset(SPECIALS[offset]!);
      return true;
    });
  });
  // One string may go on to the next numbers: OSC 10;?;? asks for 10 and 11.
  const special = (data: string, offset: number) => {
    for (const [i, spec] of data.split(';').entries()) {
      const which: Special | undefined = SPECIALS[offset + i];
      if (!which) break;
      if (spec === '?') send(`\x1b]${10 + offset + i};${colours.report(which)}${OSC_END}`);
      else colours.set(which, spec);
    }
    return true;
  };
}

function sizes({ core, parser, send, outer }: ReplyContext): void {
  parser.registerCsiHandler({ final: 't' }, (params) => {
    const cell = outer().cell ?? USUAL_CELL;
    const { rows, cols } = core;
    switch (first(params)) {
      case 14:
        if ((params[1] ?? 0) === 0) send(`\x1b[4;${rows * cell.height};${cols * cell.width}t`);
        return true;
      case 16:
        send(`\x1b[6;${cell.height};${cell.width}t`);
        return true;
      case 18:
        send(`\x1b[8;${rows};${cols}t`);
        return true;
      default:
        // 22 and 23 keep the title stack elsewhere; all others (moves, 21: the title) are silent.
        return first(params) !== 22 && first(params) !== 23;
    }
  });
}
