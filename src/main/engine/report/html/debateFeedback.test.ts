import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import { makeSampleStore, openFolder } from '../../audit/testing/sampleStore.ts';
import { openStoreReadOnly, type Store } from '../../store/store.ts';
import { type ReportData, reportData } from './data.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { reportPage } from './trialReport.ts';

const folder = openFolder('debate-report');
const experiment = 'debate-report';
const cast = { '*': { model: 'llama3.1:8b' } };
let store: Store;

beforeAll(async () => {
  const params = { rounds: 2, debaters: 3, words: 20 };
  const arms = [
    { name: 'rated', protocol: 'debate-feedback', cast, params: { ...params, assistant: 'model' } },
    { name: 'single', protocol: 'debate-feedback', cast, params },
  ];
  const options = { cases: 2, fault: () => null, change: { name: experiment, arms } };
  store = openStoreReadOnly(await makeSampleStore(folder.folder, options));
});

afterAll(() => {
  store.close();
  folder.remove();
});

function dataOf(arm: string): ReportData {
  const row = store.trials.ofExperiment(experiment).find((trial) => trial.arm === arm);
  if (row === undefined) throw new Error(`there is no trial of ${arm}`);
  return reportData(store, experiment, row.trial);
}
const pageOf = (data: ReportData) => reportPage(data).source;
const changed = (data: ReportData, change: (entry: TranscriptEntry) => TranscriptEntry): ReportData => ({
  ...data,
  entries: data.entries.map(change),
});

test('every page is whole, and names its own steps in the contents', () => {
  for (const arm of ['rated', 'single']) expect(faultsOf(pageOf(dataOf(arm))), arm).toEqual([]);
  const nav = /<nav.*?<\/nav>/s.exec(pageOf(dataOf('rated')))?.[0] ?? '';
  expect([...nav.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id)).toEqual([
    ...['about', 'facts', 'cast', 'first-opinion', 'rounds', 'course', 'verdict', 'transcript'],
    ...['belief', 'ruling', 'calls', 'check', 'protocol', 'limits'],
  ]);
});

test('shows every speech, each rating, and how each round was settled', () => {
  const data = dataOf('rated');
  const text = textOf(pageOf(data));
  for (const entry of data.entries) {
    if (entry.kind === 'utterance') expect(text).toContain(entry.text);
    if (entry.kind === 'rating') expect(text).toContain(`Reliability ${Number(entry.value?.toFixed(2))}`);
    if (entry.kind === 'round') expect(text).toContain(`Mean reliability ${Number(entry.mean?.toFixed(2))}`);
  }
  expect(text).toMatch(/The judge after round 1 .*mean [\d.]+ (?:reaches|is under) 0\.5/);
  expect(text).toMatch(/Debater 3, for \w+ free/);
  expect(text.match(/Own answer, with the summary/g)).toHaveLength(2);
  expect(text).toMatch(/(?:Correction: |Degradation: |The first opinion was )/);
});

test('without an assistant nothing is rated, and the verdict is not called stated', () => {
  const text = textOf(pageOf(dataOf('single')));
  expect(text).toContain('nobody rates, every round passes');
  expect(text).not.toContain('Reliability');
  expect(text).toContain('Smoothed belief');
  expect(text).not.toContain('Stated confidence');
});

test('turns that were lost, and an unreliable round, are told in words', () => {
  const lost = changed(dataOf('rated'), (entry) => {
    const { seq, role } = entry;
    if (entry.key === 'round-1/opinion/debater-1/utterance') {
      return { kind: 'forfeit', seq, key: 'round-1/opinion/debater-1/forfeit', role, failure: 'timeout' };
    }
    if (entry.key === 'round-2/summary/utterance') {
      return { kind: 'forfeit', seq, key: 'round-2/summary/forfeit', role, failure: 'malformed' };
    }
    if (entry.kind !== 'round') return entry;
    return entry.round === 1
      ? { ...entry, mean: 0.25, result: 'unreliable', kept: 'initial' }
      : { ...entry, mean: null, result: 'unheard', kept: 'previous', judge: null };
  });
  expect(faultsOf(pageOf(lost))).toEqual([]);
  const text = textOf(pageOf(lost));
  expect(text).toContain('The model did not answer in time. The others were told that nothing was said.');
  expect(text).toContain('also when it was asked for again. No summary could be had.');
  expect(text).toContain('mean 0.25 is under 0.5: back to the first opinion');
  expect(text).toContain('nothing to go on with: the opinion stays as it was');
  expect(text).toContain('Own answer, with the summarynone');
});
