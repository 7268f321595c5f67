import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paintFromCss } from '../../src/renderer/charts/kit/paint.ts';
import { palettes, seriesMark, type Theme } from '../../src/renderer/charts/kit/palette.ts';
import { root } from '../repository.ts';
import { colourDistance, contrast, seenBy, visions } from './colourVision.ts';

const css = readFileSync(join(root, 'src/renderer/ui/base.css'), 'utf8');
const themes = Object.keys(palettes) as Theme[];

/** Far more than a difference that is just seen between large areas (0.02), for marks of a few pixels. */
const leastApart = 0.1;
const leastFromGround = 0.25;
/** WCAG 2.2, 1.4.11: graphical objects. */
const leastContrast = 3;

test.each(themes.flatMap((theme) => visions.map((vision) => ({ theme, vision }))))(
  'the colours of the $theme theme can be distinguished with $vision vision, and from the ground',
  ({ theme, vision }) => {
    const ground = paintFromCss(css, theme).colour('panel');
    const colours = palettes[theme];
    colours.forEach((colour, index) => {
      for (const other of colours.slice(index + 1)) {
        expect(colourDistance(seenBy(vision, colour), seenBy(vision, other)), `${colour} ${other}`).toBeGreaterThan(leastApart);
      }
      expect(colourDistance(seenBy(vision, colour), seenBy(vision, ground)), colour).toBeGreaterThan(leastFromGround);
      expect(contrast(colour, ground), colour).toBeGreaterThanOrEqual(leastContrast);
    });
  },
);

test('the simulation leaves greys grey, and makes red and green of one lightness alike', () => {
  for (const vision of visions) expect(colourDistance(seenBy(vision, '#808080'), '#808080')).toBeLessThan(0.005);
  const [red, green] = ['#c46a3c', '#7f8a3a'];
  expect(colourDistance(red, green)).toBeGreaterThan(0.1);
  expect(colourDistance(seenBy('deuteranopia', red), seenBy('deuteranopia', green))).toBeLessThan(colourDistance(red, green) / 2);
});

test('distances: none from itself, one from black to white; contrast from 1 to 21', () => {
  expect(colourDistance('#123456', '#123456')).toBe(0);
  expect(colourDistance('#000000', '#ffffff')).toBeCloseTo(1, 4);
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 6);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(() => contrast('red', '#ffffff')).toThrow(/no colour of the form/);
});

test('64 series differ in colour or in symbol, and areas of the first eight in pattern', () => {
  const marks = Array.from({ length: 64 }, (_none, index) => seriesMark('light', index));
  expect(new Set(marks.map(({ colour, symbol }) => `${colour} ${symbol}`)).size).toBe(64);
  expect(new Set(marks.slice(0, 8).map(({ decal }) => JSON.stringify(decal))).size).toBe(8);
});

test('paint without a page has the tokens of each theme', () => {
  expect(paintFromCss(css, 'light').colour('ink')).toBe('#1d1b18');
  expect(paintFromCss(css, 'dark').colour('ink')).toBe('#ebe8e1');
  expect(paintFromCss(css, 'dark').colour('sans')).toMatch(/^'Inter Variable'/);
  expect(paintFromCss(css, 'dark').colour('none')).toBe('');
});
