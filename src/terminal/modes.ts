// Modes of one terminal in one place: those the parser keeps and those it does not know.
import type { IParser } from '@xterm/headless';
import type { Keyboard } from './keyboard.ts';
import type { XCore } from './xterm.ts';

export type MouseTracking = 'none' | 'x10' | 'normal' | 'drag' | 'any';

/** Everything key, mouse, paste and focus encoding depends on. */
export interface InputModes {
  applicationCursor: boolean;
  applicationKeypad: boolean;
  bracketedPaste: boolean;
  focusEvents: boolean;
  mouse: MouseTracking;
  /** Mouse reports as `CSI < … M` (1006). */
  mouseSgr: boolean;
  /** 1007: the wheel sends arrow keys on the alternate screen. */
  alternateScroll: boolean;
  alternate: boolean;
  /** Kitty progressive flags in force. */
  kittyFlags: number;
  otherKeys: 0 | 1 | 2;
  otherKeysAsU: boolean;
}

/** Private modes that @xterm/headless does not keep, with their state at reset. */
const OWN_MODES: Readonly<Record<number, boolean>> = { 1007: true, 2031: false, 2048: false };

/** Those modes as they are at reset, to be kept by `watchOwnModes`. */
export function ownModes(): Map<number, boolean> {
  return new Map(Object.entries(OWN_MODES).map(([mode, on]) => [Number(mode), on]));
}

/** Has a parser keep them in `own`; `onSet` hears of each that a program sets or resets, after it was kept. */
export function watchOwnModes(parser: IParser, own: Map<number, boolean>, onSet: (mode: number, on: boolean) => void): void {
  for (const [final, on] of [
    ['h', true],
    ['l', false],
  ] as const) {
    parser.registerCsiHandler({ prefix: '?', final }, (params) => {
      for (const mode of params) {
        if (typeof mode !== 'number' || !own.has(mode)) continue;
        own.set(mode, on);
        onSet(mode, on);
      }
      return false;
    });
  }
  parser.registerEscHandler({ final: 'c' }, () => {
    for (const [mode, on] of ownModes()) own.set(mode, on);
    return false;
  });
}

const TRACKING = { NONE: 'none', X10: 'x10', VT200: 'normal', DRAG: 'drag', ANY: 'any' } as const;

/** The modes in force that decide how input is encoded. */
export function inputModes(core: XCore, own: ReadonlyMap<number, boolean>, keyboard: Keyboard): InputModes {
  const modes = core.coreService.decPrivateModes;
  const alternate = core.buffers.active === core.buffers.alt;
  return {
    applicationCursor: modes.applicationCursorKeys,
    applicationKeypad: modes.applicationKeypad,
    bracketedPaste: modes.bracketedPasteMode,
    focusEvents: modes.sendFocus,
    mouse: TRACKING[core.coreMouseService.activeProtocol],
    mouseSgr: core.coreMouseService.activeEncoding === 'SGR',
    alternateScroll: own.get(1007) === true,
    alternate,
    kittyFlags: keyboard.flags(alternate),
    otherKeys: keyboard.otherKeys,
    otherKeysAsU: keyboard.otherKeysAsU,
  };
}

/** DECRPM values. */
const UNKNOWN = 0;
const SET = 1;
const RESET = 2;
const ALWAYS = 3;
const NEVER = 4;

/** State of private mode `mode` as DECRQM reports it. `blink`: mode 12. */
export function privateMode(core: XCore, own: ReadonlyMap<number, boolean>, blink: boolean, mode: number): number {
  const yes = (value: boolean) => (value ? SET : RESET);
  const modes = core.coreService.decPrivateModes;
  const mouse = core.coreMouseService;
  const alternate = core.buffers.active === core.buffers.alt;
  switch (mode) {
    case 1:
      return yes(modes.applicationCursorKeys);
    case 6:
      return yes(modes.origin);
    case 7:
      return yes(modes.wraparound);
    case 8:
      return ALWAYS;
    case 9:
      return yes(mouse.activeProtocol === 'X10');
    case 12:
      return yes(blink);
    case 25:
      return yes(!core.coreService.isCursorHidden);
    case 45:
      return yes(modes.reverseWraparound);
    case 47:
    case 1047:
    case 1049:
      return yes(alternate);
    case 66:
      return yes(modes.applicationKeypad);
    case 67:
      return NEVER;
    case 1000:
      return yes(mouse.activeProtocol === 'VT200');
    case 1002:
      return yes(mouse.activeProtocol === 'DRAG');
    case 1003:
      return yes(mouse.activeProtocol === 'ANY');
    case 1004:
      return yes(modes.sendFocus);
    case 1006:
      return yes(mouse.activeEncoding === 'SGR');
    case 1048:
      return SET;
    case 2004:
      return yes(modes.bracketedPasteMode);
    case 2026:
      return yes(modes.synchronizedOutput);
    case 2027:
      return ALWAYS;
    default: {
      // 1005, 1015 and 1016 (pixels) are not kept: honest is "unknown".
      const value = own.get(mode);
      return value === undefined ? UNKNOWN : yes(value);
    }
  }
}

/** State of ANSI mode `mode` as DECRQM reports it. */
export function ansiMode(core: XCore, newline: boolean, mode: number): number {
  if (mode === 2) return NEVER;
  if (mode === 4) return core.coreService.modes.insertMode ? SET : RESET;
  if (mode === 12) return ALWAYS;
  if (mode === 20) return newline ? SET : RESET;
  return UNKNOWN;
}
