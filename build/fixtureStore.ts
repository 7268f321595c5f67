/**
 * Writes the fixture store of the present format: `node build/fixtureStore.ts`. A fixture of a released
 * version is never written again: it represents the stores that people have.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { attach, checkpoint, cosignFile, importPredictions, moderate, run, train } from '../src/main/engine/engine.ts';
import { startDemoServer } from '../src/main/engine/models/demo/demoServer.ts';
import { newestVersion } from '../src/main/engine/store/migrations/index.ts';
import { openStore } from '../src/main/engine/store/store.ts';
import { caseDefinitionSchema } from '../src/shared/api/dataFiles.ts';
import { noColumns } from '../src/shared/imported.ts';
import { root } from './repository.ts';

const model = { '*': { model: 'llama3.1:8b' } };
const experiment = {
  version: 1,
  name: 'fixture ü',
  seed: 7,
  dataset: {
    path: 'cases.csv',
    id: 'id',
    label: { column: 'guilty', map: { 0: 'NO', 1: 'YES' } },
    labels: ['NO', 'YES'],
    positive: 'YES',
    question: 'Did they do it?',
    groups: ['place'],
    split: { test: 0.5, train: 0.5 },
    sample: { from: 'test' },
  },
  arms: [
    { name: 'examples', protocol: 'standard', params: { style: 'cot-nshot', shots: 2 }, cast: model },
    { name: 'court', protocol: 'agentic-sim', params: { turns: 1, priorBelief: true }, cast: model },
    {
      name: 'hearing',
      protocol: 'courtroom',
      params: { judges: 1, ambiguity: 5 },
      cast: { ...model, retriever: { model: 'nomic-embed-text' } },
    },
    { name: 'debate', protocol: 'evince', params: { maxRounds: 1 }, cast: model },
  ],
};
const cases = ['id,age,place,guilty', '1,20,Köln,0', '2,31,"Paris, France",1', '3,44,Oslo,0', '4,58,東京,1', ''].join('\n');

/** Debates of training cases, enough for an assistant to learn from, and then one that it rates. */
const debated = (name: string, from: string, params: object) => ({
  version: 1,
  name,
  seed: 7,
  dataset: {
    path: 'debated.csv',
    id: 'id',
    label: { column: 'late' },
    labels: ['NO', 'YES'],
    positive: 'YES',
    question: 'Was it late?',
    split: { test: 0.1, train: 0.9 },
    sample: { from },
  },
  arms: [
    {
      name: 'debate',
      protocol: 'debate-feedback',
      params: { debaters: 4, rounds: 1, ...params },
      cast: { ...model, embedder: { model: 'nomic-embed-text' } },
    },
  ],
});
const debatedCases = Array.from({ length: 10 }, (_, index) => `${index},${index} days,${index % 2 === 0 ? 'NO' : 'YES'}`);

/** An open question whose subtopics a moderator accepts, and on which one remark is made. */
const moderated = {
  version: 1,
  name: 'moderated',
  seed: 7,
  dataset: { path: 'questions.csv', kind: 'open', id: 'id' },
  arms: [
    {
      name: 'debate',
      protocol: 'socrasynth',
      params: { subtopics: 1, maxRounds: 1, moderated: true, compareWithAnswer: true },
      cast: model,
    },
  ],
};

/** Of the two cases on trial one is predicted, with a confidence, and the other has a value that is no label. */
const predictions = ['id,said,sure', '1,guilty,0.9', '2,who knows,', '3,guilty,', '4,who knows,', ''].join('\n');

const folder = mkdtempSync(join(tmpdir(), 'assize-fixture-'));
/** Takes a separate signing key: no user's own signs a fixture. */
const asUser = (name: string) => {
  process.env.XDG_CONFIG_HOME = join(folder, name);
};
asUser('owner');
// One retry, one forfeited turn and one trial that fails, so that every kind of event is there.
let asked = 0;
let faults: Readonly<Record<number, 'overflow' | 'error-line'>> = { 0: 'overflow', 2: 'error-line' };
const standin = await startDemoServer({
  fault: () => {
    const kind = faults[asked];
    asked += 1;
    return kind === undefined ? null : { kind };
  },
});
try {
  writeFileSync(join(folder, 'cases.csv'), cases);
  const path = join(folder, 'store.db');
  const request = {
    store: path,
    url: standin.url,
    allowedHosts: [],
    concurrency: 1,
    maxTrials: null,
    retry: [],
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const file = join(folder, 'experiment.json');
  writeFileSync(file, JSON.stringify(experiment));
  await run(file, request);
  // A further replicate makes it an extension, and a retried trial gets a second attempt.
  writeFileSync(file, JSON.stringify({ ...experiment, replicates: 2 }));
  await run(file, { ...request, retry: ['overflow'], maxTrials: 3 });
  const source = join(folder, 'predictions.csv');
  writeFileSync(source, predictions);
  const columns = { ...noColumns, case: 'id', prediction: 'said', confidence: 'sure' };
  await importPredictions(
    path,
    {
      experiment: experiment.name,
      arm: 'inspector',
      path: source,
      fileName: 'predictions.csv',
      columns,
      map: [['guilty', 'YES']],
      positiveIf: null,
      confidenceScale: 1,
    },
    request,
  );
  writeFileSync(join(folder, 'debated.csv'), ['id,waited,late', ...debatedCases, ''].join('\n'));
  for (const [name, from, params] of [
    ['lessons', 'train', {}],
    ['rated', 'test', { assistant: 'trained' }],
  ] as const) {
    writeFileSync(file, JSON.stringify(debated(name, from, params)));
    // The first debater, after the judge.
    if (name === 'lessons') [asked, faults] = [0, { 1: 'overflow' }];
    await run(file, request);
    if (name === 'lessons') await train(path, { ...request, experiment: name, embedder: undefined });
  }
  writeFileSync(join(folder, 'questions.csv'), ['id,question', '1,Should shops refuse cash?', ''].join('\n'));
  writeFileSync(file, JSON.stringify(moderated));
  for (const moderation of [{ action: 'accept' }, { action: 'remark', to: 'both', text: 'Speak of the poor.' }] as const) {
    await run(file, request);
    await moderate(path, moderated.name, { trial: undefined, moderation });
  }
  await run(file, request);
  const { path: _path, sample: _sample, ...definition } = experiment.dataset;
  const store = openStore(path, { create: false });
  store.dataFiles.add({
    id: 'added-1',
    name: 'Four people ü',
    addedAt: '2026-01-02T03:04:05.000Z',
    file: `${'0'.repeat(64)}.csv`,
    fileHash: '0'.repeat(64),
    bytes: Buffer.byteLength(cases),
    format: 'csv',
    definition: caseDefinitionSchema.parse(definition),
    cases: 4,
    labels: experiment.dataset.labels,
    positive: experiment.dataset.positive,
  });
  store.runs.save({ experiment: experiment.name, backend: 'standin', concurrency: 2, session: 'one', entry: 'added-1' });
  store.runs.retry(experiment.name, ['overflow']);
  store.close();
  writeFileSync(file, (await checkpoint(path)).report.note);
  asUser('witness');
  writeFileSync(file, cosignFile(file, {}).note);
  await attach(path, file);
  // No real one: only its first bytes are read.
  writeFileSync(file, Buffer.from('3081053003020102', 'hex'));
  await attach(path, file);
  const target = join(root, `src/main/engine/store/fixtures/format-${newestVersion}.db.gz`);
  const packed = gzipSync(readFileSync(path), { level: 9 });
  writeFileSync(target, packed);
  console.log(`${target}: ${packed.length} bytes`);
} finally {
  await standin.close();
  rmSync(folder, { recursive: true, force: true });
}
