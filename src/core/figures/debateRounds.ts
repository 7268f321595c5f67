// A Debate-Feedback debate, round by round.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Belief, Prediction } from '../../shared/domain.ts';
import { followedLabel } from './beliefChanges.ts';

type Of<Kind extends TranscriptEntry['kind']> = Extract<TranscriptEntry, { kind: Kind }>;

/** One of a debater's two turns in a round: said, lost, or not heard yet. */
export interface DebateTurn {
  readonly speech: Of<'utterance'> | null;
  readonly forfeit: Of<'forfeit'> | null;
}

export interface Debater {
  readonly role: string;
  /** From 1. */
  readonly number: number;
  /** What it held last in the round, or has to hold; null where it is free and has not spoken. */
  readonly position: Prediction;
  readonly assigned: boolean;
  readonly opinion: DebateTurn;
  readonly answer: DebateTurn;
  readonly rating: Of<'rating'> | null;
  /** A failed rating. */
  readonly unrated: Of<'forfeit'> | null;
}

export interface DebateRound {
  readonly number: number;
  readonly debaters: readonly Debater[];
  readonly summary: DebateTurn;
  /** The judge's own answer, which failed. */
  readonly lost: Of<'forfeit'> | null;
  /** Null until the round is settled. */
  readonly settled: Of<'round'> | null;
  /** O_i. */
  readonly opinion: Of<'belief'> | null;
}

const kindOf = <Kind extends TranscriptEntry['kind']>(kind: Kind) => {
  return (entry: TranscriptEntry): entry is Of<Kind> => entry.kind === kind;
};

export type Debate = Readonly<ReturnType<typeof debateOf>>;

export function debateOf(entries: readonly TranscriptEntry[], debaters: number) {
  const positions = entries.findLast(kindOf('positions')) ?? null;
  const turn = (key: string): DebateTurn => ({
    speech: entries.filter(kindOf('utterance')).find((entry) => entry.key === `${key}/utterance`) ?? null,
    forfeit: entries.filter(kindOf('forfeit')).find((entry) => entry.key === `${key}/forfeit`) ?? null,
  });
  const started = Math.max(0, ...entries.map(({ key }) => Number(/^round-(\d+)\//.exec(key)?.[1] ?? 0)));
  const roundOf = (number: number): DebateRound => {
    const key = `round-${number}`;
    return {
      number,
      debaters: Array.from({ length: debaters }, (_, index): Debater => {
        const role = `debater${index + 1}`;
        const place = `debater-${index + 1}`;
        const opinion = turn(`${key}/opinion/${place}`);
        const answer = turn(`${key}/answer/${place}`);
        const assigned = positions?.positions[role];
        const rated = (entry: TranscriptEntry) =>
          entry.key === `${key}/rating/${place}` || entry.key === `${key}/rating/${place}/value`;
        return {
          role,
          number: index + 1,
          position: assigned ?? answer.speech?.position ?? opinion.speech?.position ?? null,
          assigned: assigned !== undefined,
          opinion,
          answer,
          rating: entries.filter(kindOf('rating')).find(rated) ?? null,
          unrated: turn(`${key}/rating/${place}`).forfeit,
        };
      }),
      summary: turn(`${key}/summary`),
      lost: turn(`${key}/judge`).forfeit,
      settled: entries.filter(kindOf('round')).find((entry) => entry.round === number) ?? null,
      opinion: entries.filter(kindOf('belief')).find((entry) => entry.key === `${key}/belief`) ?? null,
    };
  };
  return {
    /** O_0; null before it, or where it failed. */
    initial: entries.filter(kindOf('belief')).find(({ key }) => key === 'initial/judge/belief') ?? null,
    positions,
    /** Those that have started. */
    rounds: Array.from({ length: started }, (_, index) => roundOf(index + 1)),
  };
}

/** Who has to hold what, in words; with sides exchanged the two have changed places. */
export function positionText({ from }: Of<'positions'>, isCounterbalanced: boolean): string {
  const [first, second] = isCounterbalanced ? ['second', 'first'] : ['first', 'second'];
  const answered = `The ${first} debater defends ${from === 'doubtful-label' ? 'the set that' : 'what'} the judge answered`;
  const other = {
    'two-labels': 'the other label',
    distribution: 'the next likely label',
    'doubtful-label': 'the same set with its most doubtful label turned over',
  }[from];
  return `${answered}, the ${second} ${other}.`;
}

const keptText: Readonly<Record<Of<'round'>['kept'], string>> = {
  smoothed: 'the opinion moves',
  initial: 'back to the first opinion',
  previous: 'the opinion stays as it was',
};

/** The reliability that is compared with the threshold. */
export function decidingRating({ passing, ratings, mean }: Of<'round'>): { name: 'mean' | 'best'; value: number | null } {
  if (passing === undefined) return { name: 'mean', value: mean };
  const known = ratings.flatMap(({ value }) => (value === null ? [] : [value]));
  return { name: 'best', value: known.length === 0 ? null : Math.max(...known) };
}

/** What became of a round, in words: `mean 0.6 reaches 0.5: the opinion moves`. */
export function settlementText(round: Of<'round'>): string {
  const { assistant, threshold, result, kept } = round;
  const then = keptText[kept];
  if (result === 'unheard') return `nothing to continue with: ${then}`;
  if (assistant === 'none') return `nobody rates, every round passes: ${then}`;
  const { name, value } = decidingRating(round);
  if (value === null) return `no answer is rated: ${then}`;
  const held = `${name} ${rounded(value)} ${result === 'passed' ? 'reaches' : 'is under'} ${rounded(threshold)}`;
  return `${held}: ${then}`;
}

export const rounded = (value: number): string => String(Number(value.toFixed(2)));

/** What the debate did to the first opinion, where the label is known; null where it is not, or there is no verdict. */
export function changeText(change: 'corrected' | 'degraded' | 'stayedRight' | 'stayedWrong' | null, by?: string): string | null {
  if (change === null) return null;
  if (by !== undefined)
    return {
      corrected: `The first opinion differed from ${by}, the verdict agrees.`,
      degraded: `The first opinion agreed with ${by}, the verdict differs.`,
      stayedRight: `The first opinion agreed with ${by}, and so does the verdict.`,
      stayedWrong: `The first opinion differed from ${by}, and so does the verdict.`,
    }[change];
  return {
    corrected: 'Correction: the first opinion was wrong, the verdict is right.',
    degraded: 'Degradation: the first opinion was right, the verdict is wrong.',
    stayedRight: 'The first opinion was right, and so is the verdict.',
    stayedWrong: 'The first opinion was wrong, and so is the verdict.',
  }[change];
}

/** One step of the course: O_i, and what the judge itself said in that round. */
export interface CourseStep {
  readonly round: number;
  /** P(label), 0-1; null where there is no belief. */
  readonly opinion: number | null;
  readonly judge: number | null;
}

/** The label that a course follows: of two the positive one; of a set the one in dispute; else what was held last. */
export function courseLabel(
  { initial, positions, rounds }: Debate,
  labels: readonly string[],
  positive: string | null,
): string | null {
  if (labels.length === 2) return followedLabel(labels, positive) ?? null;
  const [one, other] = [positions?.positions.debater1, positions?.positions.debater2];
  if (Array.isArray(one) && Array.isArray(other))
    return labels.find((label) => one.includes(label) !== other.includes(label)) ?? null;
  const last = rounds.findLast(({ opinion }) => opinion !== null)?.opinion?.prediction ?? initial?.prediction;
  return typeof last === 'string' ? last : null;
}

export function courseOf({ initial, rounds }: Debate, label: string): CourseStep[] {
  const share = (belief: Belief | null | undefined) => belief?.[label] ?? null;
  const first = initial === null ? [] : [{ round: 0, opinion: share(initial.belief), judge: share(initial.belief) }];
  return [
    ...first,
    ...rounds.flatMap(({ number, settled, opinion }) =>
      opinion === null ? [] : [{ round: number, opinion: share(opinion.belief), judge: share(settled?.judge?.belief) }],
    ),
  ];
}
