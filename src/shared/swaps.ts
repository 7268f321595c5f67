import { z } from 'zod';

/**
 * What can be exchanged in a trial to see whether the verdict hangs on it: who argues for which label, the order in which
 * the sides are heard, the order in which prompts list the labels.
 */
export const swaps = ['sides', 'order', 'labels'] as const;
export const swapSchema = z.enum(swaps);
export type Swap = z.infer<typeof swapSchema>;

/** Longest name of an arm with swaps: the names of the further arms have to fit too. */
export const longestCounterbalancedName = 193;

export const counterbalancedName = (arm: string, swap: Swap): string => `${arm}~${swap}`;

/** The swap whose arms have names with this ending; null for every other name. */
export const swapInName = (name: string): Swap | null =>
  swaps.find((swap) => name.endsWith(counterbalancedName('', swap))) ?? null;

/** The arm that an arm with a swap is paired with; null for an arm without one. */
export const baseArm = (name: string, swap: Swap | null): string | null =>
  swap === null ? null : name.slice(0, -counterbalancedName('', swap).length);
