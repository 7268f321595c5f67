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
  for (let wave = 0; wave < waves; wave++) {
    const size = open.atATime() ?? calls;
    for (let call = 0; call < size; call++) {
      // All that come at once wait for the model, which is not there for the first time from the third wave on.
      const waited = call < calls ? loadMs : 0;
      open.answered({ loadMs: waited, wallMs: waited + workMs }, waited > 0 && wave > 1);
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
