import { z } from 'zod';
import { unlabelled } from '../../answers/answer.ts';
import { narrate } from '../../cases/narrative.ts';
import { orFailure, orForfeited, settled } from '../bench.ts';
import { percent } from '../labelBelief.ts';
import { textOf } from '../texts.ts';
import { type Debate, promptOf, type Statement } from './debate.ts';
import { roundingNoise } from './smoothing.ts';
import type { Statements } from './statements.ts';

/** v: one for each debater, 0-1; null where there is no answer or no rating. */
export type Ratings = readonly (number | null)[];

const ratingSpec = unlabelled('rating', z.object({ reason: textOf(20), reliability: percent }));

async function rate(debate: Debate, key: string, statement: Statement): Promise<number> {
  const { court, kase, terms } = debate;
  if (terms.assistant === 'trained') {
    return court.rate(key, 'assistant', {
      of: statement.key,
      background: narrate(kase.facts, kase.kind),
      statement: statement.text,
    });
  }
  const heading = court.text('answerHeading', { number: String(statement.number) });
  const prompt = promptOf('rating', debate, [heading, statement.text], court.text('rate'));
  const { value } = await court.ask(key, 'assistant', prompt, ratingSpec, terms);
  return value.reliability / 100;
}

/** v_k: the assistant's rating of each answer e_k. A failed rating is forfeited. */
export async function rateAnswers(debate: Debate, round: number, answers: Statements): Promise<Ratings> {
  const { court, terms } = debate;
  if (terms.assistant === 'none') return answers.map(() => null);
  const keyOf = (index: number) => `round-${round}/rating/debater-${index + 1}`;
  const rated = await settled(
    answers.map(async (statement, index) => (statement === null ? null : orFailure(rate(debate, keyOf(index), statement)))),
  );
  return rated.map((result, index) => {
    const value = orForfeited(court, keyOf(index), 'assistant', result);
    const of = answers[index]?.key;
    if (value !== null && of !== undefined && terms.assistant === 'model') {
      court.record('opinion-rate', `${keyOf(index)}/value`, { role: 'assistant', of, value });
    }
    return value;
  });
}

/** Whether a rating reaches the threshold, up to rounding: that of three times 0.7 is less in binary. Null does not. */
export const reaches = ({ terms }: Debate, value: number | null): boolean =>
  value !== null && value >= terms.threshold - roundingNoise;

interface Said {
  readonly opinions: Statements;
  readonly answers: Statements;
  readonly ratings: Ratings;
}

/** What the judge hears of a round: with `each`, nothing from those whose answer is not reliable. */
export function heardOf(debate: Debate, { opinions, answers, ratings }: Said): Omit<Said, 'ratings'> {
  const { assistant, passing } = debate.terms;
  if (assistant === 'none' || passing !== 'each') return { opinions, answers };
  const reliable = (statements: Statements) =>
    statements.map((statement, index) => (reaches(debate, ratings[index] ?? null) ? statement : null));
  return { opinions: reliable(opinions), answers: reliable(answers) };
}

export function bestRating(ratings: Ratings): number | null {
  const known = ratings.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export function meanRating(ratings: Ratings): number | null {
  const known = ratings.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
