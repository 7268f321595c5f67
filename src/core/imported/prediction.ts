import type { Outcome } from '../../shared/domain.ts';
import type { PredictionReading } from '../../shared/imported.ts';

/** What a value of an imported file amounts to. */
export interface ReadPrediction {
  readonly outcome: Extract<Outcome, 'decided' | 'undecided'>;
  readonly prediction: string | null;
  /** P(prediction), 0-1; null where undecided or not stated. */
  readonly confidence: number | null;
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

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '=': (value, limit) => value === limit,
};

/** The test that a comparison such as `>=5` stands for. Throws on anything else. */
function comparisonOf(text: string): (value: number) => boolean {
  const [, sign = '', limit = ''] = /^\s*(>=|<=|>|<|=)\s*(\S+)\s*$/.exec(text) ?? [];
  const [compare, number] = [comparisons[sign], numberIn(limit)];
  if (compare === undefined || number === null) throw new Error(`${JSON.stringify(text)} is no comparison with a number`);
  return (value) => compare(value, number);
}

/**
 * Makes the reader of a file's values. A value that the map names stands for what the map says. With a comparison, a
 * number is the positive label where it holds and the other label where it does not, also where the number is spelled
 * like a label; a label that came out of the map stays. Whatever is no label then is undecided.
 */
export function predictionReader(
  { map, positiveIf, confidenceScale }: PredictionReading,
  { labels, positive }: CandidateLabels,
): (value: string, stated: string | null) => ReadPrediction {
  const mapped = new Map(map);
  const known = new Set(labels);
  const isPositive = positiveIf === null ? null : comparisonOf(positiveIf);
  const negative = labels.find((label) => label !== positive) ?? null;
  const labelOf = (value: string): string | null => {
    const target = mapped.get(value);
    const spelled = target ?? value;
    if (isPositive === null || (target !== undefined && known.has(target))) return known.has(spelled) ? spelled : null;
    const number = numberIn(spelled);
    if (number === null) return null;
    return isPositive(number) ? positive : negative;
  };
  return (value, stated) => {
    const prediction = labelOf(value);
    if (prediction === null) return { outcome: 'undecided', prediction: null, confidence: null };
    return { outcome: 'decided', prediction, confidence: confidenceIn(stated, confidenceScale) };
  };
}

/** A stated confidence as a probability; null where the cell is empty or holds none. */
export function confidenceIn(cell: string | null, scale: PredictionReading['confidenceScale']): number | null {
  if (cell === null) return null;
  const number = numberIn(cell);
  if (number === null || number < 0 || number > scale) return null;
  return number / scale;
}
