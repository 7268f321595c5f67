import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { debateOf } from '../../../../core/figures/debate.ts';
import { openFolder } from '../../audit/testing/sampleStore.ts';
import { run } from '../../engine.ts';
import { type DemoServer, startDemoServer } from '../../models/demo/demoServer.ts';
import { openStoreReadOnly, type Store } from '../../store/store.ts';
import { transcript } from '../transcript.ts';
import { type ReportData, reportData } from './data.ts';
import { faultsOf, textOf } from './testing/page.ts';
import { reportPage } from './trialReport.ts';

const folder = openFolder('debate-report');
const cast = { '*': { model: 'llama3.1:8b' } };
let store: Store;
let standin: DemoServer;

beforeAll(async () => {
  standin = await startDemoServer({ port: 0 });
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
});

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
    ...['about', 'facts', 'cast', 'subtopics', 'debate', 'proposal', 'panel', 'comparison', 'verdict', 'transcript'],
    ...['belief', 'ruling', 'calls', 'check', 'protocol', 'limits'],
  ]);
  expect(page).not.toContain('<b>research</b>');
  expect(textOf(page)).toContain('An open question has none');
});

test('tells every round with its contentiousness and score, and every sheet with its totals', () => {
  const text = textOf(reportPage(data()).source);
  const { rounds, panel, subtopics } = debateOf(data().entries);
  expect(rounds.map(({ title }) => title)).toEqual(['Opening', 'Round 1', 'Closing statements']);
  expect(text).toContain('Opening contentiousness 0.90 of 1');
  expect(text).toContain('Round 1 contentiousness 0.75 of 1');
  for (const { evaluation } of rounds)
    if (evaluation !== null) expect(text).toContain(`G = ${evaluation.score.toFixed(2)} of 10, `);
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
  expect(text).toMatch(/Both orders agree for [01] of 1 judge/);
});

test('a trial that waits for its moderator says so, and for what', () => {
  const { entries, line, ...rest } = data();
  const settled = entries.findIndex(({ kind }) => kind === 'subtopics');
  const asked = { kind: 'moderation', seq: 1, key: 'subtopics/moderator', role: 'moderator', subtopics: null } as const;
  const waiting = (asks: 'subtopics' | 'remark') =>
    textOf(
      reportPage({
        ...rest,
        line: { ...line, status: 'running', outcome: null },
        entries: [...entries.slice(0, settled + 1), { ...asked, asks }],
      }).source,
    );
  expect(waiting('subtopics')).toContain('not finished; it waits for its moderator, to accept the subtopics or to change them');
  expect(waiting('remark')).toContain('not finished; it waits for its moderator, to say something to the agents');
  expect(textOf(reportPage(data()).source)).not.toContain('waits for its moderator');
});

test('the command line tells subtopics, why the debate stopped, the plain answer and its comparison', () => {
  const { entries, line } = data();
  const { transcript: told } = transcript(store, 'policy', line.trial);
  const { subtopics, stop, answer, comparisons } = debateOf(entries);
  const textsOf = (turn: string) => told.filter((entry) => entry.kind === 'step' && entry.turn === turn).map(({ text }) => text);
  expect(textsOf('subtopics')).toEqual([expect.stringContaining(`1. ${subtopics[0]?.title}: ${subtopics[0]?.scope}`)]);
  expect(textsOf('stop')).toEqual([
    expect.stringContaining(`The rounds ended at a contentiousness of ${stop?.contentiousness.toFixed(4)}.`),
  ]);
  expect(textsOf('answer')).toEqual([expect.stringContaining(answer?.answer ?? 'no answer')]);
  expect(comparisons.length).toBeGreaterThan(0);
  expect(textsOf('comparison')).toEqual(comparisons.map(({ justification }) => expect.stringContaining(justification ?? 'none')));
  const about = told.flatMap(({ subtopic }) => subtopic ?? []);
  expect(new Set(about)).toEqual(new Set(subtopics.map(({ title }, index) => `${index + 1}. ${title}`)));
});
