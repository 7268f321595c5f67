// What a judge finds of a debate and a plain answer that it has read in both orders.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { betterText } from './debateText.ts';

type Sheet = Extract<TranscriptEntry, { kind: 'comparison' }>;

export interface Preference {
  readonly role: string;
  /** One for each order that it gave. */
  readonly sheets: readonly Sheet[];
  /** `order`: the judge prefers something else when the order is turned; null where one order is missing. */
  readonly result: Sheet['better'] | 'order' | null;
}

/** Judge by judge, of sheets in both orders. A tie is one of three results. */
export function preferencesOf(comparisons: readonly Sheet[]): Preference[] {
  const byRole = Map.groupBy(comparisons, ({ role }) => role);
  return [...byRole].map(([role, sheets]) => {
    const [one, other] = sheets;
    if (one === undefined || other === undefined) return { role, sheets, result: null };
    return { role, sheets, result: one.better === other.better ? one.better : 'order' };
  });
}

export const preferenceText = ({ result }: Preference): string => {
  if (result === null) return 'one order is missing';
  return result === 'order' ? 'the preference turns with the order' : `${betterText[result]}, in both orders`;
};
