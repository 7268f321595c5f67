import { copyFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { kept } from '../main/engine/testing/kept.ts';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { changed, errorOf, openBench, sampleData, sampleExperiment } from './testing.ts';

const bench = await openBench();
const { standin } = bench;
const experiment = changed(
  sampleExperiment,
  ['"from": "test", "n": 3', '"from": "test", "n": 16'],
  ['"replicates": 1', '"replicates": 2'],
);
const { file, store: start, run } = bench.project('split', experiment, sampleData(32));

test('two machines run an experiment, each with its own store and server, and their stores are joined', {
  tags: 'exhaustive',
}, async () => {
  const frozen = await run('--max-trials', '0');
  expect([frozen.code, frozen.errors]).toEqual([0, expect.not.stringContaining('to run')]);
  const elsewhere = kept(await startDemoServer({ port: 0 }));
  const half = await bench.assize(['run', file, '--store', start, '--plan', '--part', '1/2', '--ollama', standin.url]);
  expect(half.output).toMatch(/^Plan of rain: 16 cases x 1 arm x 2 replicates = 32 trials, of which part 1 of 2 has \d+\n/m);
  const machines = [standin.url, elsewhere.url].map((url, index) => {
    const store = bench.path(`split/machine-${index + 1}.db`);
    copyFileSync(start, store);
    const part = `${index + 1}/2`;
    return { store, words: ['run', file, '--store', store, '--ollama', url, '--part', part, '--json'] };
  });
  const ended = await Promise.all(machines.map(({ words }) => bench.start(words).ended));
  const reports = ended.map(({ output, errors }) => runReportSchema.parse(JSON.parse(output === '' ? errors : output)));
  expect(reports.map(({ complete }) => complete)).toEqual([true, true]);
  expect(reports.reduce((sum, { planned }) => sum + planned, 0)).toBe(32);
  expect(Math.min(...reports.map(({ done }) => done))).toBeGreaterThan(8);
  // Both asked their own servers, and no server was asked for a trial of the other part.
  expect(elsewhere.requests().filter(({ endpoint }) => endpoint === '/api/chat')).toHaveLength(reports[1]?.done ?? 0);

  const into = bench.path('split/merged.db');
  const joined = await bench.assize(['merge', ...machines.map(({ store }) => store), '--into', into]);
  expect(joined.output).toContain(
    `32 trials of 2 stores joined in ${into}\nNo trial was in more than one store.\nrain: 32 of 32 planned trials have ended.\n`,
  );
  const [{ store: first } = { store: '' }] = machines;
  const copy = bench.path('split/copy.db');
  copyFileSync(first, copy);
  const twice = await bench.assize(['merge', first, copy, '--into', bench.path('split/twice.db')]);
  const held = reports[0]?.done;
  expect(twice.output).toContain(`joined once: ${held}.\nrain: ${held} of 32 planned trials have ended.\n`);

  // Trials of another part are run where they are asked for, and a warning says what that means.
  const more = await bench.assize(['run', file, '--store', copy, '--ollama', standin.url, '--max-trials', '1']);
  expect(more.errors).toContain('the last run in this store took part 1 of 2, and this one takes all trials.');

  // All parts are in it: nothing is left to run.
  const rest = await bench.assize(['run', file, '--store', into, '--ollama', standin.url, '--json']);
  expect(runReportSchema.parse(JSON.parse(rest.output))).toMatchObject({ complete: true, finished_now: 0 });
});

test.each([
  ['a part that is none', ['--part', '3/2'], 'is not a part'],
  ['a part of an experiment that is not on the record', ['--part', '1/2'], 'with --max-trials 0 on one machine'],
])('%s is refused', async (_name, words, problem) => {
  const { run: runOther } = bench.project(`refused ${problem}`);
  const ended = await runOther(...words);
  expect(ended.code).toBe(2);
  expect(errorOf(ended)).toMatchObject({ field: '--part', message: expect.stringContaining(problem) });
});

test.each([
  [
    'a stopping rule',
    '"primary": { "compare": ["plain", "other"], "measure": "accuracy" }, "stop": { "width": 0.2 },',
    '"protocol": "standard", "params": { "style": "system1" }',
    'a stopping rule looks at all trials',
  ],
  [
    'shared questions',
    '',
    '"protocol": "courtroom", "params": { "judges": 3, "ambiguity": 5 }',
    'share answers or vectors that are made once',
  ],
])('an experiment with %s has no parts', async (name, head, arm, problem) => {
  const other = changed(
    sampleExperiment,
    ['"replicates": 1,', `"replicates": 1, ${head}`],
    ['    }\n  ]', `    },\n    { "name": "other", ${arm}, "cast": { "*": { "model": "llama3.1:8b" } } }\n  ]`],
  );
  const project = bench.project(name, other);
  const ended = await project.run('--part', '1/2');
  expect([ended.code, errorOf(ended).message]).toEqual([2, expect.stringContaining(problem)]);
});

test('a disk on which the new store has no room is named, and nothing is left there', async () => {
  const begun = await run('--max-trials', '2');
  expect([begun.code, begun.errors]).toEqual([0, expect.stringContaining('Started: 32 trials to run, at most 2 of them now.')]);
  const room = bench.room('full');
  const { code, errors } = await bench.shell(`ulimit -f 64; assize merge '${start}' '${start}' --into '${room}/into.db'`);
  expect([code, errors]).toEqual([70, expect.stringContaining(`${room}/into.db: the disk could not be read or written`)]);
  expect(readdirSync(room)).toEqual([]);
});

test('a sentence says what the command needs', async () => {
  expect(await bench.assize(['merge', start, '--into', bench.path('none.db')])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('<store>… is missing'),
  });
  expect(await bench.assize(['merge', start, start])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--into is missing'),
  });
});
