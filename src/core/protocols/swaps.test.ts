import { describe, expect, test } from 'vitest';
import type { Case } from '../../shared/domain.ts';
import { type Swap, swaps } from '../../shared/swaps.ts';
import type { PreparedCall } from '../record/effects.ts';
import { findProtocol, protocols } from './index.ts';
import { caseOf, examplesOf } from './testing/cases.ts';
import { payloads, promptOf } from './testing/heldTrial.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from './testing/memoryTrial.ts';
import { answered, scriptedAnswer, scriptedEffects } from './testing/scriptedModel.ts';
import { all, askedKeys, baseKey, perParameters, type Setting, some, textOf } from './testing/settings.ts';

function termsOf({ protocol, bound }: Pick<Setting, 'protocol' | 'bound'>, kase: Case, swap: Swap | null) {
  const terms = termsFor(protocol, examplesOf(bound.shots, kase.labels), 0);
  return { ...terms, swap };
}

/** A trial of a protocol under a swap, or none. */
async function hold(
  id: string,
  { params = {}, labels = 2, swap, says = () => null }: Hold,
): Promise<{ calls: PreparedCall[]; shared: PreparedCall[]; record: MemoryRecord }> {
  const protocol = findProtocol(id);
  if (protocol === undefined) throw new Error(`no protocol ${id}`);
  const kase = caseOf('text', labels);
  const bound = protocol.bind(params);
  const record = emptyRecord();
  const effects = scriptedEffects((call) => {
    const said = says(baseKey(call));
    return said === null ? null : answered(JSON.stringify({ ...JSON.parse(scriptedAnswer(call)), ...said }));
  });
  await runInMemory(record, bound, termsOf({ protocol, bound }, kase, swap), kase, effects);
  return { calls: effects.calls, shared: effects.sharedCalls, record };
}

interface Hold {
  readonly params?: object;
  readonly labels?: number;
  readonly swap: Swap | null;
  readonly says?: (key: string) => object | null;
}

/** Without labels there is no swap. */
const settings = perParameters.filter(({ labels }) => labels > 0);

test('each swap is declared by some protocol, and its sentence says what it does', () => {
  const declared = settings.flatMap(({ bound }) => swaps.flatMap((swap) => (bound.swaps[swap] === undefined ? [] : [swap])));
  expect(new Set(declared)).toEqual(new Set(swaps));
  for (const { bound } of settings) for (const { does } of Object.values(bound.swaps)) expect(does).toMatch(/^[A-Z].*\.$/);
});

describe.each(some)('$name', (setting) => {
  const { bound } = setting;
  const kase = caseOf(setting.kind, setting.labels);
  const held = async (swap: Swap | null) => {
    const [record, effects, terms] = [emptyRecord(), scriptedEffects(), termsOf(setting, kase, swap)];
    const end = await runInMemory(record, bound, terms, kase, effects);
    return { record, terms, end, calls: effects.calls };
  };

  test('exchanged trials end as planned, replay, keep the seeds and are not the usual one; undeclared swaps change nothing', async () => {
    const usual = await held(null);
    const seeds = ({ calls }: typeof usual) => Object.fromEntries(calls.map(({ key, request }) => [key, request.options.seed]));
    const sent = ({ calls }: typeof usual) => calls.map(({ request }) => JSON.stringify(request));
    for (const swap of swaps) {
      // Without labels nothing is exchanged.
      if (setting.labels === 0 && bound.swaps[swap] !== undefined) continue;
      const exchanged = await held(swap);
      const { record, terms, end, calls } = exchanged;
      if (bound.swaps[swap] === undefined) {
        expect(calls, swap).toEqual(usual.calls);
        continue;
      }
      expect(end, swap).toEqual({ outcome: 'decided', incomplete: false });
      const { min, max } = bound.plannedCalls(kase);
      expect(askedKeys(calls).length).toBeGreaterThanOrEqual(min);
      expect(askedKeys(calls).length).toBeLessThanOrEqual(max);
      const before = JSON.stringify(record.events);
      expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
      expect(JSON.stringify(record.events)).toBe(before);
      expect(seeds(exchanged), swap).toEqual(seeds(usual));
      // Where one debater alone is reliable there is nothing to put in another order.
      if (swap === 'order' && JSON.stringify(bound.params).includes('"passing":"each"')) continue;
      expect(sent(exchanged), swap).not.toEqual(sent(usual));
    }
  });
});

test('labels: every list of them is turned round, in prompts and in the schema, and beliefs keep their usual order', async () => {
  for (const { id } of protocols) {
    if (findProtocol(id)?.bind({}).swaps.labels === undefined) continue;
    const [usual, turned] = [await hold(id, { swap: null }), await hold(id, { swap: 'labels' })];
    for (const { calls, from, to } of [
      { ...usual, from: 'label 1', to: 'label 2' },
      { ...turned, from: 'label 2', to: 'label 1' },
    ]) {
      const asked = calls.filter(({ request }) => JSON.stringify(request.schema).includes('"prediction"'));
      expect(asked.length).toBeGreaterThan(0);
      for (const call of asked) {
        expect(JSON.stringify(call.request.schema)).toContain(`["${from}","${to}"]`);
        expect(textOf(call)).toContain(`Possible answers:\n- "${from}"\n- "${to}"`);
      }
    }
    const beliefs = payloads(turned.record, 'ruling-give').map(({ belief }) => belief);
    expect(beliefs.map((belief) => Object.keys(belief ?? {}))).toEqual([['label 1', 'label 2']]);
  }
});

describe('agentic-sim', () => {
  const sim = (swap: Swap | null, params: object = {}) => hold('agentic-sim', { swap, params });

  const argues = (side: string, label: string) => `You are the ${side}.\nYou argue that the answer is "${label}".`;

  test('sides: each argues for the label of the other, and the answers stay in their order', async () => {
    const [usual, exchanged] = [await sim(null), await sim('sides')];
    expect(promptOf(usual, 'turn-1/prosecutor')).toContain(argues('prosecutor', 'label 2'));
    expect(promptOf(exchanged, 'turn-1/prosecutor')).toContain(argues('prosecutor', 'label 1'));
    expect(promptOf(exchanged, 'turn-1/defense')).toContain(argues('defense', 'label 2'));
    for (const call of exchanged.calls) {
      expect(textOf(call)).toContain('The prosecution argues for "label 1".\nThe defense argues for "label 2".');
      expect(textOf(call)).toContain('- "label 1"\n- "label 2"');
    }
  });

  test('order: the defense speaks first in each turn, each has its own label still, and only who has spoken is judged', async () => {
    const spoken = ({ record }: Awaited<ReturnType<typeof sim>>) => payloads(record, 'utterance-make').map(({ role }) => role);
    const [usual, exchanged] = [await sim(null), await sim('order')];
    expect(spoken(usual)).toEqual(['prosecutor', 'defense', 'prosecutor', 'defense', 'prosecutor', 'defense']);
    expect(spoken(exchanged)).toEqual(['defense', 'prosecutor', 'defense', 'prosecutor', 'defense', 'prosecutor']);
    expect(promptOf(exchanged, 'turn-1/prosecutor')).toContain(argues('prosecutor', 'label 2'));
    const critiquesIn = ({ calls }: typeof usual, key: string) => {
      const schema = JSON.stringify(calls.find((call) => baseKey(call) === key)?.request.schema);
      return ['prosecution', 'defense'].filter((side) => schema.includes(`critique_${side}`));
    };
    expect(critiquesIn(usual, 'turn-1/after-prosecutor')).toEqual(['prosecution']);
    expect(critiquesIn(exchanged, 'turn-1/after-defense')).toEqual(['defense']);
    expect(critiquesIn(usual, 'turn-1/after-defense')).toEqual(['prosecution', 'defense']);
    const prior = await sim(null, { priorBelief: true });
    expect(critiquesIn(prior, 'prior/judge')).toEqual([]);
    expect(promptOf(usual, 'turn-1/after-prosecutor')).not.toContain('critique_defense');
  });

  test('labels: only the list of answers is turned round, also of those that parameters name', async () => {
    const [usual, exchanged] = [await sim(null), await sim('labels')];
    const rest = (trial: typeof usual) => promptOf(trial, 'turn-1/prosecutor').replace(/^- .*\n/gm, '');
    expect(rest(exchanged)).toBe(rest(usual));
    const params = { contested: ['label 1', 'label 3'] };
    const three = await hold('agentic-sim', { swap: 'labels', labels: 3, params });
    expect(promptOf(three, 'turn-1/prosecutor')).toContain(argues('prosecutor', 'label 3'));
    expect(promptOf(three, 'ruling/judge')).toContain('Possible answers:\n- "label 3"\n- "label 1"\n');
  });

  test('what a screen says of the claims is what was argued', async () => {
    const bound = findProtocol('agentic-sim')?.bind({});
    for (const swap of [null, ...swaps]) {
      const trial = await sim(swap);
      for (const [role, label] of Object.entries(bound?.claims(caseOf('text', 2), swap) ?? {}))
        expect(promptOf(trial, `turn-1/${role}`)).toContain(`You argue that the answer is "${label}"`);
    }
  });
});

describe('courtroom', () => {
  const says = (key: string) => (key === 'hearing/clerk' ? { prediction: 'label 1' } : null);
  const assigned = async (swap: Swap | null, params: object = {}) => {
    const trial = await hold('courtroom', { swap, params, says });
    const [assignment] = payloads(trial.record, 'side-assign');
    return { ...trial, assignment };
  };

  test.each(['random', 'fixed'])('sides %s: each argues for the label of the other, for any draw', async (sides) => {
    const [usual, exchanged] = [await assigned(null, { sides }), await assigned('sides', { sides })];
    const { prosecutor = '', attorney = '' } = usual.assignment?.sides ?? {};
    expect(exchanged.assignment?.sides).toEqual({ prosecutor: attorney, attorney: prosecutor });
    expect(exchanged.assignment?.order).toEqual(usual.assignment?.order);
    expect(promptOf(exchanged, 'argument/prosecutor')).toContain(`You argue that the answer is "${attorney}".`);
    expect(promptOf(exchanged, 'argument/attorney')).toContain(`Say why "${attorney}" is wrong.`);
  });

  test.each(['prosecutor-first', 'random'])(
    'order %s: the judges read the arguments the other way round',
    async (argumentOrder) => {
      const [usual, exchanged] = [await assigned(null, { argumentOrder }), await assigned('order', { argumentOrder })];
      expect(exchanged.assignment?.order).toEqual(usual.assignment?.order.toReversed());
      expect(exchanged.assignment?.sides).toEqual(usual.assignment?.sides);
      const places = (trial: typeof usual) => {
        const prompt = promptOf(trial, 'judgement/judge-1');
        return prompt.indexOf('Prosecutor, for') < prompt.indexOf('Attorney, for');
      };
      expect(places(exchanged)).toBe(!places(usual));
    },
  );

  test('labels: precedents keep their order, their reasons are asked for with the list turned round', async () => {
    const [usual, turned] = [await assigned(null), await assigned('labels')];
    const found = ({ record }: typeof usual) => payloads(record, 'precedent-retrieve');
    expect(found(turned)).toEqual(found(usual));
    for (const call of turned.shared) expect(textOf(call)).toContain('- "label 2"\n- "label 1"');
  });

  test('labels: equally likely ones are ordered as usual', async () => {
    const distribution = { 'label 1': 40, 'label 2': 30, 'label 3': 30 };
    const equal = (key: string) =>
      key === 'hearing/clerk' ? { prediction: 'label 1', alternative: 'label 1', distribution } : null;
    const { record } = await hold('courtroom', { swap: 'labels', labels: 3, says: equal });
    const [assignment] = payloads(record, 'side-assign');
    expect(assignment).toMatchObject({ prediction: 'label 1', alternative: 'label 2' });
  });
});

describe('debate-feedback', () => {
  const says = (key: string) => (key === 'initial/judge' ? { prediction: 'label 1' } : null);
  const debate = async (swap: Swap | null, params: object = {}) => {
    const trial = await hold('debate-feedback', { swap, params, says });
    const [assignment] = payloads(trial.record, 'position-assign');
    return { ...trial, positions: assignment?.positions };
  };
  const placesIn = (prompt: string, heading: string) =>
    [...prompt.matchAll(new RegExp(`^${heading} of debater (\\d)`, 'gm'))].map(([, number]) => Number(number));

  test('sides: each of two defends what the other one defended; of more none does', async () => {
    const [usual, exchanged] = [await debate(null), await debate('sides')];
    expect(usual.positions).toEqual({ debater1: 'label 1', debater2: 'label 2' });
    expect(exchanged.positions).toEqual({ debater1: 'label 2', debater2: 'label 1' });
    expect(promptOf(exchanged, 'round-1/opinion/debater-1')).toContain('The position that you defend: the answer is "label 2".');
    expect(promptOf(exchanged, 'round-2/answer/debater-2')).toContain('The position that you defend: the answer is "label 1".');
    expect(findProtocol('debate-feedback')?.bind({ debaters: 3 }).swaps.sides).toBeUndefined();
  });

  test('order: summary, reliabilities, answers and earlier rounds have the debaters the other way round', async () => {
    const params = { debaters: 3, assistant: 'model', memory: 'transcript' };
    const [usual, exchanged] = [await debate(null, params), await debate('order', params)];
    expect(exchanged.positions).toEqual(usual.positions);
    for (const [trial, order] of [
      [usual, [1, 2, 3]],
      [exchanged, [3, 2, 1]],
    ] as const) {
      const summary = promptOf(trial, 'round-1/summary');
      for (const heading of ['Opinion', 'Answer', 'Reliability']) expect(placesIn(summary, heading)).toEqual(order);
      expect(placesIn(promptOf(trial, 'round-1/judge'), 'Reliability')).toEqual(order);
      expect(placesIn(promptOf(trial, 'round-1/answer/debater-2'), 'Opinion')).toEqual(order.filter((number) => number !== 2));
      expect(placesIn(promptOf(trial, 'round-2/opinion/debater-1'), 'Answer')).toEqual(order);
    }
  });

  test('labels: equally likely ones are ordered as usual, and a set is stored in it', async () => {
    const distribution = { 'label 1': 40, 'label 2': 30, 'label 3': 30 };
    const equal = (key: string) => (key === 'initial/judge' ? { prediction: 'label 1', distribution } : null);
    const { record } = await hold('debate-feedback', { swap: 'labels', labels: 3, says: equal });
    const of = (kind: string) => record.events.filter((event) => event.kind === kind).map(({ payload }) => payload);
    expect(of('position-assign')).toMatchObject([{ positions: { debater1: 'label 1', debater2: 'label 2' } }]);

    const setting = all.find(({ protocol, multiLabel }) => protocol.id === 'debate-feedback' && multiLabel);
    if (setting === undefined) throw new Error('debate-feedback tries cases with several labels');
    const kase = caseOf('text', 3, true);
    const several = emptyRecord();
    const likelihoods = { 'label 1': 90, 'label 2': 10, 'label 3': 80 };
    const effects = scriptedEffects(({ request, key }) =>
      /judge/.test(key) && request.schema !== null
        ? answered(JSON.stringify({ reason: 'so', applies: ['label 3', 'label 1'], likelihoods }))
        : null,
    );
    await runInMemory(several, setting.bound, termsOf(setting, kase, 'labels'), kase, effects);
    const rulings = payloads(several, 'ruling-give');
    expect(rulings.map(({ prediction }) => prediction)).toEqual([['label 1', 'label 3']]);
    expect(Object.keys(rulings[0]?.belief ?? {})).toEqual(['label 1', 'label 2', 'label 3']);
  });
});

describe('evince', () => {
  test('order: B states first, from the facts alone, and A answers it', async () => {
    const [usual, exchanged] = [await hold('evince', { swap: null }), await hold('evince', { swap: 'order' })];
    const spoken = ({ record }: typeof usual) =>
      payloads(record, 'utterance-make')
        .map(({ role }) => role)
        .slice(0, 4);
    expect(spoken(usual)).toEqual(['agentA', 'agentB', 'agentA', 'agentB']);
    expect(spoken(exchanged)).toEqual(['agentB', 'agentA', 'agentB', 'agentA']);
    expect(promptOf(exchanged, 'round-1/agentB')).toContain('Which answer is right, and why?');
    expect(promptOf(exchanged, 'round-1/agentB')).not.toContain('What was said so far:');
    expect(promptOf(exchanged, 'round-1/agentA')).toContain('Reply to Agent B.');
    expect(Object.keys(findProtocol('evince')?.bind({ modulation: 'mixture' }).swaps ?? {})).toEqual(['labels']);
  });

  test('labels: a tie of the mixture goes by the usual order, in which the mixture is stored', async () => {
    const shares = { 'label 1': 40, 'label 2': 40, 'label 3': 20 };
    const says = (key: string) => (/^round-\d+\/agent/.test(key) ? { prediction: 'label 2', distribution: shares } : null);
    const { record } = await hold('evince', { swap: 'labels', labels: 3, says });
    const [ruling] = payloads(record, 'ruling-give');
    expect(ruling?.prediction).toBe('label 1');
    expect(Object.keys(ruling?.belief ?? {})).toEqual(['label 1', 'label 2', 'label 3']);
    const mixtures = payloads(record, 'exchange-measure').map(({ mixture }) => mixture);
    for (const mixture of mixtures) expect(Object.keys(mixture)).toEqual(['label 1', 'label 2', 'label 3']);
  });
});

describe('socrasynth', () => {
  const debate = (swap: Swap | null, params: object = {}, says?: Hold['says']) =>
    hold('socrasynth', { swap, params: { subtopics: 1, maxRounds: 1, ...params }, ...(says === undefined ? {} : { says }) });
  const disagree = (key: string) => {
    if (/^(?:opening|round-\d+)\/agent/.test(key)) return { prediction: key.endsWith('agentA') ? 'label 1' : 'label 2' };
    return null;
  };

  test('sides: each agent defends the label of the other, and the panel decides for the label of the side that it prefers', async () => {
    const preferA = (key: string) =>
      key.startsWith('panel/') ? { topic_1: { agent_a: 9, agent_b: 2 }, winner: 'agent_a' } : disagree(key);
    const assigned = { stances: 'assigned' };
    const [usual, exchanged] = [await debate(null, assigned, preferA), await debate('sides', assigned, preferA)];
    for (const [trial, labelA, labelB] of [
      [usual, 'label 2', 'label 1'],
      [exchanged, 'label 1', 'label 2'],
    ] as const) {
      for (const call of trial.calls)
        expect(textOf(call)).toContain(`Agent A defends the answer "${labelA}". Agent B defends the answer "${labelB}".`);
      const rulings = payloads(trial.record, 'ruling-give');
      expect(rulings).toMatchObject([{ prediction: labelA, belief: { [labelA]: 1, [labelB]: 0 } }]);
    }
    expect(findProtocol('socrasynth')?.bind({ stances: 'free' }).swaps.sides).toBeUndefined();
  });

  test('labels: with assigned stances each keeps its own, also where no label is positive', async () => {
    const bound = findProtocol('socrasynth')?.bind({ stances: 'assigned' });
    const kase = { ...caseOf('text', 2), positive: null };
    const turned = emptyRecord();
    const effects = scriptedEffects();
    const protocol = findProtocol('socrasynth');
    if (bound === undefined || protocol === undefined) throw new Error('socrasynth is not registered');
    await runInMemory(turned, bound, termsOf({ protocol, bound }, kase, 'labels'), kase, effects);
    const { agentA = '', agentB = '' } = bound.claims(kase, 'labels');
    expect([agentA, agentB]).toEqual(['label 2', 'label 1']);
    for (const call of effects.calls) {
      expect(textOf(call)).toContain('Possible answers:\n- "label 2"\n- "label 1"');
      expect(textOf(call)).toContain(`Agent A defends the answer "${agentA}". Agent B defends the answer "${agentB}".`);
    }
  });

  test.each(['independent', 'sequential'])(
    'order, openings %s: B speaks first in each turn and A answers it',
    async (opening) => {
      const params = { opening, compareWithAnswer: true, comparison: 'named' };
      const [usual, exchanged] = [await debate(null, params, disagree), await debate('order', params, disagree)];
      const spoken = ({ record }: typeof usual) => payloads(record, 'utterance-make').map(({ role }) => role);
      expect(spoken(usual)).toEqual(['agentA', 'agentB', 'agentA', 'agentB', 'agentA', 'agentB']);
      expect(spoken(exchanged)).toEqual(['agentB', 'agentA', 'agentB', 'agentA', 'agentB', 'agentA']);
      const knows = (trial: typeof usual, key: string, turn: string) => promptOf(trial, key).includes(`${turn}, on subtopic 1:`);
      for (const [trial, first, second] of [
        [usual, 'A', 'B'],
        [exchanged, 'B', 'A'],
      ] as const) {
        expect(knows(trial, `round-1/agent${second}`, `Agent ${first}, refutation`)).toBe(true);
        expect(knows(trial, `round-1/agent${first}`, `Agent ${second}, refutation`)).toBe(false);
        expect(knows(trial, `opening/agent${second}`, `Agent ${first}, opening`)).toBe(opening === 'sequential');
        expect(knows(trial, `closing/agent${second}`, `Agent ${first}, closing`)).toBe(true);
        const places = ['A', 'B'].map((side) => promptOf(trial, 'comparison/judge1').indexOf(`Agent ${side}, closing`));
        expect(places.toSorted((one, other) => one - other)).toEqual(first === 'A' ? places : places.toReversed());
      }
      const sheets = ({ record }: typeof usual) =>
        record.events.flatMap((event) => (event.kind === 'panel-score' ? [event.payload.order[0]] : []));
      expect(sheets(exchanged).toSorted()).toEqual(['agentA', 'agentB']);
    },
  );
});

describe('order of cases whose label is known', () => {
  const numbersIn = (prompt: string) => [...prompt.matchAll(/known example number (\d+)/g)].map(([, number]) => Number(number));

  test.each([
    ['standard', { style: 'cot-nshot', shots: 4 }, 'answer'],
    ['single', { shots: 2 }, 'answer'],
    ['vote', { shots: 1, voters: 2 }, 'vote/voter2'],
  ])('%s shows them the other way round', async (id, params, key) => {
    const [usual, exchanged] = [await hold(id, { params, swap: null }), await hold(id, { params, swap: 'order' })];
    const shown = numbersIn(promptOf(usual, key));
    expect(shown.length).toBeGreaterThan(1);
    expect(numbersIn(promptOf(exchanged, key))).toEqual(shown.toReversed());
  });

  test('without any there is no order to exchange', () => {
    for (const [id, params] of [
      ['standard', { style: 'cot' }],
      ['standard', { style: 'cot-nshot', shots: 1 }],
      ['single', { shots: 0 }],
      ['vote', { shots: 0 }],
    ] as const)
      expect(Object.keys(findProtocol(id)?.bind(params).swaps ?? {})).toEqual(['labels']);
  });
});
