// A Debate-Feedback debate, round by round.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Belief } from '../../shared/domain.ts';
import { followedLabel } from './beliefChanges.ts';
import { type EntryOf, entryAt, lastOf, ofKind } from './entries.ts';
import { percent } from './shares.ts';

export type Debate = Readonly<ReturnType<typeof debateOf>>;
export type DebateRound = Debate['rounds'][number];
export type Debater = DebateRound['debaters'][number];
/** One of a debater's two turns in a round: said, lost, or not heard yet. */
export type DebateTurn = Debater['opinion'];

export function debateOf(entries: readonly TranscriptEntry[], debaters: number) {
  const positions = lastOf(entries, 'positions');
  const turn = (key: string) => ({
    speech: entryAt(entries, 'utterance', `${key}/utterance`),
    forfeit: entryAt(entries, 'forfeit', `${key}/forfeit`),
  });
  const debaterOf = (round: string, number: number) => {
    const [opinion, answer] = [turn(`${round}/opinion/debater-${number}`), turn(`${round}/answer/debater-${number}`)];
    const assigned = positions?.positions[`debater${number}`];
    const rating = `${round}/rating/debater-${number}`;
    return {
      /** From 1. */
      number,
      /** What it held last in the round, or has to hold; null where it is free and has not spoken. */
      position: assigned ?? answer.speech?.position ?? opinion.speech?.position ?? null,
      assigned: assigned !== undefined,
      opinion,
      answer,
      rating: entryAt(entries, 'rating', rating) ?? entryAt(entries, 'rating', `${rating}/value`),
      /** A failed rating. */
      unrated: turn(rating).forfeit,
    };
  };
  const started = Math.max(0, ...entries.map(({ key }) => Number(/^round-(\d+)\//.exec(key)?.[1] ?? 0)));
  const roundOf = (number: number) => {
    const key = `round-${number}`;
    return {
      number,
      debaters: Array.from({ length: debaters }, (_, index) => debaterOf(key, index + 1)),
      summary: turn(`${key}/summary`),
      /** The judge's own answer, which failed. */
      lost: turn(`${key}/judge`).forfeit,
      /** Null until the round is settled. */
      settled: ofKind(entries, 'round').find(({ round }) => round === number) ?? null,
      /** O_i. */
      opinion: entryAt(entries, 'belief', `${key}/belief`),
    };
  };
  return {
    /** O_0; null before it, or where it failed. */
    initial: entryAt(entries, 'belief', 'initial/judge/belief'),
    positions,
    rounds: Array.from({ length: started }, (_, index) => roundOf(index + 1)),
  };
}

/** Who has to hold what, in words; with sides exchanged the two have changed places. */
export function positionText({ from }: EntryOf<'positions'>, isCounterbalanced: boolean): string {
  const [first, second] = isCounterbalanced ? ['second', 'first'] : ['first', 'second'];
  const answered = `The ${first} debater defends ${from === 'doubtful-label' ? 'the set that' : 'what'} the judge answered`;
  const other = {
    'two-labels': 'the other label',
    distribution: 'the next likely label',
    'doubtful-label': 'the same set with its most doubtful label turned over',
  }[from];
  return `${answered}, the ${second} ${other}.`;
}

const keptText: Readonly<Record<EntryOf<'round'>['kept'], string>> = {
  smoothed: 'the opinion moves',
  initial: 'back to the first opinion',
  previous: 'the opinion stays as it was',
};

/** The reliability that is compared with the threshold. */
export function decidingRating({ passing, ratings, mean }: EntryOf<'round'>): { name: 'mean' | 'best'; value: number | null } {
  if (passing === undefined) return { name: 'mean', value: mean };
  const known = ratings.flatMap(({ value }) => (value === null ? [] : [value]));
  return { name: 'best', value: known.length === 0 ? null : Math.max(...known) };
}

/** What became of a round, in words: `mean reliability 0.6 reaches 0.5: the opinion moves`. */
export function settlementText(round: EntryOf<'round'>): string {
  const { assistant, threshold, result, kept } = round;
  const then = keptText[kept];
  if (result === 'unheard') return `nothing to continue with: ${then}`;
  if (assistant === 'none') return `no one rates how reliable the answers are, so every round passes: ${then}`;
  const { name, value } = decidingRating(round);
  if (value === null) return `no answer is rated: ${then}`;
  const held = `${name} reliability ${rounded(value)} ${result === 'passed' ? 'reaches' : 'is under'} ${rounded(threshold)}`;
  return `${held}: ${then}`;
}

/** Of what an opinion is made after a round that passed. @param weight of the new answer, 0-1 */
export const mixText = (weight: number): string =>
  weight === 0.5 ? 'half old opinion, half new answer' : `${percent(1 - weight)} old opinion, ${percent(weight)} new answer`;

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

/** O_i, and what the judge itself said in that round, as P(label), 0-1; null where there is no belief. */
export function courseOf({ initial, rounds }: Debate, label: string) {
  const share = (belief: Belief | null | undefined) => belief?.[label] ?? null;
  const first = initial === null ? [] : [{ round: 0, opinion: share(initial.belief), judge: share(initial.belief) }];
  return [
    ...first,
    ...rounds.flatMap(({ number, settled, opinion }) =>
      opinion === null ? [] : [{ round: number, opinion: share(opinion.belief), judge: share(settled?.judge?.belief) }],
    ),
  ];
}

/** How the method computes the opinions of a debate, and the shares that the judge itself gave a label; null for other trials. */
export function computedOpinion(entries: readonly TranscriptEntry[], label: string): { how: string; own: string } | null {
  const debate = debateOf(entries, 0);
  const weight = debate.rounds.find(({ settled }) => settled !== null)?.settled?.weight;
  if (weight === undefined) return null;
  const own = courseOf(debate, label).map(({ judge }) => (judge === null ? 'none' : percent(judge)));
  return { how: `The method computes it after each round that passes: ${mixText(weight)} of the judge.`, own: own.join(', ') };
}
