import type { Counted } from './counted.ts';
import type { TrialsBehind } from './figure.ts';

/** Trials that one request can name. */
const mostNamed = 5000;

/** These trials; the first of them where they are more than can be named at once. @param counts what the mark counts, where it is not these trials */
export const namedTrials = (trials: readonly string[], counts: Counted = { n: trials.length, of: 'trials' }): TrialsBehind => ({
  trials: trials.slice(0, mostNamed),
  counts,
});

/** ` A mark opens the first 5,000 of its trials.`, where one stands for more. */
export const manyNamed = (most: number): string => (most > mostNamed ? ' A mark opens the first 5,000 of its trials.' : '');
