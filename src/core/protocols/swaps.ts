import type { Swap } from '../../shared/swaps.ts';
import type { Court } from './court.ts';

/** What a protocol does where something is exchanged. */
export interface SwapRule {
  /** One sentence for the person who chooses it. */
  readonly does: string;
}

export type SwapRules = Readonly<Partial<Record<Swap, SwapRule>>>;

export const labelsReversed: SwapRule = { does: 'Every list of the possible labels is reversed.' };

/** Labels in the data set's order, also where prompts list them the other way: nothing stored may depend on the prompts. */
export const usualOrder = (court: Pick<Court, 'swapped'>, labels: readonly string[]): readonly string[] =>
  court.swapped('labels') ? labels.toReversed() : labels;

/** Things that a prompt shows one after the other, turned round where the order is exchanged. */
export const inTurn = <T>(court: Pick<Court, 'swapped'>, shown: readonly T[]): readonly T[] =>
  court.swapped('order') ? shown.toReversed() : shown;
