import { basename } from 'node:path';
import { importPredictions, refuseForeignPath } from '../../main/engine/engine.ts';
import { badInput } from '../../shared/errors.ts';
import { type ImportReport, positiveIfSchema } from '../../shared/imported.ts';
import { type Command, optionHelp, storeNamed } from '../command.ts';
import { count, lines, table, trialsReady } from '../format.ts';

/** Splits at the first `=` that is no part of a comparison: values and labels such as `<=50K` can hold one themselves. */
function pairOf(text: string, field: string, advice: string): [string, string] {
  const plain = text.search(/(?<![<>!=])=(?!=)/);
  const at = plain > 0 ? plain : text.indexOf('=');
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw badInput(`${JSON.stringify(text)} ${advice}`, field);
}

function mapEntries(texts: readonly string[]): [string, string][] {
  const entries = new Map<string, string>();
  for (const [from, to] of texts.map((text) => pairOf(text, '--map', 'is not a mapping; write VALUE=LABEL, such as True=YES'))) {
    const before = entries.get(from);
    if (before !== undefined && before !== to) {
      throw badInput(
        `${JSON.stringify(from)} is mapped to ${JSON.stringify(before)} and to ${JSON.stringify(to)}; map it once`,
        '--map',
      );
    }
    entries.set(from, to);
  }
  return [...entries];
}

function scaleOf(text: string | undefined): 1 | 100 {
  if (text === undefined || text === '1') return 1;
  if (text === '100') return 100;
  throw badInput(`${JSON.stringify(text)} is no scale; take 1 for probabilities or 100 for percentages`, '--confidence-scale');
}

function comparisonOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const parsed = positiveIfSchema.safeParse(text);
  if (parsed.success) return parsed.data.replace(/\s+/g, '');
  throw badInput(`${JSON.stringify(text)}: ${parsed.error.issues[0]?.message ?? 'it does not fit'}`, '--positive-if');
}

const most = 20;

function undecidedLines({ undecided, undecided_trials: all }: ImportReport): string[] {
  const values = Object.entries(undecided);
  if (all === 0) return [];
  const shown = values.slice(0, most).map(([value, trials]) => `  ${JSON.stringify(value)}: ${count(trials)}`);
  const rest = all - values.slice(0, most).reduce((sum, [, trials]) => sum + trials, 0);
  return [
    'Values that are no label, kept as failed trials (undecided):',
    ...shown,
    ...(rest === 0 ? [] : [`  others: ${count(rest)}`]),
  ];
}

function resultText(report: ImportReport): string {
  const { experiment, created, trials, imported_now: fresh, cases, not_on_trial: off, labels, positive, repeats } = report;
  const rows = report.arms.map((arm) => [
    arm.arm,
    count(arm.trials),
    count(arm.imported_now),
    `${count(arm.cases)}/${count(cases.on_trial)}`,
    count(arm.replicates),
    count(arm.decided),
    count(arm.undecided_trials),
  ]);
  const news = fresh === 0 ? 'all of them were on the record already' : `${count(fresh)} of them new`;
  return lines(
    `Experiment ${experiment}${created ? ', made from this file' : ''}: ${count(trials)} predictions for ${count(cases.predicted)} of ${count(cases.on_trial)} cases on trial, ${news}.`,
    `Labels: ${labels.join(', ')}${positive === null ? '' : `; positive: ${positive}`}.`,
    '',
    table(['arm', 'trials', 'new', 'cases', 'replicates', 'decided', 'undecided'], rows),
    undecidedLines(report),
    report.hints,
    repeats.length > 1 && `Replicates 0 to ${repeats.length - 1} are the repeats ${repeats.slice(0, most).join(', ')}.`,
    off > 0 &&
      `${count(off)} rows are of cases of the data set that are not on trial: not imported. Import again when the sample has grown.`,
    report.notes,
    `Record: ${report.store}`,
  );
}

export const importPredictionsCommand: Command = {
  name: 'import-predictions',
  usage:
    'assize import-predictions <file> --experiment NAME --arm NAME [--store FILE] --case COL [--prediction COL] [--confidence COL] ' +
    '[--probability LABEL=COL]… [--confidence-scale 1|100] [--repeat COL] [--system COL] [--truth COL] [--group COL]… [--weight COL] [--opinion COL]… ' +
    "[--map FROM=TO]… [--positive-if '>=5'] [--positive LABEL] [--question TEXT] [--sheet NAME] [--json]",
  summary: 'adds predictions of another system, or of people, to the arms of an experiment',
  options: [
    ['<file>', 'the predictions: csv, tsv, jsonl, parquet or xlsx, a row for each'],
    ['--experiment NAME', 'an experiment on the record; with --truth, one that is not there is made from the file'],
    ['--arm NAME', 'name of the arm; with --system, NAME/<system> for each system'],
    optionHelp.store,
    ['--case COL', 'column of the case ids, spelled as in the data set'],
    [
      '--prediction COL',
      'column of the predictions; a value that is not a label counts as undecided; without it,\nthe label of the greatest --probability',
    ],
    ['--confidence COL', 'column of P(prediction); an empty cell: not stated'],
    ['--probability LABEL=COL', 'column of P(LABEL); repeat it for each label, of two labels one suffices'],
    ['--confidence-scale N', '1 for probabilities, the default; 100 for percentages'],
    [
      '--repeat COL',
      'column that numbers the repeats of a case; they become replicates 0, 1, … in the order of\ntheir numbers, or of the rows',
    ],
    ['--system COL', 'column that names the system: an arm for each'],
    ['--truth COL', 'column of the truths: compared with the data set, or what a new experiment is made from'],
    ['--group COL', 'column of groups, such as race: compared with the data set, or those of a new experiment'],
    ['--weight COL', 'column of sampling weights, a number above 0 for each case: compared, or recorded, like --group'],
    ['--opinion COL', 'column of an opinion before the prediction; repeat it, in the order of the opinions'],
    ['--map FROM=TO', 'maps a value of the file to a label; repeat it for each value'],
    ['--positive-if TEST', "numbers for which this holds are the positive label, all others the other one: '>=5'"],
    ['--positive LABEL', 'the label that rates are about, in a new experiment; by default the last of two'],
    ['--question TEXT', 'what a new experiment asks of each case, in your own words'],
    ['--sheet NAME', 'sheet of an Excel workbook that has several'],
    optionHelp.json,
  ],
  async run(words, { signal, progress, say, tell }) {
    const [file = ''] = words.positionals;
    refuseForeignPath(file, '<file>');
    const optional = (name: string) => words.text(name) ?? null;
    const request = {
      experiment: words.need('experiment'),
      arm: words.need('arm'),
      path: file,
      fileName: basename(file),
      columns: {
        case: words.need('case'),
        prediction: optional('prediction'),
        confidence: optional('confidence'),
        repeat: optional('repeat'),
        system: optional('system'),
        truth: optional('truth'),
        weight: optional('weight'),
        opinions: words.texts('opinion'),
        groups: [...new Set(words.texts('group'))],
        probabilities: words
          .texts('probability')
          .map((text) => pairOf(text, '--probability', 'is no label with a column; write LABEL=COLUMN, such as YES=score')),
      },
      ...(words.text('sheet') === undefined ? {} : { sheet: words.text('sheet') }),
      ...(words.text('positive') === undefined ? {} : { positive: words.text('positive') }),
      ...(words.text('question') === undefined ? {} : { question: words.text('question') }),
      map: mapEntries(words.texts('map')),
      positiveIf: comparisonOf(words.text('positive-if')),
      confidenceScale: scaleOf(words.text('confidence-scale')),
    };
    const report = await importPredictions(storeNamed(words.text('store'), say), request, {
      signal,
      onPreparing: (done, of) => progress(trialsReady(done, of)),
      onProgress: (phase, done) =>
        progress(phase === 'reading' ? `${count(done)} rows read` : `${count(done)} predictions on the record`),
    });
    tell(report, resultText(report));
  },
};
