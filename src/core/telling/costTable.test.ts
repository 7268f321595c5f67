import { expect, test } from 'vitest';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { costPieces, sharedCallsText } from './costTable.ts';

const arm = (name: string, more: Partial<ArmStatistics> = {}) =>
  ({ arm: name, n: 4, calls: 8, prompt_tokens: 4000, completion_tokens: 402, model_ms: 61_000, ...more }) as ArmStatistics;
const answers = { reused: { requests: 2, model_ms: 5 } } as NonNullable<ArmStatistics['answers']>;
const shared = { calls: 1, prompt_tokens: 1200, completion_tokens: 30 };

test('calls and tokens of each arm are there, and what no arm or two of them count is said', () => {
  const [text, rows, ...others] = costPieces({ arms: [arm('court'), arm('tree', { calls: 0 })], shared_calls: shared });
  expect(text).toBe('Calls and tokens of all ended trials, as their servers counted them.');
  expect(rows).toMatchObject({ rows: [['court', '8', '4,000', '402', '1,101', '61 s']] });
  expect(others).toEqual([
    'Not counted in any arm: 1 call made once for several trials (1,200 tokens of prompts, 30 of answers).',
  ]);
  expect(costPieces({ arms: [arm('court', { answers })] })[0]).toContain('took over from another arm counts in both');
  expect(costPieces({ arms: [arm('tree', { calls: 0 })] })).toEqual([]);
  expect(sharedCallsText({})).toBeNull();
});
