// Colours as SGR parameters, mapped down to what the outer terminal can show. The only place where a colour loses precision.
import { COLOR_MASK, COLOR_PALETTE, COLOR_RGB } from '../model/cell.ts';

/** Colours the outer terminal shows: 24 bit, the 256 palette, or the 16 of the palette's start. */
export type ColorDepth = 'true' | '256' | '16';

/** Levels of the 6x6x6 cube at palette indices 16-231, as in xterm's 256colres. */
const CUBE = [0, 95, 135, 175, 215, 255];

/** The first 16 colours as most terminals show them (xterm's defaults); only used to find the nearest one. */
const BASE = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff,
  0xff00ff, 0x00ffff, 0xffffff,
];

/** The palette colour nearest to 0xRRGGBB: a step of the cube or of the grey ramp, never one of the user's own 16. */
export function nearest256(rgb: number): number {
  const [r, g, b] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
  const [ri, gi, bi] = [cubeStep(r), cubeStep(g), cubeStep(b)];
  const cube = 16 + 36 * ri + 6 * gi + bi;
  // The ramp has 24 greys from 8 in steps of 10.
  const grey = Math.max(0, Math.min(23, Math.round(((r + g + b) / 3 - 8) / 10)));
  const level = 8 + 10 * grey;
  const toCube = distance(rgb, (CUBE[ri]! << 16) | (CUBE[gi]! << 8) | CUBE[bi]!);
  return distance(rgb, (level << 16) | (level << 8) | level) < toCube ? 232 + grey : cube;
}

/** The colour of a palette index 16-255, 0xRRGGBB; below 16 the usual default. */
export function paletteRgb(index: number): number {
  if (index < 16) return BASE[index]!;
  if (index >= 232) return (8 + 10 * (index - 232)) * 0x010101;
  const i = index - 16;
  return (CUBE[Math.floor(i / 36)]! << 16) | (CUBE[Math.floor(i / 6) % 6]! << 8) | CUBE[i % 6]!;
}

/** The nearest of the 16 base colours. */
export function nearest16(rgb: number): number {
  let best = 0;
  for (let i = 1; i < 16; i++) if (distance(rgb, BASE[i]!) < distance(rgb, BASE[best]!)) best = i;
  return best;
}

function cubeStep(level: number): number {
  if (level < 48) return 0;
  return level < 115 ? 1 : Math.floor((level - 35) / 40);
}

/** Weighted squared distance: green counts most to the eye, blue least ("redmean" without its mean). */
function distance(a: number, b: number): number {
  const [r, g, bl] = [((a >> 16) & 255) - ((b >> 16) & 255), ((a >> 8) & 255) - ((b >> 8) & 255), (a & 255) - (b & 255)];
  return 3 * r * r + 4 * g * g + 2 * bl * bl;
}

/** `word`'s colour (bits 0-25 of a cell word) as one that the depth can show. */
export function mapColor(word: number, depth: ColorDepth): number {
  const color = word & COLOR_MASK;
  if (depth === 'true' || color === 0) return color;
  if ((color & COLOR_RGB) === COLOR_RGB) {
    const rgb = color & 0xffffff;
    return COLOR_PALETTE | (depth === '256' ? nearest256(rgb) : nearest16(rgb));
  }
  const index = color & 0xff;
  return depth === '16' && index > 15 ? COLOR_PALETTE | nearest16(paletteRgb(index)) : color;
}

/** SGR parameters of a mapped colour for the foreground (38), background (48) or underline (58). */
export function colorSgr(color: number, target: 38 | 48 | 58): string {
  const mode = color & COLOR_RGB;
  const value = color & 0xffffff;
  if (mode === 0) return String(target + 1);
  if (mode === COLOR_RGB) {
    const [r, g, b] = [value >> 16, (value >> 8) & 255, value & 255];
    // Colons only for underline colours: a terminal that knows no 58 would read the numbers behind semicolons as attributes.
    return target === 58 ? `58:2::${r}:${g}:${b}` : `${target};2;${r};${g};${b}`;
  }
  return PALETTE_SGR[target][value & 255]!;
}

/** Parameters of the 256 palette colours, made once: dense screens change colours thousands of times a frame. */
const PALETTE_SGR = {
  38: Array.from({ length: 256 }, (_, i) => paletteSgr(38, i)),
  48: Array.from({ length: 256 }, (_, i) => paletteSgr(48, i)),
  58: Array.from({ length: 256 }, (_, i) => `58:5:${i}`),
};

function paletteSgr(target: number, index: number): string {
  if (index < 8) return String(target - 8 + index);
  return index < 16 ? String(target + 52 + index - 8) : `${target};5;${index}`;
}
