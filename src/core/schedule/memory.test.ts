import { expect, test } from 'vitest';
import { modelMemory } from './memory.ts';

const minute = 60_000;
const answer = (model: string, loadMs: number, atMs: number, server = 's') => {
  return { server, model, loadMs, wallMs: loadMs + 1000, atMs };
};

test('before the first answer no load is known, then it is the shortest that is one', () => {
  const memory = modelMemory();
  expect(memory.loadMs()).toBeNull();
  memory.answered(answer('a', 60, 2000));
  expect(memory.loadMs()).toBe(0);
  memory.answered(answer('b', 9000, 12_000));
  memory.answered(answer('b', 7000, 12_001));
  expect(memory.loadMs()).toBe(7000);
});

test('models that are loaded once each say nothing, in any order of their answers, at any server', () => {
  const memory = modelMemory();
  // Four calls wait for each first load, and their answers are mixed.
  const first = ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'].map((model, place) => answer(model, minute, minute + place));
  const elsewhere = ['a', 'b'].map((model) => answer(model, minute, 2 * minute, 'another'));
  expect([...first, ...elsewhere].map(memory.answered)).not.toContain(true);
  expect(memory.fits(1)).toBe(true);
  expect(memory.fits(2)).toBeNull();
});

test('a model that stays while others are asked fits with them', () => {
  const memory = modelMemory();
  for (const [place, model] of ['a', 'b', 'c', 'a'].entries())
    memory.answered(answer(model, place < 3 ? minute : 60, (place + 1) * 2 * minute));
  expect(memory.fits(3)).toBe(true);
  expect(memory.fits(4)).toBeNull();
});

test('a model that is loaded again does not fit with those that were asked since', () => {
  const memory = modelMemory();
  const isAgain = ['a', 'b', 'a', 'b'].map((model, place) => memory.answered(answer(model, minute, (place + 1) * 2 * minute)));
  expect(isAgain).toEqual([false, false, true, true]);
  expect([1, 2, 3].map(memory.fits)).toEqual([true, false, false]);
});

test('a model that was idle for longer than servers keep it says nothing when it is loaded again', () => {
  const memory = modelMemory();
  for (const [place, model] of ['a', 'b', 'a'].entries()) memory.answered(answer(model, minute, (place + 1) * 40 * minute));
  expect(memory.fits(2)).toBeNull();
  // Alone at its server, it was idle in any case.
  for (let call = 1; call < 5; call++) memory.answered(answer('a', minute, 1000 * minute + 2 * call * minute, 'alone'));
  expect(memory.fits(2)).toBeNull();
});
