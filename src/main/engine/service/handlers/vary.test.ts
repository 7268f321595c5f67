import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TryDraft } from '../../../../shared/api/trials.ts';
import { longestName } from '../../../../shared/experiment.ts';
import { verifyPath } from '../../audit/testing/tampering.ts';
import { replay } from '../../engine.ts';
import { firstCasesName } from '../../lab/retrial.ts';
import { type EngineRoom, openEngineRoom } from '../testing/engineRoom.ts';
import { finished } from '../testing/runs.ts';

let room: EngineRoom;
beforeAll(() => {
  room = openEngineRoom({ name: 'vary' });
});
afterAll(() => room.close());

const cast = { '*': { model: 'llama3.1:8b' } };
const tried: TryDraft = {
  ...{ protocol: 'standard', params: {}, model: 'llama3.1:8b', question: 'Will he pay?', facts: 'He paid before.' },
  backend: 'standin',
  labels: ['NO', 'YES'],
};

const trialsOf = (experiment: string) =>
  room.onRecord((store) => store.trials.ofExperiment(experiment).map(({ arm, case_id, status }) => ({ arm, case_id, status })));
const vary = (of: string, trial: string | null, changes: string[], expect?: 'INV') =>
  room.client.experiments.vary({ experiment: of, trial, changes, ...(expect === undefined ? {} : { expect }) });

test('a trial of a data set is tried again with changes, later with more, and all of it verifies and replays', async () => {
  const arms = [{ name: 'court', protocol: 'agentic-sim', cast }];
  const sample = { from: 'test' as const, n: 2 };
  const draft = { entry: 'deposits', name: 'first', sample, seed: 7, replicates: 1, backend: 'standin' as const, arms };
  await room.client.experiments.start(draft);
  await finished(room.client, 'first');
  const [first] = await room.onRecord((store) => store.trials.ofExperiment('first'));
  const trial = first?.trial ?? '';

  const size = (changes: string[]) => room.client.experiments.varySize({ experiment: 'first', trial, changes });
  expect(await size(['seed=2', 'noise'])).toMatchObject({ trials: 4, arms: 4, unchanged: 1, cold: [] });
  const { experiment } = await vary('first', trial, ['seed=2', 'noise'], 'INV');
  await finished(room.client, experiment);
  expect(experiment).toBe(`trial ${trial} again`);
  const of = (await trialsOf(experiment)).filter(({ case_id, status }) => case_id === first?.case_id && status === 'done');
  expect(of.map(({ arm }) => arm).toSorted()).toEqual([
    'court',
    'court (seeds 1)',
    'court (seeds 2)',
    'court (typing errors in the facts)',
  ]);

  await expect(vary('first', trial, ['noise'])).rejects.toMatchObject({
    code: 'bad-input',
    message: /all of these changes already/,
  });
  await expect(vary('first', trial, ['fact=nothing=1'])).rejects.toMatchObject({
    code: 'bad-input',
    message: /no case has the fact/,
  });
  expect(await size(['noise', 'question=Who is right?'])).toMatchObject({ trials: 1, unchanged: 0 });
  expect((await vary('first', trial, ['noise', 'question=Who is right?'])).experiment).toBe(experiment);
  await finished(room.client, experiment);
  expect(await trialsOf(experiment)).toHaveLength(5);

  const changed = await room.onRecord((store) => store.trials.ofExperiment(experiment).find(({ arm: name }) => name !== 'court'));
  await expect(vary(experiment, changed?.trial ?? '', ['noise'])).rejects.toMatchObject({
    message: /open the trial that it varies/,
  });
  const path = room.path('store.db');
  expect(verifyPath(path)).toMatchObject({ result: 'intact' });
  expect(await replay(path, undefined, () => undefined)).toMatchObject({ identical: 7, different: 0 });
});

test('a case in the user’s own words is tried again without any file', async () => {
  const { experiment: single, trial } = await room.client.tries.start(tried);
  await finished(room.client, single);
  const { experiment } = await vary(single, trial, ['robustness']);
  await finished(room.client, experiment);
  const trials = await trialsOf(experiment);
  expect(trials.length).toBeGreaterThan(3);
  expect(trials.every(({ status, case_id }) => status === 'done' && case_id === '1')).toBe(true);
  expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact' });
});

test('every trial of an experiment is tried again, as further arms of it', async () => {
  const arms = [{ name: 'alone', protocol: 'standard', cast }];
  const draft = { entry: 'deposits', name: 'whole', sample: { from: 'test' as const, n: 3 }, seed: 7, replicates: 1 };
  await room.client.experiments.start({ ...draft, backend: 'standin', arms });
  await finished(room.client, 'whole');
  expect((await vary('whole', null, ['noise'], 'INV')).experiment).toBe('whole');
  await finished(room.client, 'whole');
  expect((await trialsOf('whole')).filter(({ status }) => status === 'done')).toHaveLength(6);
  expect((await room.client.experiments.read({ experiment: 'whole' })).arms.map(({ change }) => change?.expect)).toEqual([
    undefined,
    'INV',
  ]);
});

test('every case of an experiment is tried without a fact, one arm for each', async () => {
  const arms = [{ name: 'alone', protocol: 'standard', cast }];
  const draft = { entry: 'nlsy97', name: 'form', sample: { from: 'test' as const, n: 2 }, seed: 7, replicates: 1 };
  await room.client.experiments.start({ ...draft, backend: 'standin', arms });
  await finished(room.client, 'form');
  const facts = await room.client.experiments.facts({ experiment: 'form' });
  const onTrial = new Set((await trialsOf('form')).map(({ case_id }) => case_id));
  const named = room.onRecord((store) => {
    const cases = store.datasets.cases(store.experiments.get('form')?.dataset ?? 0).filter(({ id }) => onTrial.has(id));
    return cases.flatMap(({ ref }) => store.datasets.read(ref).facts.map(({ name }) => name));
  });
  expect(facts.map(({ name }) => name)).toEqual([...new Set(await named)]);
  const changes = facts.map(({ name }) => `fact=${name}=`);
  const all = await room.client.experiments.varySize({ experiment: 'form', trial: null, changes });
  expect(all).toMatchObject({ arms: facts.length, trials: 2 * facts.length });
  await vary('form', null, changes.slice(0, 2));
  await finished(room.client, 'form');
  const { definition } = await room.client.experiments.read({ experiment: 'form' });
  expect(definition.arms.slice(1).map(({ change }) => change)).toEqual(
    facts.slice(0, 2).map(({ name }) => ({ of: 'alone', kind: 'facts', facts: { [name]: null } })),
  );
});

test('the facts of an experiment are those of the cases that were not erased', async () => {
  const before = await room.client.experiments.facts({ experiment: 'form' });
  const [first] = await trialsOf('form');
  const target = { kind: 'case' as const, experiment: 'form', case: first?.case_id ?? '' };
  await room.client.record.erase({ target, confirmed: true });
  expect(await room.client.experiments.facts({ experiment: 'form' })).toEqual(before);
});

test('the first cases of an experiment are tried again in a separate one, which later changes extend', async () => {
  const arms = [{ name: 'alone', protocol: 'standard', cast }];
  const draft = { entry: 'deposits', name: 'many', sample: { n: 5 }, seed: 7, replicates: 1, backend: 'standin' as const, arms };
  await room.client.experiments.start(draft);
  await finished(room.client, 'many');
  const of = { experiment: 'many', trial: null, cases: 2 };
  await expect(room.client.experiments.varySize({ ...of, changes: ['noise'], cases: 5 })).rejects.toMatchObject({
    message: /has 5 cases/,
  });
  expect(await room.client.experiments.varySize({ ...of, changes: ['noise'] })).toMatchObject({
    trials: 4,
    unchanged: 1,
    calls: { min: 4, max: 4 },
  });
  const { experiment } = await room.client.experiments.vary({ ...of, changes: ['noise'] });
  expect(experiment).toBe('many, first 2 cases');
  await finished(room.client, experiment);
  expect(await room.client.experiments.varySize({ ...of, changes: ['seed=1'] })).toMatchObject({
    trials: 2,
    unchanged: 0,
    cold: ['alone'],
  });
  await room.client.experiments.vary({ ...of, changes: ['seed=1'] });
  await finished(room.client, experiment);
  const cases = (await trialsOf('many')).map(({ case_id }) => case_id);
  const again = await trialsOf(experiment);
  expect(again).toHaveLength(6);
  expect(new Set(again.map(({ case_id }) => case_id)).size).toBe(2);
  expect(cases).toEqual(expect.arrayContaining(again.map(({ case_id }) => case_id)));
});

test('an experiment that only has the name of the first cases of another is not extended', async () => {
  const arms = [{ name: 'alone', protocol: 'standard', cast }];
  const draft = { entry: 'deposits', sample: { n: 3 }, seed: 7, replicates: 1, backend: 'standin' as const, arms };
  for (const [name, seed, n] of [
    ['few', 7, 3],
    ['few, first 2 cases', 8, 2],
    ['few, first case', 7, 2],
  ] as const) {
    await room.client.experiments.start({ ...draft, name, seed, sample: { n } });
    await finished(room.client, name);
  }
  for (const cases of [1, 2]) {
    const of = { experiment: 'few', trial: null, changes: ['noise'], cases };
    await expect(room.client.experiments.vary(of)).rejects.toMatchObject({
      code: 'bad-input',
      message: /does not try the first cases of "few"/,
    });
  }
});

test('long names that differ at the end are shortened to different ones, between characters', () => {
  const long = `${'a'.repeat(169)}${'\u{1f600}'.repeat(15)}`;
  const names = ['1', '2'].flatMap((end) => [long + end, `a${long}${end}`].map((name) => firstCasesName(name, 2)));
  expect(new Set(names).size).toBe(4);
  for (const name of names) {
    expect(name).toMatch(/… [0-9a-f]{8}, first 2 cases$/);
    expect([name.isWellFormed(), name.length <= longestName]).toEqual([true, true]);
  }
});
