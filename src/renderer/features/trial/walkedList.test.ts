import { beforeEach, expect, test, vi } from 'vitest';
import type { Api } from '../../api/session.ts';
import { neighboursOf, type WalkedList, walkList } from './walkedList.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const name = (index: number) => index.toString(16).padStart(16, '0');

/** 1,200 trials of an arm, of which every third is wrong. */
const api = {
  experiments: {
    trials: ({ correct, offset = 0, limit = 100 }: WalkedList & { offset?: number; limit?: number }) => {
      if (limit > 500) throw new Error('too many at a time');
      const all = Array.from({ length: 1_200 }, (_, index) => index).filter((index) => correct === undefined || index % 3 === 0);
      return Promise.resolve({
        total: all.length,
        offset,
        lines: all.slice(offset, offset + limit).map((at) => ({ trial: name(at) })),
      });
    },
  },
} as unknown as Api;
const of = (index: number, experiment = 'e') =>
  neighboursOf(api, { experiment, arm: 'court', trial: name(index) }, new AbortController().signal);

test('a trial has its neighbours in the list that it was opened from, else in its arm, over the ends of pages too', async () => {
  expect(await of(499)).toEqual({ before: name(498), after: name(500), place: 500, total: 1_200, isWalked: false });
  expect(await of(498)).toMatchObject({ before: name(497), after: name(499), place: 499 });
  expect(await of(0)).toMatchObject({ before: null, after: name(1) });
  expect(await of(1_199)).toMatchObject({ before: name(1_198), after: null });
  walkList({ experiment: 'e', order: 'newest', correct: false }, '');
  expect(await of(3)).toEqual({ before: name(0), after: name(6), place: 2, total: 400, isWalked: true });
  expect(await of(4)).toMatchObject({ after: name(5), isWalked: false });
  expect(await of(3, 'another')).toMatchObject({ after: name(4), isWalked: false });
  expect(await of(5_000)).toBeNull();
});
