import type { Swap } from '../../shared/swaps.ts';
import { sideOf } from './speakers.ts';

/** What is exchanged, as a heading has it. */
export const swapTitles: Readonly<Record<Swap, string>> = {
  sides: 'sides exchanged',
  order: 'order exchanged',
  labels: 'labels listed the other way round',
};

/** The label whose share is drawn: the one that the prosecution argues for where that is settled beforehand, else the positive one. */
export function drawnLabel(claims: Readonly<Record<string, string | null>>, positive: string | null): string | null {
  return Object.entries(claims).find(([role]) => sideOf(role) === 'prosecution')?.[1] ?? positive;
}
