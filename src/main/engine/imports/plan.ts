import {
  beliefIn,
  numberIn,
  type PredictionCells,
  predictionReader,
  type ReadPrediction,
} from '../../../core/imported/prediction.ts';
import { trialId } from '../../../core/record/identity.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { badInput } from '../../../shared/errors.ts';
import { type ImportMapping, isImported } from '../../../shared/imported.ts';
import { listed, quoted } from '../datasets/spelling.ts';
import type { FileFault, PredictionFile, PredictionRow, PredictionRows } from './predictionRows.ts';
import type { ImportTarget } from './target.ts';

/** A trial that a row of the file becomes. */
export interface ImportedTrial {
  readonly arm: string;
  readonly replicate: number;
  readonly row: PredictionRow;
}

export type ImportPlan = Readonly<ReturnType<typeof planImport>>;

const longestName = 200;
export const mostSystems = 200;

/** Numbers in their order; other texts in the order in which they appear. */
function repeatsOf(rows: PredictionRows): string[] {
  const different = new Set<string>();
  for (const { repeat } of rows) if (repeat !== null) different.add(repeat);
  const values = [...different];
  const numbers = new Map(values.map((value) => [value, numberIn(value)]));
  if ([...numbers.values()].includes(null)) return values;
  return values.toSorted((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0));
}

function refuseComparison({ labels, positive }: ImportTarget, { positiveIf }: ImportMapping): void {
  if (positiveIf === null || (labels.length === 2 && positive !== null)) return;
  throw badInput(
    labels.length === 2
      ? 'a comparison needs a positive label, and the experiment names none; map the values instead'
      : `a comparison works for two labels, and the experiment has ${labels.length}; map the values instead`,
    'positive-if',
  );
}

/**
 * The mapping that predictions are read by. A comparison says what numbers mean, so a number that the map makes a label is one
 * of the truths: a file can have scores from 1 to 10 with truths that are 0 and 1. Throws bad input where it has no truths.
 */
export function mappingOfPredictions(mapping: ImportMapping, { labels }: Pick<ImportTarget, 'labels'>): ImportMapping {
  const { map, positiveIf, columns } = mapping;
  if (positiveIf === null) return mapping;
  const ofTruths = map.filter(([value, label]) => numberIn(value) !== null && labels.includes(label));
  const [[value, label] = []] = ofTruths;
  if (value !== undefined && label !== undefined && columns.truth === null) {
    throw badInput(
      `the map makes ${quoted(value)} the label ${quoted(label)}, and the comparison ${quoted(positiveIf)} also says what this number means; leave one of them out`,
      'map',
    );
  }
  return { ...mapping, map: map.filter((each) => !ofTruths.includes(each)) };
}

/** Throws bad input where the columns of probabilities do not make a distribution over the labels, or do not say enough. */
function refuseLabels({ labels, positive }: ImportTarget, { columns, positiveIf }: ImportMapping): void {
  const { prediction, probabilities, confidence } = columns;
  const stated = probabilities.map(([label]) => label);
  const wrong = (problem: string, field = 'probability') => badInput(problem, field);
  if (stated.length === 0) {
    if (prediction !== null) return;
    throw wrong('name the column of the predictions, or of the probabilities of the labels', 'prediction');
  }
  if (confidence !== null)
    throw wrong('the confidence is the probability of the prediction; leave the column of the confidence out', 'confidence');
  const stray = stated.find((label) => !labels.includes(label));
  if (stray !== undefined) throw wrong(`${quoted(stray)} is none of the labels ${listed(labels)}`);
  const twice = stated.find((label, place) => stated.indexOf(label) !== place);
  if (twice !== undefined) throw wrong(`${quoted(twice)} has two columns of probabilities; name one`);
  const missing = labels.filter((label) => !stated.includes(label));
  if (labels.length > 2 && missing.length > 0) {
    throw wrong(
      `with ${labels.length} labels the probability of each is needed; ${listed(missing)} ${missing.length === 1 ? 'has' : 'have'} no column`,
    );
  }
  if (prediction === null && positiveIf !== null && !stated.includes(positive ?? '')) {
    throw wrong(`without predictions the comparison is of the probability of ${quoted(positive ?? '')}; name its column`);
  }
}

/** Throws bad input, with line and column, where the probabilities of a row are no distribution. */
function probabilityGuard({ labels }: ImportTarget, { columns, confidenceScale }: ImportMapping, fault: FileFault) {
  const stated = columns.probabilities.map(([label]) => label);
  return ({ probabilities, line }: PredictionRow): void => {
    const read = beliefIn(probabilities, stated, labels, confidenceScale);
    if (!('problem' in read)) return;
    throw fault(read.problem, { line, field: columns.probabilities[read.place ?? 0]?.[1] ?? null });
  };
}

export const cellsOf = ({ prediction, confidence, probabilities, opinions }: PredictionRow): PredictionCells => ({
  value: prediction,
  stated: confidence,
  probabilities,
  opinions,
});

/** A prediction in words: its cell, or the probabilities that it follows from. */
export const saidIn = ({ prediction, probabilities }: PredictionRow): string => prediction ?? probabilities.join(', ');

/** Gives every row its arm. Throws bad input for a name that is too long or belongs to an arm that was run. */
function armNamer(armName: string, { arms }: ImportTarget, fault: FileFault, column: string | null) {
  const taken = new Set(arms.filter((arm) => !isImported(arm)).map(({ name }) => name));
  const names = new Map<string, string>();
  return ({ system, line }: PredictionRow): string => {
    const known = names.get(system ?? '');
    if (known !== undefined) return known;
    const name = system === null ? armName : `${armName}/${system}`;
    if (taken.has(name)) {
      throw badInput(`arm ${quoted(name)} is one that was run here; give the imported arm another name`, 'arm');
    }
    if (name.length > longestName) {
      throw fault(`the name of arm ${quoted(name)} has ${name.length} characters; at most ${longestName} can be taken`, {
        line,
        field: column,
      });
    }
    if (names.size === mostSystems) {
      throw fault(`there are more than ${mostSystems} different systems; is this the column that names them?`, {
        line,
        field: column,
      });
    }
    names.set(system ?? '', name);
    return name;
  };
}

/** Remembers where a prediction was. Throws bad input, with both lines, where there is a second one. */
function repetitionGuard({ columns }: ImportMapping, fault: FileFault) {
  const lines = new Map<string, Map<string, number>>();
  return (arm: string, replicate: number, { case: caseId, line, repeat }: PredictionRow): void => {
    const name = `${replicate} ${arm}`;
    const seen = lines.get(name) ?? new Map<string, number>();
    lines.set(name, seen);
    const earlier = seen.get(caseId);
    if (earlier !== undefined) {
      const which = repeat === null ? '' : `, repeat ${quoted(repeat)}`;
      const reasons = { system: 'if several systems predicted', repeat: 'if one predicted several times' } as const;
      const missing = (['system', 'repeat'] as const).filter((part) => columns[part] === null);
      const advice = (of: (part: 'system' | 'repeat') => string) =>
        missing.map((part) => `${reasons[part]}, name the column ${of(part)}`).join('; ');
      throw fault(
        `arm ${quoted(arm)} has a prediction for case ${quoted(caseId)}${which} in line ${earlier} and in line ${line}`,
        {
          ...{ line, field: columns.case },
          ...(missing.length === 0
            ? {}
            : {
                remedy: {
                  command: advice((part) => `with --${part} COL`),
                  screen: advice((part) => `under ${capitalized(part)}`),
                },
              }),
        },
      );
    }
    seen.set(caseId, line);
  };
}

/** What the rows of a file amount to in an experiment. Throws bad input with line and column; nothing is written. */
export function planImport(
  { rows }: PredictionFile,
  target: ImportTarget,
  mapping: ImportMapping,
  { arm: armName, fault }: { readonly arm: string; readonly fault: FileFault },
) {
  const { columns } = mapping;
  refuseComparison(target, mapping);
  const { name: experiment } = target.definition;
  refuseLabels(target, mapping);
  const read = predictionReader(mapping, target);
  const checkProbabilities = probabilityGuard(target, mapping, fault);
  const armOf = armNamer(armName, target, fault, columns.system);
  const refuseSecond = repetitionGuard(mapping, fault);
  const repeats = repeatsOf(rows);
  const replicates = new Map(repeats.map((value, index) => [value, index]));
  const systems = new Map<string, string>();
  const trialOf = (row: PredictionRow): ImportedTrial => ({
    arm: armOf(row),
    replicate: replicates.get(row.repeat ?? '') ?? 0,
    row,
  });
  const places: number[] = [];
  let [notOnTrial, place] = [0, -1];
  for (const row of rows) {
    place += 1;
    const onTrial = target.cases.get(row.case);
    if (onTrial === undefined) {
      const [known = ''] = target.cases.keys();
      throw fault(
        `case ${quoted(row.case)} is not in the data set of experiment ${quoted(experiment)}; write the ids as they are there, such as ${quoted(known)}`,
        { line: row.line, field: columns.case },
      );
    }
    const { arm, replicate } = trialOf(row);
    refuseSecond(arm, replicate, row);
    checkProbabilities(row);
    if (!onTrial) {
      notOnTrial += 1;
      continue;
    }
    places.push(place);
    systems.set(arm, row.system ?? armName);
  }
  if (systems.size === 0) {
    throw fault(`none of the ${rows.length} rows belongs to a case that experiment ${quoted(experiment)} has on trial`, {
      field: columns.case,
    });
  }
  return {
    /** Places of the rows that become trials, in the order of the file. */
    places: places as readonly number[],
    /** The trial of a row. Made each time, as the row itself. */
    trialAt: (at: number): ImportedTrial => trialOf(rows.at(at)),
    idOf: ({ arm, replicate, row }: ImportedTrial): string => trialId({ experiment, arm, case: row.case, replicate }),
    /** What a trial's row says. Made each time: to hold it for all trials would take as much memory again as they do. */
    read: ({ row }: ImportedTrial): ReadPrediction => read(cellsOf(row)),
    /** Arm -> the system that predicted, in the order of the file. */
    systems,
    /** Values of the repeat column; the place in the list is the replicate. */
    repeats,
    /** Rows whose case is in the data set and not on trial. */
    notOnTrial,
  };
}
