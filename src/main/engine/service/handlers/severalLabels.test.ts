import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DraftInput } from '../../../../shared/api/experiments.ts';
import type { StagedStats } from '../../../../shared/api/statistics.ts';
import type { TrialLine } from '../../../../shared/trialLine.ts';
import { replayStore } from '../../audit/replay.ts';
import { verifyPath } from '../../audit/testing/tampering.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';
import { finished } from '../testing/runs.ts';

/** Cases of several labels from the list of data sets to the record: what comes with the program, and a file of one's own. */

let room: EngineRoom;
beforeAll(() => {
  room = openEngineRoom({ name: 'several-labels' });
});
afterAll(() => room.close());

const cast = { '*': { model: 'llama3.1:8b' } };
const arm = (name: string, params: Record<string, unknown>, more: object = {}) => ({
  name,
  protocol: 'standard',
  params,
  cast,
  ...more,
});
const draft = (given: Partial<DraftInput> = {}): DraftInput => ({
  entry: 'notices',
  sample: { from: 'test', n: 6 },
  seed: 7,
  replicates: 1,
  backend: 'standin',
  arms: [
    arm('few', { style: 'few-shot', shots: 3 }),
    arm('steps', { style: 'cot-4-step' }),
    arm('reflexion', { style: 'reflexion' }),
    arm('sampled', { style: 'system1', temperature: 0.8 }, { belief: { sampled: 3 } }),
  ],
  ...given,
});

const linesOf = async (experiment: string): Promise<TrialLine[]> =>
  (await room.exported(experiment, 'trials-jsonl'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const labels = ['heating', 'damp', 'noise', 'electricity', 'locks'];

describe('the notices that come with the program', () => {
  let experiment = '';
  beforeAll(async () => {
    experiment = (await room.client.experiments.start(draft())).experiment;
    await finished(room.client, experiment);
  });

  test('are decided with lists of labels, in their order, and a probability for each', async () => {
    const lines = await linesOf(experiment);
    expect(lines).toHaveLength(24);
    for (const { outcome, prediction, truth, belief, confidence, correct } of lines) {
      expect(outcome).toBe('decided');
      if (!Array.isArray(prediction) || !Array.isArray(truth)) throw new Error('a verdict on several labels is a list');
      expect(prediction).toEqual(labels.filter((label) => prediction.includes(label)));
      expect(Object.keys(belief ?? {})).toEqual(labels);
      expect(confidence).toBeNull();
      expect(correct).toBe(JSON.stringify(prediction) === JSON.stringify(truth));
    }
    expect(new Set(lines.map(({ belief_source }) => belief_source))).toEqual(new Set(['verbal', 'sampled']));
    expect(lines.flatMap(({ arm: name, calls }) => (name === 'reflexion' ? [calls] : []))).toEqual(Array(6).fill(3));
    const rows = (await room.exported(experiment, 'trials-csv')).split('\n');
    expect(rows[1]).toContain(JSON.stringify(lines[0]?.prediction).replaceAll('"', '""'));
  });

  test('verify and replay without a model', async () => {
    expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact' });
    const replayed = await room.onRecord((store) => replayStore(store, store.trials.ofExperiment(experiment), () => undefined));
    expect(replayed).toMatchObject({ identical: 24, different: 0, not_replayable: 0, unfinished: 0 });
  });

  test('are counted as sets: exact match, F1 by label, Brier over labels, changes of reflexion', async () => {
    const frames: StagedStats[] = [];
    for await (const frame of await room.client.experiments.stagedStats({ experiment })) frames.push(frame);
    expect(frames.filter(({ kind }) => kind === 'whole')).toEqual(frames.slice(-1));
    const { arms, baselines, missing_baselines } = await room.client.experiments.stats({ experiment });
    expect(frames.at(-1)?.report.arms).toEqual(arms);
    const reflexion = arms.find(({ arm: name }) => name === 'reflexion');
    const measure = (name: string) => reflexion?.measures.find((each) => each.name === name);
    const lines = (await linesOf(experiment)).filter(({ arm: name }) => name === 'reflexion');
    expect(measure('accuracy')?.value).toBeCloseTo(lines.filter(({ correct }) => correct).length / 6, 12);
    expect(measure('brier')).toMatchObject({ n: 6 });
    expect(measure('corrections')).toMatchObject({ n: 6 });
    expect(measure('flips')).toMatchObject({ n: 6 });
    expect(reflexion?.measures.filter(({ name }) => name === 'f1').map(({ label }) => label)).toEqual(labels);
    expect(measure('expected_calibration_error')).toMatchObject({ value: null, why_null: expect.stringContaining('by itself') });
    expect(baselines.map(({ arm: name }) => name)).toEqual(['majority', 'stratified-random']);
    expect(missing_baselines.every(({ why }) => why !== '')).toBe(true);
  });

  test('are written as sets in a report, which ranks no label and joins none without a sign', async () => {
    const lines = await linesOf(experiment);
    const several = lines.find(({ arm: name, prediction }) => name === 'reflexion' && (prediction?.length ?? 0) > 1);
    const line = several ?? lines.find(({ arm: name }) => name === 'reflexion');
    const report = await room.exported(experiment, 'html', line?.trial);
    const shown = [line?.prediction ?? []].flat();
    const set = shown.length === 0 ? 'none of them' : shown.map((label) => `<bdi>${label}</bdi>`).join(' + ');
    expect(report).toContain(set);
    expect(report).toContain('none, one or several of them can be right');
    // The prompts at the end are those of all kinds of cases.
    const [body] = report.split('id="prompts"');
    expect(/undefined|likeliest|\[object/i.test(body ?? '')).toBe(false);
    expect(body?.length).toBeLessThan(report.length);
  });

  test('refuse what is impossible: token probabilities, a protocol for one label, predictions of one label', async () => {
    const plan = (arms: DraftInput['arms']) => failureOf(room.client.experiments.plan(draft({ arms })));
    expect(await plan([arm('a', {}, { belief: 'logprobs' })])).toMatchObject({
      code: 'bad-input',
      field: 'arms[0].belief',
      message: expect.stringContaining('tokens of a list of labels'),
    });
    expect(await plan([{ name: 'a', protocol: 'agentic-sim', cast }])).toMatchObject({ field: 'arms[0].protocol' });
  });
});

test('a file of one is own, with a sign between the labels and the empty set, is imported and tried', async () => {
  const rows = [
    '1,"The tap drips.",water',
    '2,"It is cold, and the tap drips.",water|heat',
    '3,"All is well.",|',
    '4,"Who knows.",',
  ];
  const upload = room.upload('own.csv', ['id,text,matters', ...rows].join('\n'));
  const { guess } = await room.client.dataFiles.inspect({ upload });
  const definition = {
    ...guess,
    kind: 'text' as const,
    id: 'id',
    label: { column: 'matters', multiple: '|' },
    question: 'What is it about?',
  };
  const preview = await room.client.dataFiles.preview({ upload, definition });
  expect(preview.byLabel).toEqual([
    { label: 'heat', cases: 1 },
    { label: 'water', cases: 2 },
    { label: null, cases: 1 },
  ]);
  expect(preview.notes).toContainEqual(expect.stringMatching(/^1 case has none of the labels \(\S+\)$/));
  const { id } = await room.client.dataFiles.add({ upload, name: 'Own', definition });
  const { experiment } = await room.client.experiments.start(
    draft({ entry: id, sample: {}, arms: [arm('own', { style: 'cot' })] }),
  );
  await finished(room.client, experiment);
  const truths = new Map((await linesOf(experiment)).map(({ case: name, truth, correct }) => [name, [truth, correct !== null]]));
  expect(Object.fromEntries(truths)).toEqual({
    1: [['water'], true],
    2: [['heat', 'water'], true],
    3: [[], true],
    4: [null, false],
  });
});
