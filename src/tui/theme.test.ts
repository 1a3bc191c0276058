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
  for (const [dark, colors] of [true, false].flatMap((dark) => (['true', '256'] as const).map((rich) => [dark, rich] as const))) {
    test(`${dark ? 'dark' : 'light'}, ${colors} colours: text reads on every ground`, () => {
      const { paint } = createTheme({ dark, colors });
      for (const ground of GROUNDS) {
        for (const ink of INKS) {
          expect(contrast(paint[ink], paint[ground]), `${ink} on ${ground}`).toBeGreaterThan(3);
        }
      }
    });
  }

  test('palette themes use palette cells only', () => {
    for (const dark of [true, false]) {
      for (const paint of Object.values(createTheme({ dark, colors: '256' }).paint)) {
        expect(paint & COLOR_RGB).toBe(COLOR_PALETTE);
        expect(paint & 0xffffff).toBeLessThan(256);
      }
    }
  });

  test.each([true, false])(
    'with sixteen colours no text is of the colour of its ground, and what differs in meaning differs, dark: %s',
    (dark) => {
      const { paint } = createTheme({ dark, colors: '16' });
      for (const color of Object.values(paint))
        expect(color === 0 || ((color & COLOR_RGB) === COLOR_PALETTE && (color & 0xffffff) < 16)).toBe(true);
      const inks = [...INKS, ...(['muted', 'number', 'gap', 'hunk', 'comment', 'staged', 'unstaged', 'currentBar'] as const)];
      for (const ground of ['current', 'selection', 'bar', 'fileGround', 'selected', 'addedWord', 'removedWord'] as const)
        for (const ink of inks) {
          const same = paint[ink] === paint[ground];
          expect(same && paint[ink] !== 0, `${ink} on ${ground}`).toBe(false);
        }
      expect(paint.added).not.toBe(paint.removed);
      expect(paint.addedWord).not.toBe(paint.removedWord);
      expect(new Set([paint.staged, paint.unstaged, paint.untracked, paint.committed]).size).toBe(4);
    },
  );
});
