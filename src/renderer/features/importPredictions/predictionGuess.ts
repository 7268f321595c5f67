// What the columns of a file of predictions are, by what they are called and by the values that they share.
import { areManyNumbers, groupNames, mayBeId, namesSubject } from '../../../core/cases/columnRoles.ts';
import { writtenProbability } from '../../../core/imported/prediction.ts';
import { isPValue, plainName, probabilityWords } from '../../../core/imported/scoreColumns.ts';
import type { Inspection } from '../../../shared/api/dataFiles.ts';
import { longestName } from '../../../shared/experiment.ts';
import { nameOfFile } from '../importing/chosen.ts';
import { type ColumnPart, columnParts, groupColumns, type OwnColumns, type PredictionForm, scaleOf } from './predictionForm.ts';

type Column = Inspection['columns'][number];

type Named = Exclude<ColumnPart, 'weight'>;

/** Names of each part, those that say most first. */
const usualNames: Readonly<Record<Named, readonly RegExp[]>> = {
  case: [/^case(_(id|no|nr|number))?$/, /^id$/],
  prediction: [
    /^(prediction|predicted|pred|(predicted|pred)_(label|class|value|outcome)|(y_)?(pred|hat)|yhat|(label|class)_(pred|predicted))$/,
    /^(verdict|answer|decision|decided|ruling|response|classification)$/,
  ],
  confidence: [/^(confidence|certainty|conf)(_|$)/],
  repeat: [/^(repeat|replicate|rep|run|iteration|attempt)(_(id|no|nr|number))?$/],
  system: [
    /^(system|model|classifier|algorithm|method|predictor)(_(name|id))?$/,
    /^(rater|annotator|coder|forecaster|reader)(_(name|id))?$/,
  ],
  truth: [
    /^(truth|ground_truth|gold(_label)?|actual(_.+)?|happened|what_happened|observed(_.+)?|(y|label)_true|true_(label|class|value|outcome)|truth_label|correct_(answer|label))$/,
    /^(outcome|label|target|class|result)$|_(truth|outcome|label|target)$/,
  ],
};

const aroundThem = new Set(['of', 'predicted', 'pred', 'hat', 'pct', 'percent']);

/** What a column of probabilities says it is the probability of, in plain form; empty where it does not. Null: another column. */
function probabilityOf({ name, values, examples }: Column): string | null {
  const words = plainName(name).split('_');
  const cells = (values ?? examples).filter((cell) => cell.trim() !== '');
  const areShares = cells.every((cell) => {
    const number = writtenProbability(cell, 100);
    return number !== null && number >= 0 && number <= 100;
  });
  if (isPValue(name) || !words.some((word) => probabilityWords.has(word)) || cells.length === 0 || !areShares) return null;
  return words.filter((word) => !probabilityWords.has(word) && !aroundThem.has(word)).join('_');
}

/** Whether numbers are of one label: a confidence in the likelier of two labels is never under a half. */
function goUnderHalf({ values, examples }: Column): boolean {
  const numbers = (values ?? examples).flatMap((cell) => writtenProbability(cell, 100) ?? []);
  const whole = numbers.some((number) => number > 1) ? 100 : 1;
  return numbers.some((number) => number < whole / 2);
}

/** What a probability is of where it does not say so. */
const affirmative = /^(yes|y|true|t|1|positive|pos)$/;

/**
 * The column of each label's probability. Of more than two labels all need one.
 * @param stated columns of probabilities, and what they say they are of
 * @param isOther whether a column that does not say what it is of can be the confidence in the predictions
 */
function probabilitiesOf(
  labels: readonly string[],
  stated: readonly (readonly [string, string])[],
  isOther: (column: string) => boolean,
): Record<string, string> {
  const found = labels.flatMap((label) =>
    stated.filter(([, of]) => of === plainName(label)).map(([column]) => [label, column] as const),
  );
  if (found.length > 0) return labels.length === 2 || found.length === labels.length ? Object.fromEntries(found) : {};
  const [only, ...more] = stated;
  const [yes, ...others] = labels.filter((label) => affirmative.test(plainName(label)));
  const isClear = only !== undefined && more.length === 0 && labels.length === 2 && yes !== undefined && others.length === 0;
  return isClear && !isOther(only[0]) ? { [yes]: only[0] } : {};
}

const filled = ({ values }: Column): string[] => (values ?? []).filter((value) => value.trim() !== '');

/** Whether a column holds what is predicted in others: as a truth does. */
function holds(column: Column, predicted: ReadonlySet<string>): boolean {
  const values = filled(column);
  if (values.length < 2 || predicted.size < 2) return false;
  const own = new Set(values.map(plainName));
  return own.isSubsetOf(predicted) || predicted.isSubsetOf(own);
}

type Parts = Pick<PredictionForm, 'columns' | 'probabilities'>;

/**
 * The parts of a form that fit what the columns are called and hold.
 * @param own what is known of the data set; null: a new experiment
 * @param known the labels of a recorded experiment
 * @param given the column of the truths where it is settled
 */
function guessParts({ columns, guess }: Inspection, own: OwnColumns, known: readonly string[], given = ''): Parts {
  const taken = new Set([given]);
  const take = (name: string | undefined): string => {
    if (name !== undefined) taken.add(name);
    return name ?? '';
  };
  const free = () => columns.filter(({ name }) => !taken.has(name));
  const byName = (wanted: string | undefined) =>
    wanted === undefined ? undefined : columns.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.name;
  const named = (part: Named, fits: (column: Column) => boolean = () => true) =>
    usualNames[part].flatMap((usual) => free().filter((column) => usual.test(plainName(column.name)) && fits(column)))[0]?.name;

  const { id, weight } = own ?? { id: guess.id };
  const isPart = ({ name }: Column) =>
    (['system', 'repeat'] as const).some((part) => usualNames[part].some((usual) => usual.test(plainName(name))));
  const likeId = (fits: (name: string) => boolean) => columns.find((column) => fits(column.name) && !isPart(column))?.name;
  const withEachOnce = () => columns.find(({ name: of }) => columns.some(({ eachOncePer }) => eachOncePer === of))?.name;
  const caseColumn = take(byName(id) ?? named('case') ?? likeId(mayBeId) ?? likeId(namesSubject) ?? withEachOnce());
  const stated = free().flatMap((column) => {
    const of = probabilityOf(column);
    return of === null ? [] : [[column.name, of] as const];
  });
  for (const [column] of stated) taken.add(column);
  // A truth or a group is the same in all rows of a case.
  const isOfCase = (column: Column) => column.variesPer !== caseColumn;
  // A label is what was predicted only where the truth is elsewhere: in the data set.
  const namedPrediction = take(named('prediction') ?? (own === null || stated.length > 0 ? undefined : byName('label')));
  const eachOnce = () =>
    free().find((column) => column.eachOncePer === caseColumn && !isPart(column) && !areManyNumbers(column))?.name;
  const [system, repeat, confidence] = [take(named('system') ?? eachOnce()), take(named('repeat')), take(named('confidence'))];
  const truths = () => free().filter((column) => isOfCase(column) && !groupNames.test(column.name));
  const truthOf = (predicted: ReadonlySet<string>) => truths().findLast((column) => holds(column, predicted))?.name;
  const plainValues = (column: Column) => new Set(filled(column).map(plainName));
  const settled = given === '' ? known : filled(columns.find(({ name }) => name === given) ?? noColumn);
  const varying = () =>
    free().find((column) => {
      if (isOfCase(column)) return false;
      return own === null && given === ''
        ? truthOf(plainValues(column)) !== undefined
        : holds(column, new Set(settled.map(plainName)));
    })?.name;
  const prediction = namedPrediction === '' ? take(varying()) : namedPrediction;
  const predicted = new Set(
    prediction === ''
      ? stated.map(([, of]) => of)
      : columns.filter(({ name }) => name === prediction).flatMap((column) => filled(column).map(plainName)),
  );
  const ofEvent = () =>
    stated.length === 0
      ? undefined
      : truths().findLast((column) => {
          const values = filled(column);
          return values.length === 2 && values.some((value) => affirmative.test(plainName(value)));
        })?.name;
  const guessed = () => free().find(({ name }) => name === guess.label?.column)?.name;
  const truth =
    given === ''
      ? take(named('truth', isOfCase) ?? (own === null ? (truthOf(predicted) ?? ofEvent() ?? guessed()) : undefined))
      : given;
  const labels = own === null ? filled(columns.find(({ name }) => name === truth) ?? noColumn) : known;
  const probabilities = probabilitiesOf(
    labels,
    stated,
    (only) => prediction !== '' && !columns.some((column) => column.name === only && goUnderHalf(column)),
  );
  const isStated = Object.keys(probabilities).length > 0;
  const [single, ...more] = stated;
  return {
    columns: {
      case: caseColumn,
      prediction,
      confidence: confidence === '' && !isStated && more.length === 0 ? (single?.[0] ?? '') : confidence,
      repeat,
      system,
      truth,
      weight: byName(weight) ?? '',
    },
    probabilities,
  };
}

/** The parts of a new experiment: what was predicted is looked for among the labels of the truth, once there is one. */
function newParts(inspection: Inspection, truth?: string): Parts {
  const found = guessParts(inspection, null, [], truth);
  return found.columns.truth === (truth ?? '') ? found : guessParts(inspection, null, [], found.columns.truth);
}

/** What a form becomes with another truth: each part that is as it was proposed is proposed again; one chosen by hand stays. */
export function withTruth(inspection: Inspection, form: PredictionForm, truth: string): Parts & Pick<PredictionForm, 'scale'> {
  const [before, after] = [newParts(inspection, form.columns.truth), newParts(inspection, truth)];
  const isChosen = (part: ColumnPart) => form.columns[part] !== before.columns[part];
  const chosen = Object.fromEntries(columnParts.flatMap((part) => (isChosen(part) ? [[part, form.columns[part]]] : [])));
  const asProposed = JSON.stringify(form.probabilities) === JSON.stringify(before.probabilities);
  const parts = {
    columns: { ...after.columns, ...chosen, truth },
    probabilities: asProposed ? after.probabilities : form.probabilities,
  };
  return { ...parts, scale: form.scale === scaleOf(inspection, form) ? scaleOf(inspection, parts) : form.scale };
}

const noColumn: Column = { name: '', values: null, examples: [], empty: 0, longest: 0 };

/** Of more columns only those with usual names are chosen beforehand. */
const mostChosen = 5;

/** A form that fits columns' names and values. @param labels of a recorded experiment @param recorded names that are taken */
export function formOf(
  inspection: Inspection,
  fileName: string,
  own: OwnColumns,
  { labels = [], recorded = [] }: { readonly labels?: readonly string[]; readonly recorded?: readonly string[] } = {},
): PredictionForm {
  const found = { ...(own === null ? newParts(inspection) : guessParts(inspection, own, labels)), opinions: [] };
  const groups = groupColumns(inspection, found, own);
  const numbers = inspection.columns.filter(areManyNumbers).map(({ name }) => name);
  const chosen = groups.filter((name) => own !== null || !numbers.includes(name));
  return {
    arm: nameOfFile(fileName),
    ...found,
    groups: own === null && chosen.length > mostChosen ? chosen.filter((name) => inspection.guess.groups.includes(name)) : chosen,
    scale: scaleOf(inspection, found),
    reading: 'labels',
    sign: '>=',
    limit: '',
    map: {},
    name: own === null ? freeName(nameOfFile(fileName), recorded) : '',
    positive: '',
    question: '',
  };
}

/** A name with a number where it is taken. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name;
  for (let number = 2; taken.includes(free); number += 1) free = `${name.slice(0, longestName - 6)} (${number})`;
  return free;
}
