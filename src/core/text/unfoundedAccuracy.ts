// How many of the marks on what the facts do not have are right, and how much of that is marked. `npm run marks` counts it.
import { percentTo } from '../figures/shares.ts';
import { wilson } from '../statistics/wilson.ts';
import type { Unfounded } from './unfounded.ts';
import counted from './unfoundedAccuracy.json' with { type: 'json' };

export interface KindCounts {
  readonly marked: number;
  /** Of the marks, those on something that should be marked. */
  readonly right: number;
  readonly wanted: number;
  /** Of what should be marked, what is. */
  readonly found: number;
}
export interface MarkCounts extends Readonly<Record<Unfounded['kind'], KindCounts>> {
  readonly utterances: number;
}

/** `heldOut`: the rules were not written with these in view. */
export const markCounts: { readonly heldOut: MarkCounts; readonly development: MarkCounts } = counted;

const whole = (share: number) => percentTo(0, share);

function shareOf(part: number, of: number): string {
  const interval = wilson(part, of);
  return interval === null ? 'no share' : `${whole(part / of)}, 95% interval ${whole(interval.low)} to ${whole(interval.high)}`;
}

function kindText(plural: string, { marked, right, wanted, found }: KindCounts): string {
  if (marked + wanted === 0) return `They have no ${plural} to mark, so how often marks on ${plural} are right is not known.`;
  const precision = `${right} of ${marked} marked ${plural} were rightly marked (precision ${shareOf(right, marked)})`;
  return `${precision}, and of ${wanted} that should be marked ${found} were (recall ${shareOf(found, wanted)}).`;
}

/** What a mark, and no mark, is worth: a sentence on the sample and one for each kind. */
export const accuracyTexts = ({ utterances, number, quote }: MarkCounts): string[] => [
  `A reader labelled ${utterances} speeches of small models that the rules for marks had not been written for.`,
  kindText('numbers', number),
  kindText('quotes', quote),
];
