import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { EventPayload } from '../../shared/events.ts';
import type { BeliefChoice } from '../../shared/experiment.ts';
import type { TokenReport } from '../../shared/model.ts';
import type { AnswerSpec } from '../answers/answer.ts';
import { readLabelTokens } from '../beliefs/labelTokens.ts';
import type { Prompt } from '../prompts/wording.ts';
import { certaintyShape, labelSchema } from '../protocols/labelBelief.ts';
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
import { labelSetSpec } from '../protocols/verdict.ts';
import type { CallReport, PreparedCall } from './effects.ts';

const kase = caseOf('text', 2);
const labels = ['NO', 'YES'];
const verdict: AnswerSpec<unknown> = {
  name: 'verdict',
  schema: z.object({ prediction: labelSchema(labels), ...certaintyShape(labels) }),
  labelFields: ['prediction'],
  labels,
};
const speech: AnswerSpec<unknown> = { name: 'speech', schema: z.object({ say: z.string() }), labelFields: [], labels: [] };
const prompt: Prompt = [{ role: 'user', parts: ['facts', 'task'] }];

const oneVerdict = acting(async (court) => {
  const answer = await court.ask('ask', 'judge', prompt, verdict, { temperature: 0.5 });
  court.rule('ruling', { role: 'judge', ...(await court.belief(answer, labels)) });
});

const terms = (belief: BeliefChoice) =>
  plainTerms({ belief, castOf: () => ({ model: 'model', backend: 'default', options: { temperature: 0.9 } }) });

const said = (prediction: string, confidence: number) => `{"prediction":"${prediction}","confidence":${confidence}}`;

async function hold(belief: BeliefChoice, reports: readonly (string | CallReport)[], protocol = oneVerdict) {
  const record = emptyRecord();
  const calls: PreparedCall[] = [];
  const perform = (call: PreparedCall) => {
    const next = reports[calls.push(call) - 1];
    if (next === undefined) throw new Error('one call too many');
    return Promise.resolve(typeof next === 'string' ? answered(next) : next);
  };
  const end = await runInMemory(record, protocol, terms(belief), kase, { ...scriptedEffects(), perform });
  expect(await replayInMemory(record, protocol, terms(belief), kase)).toEqual({ end, unused: [] });
  const ruling = record.events.find((event) => event.kind === 'ruling-give')?.payload as EventPayload<'ruling-give'> | undefined;
  return { record, end, ruling, calls, left: reports.length - calls.length };
}

const callsOf = (record: MemoryRecord) => record.events.flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));

const set = (applies: readonly string[], NO: number, YES: number) =>
  JSON.stringify({ reason: 'so', applies, likelihoods: { NO, YES } });

const oneSet = acting(async (court) => {
  const answer = await court.ask('ask', 'judge', prompt, labelSetSpec('causes', labels), { temperature: 0.5 });
  court.rule('ruling', { role: 'judge', ...(await court.belief(answer, labels)) });
});

describe('sets of labels', () => {
  test('stated: each number by itself, no confidence, and the set is kept against its numbers', async () => {
    const { ruling } = await hold('verbal', [set(['YES', 'NO'], 90, 30)], oneSet);
    expect(ruling).toMatchObject({
      prediction: ['NO', 'YES'],
      confidence: null,
      belief: { NO: 0.9, YES: 0.3 },
      source: 'verbal',
      inconsistent: true,
    });
  });

  test('sampled: the share of the answers whose set has the label, the empty set among them', async () => {
    const samples = [set(['NO', 'YES'], 80, 80), set([], 10, 10), 'nonsense', set(['YES'], 10, 80), set(['YES'], 0, 80)];
    const { ruling } = await hold({ sampled: 5 }, [set(['YES'], 20, 70), ...samples], oneSet);
    expect(ruling).toMatchObject({
      prediction: ['YES'],
      belief: { NO: 0.25, YES: 0.75 },
      source: 'sampled',
      inconsistent: false,
      grounds: {
        verbal: { NO: 0.2, YES: 0.7 },
        sampled: { asked: 5, counts: { NO: 1, YES: 3 }, failures: { malformed: 1 } },
      },
    });
  });
});

describe('samples', () => {
  test('give the belief; prediction and confidence stay those of the first answer, and the two may disagree', async () => {
    const { ruling, calls } = await hold({ sampled: 4 }, [
      said('NO', 75),
      said('YES', 60),
      said('YES', 90),
      said('NO', 55),
      said('YES', 70),
    ]);
    expect(ruling).toMatchObject({
      prediction: 'NO',
      confidence: 0.75,
      belief: { NO: 0.25, YES: 0.75 },
      source: 'sampled',
      inconsistent: true,
      grounds: { verbal: { NO: 0.75, YES: 0.25 }, sampled: { asked: 4, counts: { NO: 1, YES: 3 }, failures: {} } },
    });
    expect(new Set(calls.map(({ request }) => request.options.temperature))).toEqual(new Set([0.9]));
  });

  test('that fail as answers are counted apart and not asked again; calls that fail are made again as they were', async () => {
    const { ruling, calls, left } = await hold({ sampled: 5 }, [
      said('YES', 75),
      'no JSON at all',
      failed('timeout', false),
      said('YES', 70),
      answered(said('NO', 60), 'length'),
      failed('overflow', true),
      said('NO', 60),
    ]);
    expect(left).toBe(0);
    expect(calls.map(({ key }) => key.replace('ask/', ''))).toEqual([
      'attempt-1',
      'sample-1/attempt-1',
      'sample-2/attempt-1',
      'sample-2/attempt-2',
      'sample-3/attempt-1',
      'sample-4/attempt-1',
      'sample-5/attempt-1',
    ]);
    expect(new Set(calls.map(({ request }) => JSON.stringify(request.messages))).size).toBe(1);
    expect(ruling?.belief).toEqual({ NO: 0.5, YES: 0.5 });
    expect(ruling?.grounds?.sampled).toEqual({
      asked: 5,
      counts: { NO: 1, YES: 1 },
      failures: { malformed: 1, truncated: 1, overflow: 1 },
    });
  });

  test('whose call fails to the last attempt are one failure each', async () => {
    const { ruling, left } = await hold({ sampled: 1 }, [
      said('YES', 75),
      ...Array.from({ length: 3 }, () => failed('backend_error', false)),
    ]);
    expect(left).toBe(0);
    expect(ruling).toMatchObject({ belief: null, inconsistent: false, grounds: { sampled: { failures: { backend_error: 1 } } } });
  });

  test('ask the first prompt, also where the answer came only after a correction', async () => {
    const { calls } = await hold({ sampled: 1 }, ['nonsense', said('YES', 75), said('YES', 75)]);
    expect(calls[2]?.request.messages).toEqual(calls[0]?.request.messages);
    expect(calls[1]?.request.messages).not.toEqual(calls[0]?.request.messages);
  });

  test('are not drawn for an answer that never came', async () => {
    const { end, calls } = await hold({ sampled: 3 }, ['a', 'b', 'c']);
    expect(end.outcome).toBe('malformed');
    expect(calls).toHaveLength(3);
  });

  test('are drawn once for all beliefs of one answer', async () => {
    const twice = acting(async (court) => {
      const answer = await court.ask('ask', 'judge', prompt, verdict, { temperature: 0.5 });
      court.believe('first', { role: 'judge', ...(await court.belief(answer, labels)), moment: 'live', after: null });
      court.rule('ruling', { role: 'judge', ...(await court.belief(answer, labels)) });
    });
    expect((await hold({ sampled: 2 }, [said('NO', 75), said('NO', 75), said('NO', 75)], twice)).left).toBe(0);
  });
});

const sure = (token: string): TokenReport => ({ token, logprob: 0, top: [{ token, logprob: 0 }] });
const choice = (token: string, others: Readonly<Record<string, number>>): TokenReport => {
  const top = Object.entries(others).map(([name, mass]) => ({ token: name, logprob: Math.log(mass) }));
  return { token, logprob: Math.log(others[token] ?? 1), top };
};
const withTokens = (text: string, logprobs: readonly TokenReport[]): CallReport => {
  const report = answered(text);
  return report.result === null ? report : { ...report, result: { ...report.result, logprobs } };
};
const yesOrNo = (masses: Readonly<Record<string, number>>) =>
  withTokens(said('YES', 75), [sure('{"prediction":'), sure('"'), choice('YES', masses), ...[...'","confidence":75}'].map(sure)]);

describe('token probabilities', () => {
  test('give the belief, in addition to the stated one, and only the label of them is kept', async () => {
    const { ruling, record, calls } = await hold('logprobs', [yesOrNo({ YES: 0.3, NO: 0.6, Perhaps: 0.1 })]);
    expect(calls[0]?.request.options.topLogprobs).toBe(20);
    expect(ruling).toMatchObject({ prediction: 'YES', confidence: 0.75, source: 'logprobs', inconsistent: true });
    expect(ruling?.belief?.NO).toBeCloseTo(2 / 3, 5);
    expect(ruling?.grounds).toMatchObject({ verbal: { NO: 0.25, YES: 0.75 }, logprobs: { status: 'used', missing: [] } });
    expect(ruling?.grounds?.logprobs?.coverage).toBeCloseTo(0.9, 5);
    const [call] = callsOf(record);
    const places = readLabelTokens(record.texts.get(call?.logprobs ?? '') ?? '');
    expect(places.map(({ path, steps }) => [path, steps.map(([token]) => token)])).toEqual([['prediction', ['"', 'YES']]]);
  });

  test.each([
    { name: 'the model meant something else', report: yesOrNo({ YES: 0.2, NO: 0.1, I: 0.7 }), status: 'too-little' },
    { name: 'the server reports none', report: answered(said('YES', 75)), status: 'not-reported' },
    { name: 'the tokens are those of another text', report: withTokens(said('YES', 75), [sure('?')]), status: 'not-located' },
  ])('where $name there is no belief, and no stated one in its place', async ({ report, status }) => {
    const { ruling, end } = await hold('logprobs', [report]);
    expect(end.outcome).toBe('decided');
    expect(ruling).toMatchObject({ prediction: 'YES', confidence: 0.75, belief: null, source: 'logprobs', inconsistent: false });
    expect(ruling?.grounds).toMatchObject({ verbal: { NO: 0.25, YES: 0.75 }, logprobs: { status } });
  });

  test('are asked for only where an answer holds a label, and of refused answers none are kept', async () => {
    const protocol = acting(async (court) => {
      await court.ask('say', 'judge', prompt, speech, { temperature: 0.5 });
      await oneVerdict.run(court, kase);
    });
    const refused = withTokens('no', [sure('no')]);
    const { calls, record } = await hold('logprobs', ['{"say":"so"}', refused, yesOrNo({ YES: 0.9, NO: 0.1 })], protocol);
    expect(calls.map(({ request }) => request.options.topLogprobs)).toEqual([undefined, 20, 20]);
    expect(callsOf(record).map(({ logprobs }) => logprobs !== undefined)).toEqual([false, false, true]);
  });
});

test('a stated belief needs neither tokens nor samples, and its record has nothing of them', async () => {
  const { ruling, calls, record } = await hold('verbal', [yesOrNo({ YES: 0.3, NO: 0.7 })]);
  expect(calls).toHaveLength(1);
  expect(JSON.stringify(calls[0]?.request)).not.toContain('topLogprobs');
  expect(ruling).toMatchObject({ belief: { NO: 0.25, YES: 0.75 }, source: 'verbal' });
  expect(ruling).not.toHaveProperty('grounds');
  expect(callsOf(record)[0]).not.toHaveProperty('logprobs');
});

test('a belief is taken from an answer as the court gave it', async () => {
  const copying = acting(async (court) => {
    const answer = await court.ask('ask', 'judge', prompt, verdict, { temperature: 0.5 });
    await court.belief({ ...answer }, labels);
  });
  await expect(hold('logprobs', [said('YES', 75)], copying)).rejects.toThrow('as it gave it');
});
