import type { TrialsBehind } from '../kit/figure.ts';

/** As many trials as an address may name; more are those of the whole arm. */
const mostNamed = 1000;

/** Trials behind a mark, one by one. */
export const namedTrials = (trials: readonly string[], arm: string): TrialsBehind =>
  trials.length > mostNamed ? { arm, status: 'done' } : { trials: [...trials] };
