import type { Measure } from '../../../shared/statistics.ts';
import type { TrialsBehind } from '../kit/figure.ts';

/** Conditions on the finished trials that a measure counts: docs/statistics.md says what each base is. */
const conditions = {
  all: { status: 'done', subset: { known: ['truth'] } },
  decided: { outcome: 'decided', subset: { known: ['truth'] } },
  stated: { outcome: 'decided', subset: { known: ['truth', 'confidence'] } },
  believed: { outcome: 'decided', subset: { known: ['truth', 'belief'] } },
  'initial-and-verdict': { outcome: 'decided', subset: { known: ['truth', 'first answer'] } },
} as const satisfies Partial<Record<Measure['over'], object>>;

/** The trials of an arm that a measure with this base counts. */
export function countedTrials(over: keyof typeof conditions, arm: string, { n }: { readonly n: number }): TrialsBehind {
  const { subset, ...rest } = conditions[over];
  return { arm, ...rest, subset: { known: [...subset.known] }, counts: { n, of: 'trials' } };
}
