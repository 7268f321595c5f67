import * as engine from '../../main/engine/engine.ts';
import { inventedAnswers } from '../../shared/demoModel.ts';
import { badInput } from '../../shared/errors.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { type Command, optionHelp, prevalenceIn, storeNamed } from '../command.ts';
import { bannerOf, count, lines, percentage, piecesText, whereLong } from '../format.ts';

/** Resamples beyond which a run would take hours and no figure would change. */
const mostResamples = 1_000_000;

const looksNote =
  'How often results were shown before the end of the run is as the statistics.json of the bundle says: as far as it was counted when the bundle was made. No chain has it.';

function armsOf(given: string | undefined): string[] | undefined {
  if (given === undefined) return undefined;
  const arms = given.split(',').map((arm) => arm.trim());
  if (arms.some((arm) => arm === '')) {
    throw badInput('name the arms with commas between them, such as --arms court,alone', '--arms');
  }
  return arms;
}

function conditionsOf(given: readonly string[]): { column: string; value: string }[] {
  return given.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) {
      throw badInput(`${JSON.stringify(text)} is no condition; name a column and a value, such as --where sex=Female`, '--where');
    }
    return { column: text.slice(0, at), value: text.slice(at + 1) };
  });
}

export const statsCommand: Command = {
  name: 'stats',
  usage:
    'assize stats <experiment> [--store FILE] [--arms A,B] [--where COL=VALUE]… [--prevalence P] [--calibration EXPERIMENT] [--resamples N] [--seed N] [--no-cache] [--json]',
  summary: 'accuracy, baselines, comparisons and calibration of an experiment, each with its n and interval',
  options: [
    ['<experiment>', 'its name, as the file says it'],
    optionHelp.store,
    ['--arms A,B', 'reports and compares these arms only'],
    [
      '--where COL=VALUE',
      'of these trials only: a group column, model, outcome, truth, first answer, or known (truth, confidence, belief, first answer); repeated, a further value of a column or a further condition',
    ],
    [
      '--resamples N',
      `resamples of the cases for each bootstrap interval (default ${engine.defaultResamples}; 0 leaves the intervals out)`,
    ],
    ['--seed N', "seed of the resamples; without it the experiment's own"],
    optionHelp.prevalence,
    [
      '--calibration EXPERIMENT',
      'experiment of the same arms over other cases, such as the validation split: sets of labels are calibrated on these; without it on one half of the cases',
    ],
    ['--no-cache', 'computes again, and stores nothing in the cache'],
    optionHelp.json,
  ],
  positionals: () => ['[experiment]'],
  async run(words, { progress, signal, say, tell }) {
    const resamples = words.whole('resamples', 0);
    if (resamples !== undefined && resamples > mostResamples) {
      throw badInput(`at most ${mostResamples} resamples are drawn`, '--resamples');
    }
    const options = {
      arms: armsOf(words.text('arms')),
      where: conditionsOf(words.texts('where')),
      resamples,
      prevalence: prevalenceIn(words),
      calibration: words.text('calibration'),
      seed: words.whole('seed', 0),
      cache: words.flag('no-cache') ? null : engine.statisticsFolder(),
    };
    const [[experiment = ''], path] = [words.positionals, storeNamed(words.text('store'), say)];
    const show = whereLong(progress);
    const onProgress = ({ share, what }: { share: number; what: string }) => show(`${percentage(share)} done: ${what}`);
    const { report, cases } = await engine.withRecord(path, async (store, looks) => {
      const found = await engine.stats(store, experiment, options, { signal, onProgress });
      const cases = await engine.casesOnTrial(store, experiment);
      if (looks === undefined || found.primary == null) return { report: { ...found, store: path }, cases };
      const primary = { ...found.primary, looks: looks() };
      return { report: { ...found, store: path, primary, notes: [...found.notes, looksNote] }, cases };
    });
    tell(report, statisticsText(report, cases));
  },
};

/** The statistics of an experiment as the command line prints them: which cases were drawn, then the finding. */
export function statisticsText(report: StatsReport, cases?: Awaited<ReturnType<typeof engine.casesOnTrial>>): string {
  const invented = inventedAnswers(report);
  const pieces = engine.statisticsParts(engine.withArmNames(report)).flatMap((part) => part.pieces);
  const isDrawn = cases !== undefined && cases.onTrial < cases.all;
  return lines(
    invented !== null && bannerOf(invented),
    isDrawn && `${count(cases.onTrial)} of the ${count(cases.all)} cases of the data are on trial.`,
    piecesText(pieces),
  );
}

export const reviewsCommand: Command = {
  name: 'reviews',
  usage: 'assize reviews <experiment> [--store FILE] [--json]',
  summary: 'what people judged of an experiment, and how far they agree with the court and with each other',
  options: [['<experiment>', 'name of the experiment'], optionHelp.store, optionHelp.json],
  async run(words, { say, tell }) {
    const path = storeNamed(words.text('store'), say);
    const report = await engine.withRecord(path, (store) => engine.reviewsReport(store, words.positionals[0] ?? ''));
    tell(report, `${piecesText(engine.reviewPieces(report))}\n`);
  },
};
