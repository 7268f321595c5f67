import { describe, expect, test } from 'vitest';
import { parseMethods } from '../answer.ts';
import { corpus, readRow } from './corpus.fixture.ts';

describe.each(corpus)('$title', (part) => {
  test.each(part.rows)('%j', (...row) => {
    const [, means, reads] = row;
    const { read, value, wrong } = readRow(part, row);
    expect(wrong, `a wrong value: ${JSON.stringify(value)}`).toBe(false);
    expect(read).toBe(reads);
    if (value !== undefined) expect(value).toEqual(means);
  });
});

test('at least 240 different answers, every method and failure among them, and no wrong value', () => {
  const rows = corpus.flatMap((part) => part.rows.map((row) => ({ part, row })));
  expect(new Set(rows.map(({ part, row }) => `${part.spec.name} ${row[0]}`)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(240);
  const readings = rows.map(({ part, row }) => readRow(part, row));
  expect(new Set(readings.map(({ read }) => read))).toEqual(
    new Set([...parseMethods, 'malformed', 'invalid_label', 'undecided']),
  );
  expect(readings.filter(({ wrong }) => wrong)).toEqual([]);
});
