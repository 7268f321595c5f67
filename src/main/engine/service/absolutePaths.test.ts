import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replacePaths } from './absolutePaths.ts';
import { hideFolders } from './failures.ts';

const marked = (text: string) => replacePaths(text, (path) => `<${path}>`);

test.each([
  ['open /home/jane/a.db now', 'open </home/jane/a.db> now'],
  ['file://localhost/home/jane/a.db', '<file://localhost/home/jane/a.db>'],
  ['logfile:///home/jane/a.db', 'log<file:///home/jane/a.db>'],
  ['a\n/b/c\r\n/d e/f', 'a\n</b/c>\r\n</d e/f>'],
  ["'/a b/c", "'</a b/c>"],
  ['\\\\\\\\server\\\\share\\\\x', '<\\\\\\\\server\\\\share\\\\x>'],
  ['http://x/y, and/or, ./z', 'http://x/y, and/or, ./z'],
])('%j', (text, expected) => {
  expect(marked(text)).toBe(expected);
});

const pieces = [
  '/',
  '\\',
  "'",
  '"',
  '`',
  ' ',
  'a',
  'é',
  '\u{1F600}',
  'C:',
  ':',
  '.db',
  '(',
  ')',
  ',',
  '://',
  'file:',
  '<',
  '</a',
  '\n',
];

test('what is no path is kept as it was, character for character', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      expect(replacePaths(text, (path) => path)).toBe(text);
    }),
  );
});

test.each([
  ['/home/jane.doe', /\/home\/jane\.doe/u],
  ['/home/jäne', /\/home\/jäne/u],
  ['C:\\Users\\Jane Doe', /C:[\\/]Users[\\/]Jane Doe/iu],
])('whatever stands around it, the home %s never survives', (home, pattern) => {
  const hide = hideFolders(home);
  const around = fc.array(fc.constantFrom(...pieces, home, `${home}/x y/z.db`, 'http://h', '%'), { maxLength: 12 });
  fc.assert(
    fc.property(around, around, (before, after) => {
      expect(hide(`${before.join('')}${home}${after.join('')}`)).not.toMatch(pattern);
    }),
    { numRuns: 2000 },
  );
  expect(hide(`see x${home}/a.db`)).toContain('see x~');
});

test.each(['/home/a-b_c.d', '/h/(x) [y] {z}+$^|*?', 'C:\\Users\\J. R. (work)-2', '/', ''])(
  'a home called %j can be hidden',
  (home) => {
    const told = hideFolders(home)(`see x${home}/y/a.db`);
    expect(told).toContain('a.db');
    if (home.length > 1) expect(told).not.toContain(home);
  },
);

// A search that begins anew at each character takes hours for these.
test.each(pieces.flatMap((piece) => ['', "'/", 'file:', `'file:${'/'.repeat(90)}`, '('].map((start) => [piece, start])))(
  'a line of 100 KB of %j after %j is looked through',
  (piece, start) => {
    const line = `${start}${piece.repeat(100_000 / piece.length)}/b`;
    expect(replacePaths(line, (path) => path)).toHaveLength(line.length);
    const mixed = `${start}${piece}`.repeat(100_000 / (start.length + piece.length));
    expect(replacePaths(mixed, (path) => path)).toHaveLength(mixed.length);
  },
);
