import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { mostCounted, termsOf, withSearchIndex } from './searchIndex.ts';

const room = openFolder('search');

const said = (...texts: string[]) => texts.map((text, seq) => ({ seq, text }));

test('words, parts of words, phrases and scripts without spaces are found, the newest first', () => {
  withSearchIndex(':memory:', ({ said: index }) => {
    index.put(
      't1',
      'h',
      'one',
      said('The landlord kept the deposit.', 'An die Mieterin: Größe "egal", 100%_ok', '裁判所は証拠を認めた'),
    );
    index.put('t2', 'h', 'two', said('No deposit, no LANDLORD', 'قال الشاهد إن الباب مفتوح', 'Café au lait'));
    const find = (sought: string, experiment: string | null = null) =>
      index.find(termsOf(sought), experiment, 50).places.map(({ source, seq }) => `${source}/${seq}`);
    expect(find('landlord')).toEqual(['t2/0', 't1/0']);
    expect(find('landlord', 'one')).toEqual(['t1/0']);
    expect(find('deposit no')).toEqual(['t2/0']);
    expect(find('"the deposit"')).toEqual(['t1/0']);
    expect(find('andlor')).toEqual(['t2/0', 't1/0']);
    expect(find('größe "100%_ok"')).toEqual(['t1/1']);
    expect(find('cafe')).toEqual(['t2/2']);
    expect(find('証拠')).toEqual(['t1/2']);
    expect(find('証')).toEqual(['t1/2']);
    expect(find('証認')).toEqual([]);
    expect(find('裁判所')).toEqual(['t1/2']);
    expect(find('الباب')).toEqual(['t2/1']);
    expect(find('إن')).toEqual(['t2/1']);
    expect(find('no OR landlord* NEAR(a)')).toEqual([]);
    expect(find('land\u0000lord')).toEqual(['t2/0', 't1/0']);
    expect(termsOf('" \u0000 ""')).toEqual([]);
  });
  withSearchIndex(':memory:', ({ said: index, cases }) => {
    index.put('t1', 'h', 'one', said('a lease'));
    cases.put('t1', 'h', 'one', said('a lease', 'a lease'));
    expect(index.find(['lease'], null, 9).count).toBe(1);
    expect(cases.find(['lease'], 'one', -1).places.map(({ seq }) => seq)).toEqual([1, 0]);
  });
});

test('a common word is counted up to a limit, and the rest of an old trial is forgotten', () => {
  withSearchIndex(':memory:', ({ said: index }) => {
    index.together(() => index.put('t1', 'h', 'one', said(...Array.from({ length: 1_500 }, (_, at) => `common ${at}`))));
    expect(index.find(['common'], null, 3)).toEqual({
      places: [1_499, 1_498, 1_497].map((seq) => ({ source: 't1', seq, of: 'one' })),
      count: mostCounted,
    });
    expect(index.find(['common'], null, 2, 3).places.map(({ seq }) => seq)).toEqual([1_496, 1_495]);
    index.put('t1', 'h2', 'one', said('common at last'));
    expect(index.find(['common'], null, 3)).toEqual({ places: [{ source: 't1', seq: 0, of: 'one' }], count: 1 });
    expect(index.heads()).toEqual(new Map([['t1', 'h2']]));
    index.drop('t1');
    expect(index.find(['co'], null, 3).count).toBe(0);
  });
});

test('only its owner can read an index; a damaged one, or one of another version, is remade', () => {
  const path = room.path('deep/index.db');
  const knownAfter = (text: string) =>
    withSearchIndex(path, ({ said: index }) => {
      const known = index.find(['word'], null, 9).count;
      index.put('t1', 'h', 'one', said(text));
      return known;
    });
  expect(knownAfter('a word')).toBe(0);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const bytes = readFileSync(path);
  const version = Buffer.from(bytes).fill(9, 60, 64);
  for (const spoilt of [Buffer.from('no database at all'), Buffer.from(bytes).fill(0xff, 4096), version]) {
    writeFileSync(path, spoilt);
    expect(knownAfter('a word')).toBe(0);
    expect(knownAfter('a word')).toBe(1);
  }
  expect(existsSync(`${path}-journal`)).toBe(false);
});
