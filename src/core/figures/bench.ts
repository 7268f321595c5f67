// The bench of a trial: each judge's or voter's answer, and how the votes decided.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { BeliefGrounds } from '../../shared/domain.ts';

type Of<Kind extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: Kind }>;

/** One judge or voter: what it finds, or the turn that it lost. */
export interface Seat {
  readonly role: string;
  /** Label, confidence and belief; null where the turn was lost. */
  readonly vote: Of<'belief'> | null;
  /** Null where it was erased, or the turn was lost. */
  readonly reason: string | null;
  /** No one has argued for its label. */
  readonly outside: boolean;
  /** The label is another than the one that the judge before has found; null for the first. */
  readonly changed: boolean | null;
  readonly forfeit: Of<'forfeit'> | null;
}

/** A seat of the bench has a number: `judge1`, `voter12`. */
const seated = /^(?:judge|voter)\d+$/;

/** The judges or voters of a trial in the order in which they speak. */
export function benchOf(entries: readonly TranscriptEntry[]): Seat[] {
  const outside = new Set(
    entries.flatMap((entry) => (entry.kind === 'measure' && entry.name === 'outside-dispute' ? entry.key : [])),
  );
  const seats: Seat[] = [];
  let last: string | null = null;
  for (const entry of entries) {
    if (!seated.test(entry.role)) continue;
    if (entry.kind === 'forfeit') {
      seats.push({ role: entry.role, vote: null, reason: null, outside: false, changed: null, forfeit: entry });
    } else if (entry.kind === 'belief') {
      const label = JSON.stringify(entry.prediction);
      const spoken = entries.find(
        (other): other is Of<'utterance'> => other.kind === 'utterance' && other.role === entry.role && other.turn === 'opinion',
      );
      seats.push({
        role: entry.role,
        vote: entry,
        reason: spoken === undefined ? entry.notes : spoken.text,
        outside: outside.has(entry.key.replace(/\/[^/]*$/, '/outside')),
        changed: last === null ? null : last !== label,
        forfeit: null,
      });
      last = label;
    }
  }
  return seats.toSorted((one, other) => numberOf(one.role) - numberOf(other.role));
}

const numberOf = (role: string) => Number(/\d+$/.exec(role)?.[0] ?? 0);

type Votes = NonNullable<BeliefGrounds['votes']>;

/** How the verdict was found among the votes; null before it, and if no one voted. */
export function votesOf(entries: readonly TranscriptEntry[]): Votes | null {
  const ruling = entries.findLast((entry): entry is Of<'ruling'> => entry.kind === 'ruling');
  return ruling?.grounds?.votes ?? null;
}

const ruleText: Readonly<Record<Votes['decidedBy'], string>> = {
  majority: 'The label with the most votes is the verdict.',
  weights: 'The votes are weighted: the label with the largest sum of weights is the verdict.',
  confidence: 'The vote was tied: of the labels with the most votes the one with the higher sum of confidences is the verdict.',
  order: 'The vote was tied, in confidence too: of the labels with the most votes the one that was named first is the verdict.',
  last: 'The judges spoke in turn: the label of the last one is the verdict.',
  points: 'The panel was tied: the label of the side with more points in all is the verdict.',
  declared: 'The panel was tied, in points too: the label of the side that its judges declare is the verdict.',
  agreement: 'Those who argued agree: their label is the verdict.',
};

/** By which rule the verdict was found, in words. */
export const ruleOf = ({ decidedBy }: Votes): string => ruleText[decidedBy];
