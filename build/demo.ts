// Every experiment of a folder, else of resources/experiments, on the demo model, one table of all their arms, and the proof of their record.
import { readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findProtocol } from '../src/core/protocols/index.ts';
import { count, demoBanner, duration, table } from '../src/headless/format.ts';
import { followRun } from '../src/headless/liveRun.ts';
import { terminalSurroundings } from '../src/headless/terminal.ts';
import { estimate, replay, run, startDemoServer, stats, verify } from '../src/main/engine/engine.ts';
import { openTemporaryFolder } from '../src/main/engine/temporaryFolder.ts';
import { AssizeError, type ExitCode, exitCode } from '../src/shared/errors.ts';
import type { ArmStatistics, StatsReport } from '../src/shared/outputs.ts';
import { root } from './repository.ts';

const experiments = process.argv[2] ?? 'resources/experiments';
/** Trials at a time: enough to keep the demo model busy while the record is written. */
const concurrency = 4;

const files = readdirSync(resolve(root, experiments))
  .filter((name) => name.endsWith('.json'))
  .sort();

const controller = new AbortController();
const { signal } = controller;
const { out, progress, live, finish } = terminalSurroundings(signal);

const folder = openTemporaryFolder('demo');
const store = join(folder, 'assize.db');
// The key that signs its record goes with it, whichever of these names the configuration folder here.
Object.assign(process.env, { XDG_CONFIG_HOME: folder, HOME: folder, APPDATA: folder });
// However the process ends: a second interrupt does not wait for what is under way.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    if (signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
  });
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000;

/** Runs an experiment to the end and returns its counts. */
async function runExperiment(file: string, url: string): Promise<StatsReport> {
  const startedAt = performance.now();
  let calls = 0;
  const { text, onProgress, onCall } = followRun();
  const inFile = (words: string) => `${file}: ${words}`;
  const leave = live({
    line() {
      const { head, tail } = text.line();
      return { head: inFile(head), tail };
    },
    report: () => inFile(text.report()),
  });
  const report = await run(resolve(root, experiments, file), {
    store,
    url,
    concurrency,
    signal,
    onProgress: (state) => {
      calls = state.calls;
      onProgress(state);
    },
    onCall,
  });
  leave();
  const { experiment, planned, decided, waiting } = report;
  if (waiting > 0) throw new Error(`${file}: ${waiting} trials wait for a moderator, whom a demonstration does not have`);
  out(`${file}: ${decided} of ${planned} trials decided, ${count(calls)} calls, ${duration(secondsSince(startedAt))}\n`);
  return stats(store, experiment, { quick: true, cache: null }, { signal, onProgress: () => undefined });
}

const accuracy = ({ accuracy_all: share }: ArmStatistics) => (share.n === 0 ? 'open' : estimate(share));

const row = (experiment: string, arm: ArmStatistics) => [
  findProtocol(arm.protocol)?.title ?? arm.protocol,
  arm.arm,
  experiment,
  count(arm.n),
  count(arm.decided),
  count(arm.n - arm.decided),
  accuracy(arm),
  count(arm.calls),
  `${(arm.wall_ms / 1000 / Math.max(1, arm.n)).toFixed(2)} s`,
];

const header = ['system', 'arm', 'experiment', 'cases', 'decided', 'not decided', 'accuracy of all', 'calls', 'time a trial'];

/** Checks the record and derives its verdicts again. Returns the exit code of the first check that fails. */
async function prove(): Promise<ExitCode> {
  const { result, trials, events, root: rootHash, first_bad } = await verify(store, {});
  if (result !== 'intact') {
    out(`The record is not intact: ${first_bad?.problem ?? 'no reason is known'}.\n`);
    return exitCode.tampered;
  }
  out(`Verified: the record is intact, ${count(trials)} trials with ${count(events)} events. Record root: ${rootHash}\n`);
  const { identical, different, not_replayable } = await replay(store, undefined, (done, of) =>
    progress(`${done}/${of} trials replayed`),
  );
  const problems = `${different} different, ${not_replayable} not replayable`;
  out(`Replayed without a model: ${count(identical)} verdicts re-derived, ${problems}.\n`);
  if (different > 0) return exitCode.tampered;
  return not_replayable > 0 ? exitCode.failedTrials : exitCode.ok;
}

async function demonstrate(): Promise<ExitCode> {
  const startedAt = performance.now();
  const standin = await startDemoServer({ port: 0 });
  const reports: StatsReport[] = [];
  try {
    out(`${demoBanner}\n${files.length} experiments of ${experiments}, in a record that is removed afterwards:\n`);
    for (const file of files) reports.push(await runExperiment(file, standin.url));
  } finally {
    await standin.close();
  }
  const arms = reports.flatMap((report) => report.arms.map((arm) => ({ experiment: report.experiment, arm })));
  out(`\n${demoBanner}\n`);
  out(
    table(
      header,
      arms.map(({ experiment, arm }) => row(experiment, arm)),
    ),
  );
  out('Accuracy: share of the cases decided right, one without a verdict counting as not right, with its 95% Wilson interval;\n');
  out('"open" where no right answer is known. Calls that several trials share are in the line of their experiment alone.\n\n');
  const proved = await prove();
  out(`All of it took ${duration(secondsSince(startedAt))}.\n`);
  if (proved !== exitCode.ok) return proved;
  // A debate may end without a verdict: that is an outcome, and no fault of the program.
  return arms.every(({ arm }) => arm.n === arm.planned) ? exitCode.ok : exitCode.failedTrials;
}

try {
  process.exitCode = await demonstrate();
} catch (error) {
  if (!(error instanceof AssizeError)) throw error;
  process.stderr.write(signal.aborted ? 'Interrupted: the record is removed.\n' : `demo: ${error.describe()}\n`);
  process.exitCode = error.exitCode;
} finally {
  finish();
}
