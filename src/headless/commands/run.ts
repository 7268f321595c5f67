import { commandText, estimate, plan, planRows, type RunProgress, run, runStudy, showStudy } from '../../main/engine/engine.ts';
import type { RunReportJson, StudyReport } from '../../shared/commandOutputs.ts';
import { AssizeError, badInput, diskError, exitCode } from '../../shared/errors.ts';
import type { PlanReport } from '../../shared/outputs.ts';
import { type Part, partWords } from '../../shared/part.ts';
import { byteRange } from '../../shared/sizes.ts';
import { type Command, optionHelp } from '../command.ts';
import { amount, count, demoBanner, lines, table } from '../format.ts';
import { runOptionHelp, runRequest } from '../runRequest.ts';

const advice: Readonly<Record<string, string>> = {
  overflow: 'the prompts did not fit: a larger runtime.numCtx, in an experiment of another name, gives them room',
  malformed:
    'the answers did not keep to the form that was asked for: try another model, or a server that binds answers to a schema; "reading": "paper" takes looser ones, in an experiment of another name',
  timeout: 'raise runtime.timeoutSeconds and run again with --retry timeout',
  backend_error:
    'the screen of such a trial has what the server said, under its call; change that, then run again with --retry backend_error',
};

function cutAdvice(truncated: number, looped: number): string {
  const parts: (readonly [number, string])[] = [
    [
      looped,
      'the answers repeated themselves until they were cut: another model, or a repeatPenalty in the options of the cast, can help, in an experiment of another name',
    ],
    [
      truncated - looped,
      'the answers did not fit: a larger runtime.numPredict, in an experiment of another name, gives them room',
    ],
  ];
  const there = parts.filter(([number]) => number > 0);
  return there.map(([number, words]) => (there.length === 1 ? words : `${number}: ${words}`)).join('; ');
}

function notComplete(experiment: string, waiting: number): string {
  if (waiting === 0) return 'Not complete: run again to continue.';
  const trials = waiting === 1 ? '1 trial waits' : `${waiting} trials wait`;
  return `Not complete: ${trials} for a moderator. See them with: ${commandText('moderate', experiment, '--show')}, answer with --accept or --file, and run again to continue.`;
}

const inPoints = (share: number) => Number((100 * share).toFixed(1));

function resultText(report: RunReportJson, part: Part | undefined): string {
  const { experiment, planned, done, decided, outcomes, looped, waiting, standin, store, complete, stopped } = report;
  const failures = Object.entries(outcomes).filter(([outcome]) => outcome !== 'decided');
  return lines(
    standin && demoBanner,
    `Experiment ${experiment}${part === undefined ? '' : `, ${partWords(part)}`}: ${done} of ${planned} trials done, ${decided} decided${failures.length === 0 ? '' : `, ${done - decided} failed`}.`,
    failures.map(([outcome, number]) => {
      const words = outcome === 'truncated' ? cutAdvice(number, looped) : advice[outcome];
      return `  ${outcome}: ${number}${words === undefined ? '' : ` (${words})`}`;
    }),
    stopped !== undefined &&
      `Stopped by the experiment's rule after ${count(stopped.cases)} cases: the anytime-valid interval of the primary comparison, ${inPoints(stopped.low)} to ${inPoints(stopped.high)} points, is narrower than ${inPoints(stopped.width)} points.`,
    !complete && notComplete(experiment, waiting),
    `Record: ${store}`,
  );
}

function planText(report: PlanReport): string {
  const range = ({ min, max }: { min: number; max: number }) => (min === max ? count(min) : `${count(min)}-${count(max)}`);
  const listed = planRows(report.arms);
  const rows = listed.map((arm) => [
    arm.name,
    arm.protocol,
    count(arm.trials),
    count(arm.remaining),
    range(arm.calls),
    count(arm.prompt_tokens),
    range(arm.completion_tokens),
  ]);
  const { cases, replicates, part } = report;
  const all = cases * report.arms.length * replicates;
  const left = report.arms.reduce((sum, { remaining }) => sum + remaining, 0);
  const missing =
    report.missing_models === null
      ? 'unknown: the server does not answer'
      : report.missing_models.length === 0
        ? 'none'
        : report.missing_models.join(', ');
  return lines(
    `Plan of ${report.experiment}: ${amount(cases, 'case')} x ${amount(report.arms.length, 'arm')} x ${amount(replicates, 'replicate')} = ${amount(all, 'trial')}${part === undefined ? '' : `, of which ${partWords(part)} has ${count(report.trials)}`}`,
    report.done + report.begun > 0 &&
      `The record has ${count(report.done)} of them already. Calls, tokens, time and disk below are for the ${count(left)} that are left${report.begun === 0 ? '' : `: ${count(report.begun)} begun, ${count(left - report.begun)} not begun`}.`,
    '',
    table(['arm', 'protocol', 'trials', 'left', 'calls', 'prompt tokens', 'completion tokens'], rows),
    listed.length < report.arms.length && 'Arms that differ only by model are in one line, with their sums; --json has each.',
    report.preparation_calls.max > 0 &&
      `Made once for several trials, in addition to those of the arms: ${range(report.preparation_calls)} calls.`,
    `All calls: ${range(report.calls)}.`,
    Object.entries(report.calls_at_a_time ?? {}).map(([backend, calls]) => `Calls at a time at ${backend}: ${calls}.`),
    report.order === 'as-written' && 'Order: arm by arm, cases in the order of the sample.',
    `Time: ${report.timing.sentence}.${report.timing.unmeasured.length === 0 ? '' : ' To measure: add --measure to --plan; what it measures is not kept, only what runs record.'}`,
    `Disk: ${byteRange({ min: report.disk_bytes, max: report.disk_bytes_most })}. The larger counts the -wal file next to the store, which takes up to 68 MB while it runs.`,
    `Missing models: ${missing}.`,
    report.notes.map((note) => `Note: ${note}`),
  );
}

/** Ends that are nobody's fault in the experiment: the same command continues. */
const continuing = ['interrupted', 'disk', 'no-backend'];

/** The error that ended a run, with what of the run is on the record and how to continue. */
function withKept(error: unknown, last: RunProgress | null, command: string): unknown {
  if (!(error instanceof AssizeError) || !continuing.includes(error.code) || error.place.remedy !== undefined) return error;
  // Before the first report no one knows how much is done, and a server that was never there has kept nothing from ending.
  if (last === null && error.code !== 'disk') return error;
  const done =
    last === null ? '' : `${count(last.done)} of ${amount(last.planned, 'trial')} ${last.done === 1 ? 'is' : 'are'} done and `;
  const kept = `${done}nothing is lost. The same command continues: ${command}`;
  return error.at({ remedy: { command: kept, screen: kept } });
}

function partNamed(text: string | undefined): Part | undefined {
  if (text === undefined) return undefined;
  const [, number = 0, of = 0] = (/^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? []).map(Number);
  if (number < 1 || number > of) {
    throw badInput(`${JSON.stringify(text)} is not a part; 1/2 is the first of two`, '--part');
  }
  return { number, of };
}

export const runCommand: Command = {
  name: 'run',
  usage:
    'assize run <experiment.json> [--store FILE] [--ollama URL] [--concurrency N] [--json] [--max-trials N] [--part I/N] [--plan [--measure]] [--retry KIND[,KIND]] [--between HH:MM-HH:MM] [--allow-host HOST]… [--start-ollama]',
  summary: 'runs an experiment, or continues one',
  options: [
    ['<experiment.json>', 'the experiment; docs/experiment-file.md explains its keys'],
    optionHelp.store,
    ...runOptionHelp,
    ['--max-trials N', 'ends after N trials; run again to continue'],
    [
      '--part I/N',
      'runs part I of N parts of the trials, for N machines with copies of one store; assize merge joins them\ndocs/scale.md',
    ],
    ['--plan', 'shows what the run would take, without running it'],
    ['--measure', 'with --plan: asks each model for one short answer, about 10 s each, to estimate the run’s time'],
    optionHelp.json,
  ],
  async run(words, { signal, say, live, tell }) {
    const [file = ''] = words.positionals;
    const { request, followed } = runRequest(words, { signal, say });
    const measure = words.flag('measure');
    if (measure && !words.flag('plan')) throw badInput('it goes with --plan; add that, or leave it out', '--measure');
    const part = partNamed(words.text('part'));
    if (words.flag('plan')) {
      if (words.text('max-trials') !== undefined)
        throw badInput('a plan is of all trials, or of a part; leave out one of the two', '--max-trials');
      const report = await plan(file, { ...request, part, measure });
      tell(report, planText(report));
      return exitCode.ok;
    }
    live(followed.text);
    let last: RunProgress | null = null;
    const onProgress = (state: RunProgress) => {
      last = state;
      request.onProgress(state);
    };
    const report = await run(file, { ...request, onProgress, maxTrials: words.whole('max-trials', 0) ?? null, part }).catch(
      (error: unknown) => {
        throw withKept(diskError(error), last, commandText('run', ...words.args));
      },
    );
    for (const note of report.notes) say(`Note: ${note}`);
    tell(report, resultText(report, part));
    return report.done === report.decided ? exitCode.ok : exitCode.failedTrials;
  },
};

type Score = 'accuracy' | 'macro_f1';

function scoreTable({ datasets, arms }: StudyReport, score: Score): string {
  const scale = score === 'accuracy' ? 'share' : 'number';
  const rows = table(
    ['arm', ...datasets.map(({ name }) => name), 'mean'],
    arms.map(({ arm, sets, mean }) => [arm, ...sets.map((set) => estimate(set?.[score], scale)), estimate(mean[score], scale)]),
  );
  return rows.trimEnd();
}

function remarks({ datasets, arms }: StudyReport): string[] {
  const open = arms.flatMap(({ arm, sets }) =>
    sets.flatMap((set, place) => {
      const name = datasets[place]?.name ?? '';
      if (set === null) return [`${arm} was not tried on ${name}.`];
      return set.done < set.planned ? [`${arm} on ${name}: ${count(set.done)} of ${amount(set.planned, 'trial')} finished.`] : [];
    }),
  );
  const [why] = arms.flatMap(({ mean }) => mean.accuracy.why_null ?? []);
  return [...open, ...(why === undefined ? [] : [`Means: ${why}.`])];
}

function text(report: StudyReport): string {
  const { study, datasets } = report;
  const sizes = datasets.map(({ name, cases }) => `${name} ${cases === null ? 'not begun' : amount(cases, 'case')}`).join(', ');
  return lines(
    report.standin && demoBanner,
    `Study ${study}: ${sizes}.`,
    '',
    'Accuracy of all trials, a failure as not correct:',
    scoreTable(report, 'accuracy'),
    '',
    'Macro-F1 of the decided trials:',
    scoreTable(report, 'macro_f1'),
    '',
    'Intervals at 95% over cases. In the mean every data set counts the same, and the cases of each are resampled by themselves.',
    remarks(report),
    `Record: ${report.store}. Each data set is a separate experiment, such as ${JSON.stringify(datasets[0]?.experiment)}.`,
  );
}

export const studyCommand: Command = {
  name: 'study',
  usage:
    'assize study <study.json> [--store FILE] [--show] [--ollama URL] [--concurrency N] [--retry KIND[,KIND]] [--between HH:MM-HH:MM] [--allow-host HOST]… [--start-ollama] [--json]',
  summary: 'runs the same arms over several data sets, or continues, and prints one table of all',
  options: [
    ['<study.json>', 'the study; docs/experiment-file.md explains its keys'],
    optionHelp.store,
    ['--show', 'prints the table of what is on the record, and runs nothing'],
    ...runOptionHelp,
    optionHelp.json,
  ],
  async run(words, { signal, say, live, tell }) {
    const [file = ''] = words.positionals;
    const { request, followed } = runRequest(words, { signal, say });
    if (words.flag('show')) {
      const report = await showStudy(file, request.store);
      tell(report, text(report));
      return exitCode.ok;
    }
    live(followed.text);
    const { report, failed } = await runStudy(file, { ...request, onDataset: (name) => say(`Data set ${name}:`) });
    tell(report, text(report));
    return failed ? exitCode.failedTrials : exitCode.ok;
  },
};
