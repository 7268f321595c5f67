import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, root } from './repository.ts';

/** The list of docs/security.md: what each line promises. */
const lines = [...readFileSync(join(root, 'docs/security.md'), 'utf8').matchAll(/^\| (\d\d) \| (.+) \|$/gm)].map(
  ([_row, number = '', promise = '']) => [number, promise] as const,
);

const tests = listFiles(['src/', 'build/', 'e2e/'])
  .filter((path) => /\.(test|spec)\.ts$/.test(path) && path !== 'build/security.test.ts')
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

test('the list has thirty-seven lines, in order', () => {
  expect(lines.map(([number]) => Number(number))).toEqual(Array.from({ length: 37 }, (_none, index) => index + 1));
});

describe.each(lines)('line %s: %s', (number) => {
  test('has a test that bears its number', () => {
    expect(tests.filter(({ text }) => text.includes(`security ${number}`)).map(({ path }) => path)).not.toEqual([]);
  });
});
