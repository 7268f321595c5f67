import { z } from 'zod';
import type { Belief, BeliefGrounds, FailureOutcome } from '../../shared/domain.ts';
import { majority } from '../beliefs/majority.ts';
import { meanBelief } from '../beliefs/opinionPools.ts';
import { sampledBelief } from '../beliefs/sampledBelief.ts';
import { type Court, type Ruling, type StatedBelief, TurnFailure } from './court.ts';

/** What one judge or voter has answered. */
export interface Opinion {
  readonly role: string;
  readonly prediction: string;
  readonly stated: StatedBelief;
}

/** Waits until all concurrent calls have ended, even if one fails. Throws what was thrown first, in the order of the calls. */
export async function settled<T>(calls: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(calls);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** A turn's result, or the failure for which it is given up. Anything else that is thrown passes through. */
export async function orFailure<T>(turn: Promise<T>): Promise<T | TurnFailure> {
  try {
    return await turn;
  } catch (error) {
    if (error instanceof TurnFailure) return error;
    throw error;
  }
}

/** What has come of a turn; null for one that is given up, which goes on the record. */
export function orForfeited<T>(court: Court, key: string, role: string, result: T | TurnFailure): T | null {
  if (!(result instanceof TurnFailure)) return result;
  court.forfeit(`${key}/forfeit`, role, result);
  return null;
}

/** The same of a turn that is still held. */
export const orForfeit = async <T>(court: Court, key: string, role: string, turn: Promise<T>): Promise<T | null> =>
  orForfeited(court, key, role, await orFailure(turn));

/** Keeps the turns that were answered and gives up the others. Throws the first failure where none was answered. */
export function answeredTurns<T>(
  court: Court,
  turns: readonly { readonly key: string; readonly role: string; readonly result: T | TurnFailure }[],
): { readonly answers: T[]; readonly failures: TurnFailure[] } {
  const answers: T[] = [];
  const failures: TurnFailure[] = [];
  for (const { key, role, result } of turns) {
    if (result instanceof TurnFailure) {
      court.forfeit(`${key}/forfeit`, role, result);
      failures.push(result);
    } else answers.push(result);
  }
  const [first] = failures;
  if (answers.length === 0 && first !== undefined) throw first;
  return { answers, failures };
}

/** What was stated in words, with any source of beliefs. */
export const verbalOf = ({ grounds, belief }: StatedBelief): Belief | null => (grounds === undefined ? belief : grounds.verbal);

type Votes = NonNullable<BeliefGrounds['votes']>;

/** How many turns were lost to each kind of failure. */
export function lostTurns(failures: readonly TurnFailure[]): Votes['failures'] {
  const lost: Partial<Record<FailureOutcome, number>> = {};
  for (const { outcome } of failures) lost[outcome] = (lost[outcome] ?? 0) + 1;
  return lost;
}

function votesOf(
  labels: readonly string[],
  opinions: readonly Opinion[],
  failures: readonly TurnFailure[],
  decidedBy: Votes['decidedBy'],
): Votes {
  const { counts } = sampledBelief(
    labels,
    opinions.map(({ prediction }) => prediction),
  );
  return {
    asked: opinions.length + failures.length,
    counts: { ...counts },
    failures: lostTurns(failures),
    decidedBy,
    mean: meanBelief(
      labels,
      opinions.map(({ stated }) => stated.belief),
    ),
  };
}

/** What the answer of each seat counts, in the order of the seats; none: all count the same. */
export const weightsSchema = z.array(z.number().min(0).max(1000)).max(99).default([]);

/** Refuses weights that do not fit the seats of a bench. */
export const fittingWeights =
  <P extends { readonly weights: readonly number[] }>(seatsOf: (params: P) => number): z.core.CheckFn<P> =>
  ({ value, issues }) => {
    const { weights } = value;
    const refuse = (message: string) => issues.push({ code: 'custom', input: weights, path: ['weights'], message });
    const seats = seatsOf(value);
    if (weights.length === 0) return;
    if (seats === 0)
      refuse(
        'the last judge decides here, so no vote is counted: judge in parallel, let the weights give the order (judgeOrder: strength), or give none',
      );
    else if (weights.length !== seats)
      refuse(`there are ${weights.length} weights for ${seats} votes: give one for each, or none`);
    else if (weights.every((weight) => weight === 0)) refuse('every weight is 0, so no vote counts: give one above 0');
  };

const weightOf = (weights: readonly number[], role: string) => weights[Number(/\d+$/.exec(role)?.[0]) - 1] ?? 0;

/** Sums of weights by label, and each sum's share of all; no shares where no answer counts. */
function weighed(labels: readonly string[], opinions: readonly Opinion[], weights: readonly number[]) {
  const sumOf = (label: string) =>
    opinions.reduce((sum, { role, prediction }) => sum + (prediction === label ? weightOf(weights, role) : 0), 0);
  const sums = Object.fromEntries(labels.map((label) => [label, sumOf(label)]));
  const all = Object.values(sums).reduce((sum, each) => sum + each, 0);
  return { sums, belief: all === 0 ? null : Object.fromEntries(labels.map((label) => [label, (sums[label] ?? 0) / all])) };
}

/**
 * The verdict of a bench that votes: majority, or the largest sum of weights, with the tie rule of `majority`. Belief and
 * confidence are shares of the valid votes or of their weights; what the voters themselves believe is added as their mean.
 */
export function verdictOfMajority(
  labels: readonly string[],
  role: string,
  opinions: readonly Opinion[],
  failures: readonly TurnFailure[],
  weights: readonly number[],
): Ruling {
  const isWeighted = weights.length > 0;
  const { prediction, decidedBy } = majority(
    opinions.map(({ role: seat, prediction: named, stated }) => ({
      prediction: named,
      confidence: stated.confidence,
      ...(isWeighted ? { weight: weightOf(weights, seat) } : {}),
    })),
  );
  const { sums, belief: weighted } = weighed(labels, opinions, weights);
  const { belief: counted } = sampledBelief(
    labels,
    opinions.map(({ prediction: named }) => named),
  );
  const belief = isWeighted ? weighted : counted;
  const votes = { ...votesOf(labels, opinions, failures, decidedBy), ...(isWeighted ? { weights: sums } : {}) };
  return {
    role,
    prediction,
    confidence: belief?.[prediction] ?? null,
    belief,
    source: 'votes',
    inconsistent: false,
    grounds: {
      verbal: meanBelief(
        labels,
        opinions.map(({ stated }) => verbalOf(stated)),
      ),
      votes,
    },
  };
}

/** The verdict of a bench whose last judge decides, knowing what the others think. */
export function verdictOfLast(labels: readonly string[], opinions: readonly Opinion[], failures: readonly TurnFailure[]): Ruling {
  const last = opinions.at(-1);
  if (last === undefined) throw new RangeError('a bench without an opinion has no verdict');
  const votes = votesOf(labels, opinions, failures, 'last');
  return { ...last.stated, role: last.role, grounds: { ...(last.stated.grounds ?? { verbal: last.stated.belief }), votes } };
}
