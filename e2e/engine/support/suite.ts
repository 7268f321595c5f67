import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { firstLetter } from '../../../build/engine/tinyModel.ts';
import { root } from '../../../build/repository.ts';
import { findProtocol, protocols } from '../../../src/core/protocols/index.ts';
import { connectBackends } from '../../../src/main/engine/lab/backends.ts';
import { createDispatcher } from '../../../src/main/engine/models/dispatcher.ts';
import type { LanguageModel } from '../../../src/main/engine/models/port.ts';
import type { CallFailure, CallOptions, CompletionRequest, JsonSchema } from '../../../src/shared/model.ts';
import { contextOfSlot, type RealEngine } from './engine.ts';
import { openExperiment, type RealPlan } from './experiment.ts';

const verdictSchema = z.strictObject({
  reasons: z.array(z.string().max(60)).min(1).max(3),
  weight: z.int().min(1).max(10),
  prediction: z.enum(['NO', 'YES']),
});

/** An answer longer than the context: several at once are surely under way together. */
const longSchema: JsonSchema = {
  type: 'array',
  minItems: 100,
  maxItems: 100,
  items: { type: 'array', minItems: 20, maxItems: 20, items: { type: 'string', minLength: 8, maxLength: 12 } },
};

/** Tokens of an answer that is surely under way still when others begin, or when no one waits for it any more. */
const longAnswer = 1500;
const endlessAnswer = 7000;

/**
 * Milliseconds for a trial of any protocol. The longest asks 28 questions one after the other, each of them again where
 * its answer does not fit, and an answer of a thousand letters takes seconds on a processor that others use too: on a
 * loaded machine of two cores a trial of EVINCE was seen to take more than two minutes.
 */
const trialLimit = 600_000;

const options: CallOptions = { temperature: 0.7, seed: 1, numCtx: contextOfSlot, numPredict: 1000 };

/** Tests that every engine passes, through the program's own backend for it. */
export function testEngine(start: () => Promise<RealEngine>): {
  engine(): RealEngine;
  model(): LanguageModel;
  request(change?: Partial<CallOptions>, schema?: JsonSchema): CompletionRequest;
  /** Asks for an answer that does not end by itself. */
  askEndless(signal: AbortSignal, seed: number, onText: () => void): Promise<unknown>;
} {
  let engine: RealEngine;
  const opened: { close(): Promise<void> }[] = [];
  let model: LanguageModel;

  beforeAll(async () => {
    engine = await start();
    opened.push(engine);
    const dispatcher = createDispatcher({ allowedHosts: [] });
    opened.push(dispatcher);
    const connected = connectBackends(dispatcher, { default: engine.backend }, { timeoutSeconds: 60, idleSeconds: 60 });
    const found = connected.get('default');
    if (found === undefined) throw new Error('no backend');
    model = found;
  });
  afterEach(({ task }) => {
    if (task.result?.state !== 'fail' || engine.process === null) return;
    const file = join(root, 'test-results/engine-server.log');
    writeFileSync(file, engine.process.log());
    process.stderr.write(`${task.name}: ${engine.process.ending()}\nAll of it: ${file}\n`);
  });
  afterAll(async () => {
    for (const each of opened.reverse()) await each.close();
  });

  const request = (change: Partial<CallOptions> = {}, schema: JsonSchema = z.toJSONSchema(verdictSchema)): CompletionRequest => ({
    model: engine.model,
    messages: [{ role: 'user', content: 'He is 22 and was arrested twice. Will he be arrested again?' }],
    schema,
    options: { ...options, ...change },
  });
  const ask = (change?: Partial<CallOptions>) => model.complete(request(change), new AbortController().signal);
  const askLong = (signal: AbortSignal, numPredict: number, seed: number, onText: () => void) =>
    model.complete(request({ seed, numPredict }, longSchema), signal, onText);
  const askEndless = (signal: AbortSignal, seed: number, onText: () => void) => askLong(signal, endlessAnswer, seed, onText);

  test('reports its version and its models', async () => {
    const { version, standin, anyModel } = await model.version();
    expect(version).not.toBe('');
    expect({ standin, anyModel }).toEqual({ standin: false, anyModel: undefined });
    expect((await model.models()).map(({ name }) => name.replace(/:latest$/, ''))).toContain(engine.model);
  });

  test('keeps to the schema in 20 of 20 answers, and chooses within it', async () => {
    const chosen = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) {
      const { text, doneReason, promptTokens, completionTokens, standin } = await ask({ seed });
      chosen.add(verdictSchema.parse(JSON.parse(text)).prediction);
      expect({ doneReason, standin }).toEqual({ doneReason: 'stop', standin: false });
      expect(promptTokens).toBeGreaterThan(50);
      // The model has one token a character.
      expect(completionTokens).toBeGreaterThanOrEqual(text.length);
    }
    expect([...chosen].sort()).toEqual(['NO', 'YES']);
  });

  test('says the same again with the same seed', async () => {
    const answers = [await ask({ seed: 7 }), await ask({ seed: 8 }), await ask({ seed: 7 })].map(({ text }) => text);
    expect(answers[2]).toBe(answers[0]);
    expect(answers[1]).not.toBe(answers[0]);
  });

  test('says that an answer was cut off', async () => {
    expect(await ask({ numPredict: 5 })).toMatchObject({ doneReason: 'length', completionTokens: 5 });
  });

  test('reports how likely each token of the answer was', async () => {
    const { text, logprobs = [] } = await ask({ temperature: 0, topLogprobs: 5 });
    expect(
      logprobs
        .map(({ token }) => token)
        .join('')
        .slice(0, text.length),
    ).toBe(text);
    for (const { logprob, top } of logprobs) {
      expect(logprob).toBeLessThanOrEqual(0);
      expect(top.length).toBeGreaterThan(0);
      expect(top.length).toBeLessThanOrEqual(5);
      expect(top.reduce((sum, each) => sum + Math.exp(each.logprob), 0)).toBeLessThanOrEqual(1.001);
    }
  });

  test('refuses a prompt that is too long, for good, and says how long it was', async () => {
    const messages = [{ role: 'user' as const, content: 'word '.repeat(contextOfSlot) }];
    const asked = model.complete({ ...request(), messages }, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({
      name: 'CallFailure',
      kind: 'overflow',
      permanent: true,
    } satisfies Partial<CallFailure>);
    await expect(asked).rejects.toThrow(/exceed/);
  });

  test('makes vectors of texts', async () => {
    const [one = [], anagram = [], other = []] = await engine.embed(['listen', 'silent', 'puzzle']);
    const cosine = (a: readonly number[], b: readonly number[]) => {
      const dot = (x: readonly number[], y: readonly number[]) =>
        x.reduce((sum, value, index) => sum + value * (y[index] ?? 0), 0);
      return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    };
    expect(one.length).toBe(96);
    // The tiny model's vector of a text is the mean of its letters'.
    expect(cosine(one, anagram)).toBeCloseTo(1, 5);
    expect(cosine(one, other)).toBeLessThan(0.9);
  });

  test('answers as many at once as it has slots, and one more when one of them is done', { timeout: trialLimit }, async ({
    skip,
  }) => {
    const { process, slots } = engine;
    skip(process === null, 'somebody else decides how many this server answers at once');
    const signal = new AbortController().signal;
    /** Pieces of each answer so far, and as they were when each of the answers began. */
    const pieces = Array.from({ length: slots + 1 }, () => 0);
    const atBegin: (readonly number[])[] = [];
    const ask = (_: number, index: number) =>
      askLong(signal, longAnswer, index + 1, () => {
        if (pieces[index] === 0) atBegin.push([...pieces]);
        pieces[index] = (pieces[index] ?? 0) + 1;
      });
    await Promise.all(pieces.map(ask));
    // A process that has to wait for its turn may read the end of one answer just after the beginning of the next.
    const furthest = atBegin.map((then) => Math.max(...then.map((count, index) => count / (pieces[index] ?? 1))));
    expect(furthest).toHaveLength(slots + 1);
    for (const share of furthest.slice(0, slots)) expect(share).toBeLessThan(0.5);
    expect(furthest[slots]).toBeGreaterThan(0.9);
  });

  test('stops in the middle of an answer that no one waits for', async ({ skip }) => {
    const { process, slots } = engine;
    skip(process === null, 'the log of a server that was not started here cannot be read');
    skip(process?.log().includes('slot') === false, 'its log does not name the calls');
    const lines = (pattern: RegExp) => [...(process?.log() ?? '').matchAll(pattern)].map((match) => Number(match[1]));
    const taken = () => lines(/slot\s+launch_slot_: id\s+(\d+).*processing task/g);
    /** Tokens that each call had when its slot became free. */
    const released = () => lines(/slot\s+release:.*n_tokens = (\d+)/g);
    await expect.poll(() => taken().length - released().length, { timeout: 30_000 }).toBe(0);
    const before = released().length;
    const controllers = Array.from({ length: slots }, () => new AbortController());
    const calls = controllers.map((controller, index) => askEndless(controller.signal, index + 1, () => controller.abort()));
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'AssizeError', code: 'interrupted' } });
    }
    await expect.poll(() => released().length, { timeout: 30_000 }).toBe(before + slots);
    expect(Math.max(...released().slice(before))).toBeLessThan(endlessAnswer);
    expect((await ask()).doneReason).toBe('stop');
  });

  const finished = async (plan: RealPlan, during?: Parameters<ReturnType<typeof openExperiment>['run']>[0]) => {
    const experiment = openExperiment(engine, plan);
    try {
      const report = await experiment.run(during);
      expect(report).toMatchObject({ planned: plan.cases, done: plan.cases, complete: true, standin: false });
      expect(await experiment.verify()).toMatchObject({ result: 'intact' });
      expect(await experiment.replay()).toMatchObject({ identical: plan.cases, different: 0, not_replayable: 0, unfinished: 0 });
      return report;
    } finally {
      experiment.close();
    }
  };

  describe('a trial from beginning to end, verified and replayed', () => {
    const names = [...new Set(protocols.map(({ id }) => id))].filter((id) => findProtocol(id)?.accepts.kinds.includes('tabular'));
    test.each(names)('%s', { timeout: trialLimit }, async (protocol) => {
      expect((await finished({ protocol, cases: 1 })).outcomes).toEqual({ decided: 1 });
    });
  });

  test('precedents by the vectors of an embedding model, judges in parallel, fresh hearings', async () => {
    const retriever = await engine.retriever();
    try {
      const params = { judges: 3, deliberation: 'parallel', ambiguity: 5 };
      const report = await finished({ protocol: 'courtroom', params, cases: 4, concurrency: 2, retriever });
      expect(report.outcomes).toEqual({ decided: 4 });
      expect(report.notes).toContain(`arm arm finds its precedents by the vectors of ${retriever.model}`);
    } finally {
      await retriever.close();
    }
  });

  test('a belief out of the probabilities of the label is the one that the model was made with', async () => {
    const experiment = openExperiment(engine, { protocol: 'standard', belief: 'logprobs', cases: 1 });
    try {
      expect((await experiment.run()).outcomes).toEqual({ decided: 1 });
      const [line] = await experiment.lines();
      expect(line).toMatchObject({ prediction: 'NO', belief_source: 'logprobs' });
      const odds = Math.exp(firstLetter.NO - firstLetter.YES);
      expect(line?.belief?.NO).toBeCloseTo(odds / (1 + odds), 3);
      expect(await experiment.verify()).toMatchObject({ result: 'intact' });
      expect(await experiment.replay()).toMatchObject({ identical: 1, different: 0 });
    } finally {
      experiment.close();
    }
  });

  test('a server that is killed during a run and started again: the run pauses, continues and loses nothing', async ({
    skip,
  }) => {
    const { process } = engine;
    skip(process === null, 'a server that was not started here is not killed');
    const seen: string[] = [];
    const restarted = Promise.withResolvers<void>();
    let isKilled = false;
    const run = finished({ protocol: 'agentic-sim', params: { turns: 1 }, cases: 6, concurrency: 2 }, ({ calls, paused }) => {
      if (paused !== null && !isKilled) restarted.reject(new Error('the server went away before it was killed'));
      if (paused !== null && seen.at(-1) !== 'paused') seen.push('paused');
      if (paused === null && seen.at(-1) === 'paused') seen.push('on');
      if (calls < 12 || isKilled) return;
      isKilled = true;
      const restart = async () => {
        await process?.kill();
        await expect.poll(() => seen, { timeout: 120_000 }).toEqual(['paused']);
        await process?.start();
      };
      restart().then(restarted.resolve, restarted.reject);
    });
    // Where the server is gone for good, the run would only wait for it.
    const [report] = await Promise.all([run, restarted.promise]);
    expect(seen).toEqual(['paused', 'on']);
    const { decided = 0, ...others } = report.outcomes;
    expect(decided).toBeGreaterThan(0);
    // A call that the kill cut off is asked again; it is no outcome.
    expect(Object.keys(others)).not.toContain('backend_error');
  });

  return { engine: () => engine, model: () => model, request, askEndless };
}
