import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debateOf } from '../../../../core/figures/debate.ts';
import { openFolder } from '../../audit/testing/sampleStore.ts';
import { run } from '../../engine.ts';
import { type Standin, startStandin } from '../../models/standin/standin.ts';
import { openStoreReadOnly, type Store } from '../../store/store.ts';
import { type ReportData, reportData } from './data.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { reportPage } from './trialReport.ts';

const folder = openFolder('debate-report');
const cast = { '*': { model: 'llama3.1:8b' } };
let store: Store;
let standin: Standin;

beforeAll(async () => {
  standin = await startStandin({ port: 0 });
  writeFileSync(join(folder.folder, 'questions.csv'), 'id,question\nq1,"Should <b>research</b> be regulated?"\n');
  const file = join(folder.folder, 'experiment.json');
  const params = { subtopics: 2, maxRounds: 1, critDepth: 1, compareWithAnswer: true };
  writeFileSync(
    file,
    JSON.stringify({
      version: 1,
      name: 'policy',
      dataset: { path: 'questions.csv', kind: 'open', id: 'id' },
      runtime: { numCtx: 16384, numPredict: 4096 },
      arms: [{ name: 'debate', protocol: 'socrasynth', params, cast }],
    }),
  );
  const path = join(folder.folder, 'store.db');
  await run(file, {
    store: path,
    url: standin.url,
    allowedHosts: [],
    concurrency: 1,
    maxTrials: null,
    retry: [],
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  store = openStoreReadOnly(path);
}, 120_000);

afterAll(async () => {
  store.close();
  await standin.close();
  folder.remove();
});

function data(): ReportData {
  const [row] = store.trials.ofExperiment('policy');
  if (row?.outcome !== 'decided') throw new Error(`the trial was not decided: ${row?.outcome}`);
  return reportData(store, 'policy', row.trial);
}

test('the page of a debate is whole, names its own steps, and says that an open question has no verdict', () => {
  const page = reportPage(data()).source;
  expect(faultsOf(page)).toEqual([]);
  const nav = /<nav.*?<\/nav>/s.exec(page)?.[0] ?? '';
  expect([...nav.matchAll(/href="#(\w+)"/g)].map(([, id]) => id)).toEqual([
    ...['about', 'facts', 'cast', 'subtopics', 'debate', 'proposal', 'panel', 'comparison', 'transcript'],
    ...['belief', 'ruling', 'calls', 'check', 'protocol', 'limits'],
  ]);
  expect(page).not.toContain('<b>research</b>');
  expect(textOf(page)).toContain('An open question has none');
});

test('tells every round with its contentiousness and score, and every sheet with its totals', () => {
  const text = textOf(reportPage(data()).source);
  const { rounds, panel, subtopics } = debateOf(data().entries);
  expect(rounds.map(({ title }) => title)).toEqual(['Opening', 'Round 1', 'Closing statements']);
  expect(text).toContain('Contentiousness 0.90 of 1.');
  expect(text).toContain('Contentiousness 0.75 of 1.');
  for (const { evaluation } of rounds)
    if (evaluation !== null) expect(text).toContain(`G = ${evaluation.score.toFixed(2)} of 10`);
  for (const { title } of subtopics) expect(text).toContain(title);
  expect(panel).toHaveLength(2);
  for (const { sheet, totals } of panel) {
    const [sums, points] = [{ agentA: 0, agentB: 0 }, sheet.scores];
    for (const { agentA, agentB } of points) {
      sums.agentA += agentA;
      sums.agentB += agentB;
    }
    expect(totals).toEqual(sums);
  }
  expect(text).toMatch(/Both orders have the same winner for [01] of 1 judges/);
});
