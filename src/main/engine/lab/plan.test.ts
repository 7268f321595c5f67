import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readDataset } from '../datasets/dataset.ts';
import { readExperiment } from './experimentFile.ts';
import { dryRunArm, planExperiment, withChecks } from './plan.ts';

const prepared = readExperiment(resolve(import.meta.dirname, '../../../../resources/experiments/nlsy97-demo.json'));
const data = await readDataset(prepared.dataPath, prepared.experiment.dataset, { seed: prepared.experiment.seed });

test('a plan multiplies the planned calls of each arm by the trials that are left', async () => {
  const plan = await planExperiment(prepared, data, { done: new Map([['cot', 3]]), missingModels: ['mistral'] });
  expect(plan.trials).toBe(40);
  expect(plan.arms.map(({ arm, trials, calls }) => ({ arm, trials, calls }))).toEqual([
    { arm: 'cot', trials: 20, calls: { min: 17, max: 17 } },
    { arm: 'court', trials: 20, calls: { min: 260, max: 260 } },
  ]);
  expect(plan.calls).toEqual({ min: 277, max: 277 });
  expect(plan.done).toBe(3);
  expect(plan.missing_models).toEqual(['mistral']);
  expect(plan.hours.min).toBeGreaterThan(0);
  expect(plan.hours.max).toBeGreaterThan(plan.hours.min);
  expect(plan.disk_bytes).toBeGreaterThan(0);
  // A run of 280 such calls was seen to write a -wal file of 16.4 MB next to a store of 1.1 MB.
  expect(plan.disk_bytes_most).toBeGreaterThan(17_587_728);
  const room = (free: number) => withChecks(plan, [], free).checks.filter(({ text }) => text.includes('disk'));
  expect(room(plan.disk_bytes_most)).toEqual([]);
  expect(room(plan.disk_bytes_most - 1)).toEqual([expect.objectContaining({ severity: 'warning' })]);
  const ended = new Map([
    ['cot', 20],
    ['court', 20],
  ]);
  const nothing = await planExperiment(prepared, data, { done: ended, missingModels: [] });
  expect(nothing).toMatchObject({ disk_bytes: 0, disk_bytes_most: 0 });
});

test('a dry run makes the calls that the protocol plans, with the prompts of the first case', async () => {
  const [cot, court] = prepared.arms;
  if (cot === undefined || court === undefined) throw new Error('the sample experiment has two arms');
  const single = await dryRunArm(prepared, data, cot);
  const hearing = await dryRunArm(prepared, data, court);
  expect(single.calls).toHaveLength(1);
  expect(hearing.calls).toHaveLength(13);
  expect(hearing.calls.map(({ call }) => call.role).slice(0, 4)).toEqual(['prosecutor', 'judge', 'defense', 'judge']);
  const first = data.cases.find(({ id }) => id === data.sample[0]);
  for (const { call } of hearing.calls) {
    const prompt = call.request.messages.map(({ content }) => content).join('\n');
    for (const { name, value } of first?.facts ?? []) expect(prompt).toContain(`${name} is ${value}`);
    expect(prompt).not.toContain('y_arrestedafter2002');
  }
});

test('the prompts of a plan are those of all cases on trial, however short the first is', async () => {
  const note = 'long '.repeat(1000);
  const cases = data.cases.map((kase) =>
    kase.id === data.sample[0] ? kase : { ...kase, facts: [{ name: 'note', value: note }] },
  );
  const planOf = (given: typeof data) => planExperiment(prepared, given, { done: new Map(), missingModels: null });
  const tokens = (await planOf({ ...data, cases })).arms.map(({ prompt_tokens }) => prompt_tokens);
  const others = await planOf({ ...data, cases, sample: data.sample.toReversed() });
  for (const [index, { prompt_tokens }] of others.arms.entries())
    expect(Math.abs((tokens[index] ?? 0) / prompt_tokens - 1)).toBeLessThan(0.2);
});

test('a plan does not rest on a debate that invented answers end at once', async () => {
  const debates = readExperiment(resolve(import.meta.dirname, '../../../../resources/experiments/socrasynth-labels-demo.json'));
  const { experiment, arms } = debates;
  const cases = await readDataset(debates.dataPath, experiment.dataset, { seed: experiment.seed });
  const [free] = arms;
  if (free === undefined) throw new Error('the sample experiment has two arms');
  for (let seed = 1; seed <= 10; seed++) {
    const { calls } = await dryRunArm({ ...debates, experiment: { ...experiment, seed } }, cases, free);
    // 4 are only openings and recommendations.
    expect(calls.length, `seed ${seed}`).toBeGreaterThan(4);
  }
});

test('prompts that may not fit the context are estimated beforehand, by the longest case', async () => {
  const planOf = async (numCtx: number, longest: string) => {
    const cases = data.cases.map((kase, index) =>
      index === 0 || kase.id !== data.sample[1] ? kase : { ...kase, facts: [{ name: 'note', value: longest }] },
    );
    const experiment = { ...prepared.experiment, runtime: { ...prepared.experiment.runtime, numCtx } };
    const plan = await planExperiment({ ...prepared, experiment }, { ...data, cases }, { done: new Map(), missingModels: null });
    return plan.notes.filter((note) => note.includes('may not fit'));
  };
  expect(await planOf(8192, 'short')).toEqual([]);
  expect(await planOf(8192, 'long '.repeat(8000))).toEqual([
    expect.stringMatching(/^arm "cot": a prompt of about 1\d{4} tokens \(estimated\) .* context of 8192; raise runtime\.numCtx/),
    expect.stringMatching(/^arm "court": /),
  ]);
  expect(await planOf(2048, 'short')).toEqual([expect.stringMatching(/^arm "court": .* context of 2048/)]);
});

test('an answer that is longer than numPredict even at its shortest is reported, with its step', async () => {
  const notesWith = async (numPredict: number) => {
    const experiment = { ...prepared.experiment, runtime: { ...prepared.experiment.runtime, numPredict } };
    const plan = await planExperiment({ ...prepared, experiment }, data, { done: new Map(), missingModels: null });
    return plan.notes.filter((note) => note.includes('numPredict allows'));
  };
  expect(await notesWith(1024)).toEqual([]);
  expect((await notesWith(1))[0]).toMatch(
    /^arm "cot": the shortest answer to answer takes about \d+ tokens .* numPredict allows 1; /,
  );
});

test('a note says that fresh hearings at temperature 0 show nothing', async () => {
  const path = resolve(import.meta.dirname, '../../../../resources/experiments/courtroom-demo.json');
  const hearings = readExperiment(path);
  const cases = await readDataset(hearings.dataPath, hearings.experiment.dataset, { seed: 42 });
  const notesWith = async (params: object, options: object) => {
    const arms = hearings.arms.flatMap((arm) => {
      const { definition, protocol } = arm;
      if (definition.name !== 'sequential') return [];
      const cast = { ...definition.cast, clerk: { model: 'clerk', backend: 'default', options } };
      return [{ ...arm, definition: { ...definition, cast }, bound: protocol.bind(params) }];
    });
    const { notes } = await planExperiment({ ...hearings, arms }, cases, { done: new Map(), missingModels: null });
    return notes.filter((note) => note.includes('fresh hearings'));
  };
  const notes = [expect.stringMatching(/^arm sequential holds fresh hearings .* at temperature 0 .* options\.temperature/)];
  expect(await notesWith({ ambiguity: 5, temperature: 0 }, {})).toEqual(notes);
  expect(await notesWith({ ambiguity: 5 }, { temperature: 0 })).toEqual(notes);
  expect(await notesWith({ ambiguity: 5, temperature: 0 }, { temperature: 0.5 })).toEqual([]);
  expect(await notesWith({ ambiguity: 5 }, {})).toEqual([]);
  expect(await notesWith({ temperature: 0 }, {})).toEqual([]);
});

test('a note names arms that differ only in their names', async () => {
  const [cot] = prepared.arms;
  if (cot === undefined) throw new Error('the sample experiment has two arms');
  const planOf = async (arms: typeof prepared.arms) =>
    (await planExperiment({ ...prepared, arms }, data, { done: new Map(), missingModels: null })).notes.filter((note) =>
      note.includes('comparing them shows nothing'),
    );
  const twin = { ...cot, definition: { ...cot.definition, name: 'cot-again' } };
  expect(await planOf([...prepared.arms, twin])).toEqual([expect.stringContaining('arms "cot", "cot-again" have the same')]);
  const warmer = { ...twin, definition: { ...twin.definition, cast: { '*': { ...twin.definition.cast['*'], model: 'other' } } } };
  expect(await planOf([...prepared.arms, warmer as typeof twin])).toEqual([]);
});

test('a plan separates shared questions from the calls of trials, and says how precedents are found', async () => {
  const path = resolve(import.meta.dirname, '../../../../resources/experiments/courtroom-demo.json');
  const hearings = readExperiment(path);
  const cases = await readDataset(hearings.dataPath, hearings.experiment.dataset, { seed: 42 });
  const plan = await planExperiment(hearings, cases, { done: new Map([['single', 10]]), missingModels: null });
  expect(plan.arms.map(({ arm, calls }) => [arm, calls.max])).toEqual([
    ['single', 0],
    ['vote', 10 * 5],
    ['sequential', 10 * 6],
    ['parallel', 10 * 6],
  ]);
  // Five hearings of each of ten cases, which both arms share; the reasons of all 36 training cases
  // at most; vectors of a probe, of the training cases in two batches, and of each of the ten.
  expect(plan.preparation_calls).toEqual({ min: 50 + 13, max: 50 + 36 + 13 });
  expect(plan.calls).toEqual({ min: 170 + 63, max: 170 + 99 });
  expect(plan.prompt_tokens).toBe(
    plan.arms.reduce((sum, each) => sum + each.prompt_tokens, 0) + plan.preparation_prompt_tokens.max,
  );
  expect(plan.notes.filter((note) => note.includes('precedents'))).toEqual([
    'arm single finds its precedents by TF-IDF, since no embedding model plays the role retriever',
    'arm vote finds its precedents by TF-IDF, since no embedding model plays the role retriever',
    'arm sequential finds its precedents by TF-IDF, since no embedding model plays the role retriever',
    'arm parallel finds its precedents by the vectors of nomic-embed-text',
  ]);
  const parallel = hearings.arms.find(({ definition }) => definition.name === 'parallel');
  if (parallel === undefined) throw new Error('the example has an arm with parallel judges');
  const { calls } = await dryRunArm(hearings, cases, parallel);
  const judges = calls.filter(({ call }) => call.role.startsWith('judge'));
  expect(judges).toHaveLength(3);
  for (const { call } of judges)
    expect(call.request.messages.at(-1)?.content).toMatch(/Case 2: .*\nRight answer: "YES"\nWhy: \S/);
});

test('a plan names a case that repeats one on trial, also where it is a case to learn from', async () => {
  const [tried = '', other = ''] = data.sample;
  const untried = (split: string) =>
    data.cases.find(({ id }) => data.splits.get(id) === split && !data.sample.includes(id))?.id ?? '';
  const facts = [{ name: 'note', value: 'the same' }];
  const said = async (id: string) => {
    const cases = data.cases.map((kase) => ([tried, id].includes(kase.id) ? { ...kase, facts } : kase));
    const plan = await planExperiment(prepared, { ...data, cases }, { done: new Map(), missingModels: null });
    return plan.notes.filter((note) => note.includes('repeats'));
  };
  const named = (id: string, advice: string) =>
    expect.stringMatching(new RegExp(`(${tried} repeats ${id}|${id} repeats ${tried})\\b.*${advice}`));
  expect(await said(other)).toEqual([named(other, 'is enough only where both are on trial')]);
  expect(await said(untried('train'))).toEqual([named(untried('train'), 'the other to learn from')]);
  expect([untried('test'), await said(untried('test'))]).toEqual([expect.stringMatching(/./), []]);
});
