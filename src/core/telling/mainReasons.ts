// Why a verdict was given, in the words of those who gave it or argued for it.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Prediction } from '../../shared/domain.ts';
import { benchOf } from '../figures/bench.ts';

/** Somebody who was for the decision, and why; null where the text was erased. */
export interface Reason {
  readonly role: string;
  readonly text: string | null;
}

export const isSamePrediction = (one: Prediction | undefined, other: Prediction): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const rulingOf = ({ entries }: { readonly entries: readonly TranscriptEntry[] }) =>
  entries.findLast((entry) => entry.kind === 'ruling');

interface Decided {
  readonly entries: readonly TranscriptEntry[];
  /** Role -> label that it argues for. */
  readonly claims: Readonly<Record<string, string>>;
}

/** What those said last who ended with the decision, or argued for it from the start. */
function lastSpeeches({ entries, claims }: Decided, prediction: Prediction): Reason[] {
  const spoken = entries.filter((entry) => entry.kind === 'utterance');
  const positionOf = (role: string) =>
    entries.findLast((entry) => entry.kind === 'belief' && entry.role === role && entry.prediction !== null);
  return [...new Set(spoken.map(({ role }) => role))].flatMap((role) => {
    const stated = positionOf(role);
    if (!isSamePrediction(stated?.kind === 'belief' ? stated.prediction : claims[role], prediction)) return [];
    const own = spoken.filter((entry) => entry.role === role);
    const texts = own.filter(({ turn }) => turn === own.at(-1)?.turn).map(({ text }) => text);
    return [{ role, text: texts.includes(null) ? null : texts.join('\n') }];
  });
}

function notesOf(entries: readonly TranscriptEntry[], role: string): Reason[] {
  const last = entries.findLast((entry) => entry.kind === 'belief' && entry.role === role && entry.notes !== null);
  return last?.kind === 'belief' && last.notes !== '' ? [{ role, text: last.notes }] : [];
}

/** Reasons of those who decided, else of those who argued for the decision. Empty where no one was asked for any. */
export function mainReasons(data: Decided): Reason[] {
  const { entries } = data;
  const ruling = rulingOf(data);
  if (ruling === undefined) return [];
  if (ruling.opinion !== '') return [{ role: ruling.role, text: ruling.opinion }];
  const seats = benchOf(entries).filter(({ vote, reason }) => {
    return vote !== null && reason !== '' && isSamePrediction(vote.prediction, ruling.prediction);
  });
  // Of judges in turn the one who decides comes first.
  const voted = seats.toSorted((one, other) => Number(other.role === ruling.role) - Number(one.role === ruling.role));
  if (voted.length > 0) return voted.map(({ role, reason }) => ({ role, text: reason }));
  const own = notesOf(entries, ruling.role);
  return own.length > 0 ? own : lastSpeeches(data, ruling.prediction);
}
