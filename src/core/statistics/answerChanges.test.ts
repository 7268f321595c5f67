import { expect, it } from 'vitest';
import { answerChange } from './answerChanges.ts';

it.each([
  ['YES', 'NO', 'YES', 'corrected'],
  ['YES', 'NO', 'NO', 'stayedWrong'],
  ['YES', 'YES', 'NO', 'degraded'],
  ['YES', 'YES', 'YES', 'stayedRight'],
  // Several labels are taken as a whole, in any order.
  [['a', 'b'], ['a'], ['b', 'a'], 'corrected'],
  // A change from wrong to wrong is no correction.
  ['A', 'B', 'C', 'stayedWrong'],
])('truth %j, first %j, verdict %j: %s', (truth, initial, verdict, expected) => {
  expect(answerChange({ truth, initial, verdict })).toBe(expected);
});
