// What the judge of a Debate-Feedback debate is asked, and what it answers.
import { z } from 'zod';
import { type AnswerSpec, unlabelled } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import { asHeard } from '../../text/shorten.ts';
import { orForfeit } from '../bench.ts';
import { verdictAsText } from '../casePrompt.ts';
import { inTurn } from '../swaps.ts';
import { speechFlags, speechOf } from '../texts.ts';
import { labelSetSpec, verdictSpec } from '../verdict.ts';
import { type Debate, promptOf } from './debate.ts';
import type { Ratings } from './reliability.ts';
import { type Statements, statementTexts } from './statements.ts';

const opinionSpec = ({ kase, terms: { topK } }: Debate): AnswerSpec<unknown> =>
  kase.multiLabel ? labelSetSpec('opinion', kase.labels, { topK }) : verdictSpec('opinion', kase.labels, { topK });

const summarySpec = kept((words: number) =>
  unlabelled('summary', z.object({ summary: speechOf(words) }), ({ summary }) => speechFlags(summary)),
);

const verdictText = ({ court, kase, terms: { topK } }: Debate): string =>
  court.text('verdict', { verdict: verdictAsText(court.text, kase, topK) });

export type JudgeAnswer = Readonly<Awaited<ReturnType<typeof answerFirst>>>;

/** O_0 = LM(x), with which the judge's conversation begins. Throws `TurnFailure`. */
export async function answerFirst(debate: Debate) {
  const { court, labels, terms, conversation } = debate;
  const prompt = promptOf('initial', debate, [], court.text('initial'), verdictText(debate));
  const answer = await court.ask('initial/judge', 'judge', prompt, opinionSpec(debate), terms);
  const stated = await court.belief(answer, labels);
  court.believe('initial/judge/belief', { role: 'judge', ...stated, moment: 'prior', after: null, notes: answer.text });
  conversation.push(...prompt, { role: 'assistant', parts: [answer.text] });
  return { stated, text: answer.text };
}

function reliabilities({ court, terms }: Debate, answers: Statements, ratings: Ratings): string[] {
  if (terms.assistant === 'none') return [];
  const lines = answers.flatMap((statement, index) => {
    if (statement === null) return [];
    const value = ratings[index] ?? null;
    const number = String(index + 1);
    return [value === null ? court.text('unrated', { number }) : court.text('reliability', { number, value: value.toFixed(2) })];
  });
  return lines.length === 0 ? [] : [court.text('reliabilityHeading'), ...inTurn(court, lines)];
}

export interface Round {
  readonly number: number;
  readonly opinions: Statements;
  readonly answers: Statements;
  readonly ratings: Ratings;
}

/** sum = LM(a, e, v): a summary by the judge's model, in a separate call. */
async function summarise(debate: Debate, { number, opinions, answers, ratings }: Round): Promise<string | null> {
  const { court, terms } = debate;
  const key = `round-${number}/summary`;
  const words = String(terms.words);
  const rated = reliabilities(debate, answers, ratings);
  const said = [...statementTexts(debate, 'opinionHeading', opinions), ...statementTexts(debate, 'answerHeading', answers)];
  const prompt = promptOf(
    'summary',
    debate,
    [...said, ...rated],
    court.text('summarise', { words }),
    ...(rated.length === 0 ? [] : [court.text('summariseRated')]),
    court.text('summaryFields', { words }),
  );
  const answer = await orForfeit(court, key, 'judge', court.ask(key, 'judge', prompt, summarySpec(terms.words), terms));
  if (answer === null) return null;
  const heard = asHeard(answer.value.summary, terms.words);
  court.utter(`${key}/utterance`, { role: 'judge', turn: 'summary', ...heard });
  return heard.text;
}

/**
 * LM(x, summary): the judge continues its own conversation, with the summary and the reliabilities. With `memory` none
 * that conversation has no earlier round in it.
 * @returns null if no one has said anything, or where summary or answer is forfeited
 */
export async function answerAgain(debate: Debate, round: Round): Promise<JudgeAnswer | null> {
  const { court, labels, terms, conversation } = debate;
  if ([...round.opinions, ...round.answers].every((statement) => statement === null)) return null;
  const summary = await summarise(debate, round);
  if (summary === null) return null;
  const shown = reliabilities(debate, round.answers, round.ratings);
  const task = [court.text('again'), verdictText(debate)];
  const question = court.prompt('again', { record: [court.text('summaryHeading'), summary, ...shown], task });
  const key = `round-${round.number}/judge`;
  const asked = court.ask(key, 'judge', [...conversation, ...question], opinionSpec(debate), terms);
  const answer = await orForfeit(court, key, 'judge', asked);
  if (answer === null) return null;
  const stated = await court.belief(answer, labels);
  if (terms.memory === 'transcript') conversation.push(...question, { role: 'assistant', parts: [answer.text] });
  return { stated, text: answer.text };
}
