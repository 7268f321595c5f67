import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capitalized, segmentsOf } from './visible.ts';

const namesIn = (text: string) => segmentsOf(text).flatMap(({ name }) => name ?? []);

test('bidirectional controls, invisible characters and tags are shown by name', () => {
  expect(namesIn('a\u202eb\u2066c\u2069\u200b\u200f\ufeff\u00ad\u{e0041}\u{e0100}\u0007\u0000\u3164')).toEqual([
    'right-to-left override U+202E',
    'left-to-right isolate U+2066',
    'pop directional isolate U+2069',
    'zero width space U+200B',
    'right-to-left mark U+200F',
    'zero width no-break space U+FEFF',
    'soft hyphen U+00AD',
    'tag A U+E0041',
    'variation selector U+E0100',
    'control character U+0007',
    'null U+0000',
    'Hangul filler U+3164',
  ]);
});

test('every character that the security list names is hidden', () => {
  const ranges = [
    [0x202a, 0x202e],
    [0x2066, 0x2069],
    [0x200b, 0x200f],
    [0xe0020, 0xe007f],
  ] as const;
  for (const [from, to] of ranges) {
    for (let code = from; code <= to; code++)
      expect(namesIn(`x${String.fromCodePoint(code)}x`), code.toString(16)).toHaveLength(1);
  }
});

test('what is spelling stays plain: line ends, tabs, joined emoji, joiners of Persian and Hindi', () => {
  for (const text of ['a\tb\r\nc', '👩‍👩‍👧', '🧑🏽‍🚀', '❤️‍🔥', 'می‌خواهم', 'क्‍ष', 'שלום', 'ünï'])
    expect(namesIn(text), text).toEqual([]);
});

test('joined, the segments are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }), (text) => {
      const segments = segmentsOf(text);
      expect(segments.map((segment) => segment.text).join('')).toBe(text);
      for (const { kind, name } of segments) expect(name === null).toBe(kind === 'plain');
    }),
  );
});

test('a sentence that begins with a name keeps the name as it is', () => {
  expect(['gpu.lan is not this machine', 'llama3.1:8b is missing', 'no answer'].map(capitalized)).toEqual([
    'gpu.lan is not this machine',
    'llama3.1:8b is missing',
    'No answer',
  ]);
});
