import { resolveStorePath, stats } from '../../main/engine/engine.ts';
import { exitCode } from '../../shared/errors.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { type Command, optionHelp } from '../command.ts';
import { count, proportion, standinBanner, table } from '../format.ts';
import { jsonOption, parseWords, storeOption } from '../options.ts';

const usage = 'assize stats <experiment> [--store FILE] [--json]';

type ShareJson = ArmStatistics['accuracy_all'];
const share = ({ value, low, high }: ShareJson) =>
  value === null ? '-' : `${proportion(value)} [${proportion(low)}, ${proportion(high)}]`;

function failuresText(failures: Readonly<Record<string, number>>): string {
  const entries = Object.entries(failures);
  return entries.length === 0 ? 'none' : entries.map(([kind, number]) => `${kind} ${number}`).join(', ');
}

function text(report: StatsReport): string {
  const rows = report.arms.map((arm) => [
    arm.arm,
    `${count(arm.n)}/${count(arm.planned)}`,
    count(arm.decided),
    share(arm.accuracy_all),
    share(arm.accuracy_decided),
    proportion(arm.precision),
    proportion(arm.recall),
    proportion(arm.f1),
    proportion(arm.macro_f1),
    failuresText(arm.failures),
  ]);
  const counts = report.arms.flatMap(({ arm, counts: given }) =>
    given === null ? [] : [`  ${arm}: TP ${given.tp}, TN ${given.tn}, FP ${given.fp}, FN ${given.fn}`],
  );
  const unknown = report.arms.reduce((sum, arm) => sum + arm.without_truth, 0);
  return [
    ...(report.standin ? [standinBanner] : []),
    `Experiment ${report.experiment}. Labels: ${report.labels.join(', ')}${report.positive === null ? '' : `; positive: ${report.positive}`}.`,
    '',
    table(
      ['arm', 'n', 'decided', 'accuracy of all', 'accuracy of decided', 'precision', 'recall', 'F1', 'macro-F1', 'failures'],
      rows,
    ),
    ...(counts.length === 0 ? [] : ['Counts over decided trials:', ...counts]),
    ...(unknown === 0 ? [] : [`${unknown} finished trials have no known truth and are in no accuracy.`]),
    `Intervals: Wilson, ${report.interval.level * 100}%. A failure counts as not correct in "accuracy of all".`,
    '',
  ].join('\n');
}

export const statsCommand: Command = {
  name: 'stats',
  usage,
  summary: 'counts, accuracy, precision, recall and F1 of an experiment',
  options: [['<experiment>', 'its name, as the file says it'], optionHelp.store, optionHelp.json],
  async run(args, { out }) {
    const words = parseWords(args, { ...storeOption, ...jsonOption }, ['<experiment>'], usage);
    const report = await stats(resolveStorePath(words.text('store')), words.positionals[0] ?? '');
    out(words.flag('json') ? `${JSON.stringify(report, null, 2)}\n` : text(report));
    return exitCode.ok;
  },
};
