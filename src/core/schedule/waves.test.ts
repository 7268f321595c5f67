import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterPassing, nextInLine, nothingPassed, openTrials } from './waves.ts';

/** Models in the order in which all calls that wait go through one place. */
function orderOf(waiting: readonly string[]): string[] {
  const left = [...waiting];
  let passed = nothingPassed;
  const order: string[] = [];
  while (left.length > 0) {
    const [model = ''] = left.splice(nextInLine(left, passed), 1);
    order.push(model);
    passed = afterPassing(passed, model);
  }
  return order;
}

const changes = (order: readonly string[]) => order.filter((model, index) => index > 0 && model !== order[index - 1]).length;

test('every call goes through once, and each model is changed to once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }), (waiting) => {
      const order = orderOf(waiting);
      expect(order.toSorted()).toEqual(waiting.toSorted());
      expect(changes(order)).toBe(Math.max(0, new Set(waiting).size - 1));
    }),
  );
});

test('no model starves: after many calls of one model the oldest of another goes', () => {
  const order = orderOf([...Array<string>(300).fill('a'), 'b', ...Array<string>(300).fill('a')]);
  expect(order.indexOf('b')).toBe(256);
});

/** Waves of calls of two models at a server with room for one, as long as trials are learned about. */
function learned(calls: number, loadMs: number, workMs: number, waves: number): number | null {
  const open = openTrials(calls);
  let atMs = 0;
  for (let wave = 0; wave < waves; wave++) {
    const size = open.atATime() ?? calls;
    for (let call = 0; call < size; call += calls) {
      // All that come at once wait for the model.
      const waited = call === 0 ? loadMs : 0;
      atMs += waited + workMs;
      const model = wave % 2 === 0 ? 'a' : 'b';
      for (let one = 0; one < calls; one++) open.answered({ server: 's', model, loadMs: waited, wallMs: waited + workMs, atMs });
    }
  }
  return open.atATime();
}

test('as many trials are opened as loading again needs, and no more', () => {
  // 4 calls wait 3 s each: 48 s of work are 48 calls of a second.
  expect(learned(4, 3000, 1000, 40)).toBe(48);
  expect(learned(4, 20_000, 1000, 40)).toBe(100);
  expect(learned(4, 200, 1000, 40)).toBeNull();
  expect(learned(4, 20_000, 1000, 2)).toBeNull();
});

const minute = 60_000;
const answer = (model: string, loadMs: number, atMs: number, server = 's') => {
  return { server, model, loadMs, wallMs: loadMs + 1000, atMs };
};

test('models that are loaded once each open no further trial, in any order of their answers, at any server', () => {
  const open = openTrials(2);
  // Four calls wait for each first load, and their answers are mixed.
  for (const [place, model] of ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'].entries())
    open.answered(answer(model, minute, minute + place));
  for (const model of ['a', 'b', 'a', 'b']) open.answered(answer(model, minute, 2 * minute, 'another'));
  // What a server says of a loaded model, with quick answers.
  for (let call = 0; call < 40; call++)
    open.answered({ server: 's', model: call % 2 === 0 ? 'a' : 'b', loadMs: 60, wallMs: 90, atMs: 3 * minute + 100 * call });
  // A single model that was unloaded while the run was held.
  for (let call = 0; call < 16; call++) open.answered(answer('a', minute, (10 + call) * minute, 'alone'));
  expect(open.atATime()).toBeNull();
});
