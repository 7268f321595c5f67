import { join } from 'node:path';
import { expect, test } from 'vitest';
import { weightsReportSchema } from '../shared/commandOutputs.ts';
import { changed, openBench, sampleData, sampleExperiment, writeExperiment } from './testing.ts';

const bench = await openBench();

const voting = changed(
  sampleExperiment,
  ['"protocol": "standard"', '"protocol": "vote"'],
  ['{ "style": "system1" }', '{ "voters": 3 }'],
  ['"from": "test", "n": 3', '"from": "validation"'],
);

async function ok(args: readonly string[]) {
  const ended = await bench.assize(args);
  if (ended.code !== 0) throw new Error(ended.errors);
  return ended.output;
}

test('weights are learnt from the votes on the validation split, and an arm of the test split votes by them', async () => {
  const room = bench.room('weights');
  const store = join(room, 'store.db');
  const run = (file: string) => ok(['run', file, '--store', store, '--ollama', bench.standin.url]);
  await run(writeExperiment(room, voting, sampleData(120)));
  const report = weightsReportSchema.parse(
    JSON.parse(await ok(['weights', 'rain', '--arm', 'plain', '--store', store, '--json'])),
  );
  const { trials, seats } = report;

  // The same from the exported record, by hand.
  const lines = (await ok(['export', 'rain', '--store', store, '--format', 'trials-jsonl', '--out', '-'])).trim().split('\n');
  const truths = new Map(
    lines.map((line) => JSON.parse(line) as { trial: string; truth: string }).map((one) => [one.trial, one.truth]),
  );
  const events = (await ok(['export', 'rain', '--store', store, '--format', 'events-jsonl', '--out', '-'])).trim().split('\n');
  const answers = events
    .map((line) => JSON.parse(line) as { kind: string; trial: string; payload: string })
    .filter(({ kind }) => kind === 'belief-update')
    .map(({ trial, payload }) => ({ trial, ...(JSON.parse(payload) as { role: string; prediction: string }) }));
  expect(trials).toBe(truths.size);
  for (const { role, n, right, weight } of seats) {
    const own = answers.filter((answer) => answer.role === role);
    expect(n).toBe(own.length);
    expect(right).toBe(own.filter(({ trial, prediction }) => truths.get(trial) === prediction).length);
    expect(weight).toBeCloseTo(Math.max(0, Math.log((right + 1) / (n - right + 1))), 12);
  }

  const weights = JSON.stringify(seats.map(({ weight }) => weight));
  const weighted = changed(
    voting,
    ['"from": "validation"', '"from": "test", "n": 3'],
    ['"voters": 3', `"voters": 3, "weights": ${weights}`],
    ['"rain"', '"snow"'],
  );
  await run(writeExperiment(room, weighted, sampleData(120)));
  await ok(['verify', store]);
  expect(JSON.parse(await ok(['replay', store, '--json']))).toMatchObject({ different: 0, not_replayable: 0 });

  const refused = await bench.assize(['weights', 'snow', '--arm', 'plain', '--store', store]);
  expect(refused).toMatchObject({ code: 2, errors: expect.stringMatching(/tries cases of "test".*"from": "validation"/) });
  const unknown = await bench.assize(['weights', 'rain', '--arm', 'nobody', '--store', store]);
  expect(unknown).toMatchObject({ code: 2, errors: expect.stringMatching(/no arm "nobody"/) });
});
