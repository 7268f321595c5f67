import type { Belief, Outcome } from '../../shared/domain.ts';
import type { ImportMapping, ImportReport, PredictionReading } from '../../shared/imported.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { isSame, noise } from '../statistics/sameNumber.ts';

/** The cells of a row that say what was predicted. */
export interface PredictionCells {
  /** Null where the file has no column of predictions. */
  readonly value: string | null;
  /** The stated confidence; null where there is no such column. */
  readonly stated: string | null;
  /** One for each column of probabilities. */
  readonly probabilities: readonly string[];
  /** One for each opinion before the prediction, in order. */
  readonly opinions: readonly string[];
}

export interface ReadPrediction {
  readonly outcome: Extract<Outcome, 'decided' | 'undecided'>;
  readonly prediction: string | null;
  /** P(prediction), 0-1; null where undecided or not stated. */
  readonly confidence: number | null;
  /** P of each label; null where undecided or not stated. */
  readonly belief: Belief | null;
  /** The label of each opinion before the prediction; null where it names none. */
  readonly course: readonly (string | null)[];
}

export interface NoDistribution {
  readonly problem: string;
  /** Place of the first wrong cell; null where the fault is in all of them. */
  readonly place: number | null;
}

export interface CandidateLabels {
  readonly labels: readonly string[];
  readonly positive: string | null;
}

const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The number that a cell holds, or null. Hexadecimal, grouped digits and words such as `Infinity` are no numbers. */
export function numberIn(cell: string): number | null {
  const text = cell.trim();
  if (!numeral.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** A probability as it is written in a cell: with percentages a percent sign may follow the number. */
export function writtenProbability(cell: string, scale: PredictionReading['confidenceScale']): number | null {
  const text = cell.trim();
  return numberIn(scale === 100 && text.endsWith('%') ? text.slice(0, -1) : text);
}

/** Why a cell is no probability, and what to change; null where it is one. */
export function probabilityFault(cell: string, scale: PredictionReading['confidenceScale']): string | null {
  if (confidenceIn(cell, scale) !== null) return null;
  const pointed = cell.replace(',', '.');
  const advice =
    scale === 1 && confidenceIn(cell, 100) !== null
      ? 'where the file has percentages, choose 0 to 100 as the scale (on the command line --confidence-scale 100)'
      : confidenceIn(pointed, scale) !== null
        ? `write it with a point, as ${pointed.trim()}`
        : 'correct the cell, or leave it empty where none was stated';
  return `${JSON.stringify(cell)} is not a number from 0 to ${scale}; ${advice}`;
}

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '=': (value, limit) => value === limit,
};

/** The test that a comparison such as `>=5` means. Throws on anything else. */
function comparisonOf(text: string): (value: number) => boolean {
  const [, sign = '', limit = ''] = /^\s*(>=|<=|>|<|=)\s*(\S+)\s*$/.exec(text) ?? [];
  const [compare, number] = [comparisons[sign], numberIn(limit)];
  if (compare === undefined || number === null) throw new Error(`${JSON.stringify(text)} is no comparison with a number`);
  return (value) => compare(value, number);
}

/** What printed probabilities may lack or have too much for rounding, as a share of the whole. */
const rounding = 0.02;

/**
 * The distribution that the cells of a row state; null where all are empty. With two labels one cell suffices, and the other
 * label has the rest. A sum that is off by at most 2% is rounding, and the numbers are divided by it; without such an error
 * they are left alone, so that equal cells stay equal numbers.
 * @param stated the label of each cell
 */
export function beliefIn(
  cells: readonly string[],
  stated: readonly string[],
  labels: readonly string[],
  scale: PredictionReading['confidenceScale'],
): { readonly belief: Belief | null } | NoDistribution {
  if (cells.every((cell) => cell.trim() === '')) return { belief: null };
  const shares = cells.map((cell) => confidenceIn(cell, scale));
  const place = shares.indexOf(null);
  if (place >= 0) {
    const cell = cells[place] ?? '';
    const problem =
      cell.trim() === ''
        ? 'a probability is missing; state all of a row, or leave all of them empty'
        : probabilityFault(cell, scale);
    return { problem: problem ?? '', place };
  }
  const known = new Map(stated.map((label, index) => [label, shares[index] ?? 0]));
  const sum = [...known.values()].reduce((total, share) => total + share, 0);
  const isPart = known.size === 1;
  if (!isPart && Math.abs(sum - 1) > rounding) {
    return {
      problem: `the probabilities ${cells.join(', ')} add up to ${Number((sum * scale).toPrecision(6))} and not to ${scale}`,
      place: null,
    };
  }
  const whole = isPart || Math.abs(sum - 1) <= noise ? 1 : sum;
  return { belief: Object.fromEntries(labels.map((label) => [label, (known.get(label) ?? 1 - sum) / whole])) };
}

/** The label of the greatest probability; null where two share it. */
function likeliest(belief: Belief): string | null {
  const greatest = Math.max(...Object.values(belief));
  const [first = null, ...others] = Object.keys(belief).filter((label) => isSame(belief[label] ?? 0, greatest));
  return others.length === 0 ? first : null;
}

/**
 * Makes the reader of a file's rows. A value that the map names means what the map says. With a comparison, a
 * number is the positive label where it holds and the other label where it does not, also where the number is spelled
 * like a label; a label that came out of the map stays. Any other value is then undecided. Without a value the
 * comparison is of the cell of the positive label's probability; without a comparison the likeliest label is the prediction,
 * and none where two are equally likely. Cells that are no distribution, which no import takes, are read as none.
 */
export function predictionReader(
  { map, positiveIf, confidenceScale, columns: { probabilities } }: PredictionReading & Pick<ImportMapping, 'columns'>,
  { labels, positive }: CandidateLabels,
): (cells: PredictionCells) => ReadPrediction {
  const mapped = new Map(map);
  const known = new Set(labels);
  const stated = probabilities.map(([label]) => label);
  const isPositive = positiveIf === null ? null : comparisonOf(positiveIf);
  const negative = labels.find((label) => label !== positive) ?? null;
  const labelOf = (value: string, numberOf = numberIn): string | null => {
    const target = mapped.get(value);
    const spelled = target ?? value;
    if (isPositive === null || (target !== undefined && known.has(target))) return known.has(spelled) ? spelled : null;
    const number = numberOf(spelled);
    if (number === null) return null;
    return isPositive(number) ? positive : negative;
  };
  const written = (cell: string) => writtenProbability(cell, confidenceScale);
  return ({ value, stated: cell, probabilities: cells, opinions }) => {
    const course = opinions.map((opinion) => labelOf(opinion));
    const read = beliefIn(cells, stated, labels, confidenceScale);
    const belief = 'belief' in read ? read.belief : null;
    const scored = () =>
      isPositive === null ? belief && likeliest(belief) : labelOf(cells[stated.indexOf(positive ?? '')] ?? '', written);
    const prediction = value === null ? scored() : labelOf(value);
    if (prediction === null) return { outcome: 'undecided', prediction: null, confidence: null, belief: null, course };
    const confidence = belief === null ? confidenceIn(cell, confidenceScale) : (belief[prediction] ?? null);
    return { outcome: 'decided', prediction, confidence, belief, course };
  };
}

/** A stated number as a probability; null where the cell is empty or holds none. */
export function confidenceIn(cell: string | null, scale: PredictionReading['confidenceScale']): number | null {
  if (cell === null) return null;
  const number = writtenProbability(cell, scale);
  if (number === null || number < 0 || number > scale) return null;
  return number / scale;
}

/** What to do about values that read like a label. @param way by which the import says what a value means */
export function alikeHints(alike: ImportReport['alike'], way: string): string[] {
  if (alike.length === 0) return [];
  const listed = alike
    .map(({ value, label, trials }) => `${JSON.stringify(value)} (${trials}) like ${JSON.stringify(label)}`)
    .join(', ');
  return [
    `Some undecided values read like a label and are spelled in another way (capitals, spaces, forms of letters or of numbers): ${listed}. If they mean it, import the file under another arm name${way}.`,
  ];
}

/** By label the trials with that prediction and a confidence, and how many confidences are under 50%. */
export type StatedCounts = ReadonlyMap<string, { readonly trials: number; readonly under_half: number }>;

/** Whether confidences read like the probability of one of two labels: most are under 50% for one prediction alone. */
export function confidenceOf(stated: StatedCounts, labels: readonly string[]): ImportReport['confidence_of'] {
  const isLow = (label: string) => {
    const { trials, under_half } = stated.get(label) ?? { trials: 0, under_half: 0 };
    return 2 * under_half > trials;
  };
  const [prediction, ...others] = labels.filter(isLow);
  const label = labels.find((each) => each !== prediction);
  const counts = stated.get(prediction ?? '');
  if (prediction === undefined || label === undefined || counts === undefined || labels.length !== 2 || others.length > 0)
    return null;
  return { label, prediction, ...counts };
}

export const confidenceText = ({ label, prediction, trials, under_half }: NonNullable<ImportReport['confidence_of']>): string =>
  `Of ${quantity(trials, 'row')} with the prediction ${prediction}, ${count(under_half)} ${under_half === 1 ? 'has' : 'have'} a confidence under 50%. Is this column the probability of ${label}?`;
