import { expect, test } from 'vitest';
import { inventedWords, provedWords, unchangedWords } from './proved.ts';

test('of a record without some of its texts less is said to be proved', () => {
  const whole = { kind: 'store', left_out: 0, erasures: null, since: null } as const;
  expect(provedWords(whole, false)[0]).toMatch(/no event and no text was changed/);
  expect(provedWords({ ...whole, erasures: [] }, false)[0]).toMatch(/results listed for each trial follow/);
  for (const [about, words] of [
    [{ left_out: 3, erasures: null }, 'were left out, '],
    [{ left_out: 0, erasures: [{}] }, 'were erased, '],
    [{ left_out: 3, erasures: [{}] }, 'were left out or erased, '],
  ] as const) {
    const [proved] = provedWords({ ...whole, kind: 'bundle', ...about }, false);
    expect(proved).toContain(words);
    expect(proved).not.toMatch(/no text was changed|every result/);
  }
  expect(provedWords({ ...whole, kind: 'bundle' }, false).at(-1)).toMatch(/^Not checked: the reports in the bundle/);
  expect(provedWords(whole, true).join(' ')).not.toContain('compare the root');
});

test('of a checkpoint that fits it is said what it shows, and what it does not cover', () => {
  const since = { origin: 'log', size: 3, extends: true, signature_checked: true };
  const log = {
    ...{ origin: 'log', size: 3, checkpoints: 1, signed: 3, cosigned: 0, roots: [], signers: [], cosigners: [] },
    ...{ time_stamps: 0, made_at: null, unsigned_chains: 0, unsigned_kinds: [] },
  };
  const whole = { kind: 'store', left_out: 0, erasures: null, not_ended: 0, since, log } as const;
  expect(unchangedWords(whole)).toMatch(
    /^Nothing in this record was changed, removed or added .* event .* anything was possible\.$/,
  );
  expect(unchangedWords({ ...whole, not_ended: 1 })).toMatch(/Not covered: trials that had not ended\.$/);
  for (const grown of [{ size: 4 }, { unsigned_chains: 1 }])
    expect(unchangedWords({ ...whole, log: { ...log, ...grown } })).toMatch(
      /^Nothing that this checkpoint covers was changed or removed .* Not covered: what was added since; trials that had not ended\.$/,
    );
  expect(unchangedWords({ ...whole, kind: 'bundle', erasures: [{}] })).toMatch(
    /^Apart from texts and labels that were erased, nothing in this record was changed.* Not covered: the reports and statistics of the bundle\.$/,
  );
  for (const other of [null, { ...since, extends: false }]) expect(unchangedWords({ ...whole, since: other })).toBeNull();
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
