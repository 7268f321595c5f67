import { entropy } from './entropy.ts';

/**
 * How far the entropy of a distribution has fallen, in nats: H(before) - H(after).
 *
 * Source: chapter 7 of "SocraSynth and EVINCE", which takes it of the mixture of both agents, weighted by reliability.
 * Range: -ln n to ln n; negative where less is certain than before.
 */
export function informationGain(before: readonly number[], after: readonly number[]): number {
  return entropy(before) - entropy(after);
}
