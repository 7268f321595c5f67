import { describe, expect, test } from 'vitest';
import { ZodError } from 'zod';
import { type Case, caseKinds } from '../../shared/domain.ts';
import { exhaustive } from '../../shared/exhaustive.fixture.ts';
import type { BeliefChoice } from '../../shared/experiment.ts';
import type { Effects, PreparedCall, TrialTerms } from '../record/effects.ts';
import { plainRole } from './cast.ts';
import { type BoundProtocol, protocols } from './index.ts';
import { caseOf, examplesOf, labelCounts } from './testing/cases.ts';
import { emptyRecord, type MemoryRecord, replayInMemory, runInMemory, termsFor } from './testing/memoryTrial.ts';
import { pairwiseParameters } from './testing/parameterChoices.ts';
import { publicTexts } from './testing/publicTexts.ts';
import { answered, marksIn, scriptedEffects } from './testing/scriptedModel.ts';
import {
  all,
  askedKeys,
  few,
  manyCalls,
  perParameters,
  prepare,
  retries,
  type Setting,
  textOf,
  withoutTimes,
} from './testing/settings.ts';

/** Every registered protocol is held to the same promises; a new one is covered by its registry line. */

test('there are protocols and settings to check', () => {
  expect(protocols.length).toBeGreaterThan(0);
  for (const protocol of protocols)
    expect(
      all.some((setting) => setting.protocol === protocol),
      protocol.id,
    ).toBe(true);
});

type Parameters = Readonly<Record<string, unknown>>;
const parametersOf = ({ bound }: Setting) => bound.params as Parameters;

/** Null where the protocol refuses the parameters. */
function boundTo(protocol: Setting['protocol'], params: Parameters): BoundProtocol | null {
  try {
    return protocol.bind(params);
  } catch (error) {
    if (error instanceof ZodError) return null;
    throw error;
  }
}

test('a parameter that is called unused changes no prompt, no step and no ruling', async () => {
  const tried = new Set<string>();
  for (const setting of perParameters) {
    const { protocol, bound, multiLabel } = setting;
    const params = parametersOf(setting);
    for (const parameter of bound.unused) {
      const id = `${protocol.id} ${parameter} ${multiLabel}`;
      const others = perParameters.filter((other) => other.protocol === protocol).map((other) => parametersOf(other)[parameter]);
      const other = others.find((value) => value !== undefined && value !== params[parameter]);
      const changed = other === undefined ? null : boundTo(protocol, { ...params, [parameter]: other });
      if (changed === null || (tried.has(id) && !exhaustive)) continue;
      const { kase: sample } = prepare(setting);
      if (changed.refusal({ ...sample, multiLabel }) !== null) continue;
      tried.add(id);
      const [before, after] = [bound, changed].map(async (each) => {
        const { kase, terms } = prepare({ ...setting, bound: each });
        const [record, effects] = [emptyRecord(), scriptedEffects()];
        await runInMemory(record, each, terms, kase, effects);
        const steps = record.events.map(({ kind, payload }) => (kind === 'ruling-give' ? payload : kind));
        return { steps, prompts: effects.calls.map(textOf) };
      });
      expect(await after, `${setting.name}: ${parameter}`).toEqual(await before);
    }
  }
  expect(tried.size).toBeGreaterThan(8);
});

/**
 * A trial that often loses power continues without asking again, to the same record. It stops twice, or every few calls and once
 * at each of a few places too; where it stops first depends on the turn, so that settings of a protocol stop at different places.
 */
async function expectResumed(
  { bound }: Setting,
  terms: TrialTerms,
  kase: Case,
  whole: MemoryRecord,
  total: number,
  turn: number,
) {
  const step = Math.ceil(total / (exhaustive ? manyCalls : 2));
  const first = turn % step;
  const often = [first, ...Array.from({ length: Math.ceil((total - first) / step) - 1 }, () => step)];
  const once = Array.from({ length: Math.min(total, 4) }, (_, index) => [Math.floor((index * total) / 4)]);
  for (const stops of exhaustive ? [...once, often] : [often]) {
    const record = emptyRecord();
    for (const most of stops) {
      let made = 0;
      const stopped = scriptedEffects(() => {
        if (made++ >= most) throw new Error('the power went');
        return null;
      });
      await expect(runInMemory(record, bound, terms, kase, stopped)).rejects.toThrow('the power went');
    }
    const last = scriptedEffects();
    await runInMemory(record, bound, terms, kase, last);
    expect(last.calls).toHaveLength(total - stops.reduce((sum, most) => sum + most, 0));
    expect(withoutTimes(record)).toEqual(withoutTimes(whole));
  }
}

interface Held extends ReturnType<typeof prepare> {
  readonly setting: Setting;
  readonly record: MemoryRecord;
  readonly effects: ReturnType<typeof scriptedEffects>;
}

function expectPlannedCalls({ setting, kase, record, effects }: Held): void {
  const { min, max } = setting.bound.plannedCalls(kase);
  expect(askedKeys(effects.calls).length).toBeGreaterThanOrEqual(min);
  expect(askedKeys(effects.calls).length).toBeLessThanOrEqual(max);
  expect(askedKeys(effects.sharedCalls).length).toBeLessThanOrEqual(setting.bound.sharedCalls(kase));
  expect(record.events.filter(({ kind }) => kind === 'ruling-give')).toHaveLength(kase.labels.length === 0 ? 0 : 1);
}

/** Every role sees what the table of who sees what grants it, and no more. */
function expectGrantedSight({ setting, kase, record, effects }: Held): void {
  const publicMarks = new Set(publicTexts(record).flatMap((text) => marksIn(text).map(({ mark }) => mark)));
  for (const call of effects.calls) {
    const sight = setting.protocol.sees[plainRole(call.role)];
    expect(sight, `role ${call.role} is missing from the table`).toBeDefined();
    for (const { mark, role, key } of marksIn(textOf(call))) {
      const shared = key.startsWith('once/');
      const own = role === call.role && sight?.ownNotes;
      const granted = shared ? sight?.examples : publicMarks.has(mark) ? sight?.utterances !== false : own;
      expect(granted, `${call.key}: ${mark} in a prompt of ${call.role}`).toBe(true);
    }
    const place = record.events.findIndex(({ kind, payload }) => kind === 'call-answer' && payload.key === call.key);
    const isLookedUp = record.events.slice(0, place).some(({ kind }) => kind === 'precedent-retrieve');
    expect(textOf(call).includes('known example number'), `${call.key}: examples`).toBe(
      (setting.bound.shots > 0 || isLookedUp) && sight?.examples === true,
    );
    for (const { value } of kase.facts) expect(textOf(call)).toContain(value);
    expect(textOf(call)).toContain(kase.question);
  }
}

/** Every public utterance so far is in order in every prompt that may see it. */
function expectUtterancesInOrder({ setting, record, effects }: Held): void {
  let spoken: string[] = [];
  for (const event of record.events) {
    if (event.kind === 'utterance-make') spoken = [...spoken, record.texts.get(event.payload.text) ?? ''];
    if (event.kind !== 'call-answer' || setting.protocol.sees[plainRole(event.payload.role)]?.utterances !== true) continue;
    if (setting.protocol.sees[plainRole(event.payload.role)]?.some !== undefined) continue;
    const call = effects.calls.find(({ key }) => key === event.payload.key);
    const places = spoken.map((text) => (call === undefined ? -1 : textOf(call).indexOf(text)));
    expect(
      places.every((place) => place >= 0),
      event.payload.key,
    ).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  }
}

test.each(all)(
  '$name: ends decided within its planned calls, shows each role what it may see, replays identically and continues after any call',
  async (setting) => {
    const held: Held = { setting, ...prepare(setting), record: emptyRecord(), effects: scriptedEffects() };
    const { record, kase, terms } = held;
    const end = await runInMemory(record, setting.bound, terms, kase, held.effects);
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    expectPlannedCalls(held);
    expectGrantedSight(held);
    expectUtterancesInOrder(held);
    const before = JSON.stringify(withoutTimes(record));
    expect(await replayInMemory(record, setting.bound, terms, kase)).toEqual({ end, unused: [] });
    expect(JSON.stringify(withoutTimes(record))).toBe(before);
    // In the short suite every other setting, which has each parameter many times.
    const turn = all.indexOf(setting);
    if (exhaustive || turn % 2 === 0)
      await expectResumed(setting, terms, kase, record, held.effects.calls.length, Math.floor(turn / 2));
  },
);

const sources: readonly BeliefChoice[] = ['logprobs', { sampled: 3 }];
/** Whether anyone states a belief in such trials: if no one predicts, a verdict is shares of votes at most. */
function takesBeliefs(setting: (typeof all)[number]): boolean {
  const { kase } = prepare(setting);
  return setting.bound.plannedCalls(kase, { sampled: 1 }).max > setting.bound.plannedCalls(kase).max;
}

const settingsBySource = few.filter(takesBeliefs).flatMap((setting) =>
  sources
    // Refused beforehand: see `beliefRefusal`.
    .filter((belief) => belief !== 'logprobs' || !setting.multiLabel)
    .map((belief) => ({ ...setting, belief, name: `${setting.name}, belief ${JSON.stringify(belief)}` })),
);

describe.each(settingsBySource)('$name', (setting) => {
  const { belief, bound } = setting;
  const source = belief === 'logprobs' ? 'logprobs' : 'sampled';
  const stated = (record: MemoryRecord) =>
    record.events.flatMap((event) => (event.kind === 'ruling-give' || event.kind === 'belief-update' ? [event.payload] : []));
  /** Those of one role: shares of votes and mixtures, and what a protocol makes of several beliefs, belong to no role. */
  const ownBeliefs = (record: MemoryRecord) =>
    stated(record).filter(({ source: from }) => from !== 'votes' && from !== 'mixture' && from !== 'smoothed');
  const begin = () => {
    const { kase, terms } = prepare(setting);
    return { kase, terms: { ...terms, belief } };
  };

  test('beliefs are from the source, with what was stated; planned calls, replay and resuming are as without', async () => {
    const { kase, terms } = begin();
    const verbal = emptyRecord();
    await runInMemory(verbal, bound, { ...terms, belief: 'verbal' }, kase, scriptedEffects());
    const record = emptyRecord();
    const effects = scriptedEffects();
    const end = await runInMemory(record, bound, terms, kase, effects);
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    expect(
      ownBeliefs(record).map(({ key, prediction, confidence, source: from, grounds }) => [
        key,
        prediction,
        confidence,
        from,
        grounds?.verbal,
      ]),
    ).toEqual(
      ownBeliefs(verbal).map(({ key, prediction, confidence, belief: said }) => [key, prediction, confidence, source, said]),
    );
    for (const { belief: found, grounds, source: from } of stated(record)) {
      expect(found).not.toBeNull();
      expect(Object.keys(found ?? {})).toEqual(bound.contested(kase.labels));
      if (from === 'votes') expect(grounds?.votes?.asked).toBeGreaterThan(0);
      else if (from === 'mixture') expect(Object.keys(grounds?.mixture?.weights ?? {}).length).toBeGreaterThan(1);
      else if (from === 'smoothed') expect(grounds).toBeUndefined();
      else if (belief === 'logprobs') expect(grounds?.logprobs?.status).toBe('used');
      else expect(grounds?.sampled).toMatchObject({ asked: 3, failures: {} });
    }
    const planned = bound.plannedCalls(kase, belief);
    expect(askedKeys(effects.calls).length).toBeGreaterThanOrEqual(planned.min);
    expect(askedKeys(effects.calls).length).toBeLessThanOrEqual(planned.max);
    const before = JSON.stringify(withoutTimes(record));
    expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
    expect(JSON.stringify(withoutTimes(record))).toBe(before);
    await expectResumed(setting, terms, kase, record, effects.calls.length, settingsBySource.indexOf(setting));

    // Samples repeat the prompt of the answer with other seeds, and no other prompt contains them.
    const samples = effects.calls.filter(({ key }) => key.includes('/sample-'));
    expect(samples.length > 0).toBe(belief !== 'logprobs');
    for (const { key, role, request } of samples) {
      const first = effects.calls.find((call) => call.key === key.replace(/sample-\d+\//, ''));
      expect(role).toBe(first?.role);
      expect({ ...request, options: { ...request.options, seed: 0 } }).toEqual({
        ...first?.request,
        options: { ...first?.request.options, seed: 0 },
      });
    }
    expect(new Set(effects.calls.map(({ request }) => request.options.seed)).size).toBe(effects.calls.length);
    for (const call of effects.calls) {
      for (const marked of marksIn(textOf(call))) expect(marked.key, call.key).not.toContain('/sample-');
    }
  });

  test('samples and tokens that fail cost the belief alone, never the trial', async () => {
    const { kase, terms } = begin();
    const record = emptyRecord();
    const effects: Effects & { calls: PreparedCall[] } = scriptedEffects((call) =>
      call.key.includes('/sample-') ? answered('I would rather not say it in JSON.') : null,
    );
    const withoutTokens: Effects = {
      ...effects,
      async perform(call) {
        const report = await effects.perform(call);
        return report.result === null ? report : { ...report, result: { ...report.result, logprobs: undefined } };
      },
    };
    const end = await runInMemory(record, bound, terms, kase, withoutTokens);
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    for (const { belief: found, source: from, inconsistent, grounds } of ownBeliefs(record)) {
      expect([found, from, inconsistent]).toEqual([null, source, false]);
      if (belief === 'logprobs')
        expect(grounds?.logprobs).toEqual({ status: 'not-reported', coverage: 0, doubt: 1, missing: [] });
      else expect(grounds?.sampled).toMatchObject({ asked: 3, failures: { malformed: 3 } });
    }
    expect(await replayInMemory(record, bound, terms, kase)).toEqual({ end, unused: [] });
  });
});

describe.each(protocols.map((protocol) => ({ protocol, name: `${protocol.id} ${protocol.version}` })))(
  '$name',
  ({ protocol }) => {
    test('refuses, in a sentence, every case that it does not accept', () => {
      const bound = protocol.bind(protocol.preset);
      for (const kind of caseKinds) {
        for (const labels of [1, ...labelCounts]) {
          const { labels: names } = caseOf(kind, labels);
          const accepted =
            protocol.accepts.kinds.includes(kind) &&
            ((labels === 0 && protocol.accepts.open) ||
              (labels >= protocol.accepts.labels[0] && labels <= protocol.accepts.labels[1]));
          const refused = bound.refusal({ kind, labels: names, multiLabel: false });
          if (accepted) expect(refused).toBeNull();
          else expect(refused).toMatch(new RegExp(protocol.id));
        }
      }
      if (!protocol.accepts.multiLabel)
        expect(bound.refusal({ kind: 'tabular', labels: ['a', 'b'], multiLabel: true })).toMatch(/multi-label/);
    });

    test('knows every role that it names, and its preset is a valid choice of parameters', () => {
      expect(Object.keys(protocol.sees).toSorted()).toEqual([...protocol.roles].toSorted());
      expect(protocol.bind(protocol.preset).params).toEqual(protocol.preset);
      expect(() => protocol.bind({ noSuchParameter: 1 })).toThrow();
    });

    test('keeps the longest possible prefix: facts and rules first, the role and its notes last', async () => {
      const kase = caseOf('tabular', 2);
      const bound = protocol.bind({});
      const effects = scriptedEffects();
      await runInMemory(emptyRecord(), bound, termsFor(protocol, examplesOf(bound.shots, kase.labels), retries), kase, effects);
      const [first] = effects.calls;
      for (const call of effects.calls) {
        expect(call.request.messages[0]).toEqual(first?.request.messages[0]);
        const facts = textOf(call).indexOf(kase.facts[0]?.value ?? '');
        const marks = marksIn(textOf(call)).filter(({ key }) => !key.startsWith('once/'));
        for (const { mark } of marks) expect(textOf(call).indexOf(mark)).toBeGreaterThan(facts);
      }
    });

    test('shares rules and facts between arms that differ in a parameter, unless it is a rule itself', async () => {
      const kase = caseOf('tabular', 2);
      const callsWith = async (bound: BoundProtocol) => {
        const effects = scriptedEffects();
        await runInMemory(emptyRecord(), bound, termsFor(protocol, examplesOf(bound.shots, kase.labels), retries), kase, effects);
        return effects.calls;
      };
      const usual = protocol.bind({});
      const [first] = await callsWith(usual);
      const prompt = first === undefined ? '' : textOf(first);
      const facts = prompt.indexOf(kase.facts.at(-1)?.value ?? '');
      expect(facts).toBeGreaterThan(0);
      const choices = pairwiseParameters(protocol.paramsSchema).flatMap((params) => Object.entries(params as Parameters));
      const apart = new Set<string>();
      for (const [name, value] of new Map(choices.map((choice) => [JSON.stringify(choice), choice])).values()) {
        const bound = boundTo(protocol, { ...(usual.params as Parameters), [name]: value });
        const same = (bound === null ? [] : await callsWith(bound)).find(({ key }) => key === first?.key);
        if (same !== undefined && !textOf(same).startsWith(prompt.slice(0, facts))) apart.add(name);
      }
      expect([...apart].filter((name) => name !== 'knowledge' && name !== 'stances')).toEqual([]);
    });
  },
);
