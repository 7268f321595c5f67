import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EventPayload } from '../../shared/events.ts';
import { runtimeSchema } from '../../shared/experiment.ts';
import type { AnswerSpec } from '../answers/answer.ts';
import type { Prompt } from '../prompts/wording.ts';
import { type Court, TurnFailure } from '../protocols/court.ts';
import { caseOf } from '../protocols/testing/cases.ts';
import {
  acting,
  emptyRecord,
  type MemoryRecord,
  plainTerms,
  replayInMemory,
  runInMemory,
} from '../protocols/testing/memoryTrial.ts';
import { answered, failed, scriptedEffects } from '../protocols/testing/scriptedModel.ts';
import { Divergence } from './divergence.ts';
import type { CallReport, PreparedCall, TrialTerms } from './effects.ts';
import { refOf } from './hash.ts';

const kase = caseOf('text', 2);
const [no = '', yes = ''] = kase.labels;
const verdict: AnswerSpec<{ prediction: string }> = {
  name: 'verdict',
  schema: z.object({ prediction: z.enum([no, yes]) }),
  labelFields: ['prediction'],
  labels: kase.labels,
};
const prompt: Prompt = [
  { role: 'system', parts: ['rules'] },
  { role: 'user', parts: ['facts', 'task'] },
];
const { salt } = plainTerms();

const terms = (change: Partial<TrialTerms> = {}) =>
  plainTerms({
    templates: { greeting: 'Hello {{name}}' },
    runtime: runtimeSchema.parse({ retries: 2, numCtx: 4096 }),
    ...change,
  });

const ask = (court: Court, key = 'ask', spec = verdict) => court.ask(key, 'judge', prompt, spec, { temperature: 0.5 });
const stated = (prediction: string) =>
  ({ prediction, confidence: 0.5, belief: null, source: 'verbal', inconsistent: false }) as const;
const good = `{"prediction":"${yes}"}`;

const oneCall = acting(async (court) => {
  const { value } = await ask(court);
  court.rule('ruling', { role: 'judge', ...stated(value.prediction) });
});

async function attempts(reports: readonly (string | CallReport)[], protocol = oneCall, given = terms()) {
  const record = emptyRecord();
  const rest = [...reports];
  const effects = scriptedEffects(() => {
    const next = rest.shift();
    if (next === undefined) throw new Error('one call too many');
    return typeof next === 'string' ? answered(next) : next;
  });
  const end = await runInMemory(record, protocol, given, kase, effects);
  return { record, end, calls: effects.calls, left: rest.length };
}

const callsOf = (record: MemoryRecord) => record.events.flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
const spoken = (call: PreparedCall | undefined) => call?.request.messages.map(({ role, content }) => `${role}: ${content}`) ?? [];

describe('ask', () => {
  test('the cast overrides the protocol, and the protocol the runtime', async () => {
    const options = { temperature: 1.5, numPredict: 9, topP: 0.3 };
    const { calls } = await attempts([good], oneCall, terms({ castOf: () => ({ model: 'big', backend: 'far', options }) }));
    expect(calls[0]).toMatchObject({
      key: 'ask/attempt-1',
      role: 'judge',
      backend: 'far',
      request: { model: 'big', options: { ...options, numCtx: 4096 } },
    });
    const usual = await attempts([good]);
    expect(usual.calls[0]?.request.options).toMatchObject({ temperature: 0.5, numCtx: 4096, numPredict: 1024 });
  });

  test('a malformed answer is shown to the model with what was wrong, and every attempt has its own seed', async () => {
    const { record, end, calls } = await attempts(['no idea', '{"prediction":"maybe"}', good]);
    expect(end).toEqual({ outcome: 'decided', incomplete: false });
    expect(calls.map(({ key }) => key)).toEqual(['ask/attempt-1', 'ask/attempt-2', 'ask/attempt-3']);
    expect(new Set(calls.map(({ request }) => request.options.seed)).size).toBe(3);
    const [first, second, third] = calls.map(spoken);
    expect(second?.slice(0, 2)).toEqual(first);
    expect(second?.[2]).toBe('assistant: no idea');
    expect(second?.[3]).toMatch(/^user: .*could not be used/s);
    // Only the last answer is shown: attempts do not pile up.
    expect(third).toHaveLength(4);
    expect(third?.[2]).toBe('assistant: {"prediction":"maybe"}');
    expect(callsOf(record).map(({ method, rejected }) => method ?? rejected)).toEqual(['malformed', 'invalid_label', 'json']);
  });

  test('a cut answer is not shown again: the model is asked to be shorter', async () => {
    const { calls } = await attempts([answered(good, 'length'), good]);
    const [first, second] = calls.map(spoken);
    expect(second).toHaveLength(2);
    expect(second?.[1]?.startsWith(first?.[1] ?? '?')).toBe(true);
    expect(second?.[1]).toContain('cut off');
  });

  const castWith = (repeatPenalty: number) => ({
    castOf: () => ({ model: 'm', backend: 'default', options: { repeatPenalty } }),
  });
  test.each([
    { given: {}, penalties: [undefined, 1.15] },
    { given: castWith(1.3), penalties: [1.3, 1.3] },
    { given: { belief: 'logprobs', ...castWith(1.05) } as const, penalties: [1.05, 1.05] },
    { given: { paper: true }, penalties: [undefined, undefined] },
  ])('an answer that looped is requested again, with penalties $penalties, and not shown again', async ({ given, penalties }) => {
    const { calls, record } = await attempts([answered('{"reason":"high high', 'loop'), good], oneCall, terms(given));
    expect(calls.map(({ request }) => request.options.repeatPenalty)).toEqual(penalties);
    expect(new Set(calls.map(({ request }) => request.options.seed)).size).toBe(2);
    expect(spoken(calls[1])).toHaveLength(2);
    expect(spoken(calls[1])[1]).toContain('repeated itself');
    expect(callsOf(record)[0]).toMatchObject({ done: 'loop', rejected: 'truncated' });
    expect((await replayInMemory(record, oneCall, terms(given), kase)).end.outcome).toBe('decided');
  });

  test('a failed call is made again as it was', async () => {
    const { calls, end } = await attempts([failed('timeout', false), good]);
    expect(spoken(calls[1])).toEqual(spoken(calls[0]));
    expect(end.outcome).toBe('decided');
  });

  test.each([
    { reports: ['', 'x', 'y'], outcome: 'malformed', left: 0 },
    { reports: ['', failed('backend_error', false), failed('timeout', false)], outcome: 'timeout', left: 0 },
    { reports: ['x', 'y', answered(good, 'length')], outcome: 'truncated', left: 0 },
    { reports: ['x', 'y', answered('high high', 'loop')], outcome: 'truncated', left: 0 },
    { reports: [failed('overflow', true), good], outcome: 'overflow', left: 1 },
    { reports: ['x', failed('backend_error', true), good], outcome: 'backend_error', left: 1 },
    { reports: ['{"prediction":"undecided"}', good], outcome: 'undecided', left: 1 },
  ])('attempts end with $outcome, and $left answers are not asked for', async ({ reports, outcome, left }) => {
    const result = await attempts(reports);
    expect(result.end).toEqual({ outcome, incomplete: false });
    expect(result.left).toBe(left);
  });

  test('the failure names the turn and the last kind', async () => {
    let caught: unknown;
    const protocol = acting(async (court) => {
      try {
        await ask(court, 'turn-1/judge');
      } catch (error) {
        caught = error;
        if (!(error instanceof TurnFailure)) throw error;
        court.forfeit('turn-1/forfeit', 'judge', error);
      }
      court.rule('ruling', { role: 'judge', ...stated(no) });
    });
    const { end, record } = await attempts(['x', failed('timeout', false), 'z'], protocol);
    expect(caught).toMatchObject({ key: 'turn-1/judge', outcome: 'malformed' });
    expect(end).toEqual({ outcome: 'decided', incomplete: true });
    expect(record.events.find(({ kind }) => kind === 'turn-forfeit')?.payload).toMatchObject({
      failure: 'malformed',
      role: 'judge',
    });
  });

  test('what is no part of the trial passes through and leaves no event', async () => {
    const record = emptyRecord();
    const effects = { ...scriptedEffects(), perform: () => Promise.reject(new Error('the power is gone')) };
    await expect(runInMemory(record, oneCall, terms(), kase, effects)).rejects.toThrow('the power is gone');
    expect(record.events).toHaveLength(1);
  });
});

describe('what is recorded', () => {
  test('texts once each, under salted names; what a server says of a failure is a text as well', async () => {
    const said = {
      ...failed('backend_error', false),
      failure: { kind: 'backend_error', message: 'echo: facts', permanent: false },
    } as const;
    const { record } = await attempts([said, good]);
    const [first, second] = callsOf(record);
    const refs = ['rules', 'facts', 'task'].map((text) => refOf(salt, text));
    for (const ref of refs) expect(record.texts.has(ref)).toBe(true);
    expect(first?.messages).toEqual([
      ['system', [refs[0]?.slice(0, 12)]],
      ['user', [refs[1]?.slice(0, 12), refs[2]?.slice(0, 12)]],
    ]);
    expect(first).toMatchObject({
      answer: null,
      failure: { kind: 'backend_error', permanent: false, message: refOf(salt, 'echo: facts') },
      rejected: 'backend_error',
    });
    expect(second).toMatchObject({ answer: refOf(salt, good), method: 'json', done: 'stop' });
    expect(JSON.stringify(record.events)).not.toContain('facts');
  });

  test('text with a lone surrogate is stored well-formed and replays identically', async () => {
    const odd = acting(async (court) => {
      const { value } = await court.ask('ask', 'judge', [{ role: 'user', parts: ['\ud800 facts', 'a\udc00'] }], verdict, {
        temperature: 0,
      });
      court.utter('say', { role: 'judge', turn: 'opening', text: 'so\ud83d', plan: '\udfff' });
      court.rule('ruling', { role: 'judge', ...stated(value.prediction) });
    });
    const { record } = await attempts([`{"prediction":"${no}","note":"\ud800"}`], odd);
    for (const text of record.texts.values()) expect(text.isWellFormed()).toBe(true);
    expect(await replayInMemory(record, odd, terms(), kase)).toEqual({
      end: { outcome: 'decided', incomplete: false },
      unused: [],
    });
  });

  test('a private plan is kept in the record and in no prompt of the court', async () => {
    const protocol = acting(async (court) => {
      court.utter('say', { role: 'prosecutor', turn: 'opening', text: 'public', plan: 'private' });
      await ask(court);
      court.rule('ruling', { role: 'judge', ...stated(yes) });
    });
    const { record, calls } = await attempts([good], protocol);
    expect(record.events.find(({ kind }) => kind === 'utterance-make')?.payload).toMatchObject({ plan: refOf(salt, 'private') });
    expect(JSON.stringify(calls)).not.toContain('private');
    expect(JSON.stringify(record.events)).not.toContain('private');
  });
});

describe('keys', () => {
  const misuses: readonly [string, (court: Court) => Promise<void> | void, RegExp][] = [
    [
      'one call twice',
      async (court) => {
        await ask(court);
        await ask(court);
      },
      /ask\/attempt-1 is used twice/,
    ],
    [
      'one step twice',
      (court) => {
        for (const value of [1, 2]) court.measure('m', 'n', value);
      },
      /m is used twice/,
    ],
    [
      'one key for two kinds',
      (court) => {
        court.measure('m', 'n', 1);
        court.utter('m', { role: 'r', turn: 't', text: 'x' });
      },
      /m is used twice/,
    ],
    [
      'two rulings',
      (court) => {
        for (const key of ['a', 'b']) court.rule(key, { role: 'judge', ...stated(yes) });
      },
      /one ruling/,
    ],
    ['no ruling', () => undefined, /without a ruling/],
    ['a template that is not there', (court) => void court.text('nothing'), /no prompt template nothing/],
    ['a slot without a value', (court) => void court.text('greeting'), /name/],
  ];

  test.each(misuses)('%s is a fault of the protocol', async (_name, misuse, message) => {
    await expect(
      attempts(
        [good, good],
        acting(async (court) => misuse(court)),
      ),
    ).rejects.toThrow(message);
  });
});

describe('resume and replay', () => {
  const speaking = acting(async (court) => {
    const { value } = await ask(court, 'first');
    court.utter('say', { role: 'judge', turn: 'opening', text: `I say ${value.prediction}` });
    court.believe('belief', { role: 'judge', ...stated(value.prediction), moment: 'live', after: 'say', notes: 'notes' });
    const second = await ask(court, 'second');
    court.rule('ruling', { role: 'judge', ...stated(second.value.prediction), opinion: second.text });
  });

  const recorded = async () => (await attempts(['x', good, good], speaking)).record;
  const until = (record: MemoryRecord, length: number): MemoryRecord => ({
    events: record.events.slice(0, length),
    texts: new Map(record.texts),
  });

  test('from any point a trial continues to the same record, asking only for what is missing', async () => {
    const whole = await recorded();
    for (let length = 1; length <= whole.events.length; length++) {
      const record = until(whole, length);
      const there = callsOf(record).length;
      const answers = ['x', good, good].slice(there);
      const effects = scriptedEffects(() => answered(answers.shift() ?? ''));
      await runInMemory(record, speaking, terms(), kase, effects);
      expect(effects.calls).toHaveLength(3 - there);
      expect(record.events.map(({ kind, payload }) => ({ kind, payload }))).toEqual(
        whole.events.map(({ kind, payload }) => ({ kind, payload })),
      );
    }
  });

  test('a whole record replays and leaves nothing over; an empty one asks for a call', async () => {
    expect(await replayInMemory(await recorded(), speaking, terms(), kase)).toEqual({
      end: { outcome: 'decided', incomplete: false },
      unused: [],
    });
    await expect(replayInMemory(emptyRecord(), speaking, terms(), kase)).rejects.toThrow(Divergence);
  });

  test('a failed trial replays to its failure', async () => {
    const { record } = await attempts([failed('overflow', true)]);
    expect(await replayInMemory(record, oneCall, terms(), kase)).toEqual({
      end: { outcome: 'overflow', incomplete: false },
      unused: [],
    });
  });

  const payload = (record: MemoryRecord, index: number) => record.events[index]?.payload as EventPayload<'call-answer'>;
  const divergences: readonly [string, (record: MemoryRecord) => void, Partial<TrialTerms>, string][] = [
    ['another request', (record) => Object.assign(payload(record, 1), { request: 'r'.repeat(43) }), {}, 'first/attempt-1'],
    [
      'another model',
      () => undefined,
      { castOf: () => ({ model: 'other', backend: 'default', options: {} }) },
      'first/attempt-1',
    ],
    [
      'another backend',
      () => undefined,
      { castOf: () => ({ model: 'model', backend: 'other', options: {} }) },
      'first/attempt-1',
    ],
    ['another seed', () => undefined, { seed: 8 }, 'first/attempt-1'],
    ['another context size', () => undefined, { runtime: runtimeSchema.parse({ retries: 2 }) }, 'first/attempt-1'],
    ['another role', (record) => Object.assign(payload(record, 2), { role: 'defense' }), {}, 'first/attempt-2'],
    [
      'another way of reading',
      (record) => Object.assign(payload(record, 2), { method: 'labelled-fields' }),
      {},
      'first/attempt-2',
    ],
    ['another flag', (record) => Object.assign(payload(record, 2), { flags: ['embedded'] }), {}, 'first/attempt-2'],
    [
      'a rejected answer that is none',
      (record) => Object.assign(payload(record, 2), { method: undefined, rejected: 'malformed' }),
      {},
      'first/attempt-2',
    ],
    ['another speech', (record) => Object.assign(record.events[3]?.payload ?? {}, { turn: 'closing' }), {}, 'say'],
    ['another belief', (record) => Object.assign(record.events[4]?.payload ?? {}, { confidence: 0.6 }), {}, 'belief'],
    ['another ruling', (record) => Object.assign(record.events[6]?.payload ?? {}, { prediction: no }), {}, 'ruling'],
  ];

  test.each(divergences)('%s stops a replay at its key', async (_name, change, given, key) => {
    const record = await recorded();
    change(record);
    await expect(replayInMemory(record, speaking, terms(given), kase)).rejects.toMatchObject({ name: 'Divergence', key });
  });

  test('a step too many is left over', async () => {
    const record = await recorded();
    const extra = { seq: 7, kind: 'measure-take', hash: '', payload: { v: 1, key: 'extra', name: 'n', value: 1 } } as const;
    record.events.push(extra);
    expect((await replayInMemory(record, speaking, terms(), kase)).unused).toEqual(['measure-take extra']);
  });
});
