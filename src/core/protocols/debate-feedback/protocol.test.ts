import { describe, expect, test } from 'vitest';
import { payloads, promptOf, rulingOf } from '../testing/heldTrial.ts';
import { textOf } from '../testing/settings.ts';
import { hold, path, script, settlements } from './debate.fixture.ts';

describe('algorithm 1 by hand', () => {
  test('without an assistant every round passes: halfway to each new opinion', async () => {
    // O_0 = 0.2; O_1 = (0.2 + 0.9) / 2 = 0.55; O_2 = (0.55 + 0.9) / 2 = 0.725
    const { record } = await hold({ says: script([20, 90, 90]) });
    expect(path(record)).toEqual(['NO 0.2', 'YES 0.55', 'YES 0.725']);
    expect(settlements(record)).toEqual(['passed smoothed null', 'passed smoothed null']);
    expect(rulingOf(record)).toMatchObject({ role: 'judge', prediction: 'YES', source: 'smoothed', inconsistent: false });
    expect(rulingOf(record).confidence).toBeCloseTo(0.725, 12);
    expect(payloads(record, 'opinion-rate')).toEqual([]);
  });

  test('other weights: T = 0.25', async () => {
    // O_1 = 0.75 * 0.2 + 0.25 * 0.9 = 0.375; O_2 = 0.75 * 0.375 + 0.25 * 0.1 = 0.30625
    const { record } = await hold({ params: { smoothing: 0.25 }, says: script([20, 90, 10]) });
    expect(path(record)).toEqual(['NO 0.2', 'NO 0.375', 'NO 0.30625']);
  });

  test('T = 1 is no smoothing: the newest opinion unchanged; T = 0 never moves', async () => {
    const opinions = [20, 90, 45] as const;
    expect(path((await hold({ params: { smoothing: 1 }, says: script(opinions) })).record)).toEqual([
      'NO 0.2',
      'YES 0.9',
      'NO 0.45',
    ]);
    expect(path((await hold({ params: { smoothing: 0 }, says: script(opinions) })).record)).toEqual([
      'NO 0.2',
      'NO 0.2',
      'NO 0.2',
    ]);
  });

  const model = { assistant: 'model', passing: 'mean' };

  test('a round passes by the mean of the ratings, also where one of them is low, and at the threshold itself', async () => {
    // Table 4: 0.75, 0.8 and 0.45 pass; here of two debaters. 0.8 and 0.2 have exactly the threshold as mean.
    const { record } = await hold({
      params: model,
      says: script([20, 90, 90], ['75 45', '80 20']),
    });
    expect(settlements(record)).toEqual(['passed smoothed 0.6', 'passed smoothed 0.5']);
    expect(payloads(record, 'opinion-rate').map(({ of, value }) => [of, value])).toEqual([
      ['round-1/answer/debater-1/utterance', 0.75],
      ['round-1/answer/debater-2/utterance', 0.45],
      ['round-2/answer/debater-1/utterance', 0.8],
      ['round-2/answer/debater-2/utterance', 0.2],
    ]);
  });

  test('or by the best of them: opposed ratings pass, which have no mean above one half', async () => {
    const params = { assistant: 'model' };
    const { record } = await hold({ params, says: script([20, 90, 90], ['75 25', '40 45']) });
    expect(settlements(record)).toEqual(['passed smoothed 0.5', 'unreliable initial 0.425']);
    expect(payloads(record, 'round-settle').map(({ passing }) => passing)).toEqual(['max', 'max']);
  });

  test('or each by itself: what falls short is not heard, and a round with nothing reliable does not pass', async () => {
    const params = { assistant: 'model', passing: 'each' };
    const { record, effects } = await hold({ params, says: script([20, 90, 90], ['75 25', '40 45']) });
    expect(settlements(record)).toEqual(['passed smoothed 0.5', 'unreliable initial 0.425']);
    const summaries = effects.calls.filter(({ key }) => key.includes('/summary/'));
    expect(summaries).toHaveLength(1);
    expect(summaries.map(textOf).join()).not.toContain('debater 2:');
  });

  test('a mean that is the threshold up to rounding passes: three times 0.7', async () => {
    const { record } = await hold({
      params: { ...model, debaters: 3, rounds: 1, threshold: 0.7 },
      says: script([20, 90], ['70 70 70']),
    });
    expect(settlements(record)).toEqual(['passed smoothed 0.7']);
  });

  test('an unreliable round goes back to O_0, and what the judge thought of it is on the record', async () => {
    // O_1 = 0.55 passes; round 2 has a mean of 0.3, so O_2 = O_0.
    const { record } = await hold({
      params: model,
      says: script([20, 90, 95], ['60 60', '40 20']),
    });
    expect(path(record)).toEqual(['NO 0.2', 'YES 0.55', 'NO 0.2']);
    expect(settlements(record)[1]).toEqual('unreliable initial 0.3');
    expect(payloads(record, 'round-settle')[1]?.judge).toMatchObject({ prediction: 'YES', confidence: 0.95, source: 'verbal' });
    expect(rulingOf(record).prediction).toBe('NO');
  });

  test('or, with `keep`, stays with the opinion before', async () => {
    const params = { ...model, onUnreliable: 'keep' };
    const { record } = await hold({
      params,
      says: script([20, 90, 5], ['60 60', '40 20']),
    });
    expect(path(record).at(-1)).toEqual('YES 0.55');
    expect(settlements(record)[1]).toEqual('unreliable previous 0.3');
  });

  test('a round after one that fell back continues from O_0', async () => {
    // O_1 = O_0 = 0.2; O_2 = (0.2 + 0.9) / 2 = 0.55
    const { record } = await hold({
      params: model,
      says: script([20, 90, 90], ['10 10', '90 90']),
    });
    expect(path(record)).toEqual(['NO 0.2', 'NO 0.2', 'YES 0.55']);
  });

  test('the debate ends where the opinion hardly moves, and says so; without a tolerance all rounds are held', async () => {
    // O_1 = (0.2 + 0.9) / 2 = 0.55; O_2 = (0.55 + 0.57) / 2 = 0.56, which is 0.01 from before.
    const says = script([20, 90, 57, 90]);
    const still = await hold({ params: { rounds: 3, tolerance: 0.02 }, says });
    expect(path(still.record)).toEqual(['NO 0.2', 'YES 0.55', 'YES 0.56']);
    expect(payloads(still.record, 'debate-stop')).toMatchObject([{ rounds: 2, reason: 'tolerance' }]);
    const moving = await hold({ params: { rounds: 2, tolerance: 0.005 }, says });
    expect(payloads(moving.record, 'debate-stop')).toMatchObject([{ rounds: 2, reason: 'rounds' }]);
    const never = await hold({ params: { rounds: 3 }, says });
    expect([settlements(never.record).length, payloads(never.record, 'debate-stop')]).toEqual([3, []]);
    // A round that does not pass says nothing of the opinion.
    const unreliable = await hold({
      params: { ...model, rounds: 2, tolerance: 1 },
      says: script([20, 20, 20], ['10 10', '10 10']),
    });
    expect(settlements(unreliable.record)).toHaveLength(2);
  });

  test('on an exact tie the label before stays', async () => {
    // (0.4 + 0.6) / 2 and (0.6 + 0.4) / 2
    const low = await hold({ params: { rounds: 1 }, says: script([40, 60]) });
    expect(path(low.record)).toEqual(['NO 0.4', 'NO 0.5']);
    expect(settlements(low.record)[0]).toEqual('passed smoothed null tie');
    expect(rulingOf(low.record)).toMatchObject({ prediction: 'NO', confidence: 0.5, inconsistent: false });
    const high = await hold({ params: { rounds: 1 }, says: script([60, 40]) });
    expect(rulingOf(high.record)).toMatchObject({ prediction: 'YES', inconsistent: false });
    // 0.6 * 0.3 + 0.4 * 0.8 = 0.5, up to rounding errors
    const rounding = await hold({ params: { rounds: 1, smoothing: 0.4 }, says: script([30, 80]) });
    expect(rulingOf(rounding.record)).toMatchObject({ prediction: 'NO', inconsistent: false });
    expect(settlements(rounding.record)[0]).toMatch(/ tie$/);
  });
});

describe('more labels', () => {
  const labels = ['A', 'B', 'C'];
  const spread = (A: number, B: number, C: number, prediction: string) => ({
    reason: 'so',
    prediction,
    distribution: { A, B, C },
  });

  test('are smoothed one by one; of tied labels the one held before stays, else the newest', async () => {
    const says = (first: object, second: object) => (key: string) =>
      key === 'initial/judge' ? first : key === 'round-1/judge' ? second : null;
    const held = async (first: object, second: object) => {
      const { record } = await hold({ labels, params: { rounds: 1 }, says: says(first, second) });
      return [rulingOf(record).prediction, rulingOf(record).belief];
    };
    // (50, 30, 20) and (10, 30, 60): (30, 30, 40)
    expect(await held(spread(50, 30, 20, 'A'), spread(10, 30, 60, 'C'))).toEqual(['C', { A: 0.3, B: 0.3, C: 0.4 }]);
    // (60, 20, 20) and (20, 60, 20): (40, 40, 20)
    expect(await held(spread(60, 20, 20, 'A'), spread(20, 60, 20, 'B'))).toEqual(['A', { A: 0.4, B: 0.4, C: 0.2 }]);
    expect((await held(spread(20, 60, 20, 'B'), spread(60, 20, 20, 'A')))[0]).toBe('B');
    // C was stated against its own numbers; A and B lead alike, and B is the newest.
    expect((await held(spread(40, 40, 20, 'C'), spread(40, 40, 20, 'B')))[0]).toBe('B');
  });

  test('the first two debaters defend the two most likely labels of O_0', async () => {
    const says = (key: string) => (key === 'initial/judge' ? spread(20, 45, 35, 'B') : null);
    const { record, effects } = await hold({ labels, params: { debaters: 3, rounds: 1 }, says });
    expect(payloads(record, 'position-assign')).toMatchObject([
      { from: 'distribution', positions: { debater1: 'B', debater2: 'C' } },
    ]);
    const prompt = (key: string) => promptOf(effects, key);
    expect(prompt('round-1/opinion/debater-1')).toContain('The position that you defend: the answer is "B".');
    expect(prompt('round-1/opinion/debater-2')).toContain('The position that you defend: the answer is "C".');
    expect(prompt('round-1/opinion/debater-3')).toContain('Take the position that the facts support.');
    const stated = payloads(record, 'utterance-make').filter(({ role }) => role === 'debater3');
    expect(stated).toHaveLength(2);
    for (const { position } of stated) expect(labels).toContain(position);
  });
});

describe('several labels a case', () => {
  const labels = ['A', 'B', 'C'];
  const set = (applies: readonly string[], A: number, B: number, C: number) => ({
    reason: 'so',
    applies,
    likelihoods: { A, B, C },
  });

  test('each is smoothed by itself; one at exactly one half stays as it was', async () => {
    const says = (key: string) =>
      key === 'initial/judge' ? set(['A', 'B'], 90, 60, 30) : key === 'round-1/judge' ? set(['C'], 20, 40, 70) : null;
    const { record } = await hold({ labels, multiLabel: true, params: { rounds: 1 }, says });
    // A: (0.9 + 0.2) / 2 = 0.55; B: (0.6 + 0.4) / 2 = 0.5, and B was in; C: (0.3 + 0.7) / 2 = 0.5, and C was not
    expect(rulingOf(record)).toMatchObject({ prediction: ['A', 'B'], confidence: null, source: 'smoothed', inconsistent: false });
    const { belief } = rulingOf(record);
    expect([belief?.A, belief?.B, belief?.C].map((value) => Number((value ?? 0).toFixed(10)))).toEqual([0.55, 0.5, 0.5]);
    expect(settlements(record)[0]).toMatch(/ tie$/);
  });

  test('debaters are for the set of O_0 and for the set with its most doubtful label turned over', async () => {
    const positions = async (first: object) => {
      const says = (key: string) => (key === 'initial/judge' ? first : null);
      const { record } = await hold({ labels, multiLabel: true, params: { rounds: 1, debaters: 3 }, says });
      return payloads(record, 'position-assign')[0];
    };
    expect(await positions(set(['A'], 90, 40, 10))).toMatchObject({
      from: 'doubtful-label',
      positions: { debater1: ['A'], debater2: ['A', 'B'] },
    });
    expect(await positions(set(['A', 'B'], 90, 55, 10))).toMatchObject({ positions: { debater2: ['A'] } });
    expect(await positions(set([], 5, 10, 20))).toMatchObject({ positions: { debater1: [], debater2: ['C'] } });
  });
});
