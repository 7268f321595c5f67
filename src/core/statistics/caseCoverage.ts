// Which of the cases on trial an arm has tried, and which have no label.
import type { StatsReport } from '../../shared/outputs.ts';
import type { CaseCoverage } from '../../shared/statistics.ts';

const mostNamed = 20;

/**
 * How many of the cases on trial an arm has finished a trial of, and which it lacks.
 * @param onTrial ids in the order of the sample
 * @param finished ids of cases with a finished trial of the arm
 */
export function caseCoverage(onTrial: readonly string[], finished: ReadonlySet<string>): CaseCoverage {
  const lacked = onTrial.filter((id) => !finished.has(id));
  return { done: onTrial.length - lacked.length, of: onTrial.length, missing: lacked.slice(0, mostNamed) };
}

/** `lacks 34 of 200 cases: c7, c9 and 32 more`; null where nothing is lacked. @param what of a case; empty: the case itself */
export function lackText({ done, of, missing }: CaseCoverage, what = ''): string | null {
  const lacked = of - done;
  if (lacked === 0) return null;
  const more = lacked - missing.length;
  return `lacks ${what}${lacked} of ${of} cases: ${missing.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/** That cases on trial have no label, and so are in no accuracy; null where all have one, or none has. */
export function unlabelledText({ unlabelled }: Pick<StatsReport, 'unlabelled'>): string | null {
  const lacks = unlabelled === undefined ? null : lackText(unlabelled, 'the label of ');
  return lacks === null ? null : `The sample ${lacks}. No accuracy counts what has no label.`;
}
