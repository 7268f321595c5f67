import { expect, test } from 'vitest';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import type { AnswerCounts } from '../../shared/statistics.ts';
import type { StatisticsTable } from './cells.ts';
import { costPieces, sharedCallsText } from './costTable.ts';

const arm = (name: string, more: Partial<ArmStatistics> = {}) =>
  ({ arm: name, n: 4, calls: 8, prompt_tokens: 4000, completion_tokens: 402, model_ms: 61_000, ...more }) as ArmStatistics;
const shared = { calls: 1, prompt_tokens: 1200, completion_tokens: 30 };

test('calls and tokens of each arm are there, and what no arm or two of them count is said', () => {
  const [text, rows, ...others] = costPieces({ arms: [arm('court'), arm('tree', { calls: 0 })], shared_calls: shared });
  expect(text).toBe('Calls and tokens of all ended trials, as their servers counted them.');
  expect(rows).toMatchObject({ rows: [['court', '8', '4,000', '402', '1,101', '61 s']] });
  expect(others).toEqual([
    'Not counted in any arm: 1 call made once for several trials (1,200 tokens of prompts, 30 of answers).',
  ]);
  expect(costPieces({ arms: [arm('tree', { calls: 0 })] })).toEqual([]);
  expect(sharedCallsText({})).toBeNull();
});

const read = (more: Partial<AnswerCounts>) => ({ answers: { requests: 10, ...more } as AnswerCounts });
const cache = (reported: number, cached_tokens: number) => ({ reported, prompt_tokens: 3000, cached_tokens });

test('what servers kept of prompts is said arm by arm, and as unknown where they do not report it', () => {
  const unknown = read({});
  expect(costPieces({ arms: [arm('court', unknown)] }).slice(2)).toEqual([
    'How many tokens of prompts the servers kept from earlier prompts is unknown: they do not report it.',
  ]);
  const reused = { requests: 2, model_ms: 1000, prompt_tokens: 1000, completion_tokens: 2 };
  const arms = [
    arm('all', read({ prompt_cache: cache(8, 2500), reused })),
    arm('some', read({ prompt_cache: cache(4, 0) })),
    arm('none', unknown),
    arm('taken over', read({ reused: { requests: 10, model_ms: 0, prompt_tokens: 0, completion_tokens: 0 } })),
  ];
  const [, rows, ...others] = costPieces({ arms });
  expect(rows).toMatchObject({
    head: [
      'arm',
      'calls',
      'tokens of prompts',
      'kept from earlier prompts',
      'tokens of answers',
      'tokens a trial',
      'time of the models',
    ],
  });
  expect((rows as StatisticsTable).rows.map((row) => row[3])).toEqual([
    '2,500 of 3,000',
    '0 of 3,000; 6 of 10 requests unknown',
    'unknown',
    'none sent',
  ]);
  expect(others).toEqual([
    'An answer that a trial took over from another arm counts in both (12 requests). Counted once, all arms together took 15,000 tokens of prompts, 1,606 of answers and 4 min of the models.',
  ]);
});

test('further answers for a belief, debates that ended early and trials that a stopping rule spared are said', () => {
  const samples = { requests: 4, ...cache(4, 2900) };
  const primary = { stop: { width: 0.1, after: 4 } } as StatsReport['primary'];
  const arms = [
    arm('court', { ...read({ prompt_cache: cache(10, 2900), samples, ended_early: { trials: 3, of: 4 } }), planned: 10 }),
    arm('other', { ...read({ samples: { ...samples, reported: 0 } }), planned: 4 }),
  ];
  expect(costPieces({ arms, primary }).slice(2)).toEqual([
    '8 requests for a belief sent the prompt of an answer again. Tokens of them that the servers had kept: 5,800 of 6,000; 4 of 8 requests unknown.',
    'Of 4 debates that can end early, 3 ended before the last round.',
    'The stopping rule spared 6 trials, about 12 calls by the mean of each arm.',
  ]);
  expect(costPieces({ arms }).at(-1)).toContain('debates');
});
