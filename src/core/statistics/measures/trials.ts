import type { TrialLine } from '../../../shared/trialLine.ts';
import type { VerdictPath } from '../../trajectory/verdictPath.ts';

/** A finished trial as the measures see it. */
export type MeasuredTrial = Pick<
  TrialLine,
  'case' | 'outcome' | 'incomplete' | 'inconsistent' | 'prediction' | 'confidence' | 'belief' | 'truth' | 'groups' | 'weight'
> & {
  /** Null or absent where it was not looked up, or the trial has none. */
  readonly path?: VerdictPath | null;
};

/** Finished trials, or pairs of them, by case: the case is what is resampled, with all its trials. */
export interface CasedTrials<T = MeasuredTrial> {
  /** Ids, in the order of their first trial. */
  readonly cases: readonly string[];
  readonly trials: readonly T[];
  /** Place of each trial's case in `cases`. */
  readonly caseOf: Uint32Array;
  /** 1 / number of trials of the case: each case weighs the same, however often it was tried. */
  readonly share: Float64Array;
}

export function casedTrials<T extends { readonly case: string }>(trials: readonly T[]): CasedTrials<T> {
  const places = new Map<string, number>();
  const caseOf = Uint32Array.from(trials, ({ case: id }) => {
    const place = places.get(id) ?? places.size;
    places.set(id, place);
    return place;
  });
  const times = new Uint32Array(places.size);
  for (const place of caseOf) times[place] = (times[place] ?? 0) + 1;
  return {
    cases: [...places.keys()],
    trials,
    caseOf,
    share: Float64Array.from(caseOf, (place) => 1 / (times[place] ?? 1)),
  };
}

/** What is reported of a reading; null where there is none. */
export const ofReading =
  <Item, Read, Reported>(read: (item: Item) => Read | null, report: (found: Read) => Reported | null) =>
  (item: Item): Reported | null => {
    const found = read(item);
    return found === null ? null : report(found);
  };
