import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DraftInput } from '../../../../shared/api/experiments.ts';
import { verifyPath } from '../../audit/testing/tampering.ts';
import { run } from '../../engine.ts';
import { startDemoServer } from '../../models/demo/demoServer.ts';
import { serveGiant } from '../../models/testing/giant.ts';
import { statistics } from '../../report/statistics.ts';
import type { Store } from '../../store/store.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';
import { finished } from '../testing/runs.ts';

let room: EngineRoom;
beforeAll(() => {
  room = openEngineRoom({ name: 'drafts' });
});
afterAll(() => room.close());

const cast = { '*': { model: 'llama3.1:8b' } };
const draft = (given: Partial<DraftInput> = {}): DraftInput => ({
  entry: 'deposits',
  sample: { from: 'test', n: 2 },
  seed: 7,
  replicates: 1,
  backend: 'standin',
  arms: [{ name: 'cot', protocol: 'standard', params: { style: 'cot' }, cast }],
  ...given,
});
const court = { name: 'court', protocol: 'agentic-sim', cast };

describe('plan', () => {
  test('counts trials and calls, and records nothing', async () => {
    const plan = await room.client.experiments.plan(draft({ arms: [...draft().arms, court], replicates: 3 }));
    expect(plan).toMatchObject({ cases: 2, replicates: 3, trials: 12, done: 0, missing_models: [] });
    expect(plan.arms.map(({ arm, trials, calls }) => [arm, trials, calls.max])).toEqual([
      ['cot', 6, 6],
      ['court', 6, 78],
    ]);
    expect((await room.client.experiments.list({})).experiments).toEqual([]);
  });

  test('warns where all training cases are on trial', async () => {
    const warned = async (from: 'test' | 'all') => {
      const { checks } = await room.client.experiments.plan(draft({ entry: 'nlsy97', sample: { from } }));
      return checks.some(({ text }) => text.startsWith('all training cases are on trial'));
    };
    expect([await warned('test'), await warned('all')]).toEqual([false, true]);
  });

  test('names the models that are missing, and knows of none where no server answers', async () => {
    const server = await startDemoServer({ models: ['mine:1b'], anyModel: false });
    const arms = [{ ...court, cast: { '*': { model: 'mine:1b' }, judge: { model: 'absent:70b' } } }];
    await room.client.settings.change({ ollamaUrl: server.url });
    const missing = async () => (await room.client.experiments.plan(draft({ arms, backend: 'ollama' }))).missing_models;
    expect(await missing()).toEqual(['absent:70b']);
    await server.close();
    expect(await missing()).toBeNull();
    await room.client.settings.change({ ollamaUrl: 'http://models.invalid' });
    expect(await missing()).toBeNull();
  });

  test('warns of a model that no machine holds, with a slot for each of the calls at a time', async () => {
    const server = await serveGiant('giant:1t');
    const arms = [{ ...court, cast: { '*': { model: 'giant:1t' } } }];
    await room.client.settings.change({ ollamaUrl: server.url, concurrency: 3 });
    const { notes } = await room.client.experiments.plan(draft({ arms, backend: 'ollama' }));
    await server.close();
    await room.client.settings.change({ concurrency: 1 });
    expect(notes).toContainEqual(expect.stringMatching(/^model giant:1t: .* x 3 slots\).*It will not fit/));
  });

  test.each<[string, Partial<DraftInput>, object]>([
    ['too large a sample', { sample: { n: 25 } }, { field: 'sample.n' }],
    ['an unknown data set', { entry: 'nowhere' }, { code: 'not-found', field: 'entry' }],
    ['a role without a player', { arms: [{ ...court, cast: { judge: { model: 'm' } } }] }, { field: 'arms[0].cast' }],
  ])('refuses %s by its field', async (_what, given, expected) => {
    expect(await failureOf(room.client.experiments.plan(draft(given)))).toMatchObject({ code: 'bad-input', ...expected });
  });
});

describe('preview', () => {
  test('shows every message of every call, and asks no server', async () => {
    const { connections } = await room.client.engine.status({});
    const preview = await room.client.experiments.preview({ draft: draft({ arms: [...draft().arms, court] }), arm: 1 });
    expect(preview.arm).toBe('court');
    expect(preview.case).toMatch(/^D\d\d$/);
    expect(preview.calls).toHaveLength(13);
    const { total, cases } = await room.client.dataFiles.cases({ entry: 'deposits', search: preview.case });
    expect(total).toBe(1);
    for (const { messages, schema, invented, prompt_tokens, model } of preview.calls) {
      const sent = messages.map(({ content }) => content).join('\n');
      expect(sent).toContain(cases[0]?.facts[0]?.value.split('\n\n')[0]?.slice(0, 80));
      expect(sent).toContain('under the rules of the deposit board?');
      expect(schema.type).toBe('object');
      expect(JSON.parse(invented)).toBeTypeOf('object');
      expect(prompt_tokens).toBeGreaterThan(100);
      expect(model).toBe('llama3.1:8b');
    }
    expect((await room.client.engine.status({})).connections).toEqual(connections);
  });

  test('of an arm that is not there is refused', async () => {
    expect(await failureOf(room.client.experiments.preview({ draft: draft(), arm: 1 }))).toMatchObject({ field: 'arm' });
  });
});

describe('start', () => {
  test('freezes, runs to the end, and makes a name that says what it is', async () => {
    const { experiment, trial } = await room.client.experiments.start(draft());
    expect(experiment).toBe('Deposit disputes (24 cases in plain English), StandardLLM');
    await finished(room.client, experiment);
    expect((await room.client.trials.read({ trial })).line).toMatchObject({ experiment, arm: draft().arms[0]?.name });
    const again = await room.client.experiments.start(draft({ seed: 8 }));
    expect(again.experiment).toBe(`${experiment} (2)`);
    await finished(room.client, again.experiment);
    expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact', trials: 4 });
    expect(await room.onRecord((store) => store.runs.of(experiment))).toMatchObject({
      backend: 'standin',
      session: null,
      entry: 'deposits',
    });
    const [entry] = await room.client.dataFiles.list({});
    expect(entry?.experiments).toEqual([experiment, again.experiment]);
  });

  test('a name that is taken is refused, and the record is not changed', async () => {
    const name = 'Named';
    await room.client.experiments.start(draft({ name }));
    await finished(room.client, name);
    const before = await room.onRecord((store) => store.experiments.history(name));
    expect(await failureOf(room.client.experiments.start(draft({ name, seed: 9 })))).toMatchObject({
      code: 'bad-input',
      field: 'name',
    });
    expect(await room.onRecord((store) => store.experiments.history(name))).toEqual(before);
  });

  test('an experiment is extended by cases and arms, and by nothing that changes what it has', async () => {
    const name = 'Growing';
    const start = (given: Partial<DraftInput>) => room.client.experiments.start(draft({ name, ...given }));
    expect(await failureOf(start({ extend: true }))).toMatchObject({ code: 'bad-input', field: 'name' });
    await start({});
    await finished(room.client, name);
    const before = await room.onRecord((store) => store.trials.ofExperiment(name).map(({ head_hash: head }) => head));
    const grown: Partial<DraftInput> = {
      extend: true,
      sample: { from: 'test', n: 3 },
      arms: [...draft().arms, { ...court, name: 'added' }],
    };
    await room.client.settings.change({ concurrency: 3 });
    const plan = await room.client.experiments.plan(draft({ name, ...grown }));
    expect(plan).toMatchObject({ trials: 6, done: 2 });
    expect(plan.arms.map(({ remaining, calls }) => [remaining, calls.max])).toEqual([
      [1, 1],
      [3, 39],
    ]);
    expect(plan.timing.sentence).toContain(', 3 calls at a time; ');
    await room.client.settings.change({ concurrency: 1 });
    await start(grown);
    await finished(room.client, name);
    const trials = await room.onRecord((store) => store.trials.ofExperiment(name));
    expect(trials.map(({ status }) => status)).toEqual(Array(6).fill('done'));
    expect(trials.map(({ head_hash: head }) => head)).toEqual(expect.arrayContaining(before));
    const noted = (store: Store) => statistics(store, name, { quick: true, cache: null }, () => undefined).notes;
    expect((await room.onRecord(noted))[0]).toBe(
      'added was added after the experiment was first fixed, when results could be known.',
    );
    expect(await failureOf(start({ extend: true, seed: 9 }))).toMatchObject({ code: 'bad-input' });
  });

  test('nothing is recorded where no server answers, a model is missing, or the host is not allowed', async () => {
    const before = await room.onRecord((store) => store.experiments.names());
    const start = () => failureOf(room.client.experiments.start(draft({ backend: 'ollama' })));
    const server = await startDemoServer({ models: ['mine:1b'], anyModel: false });
    await room.client.settings.change({ ollamaUrl: server.url });
    expect(await start()).toMatchObject({
      code: 'missing-model',
      message: '1 model is not on the server; get it with: ollama pull llama3.1:8b',
    });
    await server.close();
    expect(await start()).toMatchObject({ code: 'no-backend', message: expect.stringContaining('start Ollama') });
    await room.client.settings.change({ ollamaUrl: 'http://models.invalid' });
    expect(await start()).toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('allow it by name in the settings'),
    });
    expect(await room.onRecord((store) => store.experiments.names())).toEqual(before);
  });

  test('its file, next to its data file, is one that the command line can continue', async () => {
    const content = Array.from({ length: 6 }, (_, index) => `${index},${20 + index},${index % 2 === 0 ? 'no' : 'yes'}`);
    const upload = room.upload('ages.csv', ['id,age,guilty', ...content].join('\n'));
    const label = { column: 'guilty', multiple: null };
    const { guess } = await room.client.dataFiles.inspect({ upload });
    const definition = { ...guess, id: 'id', label, question: 'Did they do it?' };
    const entry = await room.client.dataFiles.add({ upload, name: 'Ages', definition });
    const { experiment } = await room.client.experiments.start(draft({ entry: entry.id, sample: { n: 3 } }));
    await finished(room.client, experiment);
    const made = await room.client.exports.make({ experiment, trial: null, format: 'experiment-file' });
    expect(made.fileName).toMatch(/\.json$/);
    const text = readFileSync(room.service.files.take(made.file)?.path ?? '', 'utf8');
    expect(text).not.toContain(room.path(''));
    const file = room.path('store.data/experiment.json');
    const wanted = JSON.parse(text) as { dataset: { path: string; sample: { n: number } } };
    expect(wanted.dataset.path).toMatch(/^[0-9a-f]{64}\.csv$/);
    writeFileSync(
      file,
      JSON.stringify({ ...wanted, dataset: { ...wanted.dataset, sample: { ...wanted.dataset.sample, n: 5 } } }),
    );
    const report = await run(file, {
      store: room.path('store.db'),
      url: await room.service.network.url('standin'),
      concurrency: 1,
    });
    expect(report).toMatchObject({ experiment, planned: 5, done: 5, finished_now: 2, complete: true });
    rmSync(room.path(`store.data/${wanted.dataset.path}`));
    await room.client.experiments.start(draft({ entry: entry.id, sample: { n: 6 }, name: experiment, extend: true }));
    await finished(room.client, experiment);
    const log = await room.onRecord((store) => store.runLog.of(experiment));
    const start = log.findLast(({ event }) => event === 'run-start');
    expect(JSON.parse(start?.detail ?? '')).toMatchObject({ trials: 1, cases_from: 'record' });
    expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact' });
  });

  test('a data file that was changed behind the list of data sets is not used', async () => {
    const content = 'id,age,guilty\n1,20,no\n2,30,yes\n3,40,no\n';
    const upload = room.upload('changed.csv', content);
    const { guess } = await room.client.dataFiles.inspect({ upload });
    const { id } = await room.client.dataFiles.add({
      upload,
      name: 'Changed',
      definition: { ...guess, label: { column: 'guilty', multiple: null }, question: 'Did they do it?' },
    });
    const row = await room.onRecord((store) => store.dataFiles.get(id));
    writeFileSync(room.path(`store.data/${row?.file}`), content.replace('1,20,no', '1,20,yes'));
    expect(await failureOf(room.client.experiments.start(draft({ entry: id, sample: {} })))).toMatchObject({ field: 'entry' });
    await room.client.dataFiles.remove({ entry: id });
    expect(await failureOf(room.client.experiments.start(draft({ entry: id })))).toMatchObject({ code: 'not-found' });
    expect(room.kept).toEqual([]);
  });
});
