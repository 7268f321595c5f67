import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupCommit } from './groupCommit.ts';

/** What is committed, and a group commit onto it: a write that throws leaves nothing. */
function openJournal() {
  const journal = { committed: [] as number[], writes: 0, syncs: 0 };
  let written: number[] = [];
  const write = (action: () => void) => {
    journal.writes += 1;
    written = [];
    action();
    journal.committed.push(...written);
  };
  const sync = Promise.withResolvers<void>();
  const soon = groupCommit(write, () => {
    journal.syncs += 1;
    return sync.promise;
  });
  const add =
    (value: number, fails = false) =>
    () => {
      written.push(value);
      if (fails) throw new Error(`no ${value}`);
      return -value;
    };
  return { journal, soon, add, sync };
}

test('what one turn brings is one write in its order, and what fails fails alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }), { maxLength: 5 }), async (turns) => {
      const { journal, soon, add } = openJournal();
      const kept: number[] = [];
      let writes = 0;
      for (const [index, group] of turns.entries()) {
        const asked = group.map((fails, place) => soon(add(10 * index + place, fails)));
        const settled = await Promise.allSettled(asked);
        for (const [place, outcome] of settled.entries()) {
          const value = 10 * index + place;
          if (group[place] === true) expect(outcome).toMatchObject({ reason: { message: `no ${value}` } });
          else {
            kept.push(value);
            expect(outcome).toMatchObject({ value: -value });
          }
        }
        writes += group.length > 1 && group.includes(true) ? 1 + group.length : 1;
      }
      expect(journal).toEqual({ committed: kept, writes, syncs: 0 });
    }),
  );
});

test('what comes first in a turn is committed at once, and the rest of the turn together at its end', async () => {
  const { journal, soon, add } = openJournal();
  let ended = false;
  setImmediate(() => {
    ended = true;
  });
  await soon(add(1));
  expect([ended, journal.writes]).toEqual([false, 1]);
  const second = soon(add(2));
  await Promise.resolve();
  const rest = [second, soon(add(3))];
  expect(journal.writes).toBe(1);
  await Promise.all(rest);
  expect([ended, journal.writes, journal.committed]).toEqual([true, 2, [1, 2, 3]]);
});

test('what must be on the disk is reported after the flush, and all who wait meanwhile share the next', async () => {
  const { journal, soon, add, sync } = openJournal();
  const reported: number[] = [];
  const durable = (value: number) => soon(add(value), { durable: true }).then((result) => reported.push(result));
  const first = durable(1);
  await soon(add(2));
  await turn();
  const more = [durable(3), durable(4)];
  await turn();
  await turn();
  expect([journal.committed, journal.syncs, reported]).toEqual([[1, 2, 3, 4], 1, []]);
  sync.resolve();
  await Promise.all([first, ...more]);
  expect([journal.syncs, reported]).toEqual([2, [-1, -3, -4]]);
});

test('a flush that fails fails those who waited for it', async () => {
  const { soon, add, sync } = openJournal();
  const refused = expect(soon(add(1), { durable: true })).rejects.toThrow('the disk is gone');
  await turn();
  sync.reject(new Error('the disk is gone'));
  await refused;
  await expect(soon(add(2))).resolves.toBe(-2);
});
