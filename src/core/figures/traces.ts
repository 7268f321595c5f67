// Measures over the steps of many trials: their means, and the trials that are listed one by one.
import type { Trace } from '../../shared/api/protocolFigures.ts';
import type { Resampling } from '../../shared/statistics.ts';
import type { CaseStatistic } from '../statistics/caseStatistic.ts';
import { estimatesByCases, missingEstimate } from '../statistics/measures/estimates.ts';
import { casedTrials } from '../statistics/measures/trials.ts';
import type { TrialTrace } from '../trajectory/traces.ts';

export interface TracedTrial {
  readonly trial: string;
  readonly case: string;
  readonly traces: readonly TrialTrace[];
}

type About = Pick<Trace, 'kind' | 'measure' | 'of'>;

function placeOf(step: string): number {
  if (step === 'opening') return -1;
  const number = Number(step);
  return Number.isNaN(number) ? Number.POSITIVE_INFINITY : number;
}

const keyOf = ({ kind, measure, of }: About) => JSON.stringify([kind, measure, of]);

/** Name of the change from the first step to the last among the steps. */
const change = 'change';

type Valued = { readonly case: string; readonly value: number };

/** The mean of one number for each case. Half the work of sums with a count, since a resample has as many cases as there are. */
function meanStatistic(values: Float64Array): CaseStatistic {
  const cases = values.length;
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    cases,
    at(weights) {
      let sum = 0;
      for (let index = 0; index < cases; index++) sum += (weights[index] ?? 0) * (values[index] ?? 0);
      return cases === 0 ? null : sum / cases;
    },
    without: (index) => (cases === 1 ? null : (total - (values[index] ?? 0)) / (cases - 1)),
  };
}

/** Mean over cases of the mean over each case's trials: a case weighs the same however often it was tried. */
function meanOf(trials: readonly Valued[]) {
  const { cases, caseOf, share } = casedTrials(trials);
  const values = new Float64Array(cases.length);
  trials.forEach(({ value }, index) => {
    const place = caseOf[index] ?? 0;
    values[place] = (values[place] ?? 0) + value * (share[index] ?? 0);
  });
  return { statistic: meanStatistic(values), cases, n: trials.length };
}

/**
 * The measures of an arm's trials over their steps: the mean of the trials that have a value at a step, with its bootstrap
 * interval over cases. Trials that have ended before are in no later mean, so that means of different steps are of
 * different trials: `n` says of how many.
 *
 * @param listed how many trials, from the first, are listed one by one
 */
export function tracesOver(arm: string, trials: readonly TracedTrial[], listed: number, resampling: Resampling): Trace[] {
  const kinds = new Map<string, About>();
  const valuesOf = trials.map(({ traces }) => {
    const own = new Map<string, ReadonlyMap<string, number>>();
    for (const { kind, measure, of, points } of traces) {
      const key = keyOf({ kind, measure, of });
      if (!kinds.has(key)) kinds.set(key, { kind, measure, of });
      const values = new Map(points.map(({ step, value }) => [step, value]));
      const [first, last] = [points[0], points.at(-1)];
      if (first !== undefined && last !== undefined && points.length > 1) values.set(change, last.value - first.value);
      own.set(key, values);
    }
    return own;
  });
  const rows = [...kinds].map(([key, about]) => {
    const steps = [...new Set(valuesOf.flatMap((own) => [...(own.get(key)?.keys() ?? [])]))];
    const inOrder = steps.filter((step) => step !== change).toSorted((one, other) => placeOf(one) - placeOf(other));
    return { key, about, steps: inOrder };
  });
  const places = rows.flatMap(({ key, steps }) => [...steps, change].map((step) => ({ key, step })));
  const means = places.map(({ key, step }) =>
    meanOf(
      trials.flatMap(({ case: id }, index): Valued[] => {
        const value = valuesOf[index]?.get(key)?.get(step);
        return value === undefined ? [] : [{ case: id, value }];
      }),
    ),
  );
  const estimates = estimatesByCases(means, resampling, 'no trial has a value').values();
  const counts = means.values();
  const next = () => {
    const { n, cases } = counts.next().value ?? { n: 0, cases: [] };
    return { n, cases: cases.length, ...(estimates.next().value ?? missingEstimate(resampling.level, '')) };
  };
  return rows.map(({ key, about, steps }) => ({
    ...about,
    arm,
    steps: steps.map((step) => ({ step, ...next() })),
    change: next(),
    values: valuesOf.slice(0, listed).map((own) => steps.map((step) => own.get(key)?.get(step) ?? null)),
  }));
}
