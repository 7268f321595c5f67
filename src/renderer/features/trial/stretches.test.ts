import { expect, it } from 'vitest';
import { byLine, fieldNamesIn, stretchesOf } from './stretches.ts';

it('divides a text where something begins or ends, and loses nothing', () => {
  const text = 'Two arrests before the age of 22.';
  const stretches = stretchesOf(
    text,
    [
      { fact: 0, start: 0, end: 11 },
      { fact: 1, start: 23, end: 32 },
      { fact: 2, start: 4, end: 11 },
    ],
    [
      { start: 7, end: 18, here: true },
      { start: 30, end: 32, here: false },
    ],
  );
  expect(stretches.map((stretch) => stretch.text).join('')).toBe(text);
  expect(stretches.map(({ text: part, facts, found }) => [part, facts, found])).toEqual([
    ['Two ', [0], null],
    ['arr', [0, 2], null],
    ['ests', [0, 2], 'here'],
    [' before', [], 'here'],
    [' the ', [], null],
    ['age of ', [1], null],
    ['22', [1], 'also'],
    ['.', [], null],
  ]);
});

it('leaves a plain text whole and an empty one empty', () => {
  expect(stretchesOf('plain', [], [])).toEqual([
    { start: 0, text: 'plain', facts: [], unfounded: null, found: null, isName: false, isCommented: false },
  ]);
  expect(stretchesOf('', [], [])).toEqual([]);
});

it('finds the names of fields at the beginnings of lines, and nothing that merely has a colon', () => {
  const text = 'own strengths: Two arrests.\n- factor: age; weight: low\nHe said: no.\nat 10:30';
  expect(fieldNamesIn(text).map(({ start, end }) => text.slice(start, end))).toEqual(['own strengths:', 'factor:', 'weight:']);
});

it('divides stretches at the ends of lines, each at its place', () => {
  const lines = byLine(stretchesOf('One.\n\n- two', [{ fact: 0, start: 2, end: 8 }], []));
  expect(lines.map((line) => line.map(({ start, text, facts }) => [start, text, facts]))).toEqual([
    [
      [0, 'On', []],
      [2, 'e.', [0]],
    ],
    [],
    [
      [6, '- ', [0]],
      [8, 'two', []],
    ],
  ]);
});

it('says once, at its end, that something is not among the facts, with any other divisions', () => {
  const found = [{ start: 3, end: 5, here: true }];
  const pieces = stretchesOf('he is 27.5 now', [], found, [], [{ start: 6, end: 10 }]);
  expect(pieces.map(({ text, unfounded }) => [text, unfounded])).toEqual([
    ['he ', null],
    ['is', null],
    [' ', null],
    ['27.5', 'ends'],
    [' now', null],
  ]);
  const divided = stretchesOf('27.5', [], [{ start: 0, end: 2, here: false }], [], [{ start: 0, end: 4 }]);
  expect(divided.map(({ unfounded }) => unfounded)).toEqual(['continues', 'ends']);
});
