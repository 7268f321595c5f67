import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { caseDefinitionSchema } from '../../../shared/api/dataFiles.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import type { DataFileRow } from './dataFiles.ts';
import { openStore, type Store } from './store.ts';

const room = openFolder('data-files');

let store: Store;
let made = 0;
beforeEach(() => {
  made += 1;
  store = openStore(room.path(`files-${made}.db`), { create: true });
});
afterEach(() => store.close());

const row = (id: string, more: Partial<DataFileRow> = {}): Omit<DataFileRow, 'removedAt'> => ({
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
    store.dataFiles.add(row('b'));
    store.dataFiles.add(row('a', { positive: 'B', format: 'jsonl' }));
    expect(store.dataFiles.list().map(({ id }) => id)).toEqual(['b', 'a']);
    expect(store.dataFiles.get('b')).toEqual({ ...row('b'), removedAt: null });
    expect(store.dataFiles.get('a')).toMatchObject({ positive: 'B', format: 'jsonl' });
    expect(store.dataFiles.get('c')).toBeUndefined();
    expect(() => store.dataFiles.add(row('a'))).toThrow('UNIQUE');
  });

  test('renames, takes off and puts back, and says where there is nothing to change', () => {
    store.dataFiles.add(row('a'));
    expect(store.dataFiles.rename('a', 'Other')).toBe(true);
    expect(store.dataFiles.setRemoved('a', '2026-02-03T00:00:00.000Z')).toBe(true);
    expect(store.dataFiles.list()).toEqual([]);
    expect(store.dataFiles.get('a')).toMatchObject({ name: 'Other', removedAt: '2026-02-03T00:00:00.000Z' });
    expect(store.dataFiles.setRemoved('a', null)).toBe(true);
    expect(store.dataFiles.list()).toHaveLength(1);
    store.dataFiles.add(row('b', { file: 'gone.csv' }));
    store.dataFiles.setRemoved('b', '2026-02-03T00:00:00.000Z');
    expect(store.dataFiles.forgetRemoved('9999')).toEqual(new Set(['abc.csv']));
    expect([store.dataFiles.get('b'), store.dataFiles.setRemoved('b', null)]).toEqual([undefined, false]);
    expect(store.dataFiles.rename('x', 'Other')).toBe(false);
    expect(store.dataFiles.setRemoved('x', null)).toBe(false);
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
