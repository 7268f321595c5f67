import { describe, expect, test } from 'vitest';
import { jsonSchemaOf } from '../../answers/schema.ts';
import { criticism } from '../../crit/criticism.fixture.ts';
import type { Retrieval } from '../../record/effects.ts';
import { caseOf } from '../testing/cases.ts';
import { payloads, promptOf, rulingOf } from '../testing/heldTrial.ts';
import { emptyRecord, runInMemory, termsFor } from '../testing/memoryTrial.ts';
import { answeredAs, failed, marksIn, scriptedEffects } from '../testing/scriptedModel.ts';
import { baseKey, textOf } from '../testing/settings.ts';
import { statementSpec } from './answers.ts';
import { exchanges, hold, placeOf, registered, statement, steady } from './debate.fixture.ts';

const labels = ['joy', 'fear', 'love'];
const unsure = { joy: 50, fear: 30, love: 20 };
const other = { fear: 60, joy: 30, love: 10 };

describe('the mixture', () => {
  test('weighs both by CRIT', async () => {
    const says = steady(labels, { joy: 80, fear: 10, love: 10 }, { fear: 60, joy: 30, love: 10 }, (_round, of) =>
      of === 'a' ? 2 : 8,
    );
    const { record } = await hold({ labels, says });
    const { prediction, belief, grounds } = rulingOf(record);
    expect(grounds?.mixture?.weights).toEqual({ agentA: 0.2, agentB: 0.8 });
    // (0.2 * 0.8 + 0.8 * 0.3) / 1, (0.2 * 0.1 + 0.8 * 0.6) / 1
    expect(belief?.joy).toBeCloseTo(0.4, 12);
    expect(belief?.fear).toBeCloseTo(0.5, 12);
    expect(prediction).toBe('fear');
    const [round] = exchanges(record);
    expect(round?.weights).toEqual({ agentA: 0.2, agentB: 0.8 });
    expect(round?.crit).toBeCloseTo(0.5, 12);
  });

  test('or by how sure each is: 1 less its normalised entropy; both alike where neither is sure of anything', async () => {
    const params = { weights: 'entropy' };
    const says = steady(labels, { joy: 80, fear: 10, love: 10 }, { fear: 60, joy: 30, love: 10 }, () => 8);
    const { weights } = exchanges((await hold({ labels, params, says })).record)[0] ?? {};
    const entropy = (shares: readonly number[]) => -shares.reduce((sum, p) => sum + p * Math.log(p), 0);
    expect(weights?.agentA).toBeCloseTo(1 - entropy([0.8, 0.1, 0.1]) / Math.log(3), 12);
    expect(weights?.agentB).toBeCloseTo(1 - entropy([0.6, 0.3, 0.1]) / Math.log(3), 12);
    const even = steady(labels, { joy: 20, fear: 20, love: 20 });
    expect(exchanges((await hold({ labels, params, says: even })).record)[0]?.weights).toEqual({ agentA: 1, agentB: 1 });
  });

  test('of equally likely labels the first is the verdict', async () => {
    const says = steady(labels, { love: 50, fear: 40, joy: 10 }, { fear: 50, love: 40, joy: 10 });
    expect(rulingOf((await hold({ labels, says })).record).prediction).toBe('fear');
  });

  test('gains information as its entropy falls', async () => {
    const says = (key: string) => {
      const place = placeOf(key);
      if (place === null) return null;
      if (place.speaker.startsWith('critic')) return criticism(8);
      return statement(labels, place.round === 1 ? { joy: 20, fear: 20, love: 20 } : { joy: 100, fear: 0, love: 0 });
    };
    const rounds = exchanges((await hold({ labels, params: { maxRounds: 2 }, says })).record);
    expect(rounds[0]).toMatchObject({ informationGain: null });
    expect(rounds[0]?.normalisedEntropy).toBeCloseTo(1, 12);
    expect(rounds[1]?.informationGain).toBeCloseTo(Math.log(3), 12);
    expect(rounds[1]).toMatchObject({ mi: 0, nmi: 1, mixtureEntropy: 0 });
  });
});

test('an agent that gives every label 0 keeps its prediction, with unknown confidence', async () => {
  const none = { love: 0, joy: 0, fear: 0 };
  const { record, end, effects } = await hold({ labels, params: { maxRounds: 1 }, says: steady(labels, none, other) });
  expect(end).toEqual({ outcome: 'decided', incomplete: false });
  expect(payloads(record, 'belief-update').map(({ prediction, belief }) => [prediction, belief === null])).toEqual([
    ['love', true],
    ['fear', false],
  ]);
  expect(promptOf(effects, 'round-1/agentB')).toContain('Prediction of Agent A: "love"');
  // (1 + 0.1) / 2 of love, weighed alike
  expect(exchanges(record)[0]?.mixture.love).toBeCloseTo(0.55, 12);
  expect(rulingOf(record)).toMatchObject({ prediction: 'love', confidence: null, belief: null });
});

test('with no more labels than are asked for, all of them are asked for', () => {
  const fields = (count: number) =>
    Object.keys(jsonSchemaOf(statementSpec(labels.slice(0, count), 3, 'general')).properties ?? {});
  expect([fields(2).at(-1), fields(3).at(-1)]).toEqual(['confidence', 'distribution']);
  expect(Object.keys(jsonSchemaOf(statementSpec(['calm', ...labels], 3, 'general')).properties ?? {}).at(-1)).toBe('ranking');
});

describe('the gate', () => {
  const says = steady(labels, unsure, other, (_round, of) => (of === 'a' ? 4 : 8));

  test('arguments under it reach neither the other agent nor fewer than all others', async () => {
    const { record, effects } = await hold({ labels, params: { gate: 0.5, maxRounds: 2, tolerance: 0 }, says });
    expect(exchanges(record).map(({ sides }) => [sides.agentA.admitted, sides.agentB.admitted])).toEqual([
      [false, true],
      [false, true],
    ]);
    const weak = 'agentA in round 1, so it is';
    for (const key of ['round-1/agentB', 'round-2/agentB', 'recommendation/agentB']) {
      expect(promptOf(effects, key), key).not.toContain(weak);
      expect(promptOf(effects, key), key).toContain('too weak to be passed on');
      expect(promptOf(effects, key), key).toContain('Probabilities of Agent A in percent: "joy" 50, "fear" 30, "love" 20');
    }
    for (const key of ['round-1/critic-a', 'round-1/critic-b', 'round-2/agentA', 'recommendation/agentA']) {
      expect(promptOf(effects, key), key).toContain(weak);
    }
    const spoken = payloads(record, 'utterance-make').map(({ text }) => record.texts.get(text));
    expect(spoken).toContain(weak);
  });

  test('at its very value, and where it is off, all pass', async () => {
    for (const gate of [0, 0.4]) {
      const { effects, record } = await hold({ labels, params: { gate, maxRounds: 1 }, says });
      expect(exchanges(record)[0]?.sides.agentA.admitted).toBe(true);
      expect(promptOf(effects, 'round-1/agentB')).toContain('agentA in round 1');
    }
  });

  test('what was not examined is not found too weak', async () => {
    const uncritical = (key: string) => (key === 'round-1/critic-a' ? failed('timeout', false) : says(key));
    const { record, end } = await hold({ labels, params: { gate: 0.5, maxRounds: 1 }, says: uncritical });
    expect(exchanges(record)[0]?.sides.agentA).toMatchObject({ crit: null, admitted: true });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
  });
});

describe('retrieval', () => {
  test('once, after the first exchange that leaves the mixture unsure, of its likeliest labels, for all from then on', async () => {
    const six = ['joy', 'fear', 'love', 'anger', 'calm', 'grief'];
    const says = steady(six, { fear: 60, grief: 40, joy: 0 }, { fear: 50, grief: 30, calm: 20 }, (round) => 5 + (round % 2));
    const { record, effects } = await hold({ labels: six, params: { retrieveAbove: 0.3, maxRounds: 3 }, says });
    const found = payloads(record, 'precedent-retrieve');
    expect(found.map(({ precedents }) => precedents.map(({ label }) => label))).toEqual([['fear', 'grief', 'calm']]);
    for (const call of effects.calls) {
      expect(textOf(call).includes('known example number'), call.key).toBe(!call.key.startsWith('round-1/'));
    }
  });

  test('not where the mixture is sure enough, and not where the debate is over', async () => {
    const sure = steady(labels, { joy: 98, fear: 1, love: 1 });
    expect(payloads((await hold({ labels, params: { retrieveAbove: 0.5 }, says: sure })).record, 'precedent-retrieve')).toEqual(
      [],
    );
    const unsureOnes = steady(labels, unsure);
    for (const params of [{ retrieveAbove: 0, maxRounds: 1 }, { retrieveAbove: 0, modulation: 'mixture' }, {}]) {
      expect(payloads((await hold({ labels, params, says: unsureOnes })).record, 'precedent-retrieve')).toEqual([]);
      expect(registered.bind(params).precedents).toBeNull();
    }
    expect(registered.bind({ retrieveAbove: 0.9 }).precedents).toEqual({ perLabel: 1, retriever: 'similar' });
  });

  test('if it fails the debate continues without', async () => {
    const failure = { kind: 'overflow', message: 'too long' } as const;
    const retrieve = (): Promise<Retrieval> => Promise.resolve({ method: 'embeddings', setup: '{}', precedents: [], failure });
    const { record, effects, end } = await hold(
      { labels, params: { retrieveAbove: 0.1 }, says: steady(labels, unsure) },
      { retrieve },
    );
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(payloads(record, 'turn-forfeit')).toMatchObject([{ role: 'retriever', failure: 'overflow' }]);
    expect(promptOf(effects, 'round-2/agentA')).not.toContain('Earlier cases');
  });
});

describe('who sees what', () => {
  test('A begins with the facts alone; B answers A; A answers B; the critic reads both and takes no distribution for an argument', async () => {
    const { effects } = await hold({ labels, params: { maxRounds: 2, tolerance: 0 }, says: steady(labels, unsure, other) });
    const order = effects.calls.map(baseKey);
    expect(order).toEqual([
      'round-1/agentA',
      'round-1/critic-a',
      'round-1/agentB',
      'round-1/critic-b',
      'round-2/agentA',
      'round-2/critic-a',
      'round-2/agentB',
      'round-2/critic-b',
      'recommendation/agentA',
      'recommendation/agentB',
    ]);
    const spoken = ['agentA in round 1', 'agentB in round 1', 'agentA in round 2', 'agentB in round 2'];
    const heard = (key: string) => spoken.filter((text) => promptOf(effects, key).includes(text));
    expect(heard('round-1/agentA')).toEqual([]);
    expect(heard('round-1/agentB')).toEqual(spoken.slice(0, 1));
    expect(heard('round-2/agentA')).toEqual(spoken.slice(0, 2));
    expect(heard('round-2/agentB')).toEqual(spoken.slice(0, 3));
    expect(heard('round-2/critic-b')).toEqual(spoken);
    expect(promptOf(effects, 'round-1/agentB')).toContain('Probabilities of Agent A in percent: "joy" 50, "fear" 30, "love" 20');
  });

  test('the agent that answers first is asked once to explore, and no one if that is off', async () => {
    const asked = async (params: Readonly<Record<string, unknown>>) => {
      const { effects } = await hold({
        labels,
        params: { maxRounds: 2, tolerance: 0, ...params },
        says: steady(labels, unsure, other),
      });
      return effects.calls.map(baseKey).filter((key) => promptOf(effects, key).includes('You explore.'));
    };
    expect(await asked({})).toEqual(['round-1/agentB']);
    expect(await asked({ explorer: false })).toEqual([]);
  });

  test('no agent ever reads what the critic finds', async () => {
    const { effects } = await hold({ labels, params: { tolerance: 0 }, says: () => null });
    for (const call of effects.calls) {
      for (const { role } of marksIn(textOf(call))) expect(role, call.key).not.toBe('critic');
    }
  });
});

describe('turns that fail', () => {
  const says = steady(labels, unsure, other);

  test.each(['round-1/agentA', 'round-1/agentB'])(
    '%s: without it there is no exchange, and the failure is the outcome',
    async (lost) => {
      const { end, record } = await hold({ labels, says: (key) => (key === lost ? failed('timeout', false) : says(key)) });
      expect(end).toEqual({ outcome: 'timeout', incomplete: false });
      expect(exchanges(record)).toEqual([]);
    },
  );

  test('later: the last stance holds, and nothing has settled by that', async () => {
    const silent = (key: string) => (key === 'round-2/agentA' ? failed('timeout', false) : says(key));
    const { end, record } = await hold({ labels, says: silent });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(exchanges(record).map(({ stop, sides, wd }) => [stop, sides.agentA.answered, wd.toFixed(2)])).toEqual([
      [null, true, '0.30'],
      [null, false, '0.30'],
      ['tolerance', true, '0.30'],
    ]);
  });

  test('a criticism: the last one of that agent weighs on; without any both weigh the same', async () => {
    const once = (key: string) => (key === 'round-2/critic-a' ? failed('timeout', false) : says(key));
    expect(exchanges((await hold({ labels, params: { maxRounds: 2 }, says: once })).record).at(-1)?.weights).toEqual({
      agentA: 0.8,
      agentB: 0.8,
    });
    const never = (key: string) => (key.endsWith('critic-a') ? failed('timeout', false) : says(key));
    const { record } = await hold({ labels, params: { maxRounds: 3 }, says: never });
    expect(exchanges(record).map(({ stop, crit, weights }) => [stop, crit, weights])).toEqual([
      [null, null, { agentA: 1, agentB: 1 }],
      [null, null, { agentA: 1, agentB: 1 }],
      ['rounds', null, { agentA: 1, agentB: 1 }],
    ]);
  });

  test('recommendations: B makes the list alone, or there is none', async () => {
    const without = (lost: string) => (key: string) => (key === lost ? failed('timeout', false) : says(key));
    const alone = await hold({ labels, says: without('recommendation/agentA') });
    expect(payloads(alone.record, 'recommendation-make')).toHaveLength(1);
    expect(promptOf(alone.effects, 'recommendation/agentB')).not.toContain('Agent A, proposal:');
    const none = await hold({ labels, says: without('recommendation/agentB') });
    expect(payloads(none.record, 'recommendation-make')).toEqual([]);
    for (const { end } of [alone, none]) expect(end).toEqual({ outcome: 'decided', incomplete: true });
  });
});

test('recommendations are made by both at 0.3, with the result before them', async () => {
  const recommendations = [
    { kind: 'inquiry', text: 'When did it begin?', reason: 'fear passes sooner' },
    { kind: 'test', text: 'Measure the pulse.', reason: 'it would be high' },
  ];
  const says = (key: string) => {
    if (key === 'recommendation/agentA') return { proposal: 'Ask when all of it began.' };
    return key === 'recommendation/agentB' ? { recommendations } : steady(labels, unsure)(key);
  };
  const { record, effects } = await hold({ labels, says });
  const [made] = payloads(record, 'recommendation-make');
  expect(made).toMatchObject({ role: 'agentB', contentiousness: 0.3 });
  expect(
    made?.recommendations.map(({ kind, text, reason }) => ({
      kind,
      text: record.texts.get(text),
      reason: record.texts.get(reason),
    })),
  ).toEqual(recommendations);
  const last = promptOf(effects, 'recommendation/agentB');
  expect(last).toContain('Agent A, proposal:\n\nAsk when all of it began.');
  expect(last).toContain('Result in percent: "joy" 50, "fear" 30, "love" 20');
  expect(last).toContain('Contentiousness: 0.3 of 1. Be more agreeable than confrontational.');
});

describe('measures', () => {
  test('labels that the aliases fold together are one class of the measures, and stay labels of the verdict', async () => {
    const names = ['Hepatitis C (HCV)', 'hcv', 'Cirrhosis'];
    const says = steady(
      names,
      { 'Hepatitis C (HCV)': 70, hcv: 0, Cirrhosis: 30 },
      { hcv: 70, Cirrhosis: 30, 'Hepatitis C (HCV)': 0 },
    );
    const wd = async (params: Readonly<Record<string, unknown>>) =>
      exchanges((await hold({ labels: names, params: { maxRounds: 1, ...params }, says })).record)[0]?.wd;
    expect(await wd({})).toBeCloseTo(0.7, 12);
    expect(await wd({ aliases: { HCV: 'hepatitis c' } })).toBeCloseTo(0, 12);
    const { record } = await hold({ labels: names, params: { aliases: { HCV: 'hepatitis c' } }, says });
    expect(rulingOf(record).prediction).toBe('Hepatitis C (HCV)');
    expect(rulingOf(record).confidence).toBeCloseTo(0.35, 12);
  });

  test('one class with all mass has no entropy, though its shares add up to a little more than 1', async () => {
    const names = ['first', 'second', 'third', 'none'];
    const share = { first: 1, second: 18, third: 81, none: 0 };
    const aliases = { second: 'first', third: 'first' };
    const params = { topK: 4, maxRounds: 1, aliases };
    const { record, end } = await hold({ labels: names, params, says: steady(names, share, share) });
    expect(end.outcome).toBe('decided');
    expect(exchanges(record)[0]).toMatchObject({ mixtureEntropy: 0, normalisedEntropy: 0 });
  });

  test('on the line of the labels neighbours are nearer', async () => {
    const says = steady(labels, { joy: 100, fear: 0, love: 0 }, { fear: 100, joy: 0, love: 0 });
    const wd = async (wdOrder: string) => exchanges((await hold({ labels, params: { maxRounds: 1, wdOrder }, says })).record)[0];
    expect(await wd('nominal')).toMatchObject({ wd: 1, wdOrder: 'nominal' });
    expect(await wd('labels')).toMatchObject({ wd: 0.5, wdOrder: 'labels' });
  });
});

test('with beliefs from elsewhere the debate is about what was stated, and the belief is the mixture of the others', async () => {
  const two = ['NO', 'YES'];
  const kase = { ...caseOf('text', 2), labels: two };
  const bound = registered.bind({ modulation: 'mixture' });
  const record = emptyRecord();
  const effects = scriptedEffects((call) => {
    if (!call.key.startsWith('round-1/')) return null;
    const prediction = call.key.includes('sample-1/') ? 'NO' : 'YES';
    return answeredAs(call, { arguments: 'so it is, by the facts', prediction, confidence: 90 });
  });
  await runInMemory(record, bound, termsFor(registered, [], 0, { sampled: 4 }), kase, effects);
  expect(rulingOf(record)).toMatchObject({ prediction: 'YES', belief: { NO: 0.25, YES: 0.75 }, source: 'mixture' });
  expect(rulingOf(record).confidence).toBeCloseTo(0.9, 12);
  expect(rulingOf(record).grounds?.verbal?.YES).toBeCloseTo(0.9, 12);
});

test('refuses several labels a case, open cases and a single label', () => {
  const bound = registered.bind({});
  expect(bound.refusal({ kind: 'text', labels, multiLabel: true })).toMatch(/evince does not try multi-label cases/);
  expect(bound.refusal({ kind: 'open', labels: [], multiLabel: false })).toMatch(/evince does not try cases of kind open/);
  expect(bound.refusal({ kind: 'text', labels: [], multiLabel: false })).toMatch(/open cases/);
  expect(bound.refusal({ kind: 'text', labels: ['joy'], multiLabel: false })).toMatch(/needs 2 to 1000 labels/);
});

test('an argument is judged as said by the agent that said it', async () => {
  const { record } = await hold({ labels, says: steady(labels, unsure, other) });
  expect(payloads(record, 'argument-evaluate').map(({ subject }) => subject)).toEqual([
    'Agent A',
    'Agent B',
    'Agent A',
    'Agent B',
  ]);
});
