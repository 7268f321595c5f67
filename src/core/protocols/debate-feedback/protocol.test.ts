import { describe, expect, test } from 'vitest';
import type { EventKind, EventPayload } from '../../../shared/events.ts';
import type { CallReport, Effects, PreparedCall } from '../../record/effects.ts';
import { trialPath } from '../../statistics/trialPath.ts';
import { findProtocol } from '../index.ts';
import { caseOf } from '../testing/cases.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from '../testing/memoryTrial.ts';
import { answered, failed, scriptedEffects } from '../testing/scriptedModel.ts';
import { baseKey, textOf } from '../testing/settings.ts';

const registered = findProtocol('debate-feedback');
if (registered === undefined) throw new Error('debate-feedback is not registered');
const protocol = registered;

interface Script {
  readonly labels?: readonly string[];
  readonly multiLabel?: boolean;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Answer by key of the call, where it is not invented. */
  readonly says?: (key: string) => object | null;
}

const isReport = (answer: object): answer is CallReport => 'sentTo' in answer;

async function hold(
  { labels = ['NO', 'YES'], multiLabel = false, params = {}, says = () => null }: Script,
  change: Partial<Effects> = {},
) {
  const bound = protocol.bind(params);
  const kase = { ...caseOf('text', labels.length), labels, multiLabel };
  const terms = termsFor(protocol, [], 0);
  const effects = scriptedEffects((call) => {
    const answer = says(baseKey(call));
    if (answer === null) return null;
    return isReport(answer) ? answer : answered(JSON.stringify(answer));
  });
  const record = emptyRecord();
  const end = await runInMemory(record, bound, terms, kase, { ...effects, ...change });
  expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
  return { record, end, effects, bound, kase };
}

const payloads = <K extends EventKind>(record: MemoryRecord, kind: K): EventPayload<K>[] =>
  record.events.flatMap((event) => (event.kind === kind ? [event.payload as EventPayload<K>] : []));

function rulingOf(record: MemoryRecord): EventPayload<'ruling-give'> {
  const [ruling] = payloads(record, 'ruling-give');
  if (ruling === undefined) throw new Error('no ruling');
  return ruling;
}

/** What the judge answers with this P(YES). */
const judge = (yes: number) => ({
  reason: 'so',
  prediction: yes >= 50 ? 'YES' : 'NO',
  confidence: yes >= 50 ? yes : 100 - yes,
});

/** The judge by its answers, first the one from the facts alone; the assistant by its ratings, round by round. */
const script =
  (opinions: readonly number[], ratings: readonly (readonly number[])[] = []) =>
  (key: string): object | null => {
    if (key === 'initial/judge') return judge(opinions[0] ?? 50);
    const round = Number(/^round-(\d+)/.exec(key)?.[1] ?? 0);
    if (key.endsWith('/judge')) return judge(opinions[round] ?? 50);
    const debater = /rating\/debater-(\d+)$/.exec(key);
    if (debater === null) return null;
    return { reason: 'so', reliability: ratings[round - 1]?.[Number(debater[1]) - 1] ?? 50 };
  };

/** P(YES) of O_0, O_1, …, and the labels. */
function path(record: MemoryRecord) {
  const held = payloads(record, 'belief-update');
  return held.map(({ prediction, belief }) => [prediction, belief === null ? null : Number((belief.YES ?? 0).toFixed(10))]);
}

const settlements = (record: MemoryRecord) =>
  payloads(record, 'round-settle').map(({ result, kept, mean, tie }) => [
    result,
    kept,
    mean === null ? null : Number(mean.toFixed(10)),
    tie,
  ]);

describe('algorithm 1 by hand', () => {
  test('without an assistant every round passes: halfway to each new opinion', async () => {
    // O_0 = 0.2; O_1 = (0.2 + 0.9) / 2 = 0.55; O_2 = (0.55 + 0.9) / 2 = 0.725
    const { record } = await hold({ says: script([20, 90, 90]) });
    expect(path(record)).toEqual([
      ['NO', 0.2],
      ['YES', 0.55],
      ['YES', 0.725],
    ]);
    expect(settlements(record)).toEqual([
      ['passed', 'smoothed', null, false],
      ['passed', 'smoothed', null, false],
    ]);
    expect(rulingOf(record)).toMatchObject({ role: 'judge', prediction: 'YES', source: 'smoothed', inconsistent: false });
    expect(rulingOf(record).confidence).toBeCloseTo(0.725, 12);
    expect(payloads(record, 'opinion-rate')).toEqual([]);
  });

  test('other weights: T = 0.25', async () => {
    // O_1 = 0.75 * 0.2 + 0.25 * 0.9 = 0.375; O_2 = 0.75 * 0.375 + 0.25 * 0.1 = 0.30625
    const { record } = await hold({ params: { smoothing: 0.25 }, says: script([20, 90, 10]) });
    expect(path(record)).toEqual([
      ['NO', 0.2],
      ['NO', 0.375],
      ['NO', 0.30625],
    ]);
  });

  test('T = 1 is no smoothing: the newest opinion as it stands; T = 0 never moves', async () => {
    const opinions = [20, 90, 45] as const;
    expect(path((await hold({ params: { smoothing: 1 }, says: script(opinions) })).record)).toEqual([
      ['NO', 0.2],
      ['YES', 0.9],
      ['NO', 0.45],
    ]);
    expect(path((await hold({ params: { smoothing: 0 }, says: script(opinions) })).record)).toEqual([
      ['NO', 0.2],
      ['NO', 0.2],
      ['NO', 0.2],
    ]);
  });

  const model = { assistant: 'model' };

  test('a round passes by the mean of the ratings, also where one of them is low, and at the threshold itself', async () => {
    // Table 4: 0.75, 0.8 and 0.45 pass; here of two debaters. 0.8 and 0.2 have exactly the threshold as mean.
    const { record } = await hold({
      params: model,
      says: script(
        [20, 90, 90],
        [
          [75, 45],
          [80, 20],
        ],
      ),
    });
    expect(settlements(record)).toEqual([
      ['passed', 'smoothed', 0.6, false],
      ['passed', 'smoothed', 0.5, false],
    ]);
    expect(payloads(record, 'opinion-rate').map(({ of, value }) => [of, value])).toEqual([
      ['round-1/answer/debater-1/utterance', 0.75],
      ['round-1/answer/debater-2/utterance', 0.45],
      ['round-2/answer/debater-1/utterance', 0.8],
      ['round-2/answer/debater-2/utterance', 0.2],
    ]);
  });

  test('an unreliable round goes back to O_0, and what the judge thought of it is on the record', async () => {
    // O_1 = 0.55 passes; round 2 has a mean of 0.3, so O_2 = O_0.
    const { record } = await hold({
      params: model,
      says: script(
        [20, 90, 95],
        [
          [60, 60],
          [40, 20],
        ],
      ),
    });
    expect(path(record)).toEqual([
      ['NO', 0.2],
      ['YES', 0.55],
      ['NO', 0.2],
    ]);
    expect(settlements(record)[1]).toEqual(['unreliable', 'initial', 0.3, false]);
    expect(payloads(record, 'round-settle')[1]?.judge).toMatchObject({ prediction: 'YES', confidence: 0.95, source: 'verbal' });
    expect(rulingOf(record).prediction).toBe('NO');
  });

  test('or, with `keep`, stays with the opinion before', async () => {
    const params = { ...model, onUnreliable: 'keep' };
    const { record } = await hold({
      params,
      says: script(
        [20, 90, 5],
        [
          [60, 60],
          [40, 20],
        ],
      ),
    });
    expect(path(record).at(-1)).toEqual(['YES', 0.55]);
    expect(settlements(record)[1]).toEqual(['unreliable', 'previous', 0.3, false]);
  });

  test('a round after one that fell back goes on from O_0', async () => {
    // O_1 = O_0 = 0.2; O_2 = (0.2 + 0.9) / 2 = 0.55
    const { record } = await hold({
      params: model,
      says: script(
        [20, 90, 90],
        [
          [10, 10],
          [90, 90],
        ],
      ),
    });
    expect(path(record)).toEqual([
      ['NO', 0.2],
      ['NO', 0.2],
      ['YES', 0.55],
    ]);
  });

  test('on an exact tie the label before stays', async () => {
    // (0.4 + 0.6) / 2 and (0.6 + 0.4) / 2
    const low = await hold({ params: { rounds: 1 }, says: script([40, 60]) });
    expect(path(low.record)).toEqual([
      ['NO', 0.4],
      ['NO', 0.5],
    ]);
    expect(settlements(low.record)[0]).toEqual(['passed', 'smoothed', null, true]);
    expect(rulingOf(low.record)).toMatchObject({ prediction: 'NO', confidence: 0.5, inconsistent: false });
    const high = await hold({ params: { rounds: 1 }, says: script([60, 40]) });
    expect(rulingOf(high.record)).toMatchObject({ prediction: 'YES', inconsistent: false });
    // 0.6 * 0.3 + 0.4 * 0.8 = 0.5, up to rounding errors
    const rounding = await hold({ params: { rounds: 1, smoothing: 0.4 }, says: script([30, 80]) });
    expect(rulingOf(rounding.record)).toMatchObject({ prediction: 'NO', inconsistent: false });
    expect(settlements(rounding.record)[0]?.[3]).toBe(true);
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
    // C was held against its own numbers; A and B lead alike, and B is the newest.
    expect((await held(spread(40, 40, 20, 'C'), spread(40, 40, 20, 'B')))[0]).toBe('B');
  });

  test('the first two debaters defend the two most likely labels of O_0', async () => {
    const says = (key: string) => (key === 'initial/judge' ? spread(20, 45, 35, 'B') : null);
    const { record, effects } = await hold({ labels, params: { debaters: 3, rounds: 1 }, says });
    expect(payloads(record, 'position-assign')).toMatchObject([
      { from: 'distribution', positions: { debater1: 'B', debater2: 'C' } },
    ]);
    const prompt = (key: string) => textOf(effects.calls.find((call) => baseKey(call) === key) as PreparedCall);
    expect(prompt('round-1/opinion/debater-1')).toContain('The position that you defend: the answer is B.');
    expect(prompt('round-1/opinion/debater-2')).toContain('The position that you defend: the answer is C.');
    expect(prompt('round-1/opinion/debater-3')).toContain('You take the position that the facts bear out');
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
    expect(settlements(record)[0]?.[3]).toBe(true);
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

describe('who sees what', () => {
  const prompts = async (params: object) => {
    const { effects, record } = await hold({
      params: { ...params },
      says: script(
        [20, 90, 90],
        [
          [75, 45],
          [80, 20],
        ],
      ),
    });
    const prompt = (key: string) => textOf(effects.calls.find((call) => baseKey(call) === key) as PreparedCall);
    const said = (key: string) => {
      const found = payloads(record, 'utterance-make').find((each) => each.key === `${key}/utterance`);
      return record.texts.get(found?.text ?? '') ?? 'nothing';
    };
    return { prompt, said };
  };

  test('an opinion knows of nobody, an answer of the own and of the others, the judge of the summary alone', async () => {
    const { prompt, said } = await prompts({ assistant: 'model' });
    const opinions = [1, 2].map((number) => said(`round-1/opinion/debater-${number}`));
    const answers = [1, 2].map((number) => said(`round-1/answer/debater-${number}`));
    for (const text of opinions) {
      expect(prompt('round-1/opinion/debater-1')).not.toContain(text);
      expect(prompt('round-1/answer/debater-1')).toContain(text);
      expect(prompt('round-1/summary')).toContain(text);
      expect(prompt('round-1/judge')).not.toContain(text);
    }
    for (const [index, text] of answers.entries()) {
      expect(prompt('round-1/answer/debater-1')).not.toContain(text);
      expect(prompt('round-1/summary')).toContain(text);
      expect(prompt('round-1/judge')).not.toContain(text);
      for (const rated of [1, 2]) expect(prompt(`round-1/rating/debater-${rated}`).includes(text)).toBe(rated === index + 1);
    }
    expect(prompt('round-1/judge')).toContain(said('round-1/summary'));
    for (const key of ['round-1/summary', 'round-1/judge']) {
      expect(prompt(key)).toContain('Reliability of debater 1: 0.75\n\nReliability of debater 2: 0.45');
    }
    expect(prompt('round-1/answer/debater-2')).not.toContain('Reliability');
    expect(prompt('round-2/answer/debater-2')).not.toContain('0.75');
  });

  test('without an assistant nobody reads of reliabilities; the judge goes on in its own conversation', async () => {
    const { effects } = await hold({ says: script([20, 90, 90]) });
    for (const call of effects.calls) expect(textOf(call)).not.toContain('Reliability of');
    const last = effects.calls.at(-1);
    expect(last?.request.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(last?.request.messages[2]?.content).toBe(JSON.stringify(judge(20)));
  });

  test('a round knows of the one before it with `transcript` alone', async () => {
    for (const memory of ['none', 'transcript']) {
      const { prompt, said } = await prompts({ memory });
      const earlier = ['opinion', 'answer'].flatMap((turn) => [1, 2].map((number) => said(`round-1/${turn}/debater-${number}`)));
      for (const text of earlier) {
        for (const key of ['opinion/debater-1', 'answer/debater-2']) {
          expect(prompt(`round-2/${key}`).includes(text), `${memory} ${key}`).toBe(memory === 'transcript');
        }
        expect(prompt('round-2/summary')).not.toContain(text);
      }
      expect(prompt('round-2/judge').includes(said('round-1/summary'))).toBe(memory === 'transcript');
      expect(prompt('round-2/judge')).toContain(said('round-2/summary'));
    }
  });

  test('what is over the limit is cut at a sentence end, and the others read no more of it', async () => {
    const sentence = 'One two three four five six seven. ';
    const says = (key: string) => (key === 'round-1/opinion/debater-1' ? { opinion: sentence.repeat(5).trim() } : null);
    const { record, effects } = await hold({ params: { rounds: 1, words: 20 }, says });
    const [first] = payloads(record, 'utterance-make');
    expect(first?.shortened).toEqual({ words: 35, kept: 14 });
    const other = effects.calls.find((call) => baseKey(call) === 'round-1/answer/debater-2') as PreparedCall;
    expect(textOf(other).match(/One two three/g)).toHaveLength(2);
  });
});

describe('what fails', () => {
  const failing =
    (...keys: readonly string[]) =>
    (key: string): object | null =>
      keys.includes(key)
        ? failed('timeout', false)
        : script(
            [20, 90, 90],
            [
              [75, 45],
              [80, 20],
            ],
          )(key);

  test('a debater that has said nothing is told as such, and its answer is left out of the mean', async () => {
    const says = failing('round-1/opinion/debater-1', 'round-1/answer/debater-1');
    const { record, effects, end } = await hold({ params: { assistant: 'model', rounds: 1 }, says });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(payloads(record, 'round-settle')[0]).toMatchObject({
      mean: 0.45,
      result: 'unreliable',
      ratings: [
        { role: 'debater1', value: null },
        { role: 'debater2', value: 0.45 },
      ],
    });
    const answer = effects.calls.find((call) => baseKey(call) === 'round-1/answer/debater-2') as PreparedCall;
    expect(textOf(answer)).toContain('Debater 1 has said nothing.');
  });

  test('a round in which no answer is rated does not pass', async () => {
    const says = failing('round-1/rating/debater-1', 'round-1/rating/debater-2');
    const { record } = await hold({ params: { assistant: 'model', rounds: 1 }, says });
    expect(settlements(record)).toEqual([['unreliable', 'initial', null, false]]);
    expect(payloads(record, 'turn-forfeit').map(({ role }) => role)).toEqual(['assistant', 'assistant']);
  });

  test.each([['round-2/summary'], ['round-2/judge']])('without %s the opinion before stays', async (key) => {
    const { record, end } = await hold({ says: failing(key) });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(path(record).at(-1)).toEqual(['YES', 0.55]);
    expect(settlements(record)[1]).toEqual(['unheard', 'previous', null, false]);
    expect(payloads(record, 'round-settle')[1]).toMatchObject({ judge: null, notes: null });
  });

  test('where nobody says anything the judge is not asked', async () => {
    const all = [1, 2].flatMap((number) => [`round-1/opinion/debater-${number}`, `round-1/answer/debater-${number}`]);
    const { record, effects } = await hold({ params: { rounds: 1 }, says: failing(...all) });
    expect(effects.calls.map(baseKey)).not.toContain('round-1/summary');
    expect(settlements(record)).toEqual([['unheard', 'previous', null, false]]);
    expect(rulingOf(record)).toMatchObject({ prediction: 'NO', confidence: 0.8 });
  });

  test('without a first opinion the trial has its failure as outcome', async () => {
    const { end, record } = await hold({ says: failing('initial/judge') });
    expect(end).toEqual({ outcome: 'timeout', incomplete: false });
    expect(payloads(record, 'position-assign')).toEqual([]);
  });
});

describe('the trained assistant', () => {
  const params = { assistant: 'trained', rounds: 1 };

  test('rates by the vector of background and answer, and the record says by which version', async () => {
    const texts: string[] = [];
    const rate: Effects['rate'] = (text) => {
      texts.push(text);
      return Promise.resolve({ setup: '{"model":"vectors"}', vector: Float32Array.from([3, 4]), failure: null });
    };
    const { record } = await hold({ params }, { rate });
    const answer = payloads(record, 'utterance-make').find(({ key }) => key === 'round-1/answer/debater-2/utterance');
    expect(texts[1]).toContain('The parcel came a week late');
    expect(texts[1]).toContain(record.texts.get(answer?.text ?? ''));
    // 1 / (1 + exp(-(2 * 0.6 - 2 * 0.8 + 0.1)))
    const expected = 1 / (1 + Math.exp(0.3));
    for (const { value, trained } of payloads(record, 'opinion-rate')) {
      expect(value).toBeCloseTo(expected, 7);
      expect(trained?.assistant).toEqual({ version: 1, hash: 'a'.repeat(64) });
    }
    expect(settlements(record)[0]?.slice(0, 2)).toEqual(['unreliable', 'initial']);
  });

  test('a vector that cannot be had costs the rating alone', async () => {
    const failure = { kind: 'overflow', message: 'too long' } as const;
    const rate: Effects['rate'] = () => Promise.resolve({ setup: '{}', vector: null, failure });
    const { record, end } = await hold({ params }, { rate });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(payloads(record, 'turn-forfeit')).toMatchObject([
      { key: 'round-1/rating/debater-1/forfeit', role: 'assistant', failure: 'overflow' },
      { key: 'round-1/rating/debater-2/forfeit', role: 'assistant', failure: 'overflow' },
    ]);
  });

  test('a replay notices a value that its vector does not lead to, and a rating of another version', async () => {
    const changes: ((rating: EventPayload<'opinion-rate'>) => EventPayload<'opinion-rate'>)[] = [
      (rating) => ({ ...rating, value: 0.99 }),
      (rating) => ({
        ...rating,
        ...(rating.trained === undefined
          ? {}
          : { trained: { ...rating.trained, assistant: { version: 2, hash: 'b'.repeat(64) } } }),
      }),
      (rating) => ({ ...rating, of: 'round-1/answer/debater-2/utterance' }),
    ];
    for (const change of changes) {
      const { record, bound, kase } = await hold({ params });
      const at = record.events.findIndex(({ kind }) => kind === 'opinion-rate');
      const event = record.events[at];
      if (event?.kind !== 'opinion-rate') throw new Error('no rating');
      record.events[at] = { ...event, payload: change(event.payload) };
      await expect(replayInMemory(record, bound, termsFor(protocol, [], 0), kase)).rejects.toThrow('round-1/rating/debater-1');
    }
  });
});

describe('corrections and degradations', () => {
  test('compare O_0, the first belief, with the verdict', async () => {
    const { record } = await hold({ says: script([20, 90, 90]) });
    const found = trialPath(record.events);
    expect(found?.initial).toBe('NO');
    expect(found?.steps.map(({ moment, prediction, speech }) => [moment, prediction, speech])).toEqual([
      ['prior', 'NO', null],
      ['live', 'YES', null],
      ['live', 'YES', null],
      ['ruling', 'YES', null],
    ]);
  });
});

test('open cases are refused in a sentence', () => {
  expect(protocol.bind({}).refusal({ kind: 'open', labels: [], multiLabel: false })).toMatch(/debate-feedback/);
  expect(protocol.bind({}).refusal({ kind: 'text', labels: ['A', 'B'], multiLabel: true })).toBeNull();
});
