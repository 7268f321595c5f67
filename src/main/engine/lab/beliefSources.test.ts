import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readLabelTokens } from '../../../core/beliefs/labelTokens.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { type TrialLine, trialLineSchema } from '../../../shared/trialLine.ts';
import { forge } from '../audit/testing/forging.ts';
import { pythonMissing, startPythonVerifier } from '../audit/testing/pythonVerifier.ts';
import { makeSampleStore, openFolder, writeExperiment } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { readDataset } from '../datasets/dataset.ts';
import { replay } from '../engine.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import { parseChain } from '../store/parseChain.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { readExperiment } from './experimentFile.ts';
import { loadFrozen } from './frozen.ts';
import { planExperiment } from './plan.ts';

const room = openFolder('beliefs');
const cast = { '*': { model: 'llama3.1:8b', options: { temperature: 0.8 } } };
const arms = [
  { name: 'cot-tokens', protocol: 'standard', belief: 'logprobs', cast },
  { name: 'cot-samples', protocol: 'standard', belief: { sampled: 4 }, cast },
  {
    name: 'court-tokens',
    protocol: 'agentic-sim',
    params: { turns: 1, beliefUpdates: 'retrospective' },
    belief: 'logprobs',
    cast,
  },
  { name: 'court-samples', protocol: 'agentic-sim', params: { turns: 1 }, belief: { sampled: 2 }, cast },
];
const beliefOf = new Map<string, unknown>(arms.map(({ name, belief }) => [name, belief]));
const cases = 3;

let path: string;
let trials: {
  line: TrialLine;
  stated: (EventPayload<'belief-update'> | EventPayload<'ruling-give'>)[];
  calls: EventPayload<'call-answer'>[];
}[];
let texts: (ref: string) => string;

beforeAll(async () => {
  // One sample of the first trial with samples goes wrong; its answer does not.
  path = await makeSampleStore(room.folder, {
    cases,
    change: { arms },
    fault: (number) => (number === cases + 2 ? 'malformed' : null),
  });
  const store = openStoreReadOnly(path);
  const frozen = loadFrozen(store, 'nlsy97-demo');
  const lineOf = lineReader(store, frozen);
  const kept = new Map<string, string>();
  trials = store.trials.ofExperiment('nlsy97-demo').map((row) => {
    const events = parseChain(store.events.chain(row.trial));
    const calls = events.flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
    for (const { logprobs } of calls) if (logprobs !== undefined) kept.set(logprobs, store.blobs.need(logprobs));
    return {
      line: lineOf(plannedAs(row), row),
      calls,
      stated: events.flatMap((event) => (event.kind === 'belief-update' || event.kind === 'ruling-give' ? [event.payload] : [])),
    };
  });
  texts = (ref) => kept.get(ref) ?? '';
  store.close();
});

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const inArm = (arm: string) => trials.filter(({ line }) => line.arm === arm);

test('every trial is decided, and its line has the belief, its source and the stated confidence', () => {
  expect(trials).toHaveLength(arms.length * cases);
  for (const { line, stated } of trials) {
    expect(trialLineSchema.parse(line)).toEqual(line);
    expect(line.outcome).toBe('decided');
    expect(line.belief_source).toBe(beliefOf.get(line.arm) === 'logprobs' ? 'logprobs' : 'sampled');
    expect(sum(Object.values(line.belief ?? {}))).toBeCloseTo(1, 6);
    const ruling = stated.at(-1);
    expect(line.confidence).toBe(ruling?.confidence);
    expect(line.confidence).toBe(ruling?.grounds?.verbal?.[String(line.prediction)]);
    const own = line.belief?.[String(line.prediction)] ?? 0;
    expect(line.inconsistent).toBe(Math.max(...Object.values(line.belief ?? {})) > own);
  }
});

test("token probabilities give the belief that the demo model's answer was drawn from", () => {
  for (const { line, stated, calls } of [...inArm('cot-tokens'), ...inArm('court-tokens')]) {
    for (const { grounds, belief, confidence, prediction } of stated) {
      expect(grounds?.logprobs?.status).toBe('used');
      expect(grounds?.logprobs?.doubt).toBeCloseTo(0, 5);
      expect(grounds?.logprobs?.coverage).toBeCloseTo(1, 5);
      // It states its own belief, rounded to whole percents.
      expect(Math.abs((belief?.[String(prediction)] ?? 0) - (confidence ?? 1))).toBeLessThan(0.15);
    }
    const [ruling] = calls.toReversed();
    const places = readLabelTokens(texts(ruling?.logprobs ?? ''));
    expect(places.map(({ path: at }) => at)).toEqual(
      line.arm === 'cot-tokens' ? ['prediction'] : ['prediction', 'belief_updates.0.prediction', 'belief_updates.1.prediction'],
    );
    expect(calls.filter(({ logprobs }) => logprobs !== undefined)).toHaveLength(1);
  }
});

test('samples are calls with separate keys, and a failed one is counted apart', () => {
  const [first, ...others] = inArm('cot-samples');
  expect(first?.calls.map(({ key }) => key)).toEqual([
    'answer/attempt-1',
    'answer/sample-1/attempt-1',
    'answer/sample-2/attempt-1',
    'answer/sample-3/attempt-1',
    'answer/sample-4/attempt-1',
  ]);
  expect(first?.line).toMatchObject({ calls: 5, attempts: 5 });
  const failed = [first, ...others].flatMap((trial) => trial?.stated.map(({ grounds }) => grounds?.sampled?.failures) ?? []);
  expect(failed).toEqual([{ malformed: 1 }, {}, {}]);
  expect(sum(Object.values(first?.stated[0]?.grounds?.sampled?.counts ?? {}))).toBe(3);
  for (const { line } of others) {
    for (const share of Object.values(line.belief ?? {})) expect([0, 0.25, 0.5, 0.75, 1]).toContain(share);
  }
  for (const { line } of inArm('court-samples')) expect(line.calls).toBe(5 + 3 * 2);
});

test('the plan counts the samples, and warns of samples at temperature 0', async () => {
  const cold = { name: 'cold', protocol: 'standard', belief: { sampled: 3 }, cast: { '*': { model: 'llama3.1:8b' } } };
  const prepared = readExperiment(writeExperiment(room.folder, { cases, change: { arms: [...arms, cold] } }));
  const data = await readDataset(prepared.dataPath, prepared.experiment.dataset, { seed: prepared.experiment.seed });
  const plan = await planExperiment(prepared, data, { done: new Map(), missingModels: [] });
  expect(plan.arms.map(({ arm, calls }) => [arm, calls.min / cases, calls.max / cases])).toEqual([
    ['cot-tokens', 1, 1],
    ['cot-samples', 5, 5],
    ['court-tokens', 3, 3],
    ['court-samples', 11, 11],
    ['cold', 4, 4],
  ]);
  expect(plan.notes.filter((note) => note.includes('temperature 0'))).toEqual([
    'arm cold samples beliefs, and at temperature 0 all samples of the role predictor are alike; set options.temperature in its cast',
  ]);
  expect(plan.checks).toContainEqual({
    text: 'arm cold samples beliefs, and at temperature 0 all samples of the role predictor are alike',
    severity: 'warning',
    remedy: 'set options.temperature in its cast',
    temperature_of: 'cold',
  });
});

describe('the record', () => {
  test('is intact for both verifiers and replays identically', async (context) => {
    expect(verifyPath(path)).toMatchObject({ result: 'intact' });
    expect(await replay(path, undefined, () => undefined)).toMatchObject({ identical: arms.length * cases, different: 0 });
    const missing = pythonMissing();
    if (missing !== null) return context.skip(missing);
    const python = startPythonVerifier();
    try {
      expect(await python.verify(path)).toMatchObject({ result: 'intact' });
    } finally {
      python.close();
    }
  });

  const tokenText = z.object({ v: z.literal(1), places: z.array(z.record(z.string(), z.unknown())) });

  test('with other token probabilities does not give the recorded belief', async () => {
    const forged = room.path('forged-tokens.db');
    const trial = inArm('cot-tokens')[0]?.line.trial ?? '';
    forge(path, forged, trial, ({ events, text, keep }) => {
      const call = events.find(({ kind }) => kind === 'call-answer');
      if (call === undefined) throw new Error('there is no call');
      const { places } = tokenText.parse(JSON.parse(text(call.payload.logprobs)));
      const lower = JSON.stringify({ v: 1, places }).replaceAll(/-\d+\.\d+/g, (logprob) => String(Number(logprob) - 0.01));
      call.payload.logprobs = keep(lower.replace(/-\d+\.\d+/, '-3'));
    });
    expect(verifyPath(forged)).toMatchObject({ result: 'intact' });
    const report = await replay(forged, undefined, () => undefined);
    expect(report).toMatchObject({ different: 1, trials: [{ trial, problem: expect.stringMatching(/^ruling: /) }] });
  });

  test('without the text of the token probabilities is not intact', () => {
    const forged = room.path('lost-tokens.db');
    const trial = inArm('cot-tokens')[0]?.line.trial ?? '';
    expect(() =>
      forge(path, forged, trial, ({ events }) => {
        const call = events.find(({ kind }) => kind === 'call-answer');
        if (call !== undefined) call.payload.logprobs = 'x'.repeat(43);
      }),
    ).not.toThrow();
    expect(verifyPath(forged)).toMatchObject({
      result: 'tampered',
      first_bad: { kind: expect.stringMatching(/text|call-answer/) },
    });
  });

  test('in which a sample was taken out does not replay', async () => {
    const forged = room.path('forged-samples.db');
    const trial = inArm('cot-samples')[1]?.line.trial ?? '';
    forge(path, forged, trial, ({ events }) => {
      events.splice(
        events.findIndex(({ payload }) => payload.key === 'answer/sample-3/attempt-1'),
        1,
      );
    });
    const report = await replay(forged, trial, () => undefined);
    expect(report).toMatchObject({
      different: 1,
      trials: [{ problem: expect.stringMatching(/^answer\/sample-3\/attempt-1: /) }],
    });
  });
});

test('a file with another source, or with no samples, is refused with its line', () => {
  for (const belief of ['guess', { sampled: 0 }, { sampled: 1.5 }, { logprobs: 3 }]) {
    const file = writeExperiment(room.folder, { cases, change: { arms: [{ ...arms[0], belief }] } });
    expect(readFileSync(file, 'utf8')).toContain('belief');
    expect(() => readExperiment(file)).toThrow(expect.objectContaining({ code: 'bad-input' }));
  }
});

test('the plan says of which arms replicates hardly differ', async () => {
  const cold = { name: 'cold', protocol: 'standard', cast: { '*': { model: 'llama3.1:8b' } } };
  const of = async (replicates: number) => {
    const file = writeExperiment(room.folder, { cases, change: { arms: [...arms, cold], replicates } });
    const prepared = readExperiment(file);
    const data = await readDataset(prepared.dataPath, prepared.experiment.dataset, { seed: prepared.experiment.seed });
    const { notes } = await planExperiment(prepared, data, { done: new Map(), missingModels: [] });
    return notes.flatMap((note) => /^arm (\S+) answers at temperature 0/.exec(note)?.[1] ?? []);
  };
  expect(await of(1)).toEqual([]);
  expect(await of(2)).toEqual(['cold']);
});
