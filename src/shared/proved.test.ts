import { expect, test } from 'vitest';
import { inventedWords, provedWords } from './proved.ts';

test('of a record without some of its texts less is said to be proved', () => {
  expect(provedWords({ kind: 'store', left_out: 0, erasures: null })[0]).toMatch(/no event and no text was changed/);
  expect(provedWords({ kind: 'store', left_out: 0, erasures: [] })[0]).toMatch(/results listed for each trial follow/);
  for (const [about, words] of [
    [{ left_out: 3, erasures: null }, 'were left out, '],
    [{ left_out: 0, erasures: [{}] }, 'were erased, '],
    [{ left_out: 3, erasures: [{}] }, 'were left out or erased, '],
  ] as const) {
    const [proved] = provedWords({ kind: 'bundle', ...about });
    expect(proved).toContain(words);
    expect(proved).not.toMatch(/no text was changed|every result/);
  }
  expect(provedWords({ kind: 'bundle', left_out: 0, erasures: null }).at(-1)).toMatch(/^Not checked: the reports in the bundle/);
});

test('it is said which answers the demo model made up', () => {
  expect(inventedWords({ standin: 0, trials: 2, not_ended: 2, standin_not_ended: 2 })).toBe(
    'DEMO MODEL: a program made up the answers so far of 2 of 2 trials that have not ended.',
  );
  expect(inventedWords({ standin: 0, trials: 3, not_ended: 0 })).toBe('');
  expect(inventedWords({ standin: 2, trials: 3, not_ended: 0 })).toContain('of 2 of these trials.');
  expect(inventedWords({ standin: 3, trials: 3, not_ended: 0 })).toContain('of all trials.');
  expect(inventedWords({ standin: 2, trials: 3, not_ended: 1 })).toMatch(
    /all trials that have ended\..* 1 trial has not ended\.$/,
  );
  expect(inventedWords({ standin: 1, trials: 4, not_ended: 2 })).toMatch(
    /1 of the 2 that have ended\..* 2 trials have not ended\.$/,
  );
});
