import { expect, test } from 'vitest';
import type { PlanReport } from '../../shared/outputs.ts';
import type { Swap } from '../../shared/swaps.ts';
import { planRows } from './planRows.ts';

const planned = (arm: string, tokens: number, swap: Swap | null = null): PlanReport['arms'][number] => ({
  arm: swap === null ? arm : `${arm}~${swap}`,
  protocol: 'standard',
  swap,
  base_arm: swap === null ? null : arm,
  trials: 5,
  remaining: 4,
  calls: { min: 4, max: 12 },
  prompt_tokens: tokens,
  completion_tokens: { min: tokens, max: 2 * tokens },
  measured_calls: 0,
  matched_voters: null,
});

const models = Array.from({ length: 10 }, (_, index) => `m${index}:1b`);
const ways = (...ends: readonly string[]) => ends.flatMap((end) => models.map((model) => `StandardLLM · ${model}${end}`));
const few = ways('', ' · style: system1').map((arm, index) => planned(arm, index));

test('a plan of 20 arms lists each', () => {
  expect(planRows(few).map(({ name }) => name)).toEqual(few.map(({ arm }) => arm));
});

test('a plan of more has arms together that differ only by model, with their sums, and others by themselves', () => {
  const more = [planned('StandardLLM · m0:1b', 100, 'labels'), planned('StandardLLM · m1:1b', 100, 'labels'), planned('mine', 7)];
  const rows = planRows([...few, ...more]);
  expect(rows.map(({ name }) => name)).toEqual([
    'StandardLLM (10 arms)',
    'StandardLLM · style: system1 (10 arms)',
    'StandardLLM, labels listed the other way round (2 arms)',
    'mine',
  ]);
  expect(rows[1]).toEqual({
    name: 'StandardLLM · style: system1 (10 arms)',
    protocol: 'standard',
    trials: 50,
    remaining: 40,
    calls: { min: 40, max: 120 },
    prompt_tokens: 145,
    completion_tokens: { min: 145, max: 290 },
  });
});
