import { describe, expect, test } from 'vitest';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { changeText, courseLabel, courseOf, debateOf, positionText, rounded, settlementText } from './debateRounds.ts';
import { believed, forfeited, type Of, said } from './entries.fixture.ts';

const stated = (yes: number, source: 'verbal' | 'smoothed' = 'verbal') => ({
  prediction: yes >= 0.5 ? 'YES' : 'NO',
  confidence: Math.max(yes, 1 - yes),
  belief: { NO: 1 - yes, YES: yes },
  source,
  inconsistent: false,
});

const belief = (seq: number, key: string, yes: number) =>
  believed(seq, key, 'judge', stated(yes, key.startsWith('initial') ? 'verbal' : 'smoothed'));

const speech = (seq: number, key: string, role: string, position: string) => said(seq, `${key}/utterance`, role, { position });

const round = (rest: Partial<Of<'round'>> = {}): Of<'round'> => ({
  kind: 'round',
  seq: 20,
  key: 'round-1/settlement',
  role: 'judge',
  round: 1,
  assistant: 'model',
  ratings: [],
  mean: 0.625,
  threshold: 0.5,
  result: 'passed',
  kept: 'smoothed',
  weight: 0.5,
  tie: false,
  judge: stated(0.9),
  ...rest,
});

const positions: Of<'positions'> = {
  kind: 'positions',
  seq: 2,
  key: 'positions',
  role: '',
  from: 'two-labels',
  positions: { debater1: 'NO', debater2: 'YES' },
};

const entries: readonly TranscriptEntry[] = [
  belief(1, 'initial/judge/belief', 0.2),
  positions,
  speech(3, 'round-1/opinion/debater-1', 'debater1', 'NO'),
  forfeited(4, 'round-1/opinion/debater-2/forfeit', 'debater2'),
  speech(5, 'round-1/opinion/debater-3', 'debater3', 'YES'),
  speech(6, 'round-1/answer/debater-3', 'debater3', 'NO'),
  {
    kind: 'rating',
    seq: 7,
    key: 'round-1/rating/debater-1/value',
    role: 'assistant',
    of: 'x',
    value: 0.7,
    version: null,
    failure: null,
  },
  { kind: 'rating', seq: 8, key: 'round-1/rating/debater-3', role: 'assistant', of: 'x', value: 0.55, version: 2, failure: null },
  { kind: 'forfeit', seq: 9, key: 'round-1/rating/debater-2/forfeit', role: 'assistant', failure: 'overflow' },
  round(),
  belief(21, 'round-1/belief', 0.55),
  speech(22, 'round-2/opinion/debater-1', 'debater1', 'NO'),
];

describe('debateOf', () => {
  test('puts speeches, losses and ratings by their debater, also while the trial is under way', () => {
    const { initial, rounds } = debateOf(entries, 3);
    expect(initial?.seq).toBe(1);
    expect(rounds.map(({ number }) => number)).toEqual([1, 2]);
    const [first, second] = rounds;
    expect(
      first?.debaters.map(({ position, assigned, rating, unrated }) => [position, assigned, rating?.seq, unrated?.seq]),
    ).toEqual([
      ['NO', true, 7, undefined],
      ['YES', true, undefined, 9],
      ['NO', false, 8, undefined],
    ]);
    expect(first?.debaters[1]?.opinion).toMatchObject({ speech: null, forfeit: { failure: 'timeout' } });
    expect([first?.settled?.seq, first?.opinion?.seq]).toEqual([20, 21]);
    expect(second).toMatchObject({ settled: null, opinion: null, summary: { speech: null, forfeit: null } });
  });

  test('is empty before anything happened', () => {
    expect(debateOf([], 2)).toEqual({ initial: null, positions: null, rounds: [] });
  });
});

test('the course follows the positive label of two, the label in dispute of sets, and else what was held last', () => {
  const debate = debateOf(entries, 2);
  expect(courseLabel(debate, ['NO', 'YES'], 'NO')).toBe('NO');
  expect(courseOf(debate, 'YES')).toEqual([
    { round: 0, opinion: 0.2, judge: 0.2 },
    { round: 1, opinion: 0.55, judge: 0.9 },
  ]);
  const sets = { ...positions, positions: { debater1: ['A', 'B'], debater2: ['A'] } };
  expect(courseLabel({ ...debate, positions: sets }, ['A', 'B', 'C'], null)).toBe('B');
  expect(courseLabel(debate, ['NO', 'YES', 'MAYBE'], null)).toBe('YES');
  expect(courseLabel(debateOf([], 2), ['A', 'B', 'C'], null)).toBeNull();
});

test('says in words how a round was settled', () => {
  expect(settlementText(round())).toBe('mean reliability 0.63 reaches 0.5: the opinion moves');
  const rated = [0.75, 0.25, null].map((value, index) => ({ role: `debater${index + 1}`, value }));
  expect(settlementText(round({ passing: 'max', ratings: rated }))).toBe('best reliability 0.75 reaches 0.5: the opinion moves');
  expect(settlementText(round({ passing: 'each', ratings: rated.slice(2), result: 'unreliable', kept: 'initial' }))).toBe(
    'no answer is rated: back to the first opinion',
  );
  expect(settlementText(round({ mean: 0.3, result: 'unreliable', kept: 'initial' }))).toBe(
    'mean reliability 0.3 is under 0.5: back to the first opinion',
  );
  expect(settlementText(round({ mean: null, result: 'unreliable', kept: 'previous' }))).toBe(
    'no answer is rated: the opinion stays as it was',
  );
  expect(settlementText(round({ assistant: 'none', mean: null }))).toBe(
    'no one rates how reliable the answers are, so every round passes: the opinion moves',
  );
  expect(settlementText(round({ result: 'unheard', kept: 'previous' }))).toBe(
    'nothing to continue with: the opinion stays as it was',
  );
  expect(rounded(0.7)).toBe('0.7');
  expect(changeText(null)).toBeNull();
  expect(changeText('corrected')).toMatch(/^Correction: /);
});

test('who defends what is shown with the places of the debaters', () => {
  const from = (origin: Of<'positions'>['from']): Of<'positions'> => ({
    ...positions,
    from: origin,
    positions: { debater1: 'YES', debater2: 'NO' },
  });
  expect(positionText(from('two-labels'), false)).toBe(
    'The first debater defends what the judge answered, the second the other label.',
  );
  expect(positionText(from('distribution'), true)).toBe(
    'The second debater defends what the judge answered, the first the next likely label.',
  );
  expect(positionText(from('doubtful-label'), false)).toBe(
    'The first debater defends the set that the judge answered, the second the same set with its most doubtful label turned over.',
  );
});
