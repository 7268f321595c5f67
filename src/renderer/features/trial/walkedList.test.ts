import { beforeEach, expect, test, vi } from 'vitest';
import type { TrialQuery } from '../../../shared/api/experiments.ts';
import type { Api } from '../../api/session.ts';
import { toBeside, toTrial, toTrialAt } from '../../app/routes.ts';
import { neighboursOf, toWalkedList, walked, walkList, walkPlaces } from './walkedList.ts';

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const name = (index: number) => index.toString(16).padStart(16, '0');
const to = (index: number) => toTrial(name(index));

/** 1,200 trials of an arm; every third is wrong. */
const api = {
  experiments: {
    trials: ({ correct, offset = 0, limit = 100 }: Partial<TrialQuery>) => {
      if (limit > 500) throw new Error('too many at a time');
      const all = Array.from({ length: 1_200 }, (_, index) => index).filter((index) => correct === undefined || index % 3 === 0);
      return Promise.resolve({
        total: all.length,
        lines: all.slice(offset, offset + limit).map((at) => ({ trial: name(at) })),
      });
    },
  },
} as unknown as Api;
const at = (address: string, line: Parameters<typeof neighboursOf>[3] = null) =>
  neighboursOf(api, address, walked(), line, new AbortController().signal);
const of = (index: number, experiment = 'e') => at(to(index), { experiment, arm: 'court', trial: name(index) });

test('a trial has its neighbours in the list that it was opened from, else in its arm, over the ends of pages too', async () => {
  expect(await of(499)).toEqual({ before: to(498), after: to(500), place: 500, total: 1_200, list: null });
  expect(await of(498)).toMatchObject({ before: to(497), after: to(499), place: 499 });
  expect(await of(0)).toMatchObject({ before: null, after: to(1) });
  expect(await of(1_199)).toMatchObject({ before: to(1_198), after: null });
  const list = { name: 'in “Wrong and sure”', from: '/experiments/e/trials/x' };
  walkList({ ...list, list: { experiment: 'e', order: 'newest', correct: false } });
  expect(await of(3)).toEqual({ before: to(0), after: to(6), place: 2, total: 400, list });
  expect(toWalkedList('e')).toBe(list.from);
  expect(await of(4)).toMatchObject({ after: to(5), list: null });
  expect(await of(3, 'another')).toMatchObject({ after: to(4), list: null });
  expect(await of(5_000)).toBeNull();
});

test('places are walked one by one, several in a trial too, and so are pairs of trials', async () => {
  const places = [toTrialAt(name(7), 3, 'a b'), toTrialAt(name(7), 9, 'a b'), toTrialAt(name(2), 1, 'a b')];
  const list = { name: 'search hits', from: '/search/words=a' };
  walkPlaces(list.name, places, list.from);
  expect(await at(places[1] ?? '')).toEqual({ before: places[0], after: places[2], place: 2, total: 3, list });
  expect(await of(2)).toMatchObject({ before: places[1], after: null, list });
  expect(await of(4)).toMatchObject({ after: to(5), list: null });
  expect(toWalkedList('e')).toBe('/experiments/e');
  const pairs = [toBeside(name(1), name(2)), toBeside(name(3), name(4))];
  walkPlaces('pairs', pairs, '');
  expect(await at(pairs[0] ?? '')).toMatchObject({ before: null, after: pairs[1], place: 1, total: 2 });
  expect(await at(toBeside(name(1), name(9)))).toBeNull();
  expect(await of(1)).toMatchObject({ list: null });
});
