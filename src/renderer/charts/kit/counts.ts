import { quantity, quantityRange } from '../../ui/quantity.ts';

interface CountWording {
  /** What is counted, singular: `trial`, `decided trial`. */
  readonly noun?: string;
  readonly plural?: string;
  /** Further words about what is counted, behind it: `with a known truth`. */
  readonly about?: string;
  /** How many cases they are of, for each count. */
  readonly cases?: readonly number[];
  /** The places of several counts. */
  readonly each?: string;
}

const range = (counts: readonly number[], noun: string, plural?: string) =>
  quantityRange({ min: Math.min(...counts), max: Math.max(...counts) }, noun, plural);

/** The n of a figure, as captions say it: `40 trials of 40 cases in each arm`, `38 to 40 decided trials behind each mark`. */
export function countsAsText<Row>(
  rows: readonly Row[],
  countOf: (row: Row) => number,
  { noun = 'trial', plural, about = '', cases = [], each = 'in each arm' }: CountWording = {},
): string {
  if (rows.length === 0) return '';
  const counts = rows.map(countOf);
  const parts = [
    range(counts, noun, plural),
    about,
    cases.length === 0 ? '' : `of ${range(cases, 'case')}`,
    counts.length === 1 ? '' : each,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** `1 further arm is`, `3 further arms are`. */
export const quantityIs = (count: number, noun: string): string => `${quantity(count, noun)} ${count === 1 ? 'is' : 'are'}`;
