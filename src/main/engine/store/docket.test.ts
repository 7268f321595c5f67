import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { caseDefinitionSchema } from '../../../shared/api/docket.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import type { DocketRow } from './docket.ts';
import { openStore, type Store } from './store.ts';

const room = openFolder('docket-table');
afterAll(() => room.remove());

let store: Store;
let made = 0;
beforeEach(() => {
  made += 1;
  store = openStore(room.path(`docket-${made}.db`), { create: true });
});
afterEach(() => store.close());

const row = (id: string, more: Partial<DocketRow> = {}): Omit<DocketRow, 'removedAt'> => ({
  id,
  name: `Data ${id}`,
  addedAt: '2026-01-02T03:04:05.000Z',
  file: 'abc.csv',
  fileHash: 'abc',
  bytes: 12,
  format: 'csv',
  definition: caseDefinitionSchema.parse({ kind: 'text', question: 'Who won?', labels: ['A', 'B'] }),
  cases: 3,
  labels: ['A', 'B'],
  positive: null,
  ...more,
});

describe('docket', () => {
  test('gives back what was added, in the order of adding', () => {
    store.docket.add(row('b'));
    store.docket.add(row('a', { positive: 'B', format: 'jsonl' }));
    expect(store.docket.list().map(({ id }) => id)).toEqual(['b', 'a']);
    expect(store.docket.get('b')).toEqual({ ...row('b'), removedAt: null });
    expect(store.docket.get('a')).toMatchObject({ positive: 'B', format: 'jsonl' });
    expect(store.docket.get('c')).toBeUndefined();
    expect(() => store.docket.add(row('a'))).toThrow('UNIQUE');
  });

  test('renames, takes off and puts back, and says where there is nothing to change', () => {
    store.docket.add(row('a'));
    expect(store.docket.rename('a', 'Other')).toBe(true);
    expect(store.docket.setRemoved('a', '2026-02-03T00:00:00.000Z')).toBe(true);
    expect(store.docket.list()).toEqual([]);
    expect(store.docket.get('a')).toMatchObject({ name: 'Other', removedAt: '2026-02-03T00:00:00.000Z' });
    expect(store.docket.setRemoved('a', null)).toBe(true);
    expect(store.docket.list()).toHaveLength(1);
    store.docket.add(row('b', { file: 'gone.csv' }));
    store.docket.setRemoved('b', '2026-02-03T00:00:00.000Z');
    expect(store.docket.forgetRemoved('9999')).toEqual(new Set(['abc.csv']));
    expect([store.docket.get('b'), store.docket.setRemoved('b', null)]).toEqual([undefined, false]);
    expect(store.docket.rename('x', 'Other')).toBe(false);
    expect(store.docket.setRemoved('x', null)).toBe(false);
  });
});

describe('runs', () => {
  test('keep the entry that a run was begun with', () => {
    store.runs.save({ experiment: 'one', backend: 'standin', concurrency: 2, session: 'here', entry: 'a' });
    store.runs.save({ experiment: 'two', backend: 'ollama', concurrency: 1, session: 'here', entry: 'a' });
    store.runs.save({ experiment: 'one', backend: 'ollama', concurrency: 4, session: null });
    expect(store.runs.of('one')).toEqual({
      experiment: 'one',
      backend: 'ollama',
      concurrency: 4,
      session: null,
      retry: [],
      entry: 'a',
    });
    expect(store.runs.unended().map(({ experiment }) => experiment)).toEqual(['two']);
    expect(store.runs.ofEntry('a')).toEqual(['one', 'two']);
    expect(store.runs.ofEntry('b')).toEqual([]);
    expect(store.runs.of('three')).toBeUndefined();
  });
});
