import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { type ModerationReport, moderationReportSchema } from '../shared/moderation.ts';
import { statsReportSchema } from '../shared/outputs.ts';
import { type Ended, errorOf, openBench, parseTrialLines } from './testing.ts';

/** Calls that the server has got. */
let asked = 0;

const bench = await openBench({
  fault() {
    asked += 1;
    return null;
  },
});
const { standin } = bench;

const experiment = {
  version: 1,
  name: 'policy',
  dataset: { path: 'questions.csv', kind: 'open', id: 'id' },
  runtime: { numCtx: 16384, numPredict: 2048 },
  arms: [
    {
      name: 'moderated',
      protocol: 'socrasynth',
      params: { moderated: true, subtopics: 2, maxRounds: 1 },
      cast: { '*': { model: 'llama3.1:8b' } },
    },
    { name: 'alone', protocol: 'socrasynth', params: { subtopics: 1, maxRounds: 0 }, cast: { '*': { model: 'llama3.1:8b' } } },
  ],
};

function project(name: string) {
  const room = bench.room(name);
  writeFileSync(join(room, 'questions.csv'), 'id,question\nq1,"Should it be regulated?"\n');
  const file = join(room, 'experiment.json');
  writeFileSync(file, JSON.stringify(experiment));
  const store = join(room, 'store.db');
  const withStore = (...args: string[]) => bench.assize([...args, '--store', store]);
  return {
    room,
    store,
    run: () => withStore('run', file, '--ollama', standin.url, '--json'),
    moderate: (...more: string[]) => withStore('moderate', 'policy', '--json', ...more),
    withStore,
    answer(value: unknown) {
      const path = join(room, 'answer.json');
      writeFileSync(path, JSON.stringify(value));
      return path;
    },
  };
}

const reported = ({ output }: Ended) => runReportSchema.parse(JSON.parse(output));
const moderated = ({ output }: Ended): ModerationReport => moderationReportSchema.parse(JSON.parse(output));

test('a run ends without the trial that waits, is moderated twice, and ends; the record verifies and replays', async () => {
  const { run, moderate, withStore, answer, store } = project('whole');
  const first = await run();
  expect([first.code, first.errors.includes('interrupted')]).toEqual([0, false]);
  expect(reported(first)).toMatchObject({ planned: 2, done: 1, decided: 1, waiting: 1, complete: false });

  // Run again, it sends no request.
  const calls = asked;
  expect(reported(await run())).toMatchObject({ done: 1, finished_now: 0, waiting: 1, complete: false });
  expect(asked).toBe(calls);

  const [waiting] = moderated(await moderate('--list')).waiting;
  expect(waiting).toMatchObject({ arm: 'moderated', case: 'q1', replicate: 0, kind: 'subtopics' });
  const wrong = await moderate('--file', answer({ action: 'remark', to: 'both', text: 'Go on.' }));
  expect([wrong.code, errorOf(wrong).message]).toEqual([2, expect.stringMatching(/waits for its subtopics/)]);
  const subtopics = [{ title: 'Costs', scope: 'Who pays for it.' }];
  const shown = await withStore('show', 'policy', '--trial', waiting?.trial ?? '');
  expect((await bench.assize(['verify', store])).output).toContain(
    'It also made up the answers so far of 1 of 1 trial that has not ended.',
  );
  expect(shown.output).toContain('it waits for its moderator, to accept the subtopics or to change them.\n    1. ');
  const edited = await moderate('--file', answer({ action: 'subtopics', subtopics }));
  expect(moderated(edited)).toMatchObject({ answered: waiting?.trial, waiting: [] });
  const twice = await moderate('--accept', '--trial', waiting?.trial ?? '');
  expect([twice.code, errorOf(twice).message]).toEqual([2, expect.stringMatching(/does not wait/)]);

  expect(reported(await run())).toMatchObject({ done: 1, waiting: 1 });
  const [second] = moderated(await moderate('--show')).waiting;
  expect(second).toMatchObject({ trial: waiting?.trial, kind: 'remark', subtopics });
  expect((await moderate('--accept')).code).toBe(0);
  const last = await run();
  expect([last.code, reported(last)]).toMatchObject([0, { done: 2, decided: 2, waiting: 0, complete: true }]);

  const { output: table } = await withStore('stats', 'policy');
  expect(table).toContain('Its questions are open: without labels there is no accuracy, no baseline and no comparison of arms.');
  expect(table).toMatch(/^moderated +1\/1 +1 +none$/m);
  expect(table).not.toMatch(/Labels:|against|Intervals/);
  const lines = parseTrialLines((await withStore('export', 'policy', '--format', 'trials-jsonl', '--out', '-')).output);
  expect(lines.map(({ outcome, prediction, correct, belief }) => [outcome, prediction, correct, belief])).toEqual([
    ['decided', null, null, null],
    ['decided', null, null, null],
  ]);
  const { output: transcript } = await withStore('show', 'policy', '--trial', waiting?.trial ?? '');
  expect(transcript).toMatch(
    /MODERATOR\n {4}The moderator puts these in the place of the subtopics:\n {4}1\. Costs: Who pays for it\./,
  );
  expect(transcript).toMatch(/^Agent A, .*, on 1\. Costs$/m);
  expect((await bench.assize(['verify', store])).code).toBe(0);
  expect((await bench.assize(['replay', store])).code).toBe(0);
  const stats = statsReportSchema.parse(JSON.parse((await withStore('stats', 'policy', '--json')).output));
  expect(stats.arms.map(({ decided, without_truth, accuracy_decided }) => [decided, without_truth, accuracy_decided.n])).toEqual([
    [1, 1, 0],
    [1, 1, 0],
  ]);
}, 240_000);

test('bad words and answers are reported in a sentence', async () => {
  const { run, moderate, withStore, answer } = project('words');
  await run();
  expect(errorOf(await moderate()).message).toMatch(/one of --list, --show, --file and --accept is needed/);
  expect(errorOf(await moderate('--list', '--accept')).message).toMatch(/one of --list/);
  expect(errorOf(await moderate('--accept', '--trial', 'nobody')).message).toMatch(/no trial "nobody"/);
  expect((await withStore('moderate', 'unknown', '--list')).code).toBe(2);
  const empty = await moderate('--file', answer({ action: 'subtopics', subtopics: [] }));
  expect([empty.code, errorOf(empty).field]).toEqual([2, 'subtopics']);
  const long = await moderate('--file', answer({ action: 'subtopics', subtopics: [{ title: 'x'.repeat(121), scope: 'All.' }] }));
  expect([long.code, errorOf(long).field]).toEqual([2, 'subtopics[0].title']);
}, 240_000);
