// The theme's colours must be readable: text on every ground it can stand on, in all four variants.
import { describe, expect, test } from 'vitest';
import { paletteRgb } from '../compositor/colors.ts';
import { COLOR_PALETTE, COLOR_RGB } from '../model/cell.ts';
import { type ColorName, createTheme } from './theme.ts';

const GROUNDS: ColorName[] = ['addedGround', 'removedGround', 'movedGround', 'fileGround', 'current', 'bar'];
const INKS: ColorName[] = ['keyword', 'string', 'literal', 'function', 'type', 'property', 'tag', 'added', 'removed', 'accent'];

/** WCAG relative luminance of a cell colour. */
function luminance(cell: number): number {
  const rgb = (cell & COLOR_RGB) === COLOR_RGB ? cell & 0xffffff : paletteRgb(cell & 0xff);
  const channel = (v: number) => (v / 255 <= 0.03928 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * channel((rgb >> 16) & 255) + 0.7152 * channel((rgb >> 8) & 255) + 0.0722 * channel(rgb & 255);
}

function contrast(a: number, b: number): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe('theme', () => {
  for (const [dark, trueColor] of [true, false].flatMap((dark) => [true, false].map((rich) => [dark, rich] as const))) {
    test(`${dark ? 'dark' : 'light'}, ${trueColor ? 'true colour' : '256 colours'}: text reads on every ground`, () => {
      const { paint } = createTheme({ dark, trueColor });
      for (const ground of GROUNDS) {
        for (const ink of INKS) {
          expect(contrast(paint[ink], paint[ground]), `${ink} on ${ground}`).toBeGreaterThan(3);
        }
      }
    });
  }

  test('palette themes use palette cells only', () => {
    for (const dark of [true, false]) {
      for (const paint of Object.values(createTheme({ dark, trueColor: false }).paint)) {
        expect(paint & COLOR_RGB).toBe(COLOR_PALETTE);
        expect(paint & 0xffffff).toBeLessThan(256);
      }
    }
  });
});
