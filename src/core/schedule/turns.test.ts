import { expect, test } from 'vitest';
import type { Models } from './order.ts';
import { turns } from './turns.ts';

const [a, b, ab, c] = ['a', 'b', 'ab', 'c'].map((models): Models => new Set(models)) as [Models, Models, Models, Models];

/** Servers with room for so many models, which is not known where it is null. */
const memory = (room: number | null, loadMs: number | null = 1000) => ({
  fits: ({ size }: Models) => (size === 1 ? true : room === null ? null : size <= room),
  loadMs: () => loadMs,
});

test('trials of other models begin where there is room for them, else once all others have ended', () => {
  const roomy = turns(4, memory(2));
  roomy.begin(a);
  expect(roomy.next([b, a], 0)).toBe(0);
  const narrow = turns(4, memory(1));
  narrow.begin(a);
  expect(narrow.next([b, a], 0)).toBe(1);
  expect(narrow.next([b, c], 1e9)).toBe(-1);
  narrow.end(a);
  expect(narrow.next([b, a], 1e9)).toBe(0);
});

test('next to a trial that asks more models than fit, only trials of the same models begin', () => {
  const narrow = turns(4, memory(1));
  narrow.begin(ab);
  expect(narrow.next([c, ab], 0)).toBe(1);
  expect(narrow.next([c, b], 0)).toBe(1);
});

test('where it is not known, models are tried together once free places have cost as much as the attempt', () => {
  const unknown = turns(4, memory(null));
  for (let trials = 0; trials < 2; trials++) unknown.begin(a);
  // Half of the places stay free: 4 s of them cost 2 s, in which two models are loaded.
  expect(unknown.next([b], 0)).toBe(-1);
  expect(unknown.next([b], 3999)).toBe(-1);
  expect(unknown.next([b], 4000)).toBe(0);
  unknown.begin(b);
  // Of further ones it would not show which had no room.
  expect(unknown.next([c], 1e9)).toBe(-1);
  const cold = turns(4, memory(null, null));
  cold.begin(a);
  expect([0, 1e9].map((atMs) => cold.next([b], atMs))).toEqual([-1, -1]);
  const silent = turns(4, memory(null, 0));
  silent.begin(a);
  expect(silent.next([b], 0)).toBe(0);
});

test('where it shows that models do not fit, the oldest trials have their turn and the others wait for their end', () => {
  let room: number | null = null;
  const now = turns(2, { fits: ({ size }) => (size === 1 ? true : room === null ? null : size <= room), loadMs: () => 0 });
  now.begin(a);
  now.begin(b);
  expect([a, b].map(now.hasTurn)).toEqual([true, true]);
  room = 1;
  expect([a, b].map(now.hasTurn)).toEqual([true, false]);
  now.end(a);
  expect(now.hasTurn(b)).toBe(true);
});
