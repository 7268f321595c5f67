// Columns of a file of predictions that look like scores, by their names and numbers: for the user to say what they are of.
import type { Inspection } from '../../shared/api/dataFiles.ts';

type Column = Pick<Inspection['columns'][number], 'name' | 'numbers' | 'variesPer'>;

/** `Person ID`, `personId` and `person.id` alike: `person_id`. */
export const plainName = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

export const probabilityWords = new Set(['p', 'pr', 'prob', 'probs', 'proba', 'probability', 'likelihood', 'chance', 'phat']);
const scoreWords = new Set([...probabilityWords, 'score', 'scores', 'risk', 'propensity', 'rating', 'decile', 'percentile']);

/** `p-value`: how surprising data are, not how likely a label is. */
export const isPValue = (name: string): boolean => /^p[^a-z]?values?$/i.test(name);

/** Whole numbers up to this are marks or ranks, such as deciles. */
const mostRanks = 10;

export interface ScoreColumn {
  readonly column: string;
  /** The number that means certain; null: a rank, which is no probability. */
  readonly scale: 1 | 100 | null;
  /** What speaks for it, as a clause. */
  readonly why: string;
}

/** Whether a column looks like a score: by its name, or by fractions (to 1 or 100) that differ within a case; else null. */
export function scoreColumn({ name, numbers, variesPer }: Column): ScoreColumn | null {
  if (numbers === undefined || isPValue(name)) return null;
  const { least, greatest, whole } = numbers;
  if (least < 0 || greatest > 100 || least === greatest) return null;
  const isNamed = plainName(name)
    .split('_')
    .some((word) => scoreWords.has(word));
  const range = `numbers from ${least} to ${greatest}`;
  const why = isNamed ? `${range}, and its name speaks of a score` : `${range}, in which rows of one case differ`;
  if (greatest <= 1) return !whole && (isNamed || variesPer !== undefined) ? { column: name, scale: 1, why } : null;
  if (!isNamed && (whole || variesPer === undefined)) return null;
  return { column: name, scale: whole && greatest <= mostRanks ? null : 100, why };
}

/** Columns from which nothing is read: those that hold several labels and nothing else, and those that look like scores. */
export function telling(columns: readonly (Column & { readonly values: readonly string[] | null })[], labels: readonly string[]) {
  const ofLabels = columns.flatMap(({ name, values }) => {
    const said = (values ?? []).filter((value) => value.trim() !== '');
    return said.length > 1 && said.every((value) => labels.includes(value)) ? [name] : [];
  });
  return { labels: ofLabels, scores: columns.flatMap((column) => scoreColumn(column) ?? []) };
}
