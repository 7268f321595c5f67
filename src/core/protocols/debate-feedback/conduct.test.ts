import { describe, expect, test } from 'vitest';
import type { EventPayload } from '../../../shared/events.ts';
import type { Effects } from '../../record/effects.ts';
import { trajectoryOf } from '../../trajectory/trajectory.ts';
import { verdictPath } from '../../trajectory/verdictPath.ts';
import { payloads, promptOf, rulingOf } from '../testing/heldTrial.ts';
import { replayInMemory, termsFor } from '../testing/memoryTrial.ts';
import { failed } from '../testing/scriptedModel.ts';
import { baseKey, textOf } from '../testing/settings.ts';
import { hold, judge, path, protocol, script, settlements } from './debate.fixture.ts';

describe('who sees what', () => {
  const prompts = async (params: object) => {
    const { effects, record } = await hold({
      params: { ...params },
      says: script([20, 90, 90], ['75 45', '80 20']),
    });
    const prompt = (key: string) => promptOf(effects, key);
    const said = (key: string) => {
      const found = payloads(record, 'utterance-make').find((each) => each.key === `${key}/utterance`);
      return record.texts.get(found?.text ?? '') ?? 'nothing';
    };
    return { prompt, said };
  };

  test('an opinion sees no other, an answer sees its own and the others, the judge sees the summary alone', async () => {
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

  test('without an assistant no one reads reliabilities; the judge continues its own conversation', async () => {
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
    const sentence = 'One two three is it or so. ';
    const says = (key: string) => (key === 'round-1/opinion/debater-1' ? { opinion: sentence.repeat(5).trim() } : null);
    const { record, effects } = await hold({ params: { rounds: 1, words: 20 }, says });
    const [first] = payloads(record, 'utterance-make');
    expect(first?.shortened).toEqual({ words: 35, kept: 14 });
    expect(promptOf(effects, 'round-1/answer/debater-2').match(/One two three/g)).toHaveLength(2);
  });
});

describe('what fails', () => {
  const failing =
    (...keys: readonly string[]) =>
    (key: string): object | null =>
      keys.includes(key) ? failed('timeout', false) : script([20, 90, 90], ['75 45', '80 20'])(key);

  test('a debater that has said nothing is shown as such, and its answer is left out of the mean', async () => {
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
    expect(promptOf(effects, 'round-1/answer/debater-2')).toContain('Debater 1 has said nothing.');
  });

  test('a round in which no answer is rated does not pass', async () => {
    const says = failing('round-1/rating/debater-1', 'round-1/rating/debater-2');
    const { record } = await hold({ params: { assistant: 'model', rounds: 1 }, says });
    expect(settlements(record)).toEqual(['unreliable initial null']);
    expect(payloads(record, 'turn-forfeit').map(({ role }) => role)).toEqual(['assistant', 'assistant']);
  });

  test.each([['round-2/summary'], ['round-2/judge']])('without %s the opinion before stays', async (key) => {
    const { record, end } = await hold({ says: failing(key) });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(path(record).at(-1)).toEqual('YES 0.55');
    expect(settlements(record)[1]).toEqual('unheard previous null');
    expect(payloads(record, 'round-settle')[1]).toMatchObject({ judge: null, notes: null });
  });

  test('if no one says anything the judge is not asked', async () => {
    const all = [1, 2].flatMap((number) => [`round-1/opinion/debater-${number}`, `round-1/answer/debater-${number}`]);
    const { record, effects } = await hold({ params: { rounds: 1 }, says: failing(...all) });
    expect(effects.calls.map(baseKey)).not.toContain('round-1/summary');
    expect(settlements(record)).toEqual(['unheard previous null']);
    expect(rulingOf(record)).toMatchObject({ prediction: 'NO', confidence: 0.8 });
  });

  test('without a first opinion the trial has its failure as outcome', async () => {
    const { end, record } = await hold({ says: failing('initial/judge') });
    expect(end).toEqual({ outcome: 'timeout', incomplete: false });
    expect(payloads(record, 'position-assign')).toEqual([]);
  });
});

test('a debater that the others convince says so with its answer, and continues for its position', async () => {
  const says = (key: string) =>
    key === 'round-1/answer/debater-2' ? { reply: 'they are right, the facts say so', concedes: true } : null;
  const { record } = await hold({ params: { rounds: 1, debaters: 3 }, says });
  const said = payloads(record, 'utterance-make').map(({ key, position, concedes }) => [key, position, concedes]);
  const find = (key: string) => said.find(([of]) => of === `${key}/utterance`);
  expect(find('round-1/answer/debater-2')).toEqual([
    'round-1/answer/debater-2/utterance',
    find('round-1/opinion/debater-2')?.[1],
    true,
  ]);
  expect(find('round-1/answer/debater-1')?.[2]).toBeTypeOf('boolean');
  for (const key of ['round-1/opinion/debater-2', 'round-1/answer/debater-3']) expect(find(key)?.[2], key).toBeUndefined();
  const never = await hold({ params: { rounds: 1, concessions: false }, says: () => null });
  expect(payloads(never.record, 'utterance-make').every(({ concedes }) => concedes === undefined)).toBe(true);
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
    expect(settlements(record)[0]).toMatch(/^unreliable initial /);
  });

  test('its own threshold decides where that is asked for, and is refused without such an assistant', async () => {
    const { record } = await hold({ params: { ...params, learntThreshold: true, threshold: 0 } });
    expect(payloads(record, 'round-settle')[0]).toMatchObject({ threshold: 0.6 });
    const kind = { kind: 'text', labels: ['A', 'B'], multiLabel: false } as const;
    for (const assistant of ['none', 'model']) {
      expect(protocol.bind({ assistant, learntThreshold: true }).refusal(kind)).toMatch(/learntThreshold/);
    }
  });

  test('a failed vector costs only the rating', async () => {
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
    const found = verdictPath(trajectoryOf(record.events));
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
