// Mouse events as the reports a program asked for (modes 9, 1000, 1002, 1003; 1006), and who the wheel belongs to.
import { ALT, CTRL, type MouseEvent, SHIFT } from '../model/input.ts';
import type { InputModes } from './modes.ts';

const BUTTONS: Record<MouseEvent['button'], number> = {
  left: 0,
  middle: 1,
  right: 2,
  none: 3,
  wheelup: 64,
  wheeldown: 65,
  wheelleft: 66,
  wheelright: 67,
  back: 128,
  forward: 129,
};
const MOTION = 32;
/** Largest coordinate (1-based) of a report in bytes. */
const MAX_BYTE_COORDINATE = 223;

export function isWheel(event: MouseEvent): boolean {
  return event.button.startsWith('wheel');
}

/** Who turns the wheel's events into something: the program, or herd by scrolling the view back. */
export function wheelGoesTo(modes: InputModes): 'program' | 'view' {
  if (modes.mouse !== 'none' && modes.mouse !== 'x10') return 'program';
  return modes.alternate && modes.alternateScroll ? 'program' : 'view';
}

/** Bytes (latin1) of one report; '' when the program did not ask for this event. */
export function encodeMouse(event: MouseEvent, modes: InputModes): string {
  if (modes.mouse === 'none') return isWheel(event) ? alternateScroll(event, modes) : '';
  if (!wanted(event, modes)) return '';
  const mods = modes.mouse === 'x10' ? 0 : (event.mods & SHIFT ? 4 : 0) | (event.mods & ALT ? 8 : 0) | (event.mods & CTRL ? 16 : 0);
  const released = event.action === 'release' && !modes.mouseSgr;
  const code = (released ? 3 : BUTTONS[event.button]) | mods | (event.action === 'move' ? MOTION : 0);
  const x = event.x + 1;
  const y = event.y + 1;
  if (modes.mouseSgr) return `\x1b[<${code};${x};${y}${event.action === 'release' ? 'm' : 'M'}`;
  if (x > MAX_BYTE_COORDINATE || y > MAX_BYTE_COORDINATE) return '';
  return `\x1b[M${String.fromCharCode(code + 32, x + 32, y + 32)}`;
}

function wanted(event: MouseEvent, modes: InputModes): boolean {
  if (event.x < 0 || event.y < 0) return false;
  if (isWheel(event)) return event.action === 'press' && modes.mouse !== 'x10';
  if (event.action === 'press') return event.button !== 'none';
  if (event.action === 'release') return modes.mouse !== 'x10' && event.button !== 'none';
  return modes.mouse === 'any' || (modes.mouse === 'drag' && event.button !== 'none');
}

/** Rows an arrow key stands for when the wheel scrolls a program without mouse support, as other terminals do. */
const WHEEL_STEPS = 3;

function alternateScroll(event: MouseEvent, modes: InputModes): string {
  if (!modes.alternate || !modes.alternateScroll) return '';
  const final = event.button === 'wheelup' ? 'A' : event.button === 'wheeldown' ? 'B' : '';
  return final ? `${modes.applicationCursor ? '\x1bO' : '\x1b['}${final}`.repeat(WHEEL_STEPS) : '';
}
