import { expect, test } from 'vitest';
import type { ChangeStatistics } from '../../shared/changeStatistics.ts';
import { stabilityText } from './changeTables.ts';

const change = (
  kind: ChangeStatistics['kind'],
  text: string,
  flips: boolean,
  more: Partial<ChangeStatistics> = {},
): ChangeStatistics => ({
  ...{
    arm: 'a',
    changed_arm: `a (${text})`,
    kind,
    change: text,
    pairs: 1,
    unchanged: 0,
    erased: 0,
    measures: [],
    directions: [],
  },
  failed: { base: 0, swapped: 0, both: 0 },
  moves: flips ? [{ from: 'YES', to: 'NO', n: 1 }] : [],
  ...more,
});

test('the changes that flip one verdict are counted and named, and other seeds are counted by themselves', () => {
  const set = [change('facts', 'without age', true), change('noise', 'noise', false), change('seed', 'seeds 1', true)];
  expect(stabilityText(set)).toBe('1 of 2 changes flips the verdict (without age); 1 of 1 other seeds flips the verdict.');
  const failed = change('mislead', 'agentA told to mislead', false, { failed: { base: 0, swapped: 1, both: 0 } });
  expect(stabilityText([...set, failed])).toContain('1 of 2 changes');
});

test('of several cases there is no such sentence', () => {
  expect(stabilityText([change('noise', 'noise', true, { pairs: 2 })])).toBeNull();
  expect(stabilityText([])).toBeNull();
});
