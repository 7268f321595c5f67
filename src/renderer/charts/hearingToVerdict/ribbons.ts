import type { changeKinds } from '../../../shared/api/deliberation.ts';

export type Change = (typeof changeKinds)[number];

export const changes = [
  { kind: 'stayedRight', name: 'right, stays right', token: 'good', opacity: 0.3 },
  { kind: 'corrected', name: 'wrong, then right', token: 'good', opacity: 0.85 },
  { kind: 'degraded', name: 'right, then wrong', token: 'bad', opacity: 0.85 },
  { kind: 'stayedWrong', name: 'wrong, stays wrong', token: 'bad', opacity: 0.3 },
] as const satisfies readonly { kind: Change; name: string; token: string; opacity: number }[];

/**
 * Where the ribbon of a kind begins among the first answers and ends among the verdicts, as shares from 0: on both edges the
 * right ones are at the left, and among them those that stay come first.
 */
export function ribbon(kind: Change, shares: Readonly<Record<Change, number>>): { from: number; to: number; width: number } {
  const { stayedRight, degraded, corrected } = shares;
  const places: Readonly<Record<Change, readonly [from: number, to: number]>> = {
    stayedRight: [0, 0],
    degraded: [stayedRight, stayedRight + corrected],
    corrected: [stayedRight + degraded, stayedRight],
    stayedWrong: [stayedRight + degraded + corrected, stayedRight + corrected + degraded],
  };
  const [from, to] = places[kind];
  return { from, to, width: shares[kind] };
}
