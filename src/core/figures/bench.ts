// The bench of a trial: each judge's or voter's answer, and how the votes decided.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { BeliefGrounds } from '../../shared/domain.ts';
import { lastOf, ofKind } from './entries.ts';

/** One judge or voter: what it finds, or the turn that it lost. */
export type Seat = ReturnType<typeof benchOf>[number];

/** A seat of the bench has a number: `judge1`, `voter12`. */
const seated = /^(?:judge|voter)\d+$/;

/** The judges or voters of a trial in the order in which they speak. */
export function benchOf(entries: readonly TranscriptEntry[]) {
  const outside = new Set(ofKind(entries, 'measure').flatMap(({ name, key }) => (name === 'outside-dispute' ? key : [])));
  const opinions = ofKind(entries, 'utterance').filter(({ turn }) => turn === 'opinion');
  let last: string | null = null;
  const seats = entries.flatMap((entry) => {
    const { role } = entry;
    const [vote, forfeit] = [entry.kind === 'belief' ? entry : null, entry.kind === 'forfeit' ? entry : null];
    if (!seated.test(role) || (vote ?? forfeit) === null) return [];
    const [before, label] = [last, vote && JSON.stringify(vote.prediction)];
    last = label ?? before;
    const spoken = opinions.find((each) => each.role === role);
    return [
      {
        role,
        /** Label, confidence and belief; null where the turn was lost. */
        vote,
        /** Null where it was erased, or the turn was lost. */
        reason: vote === null || spoken === undefined ? (vote?.notes ?? null) : spoken.text,
        /** No one has argued for its label. */
        outside: vote !== null && outside.has(vote.key.replace(/\/[^/]*$/, '/outside')),
        /** The label is another than the one that the judge before has found; null for the first. */
        changed: label === null || before === null ? null : before !== label,
        forfeit,
      },
    ];
  });
  return seats.toSorted((one, other) => numberOf(one.role) - numberOf(other.role));
}

const numberOf = (role: string) => Number(/\d+$/.exec(role)?.[0] ?? 0);

type Votes = NonNullable<BeliefGrounds['votes']>;

/** How the verdict was found among the votes; null before it, and if no one voted. */
export const votesOf = (entries: readonly TranscriptEntry[]): Votes | null => lastOf(entries, 'ruling')?.grounds?.votes ?? null;

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

export const ruleOf = ({ decidedBy }: Votes): string => ruleText[decidedBy];
