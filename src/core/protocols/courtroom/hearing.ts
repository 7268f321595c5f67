// The preliminary hearing, which finds the dispute, and fresh hearings that show whether a case is ambiguous.
import { z } from 'zod';
import type { Belief, Case } from '../../../shared/domain.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import type { Prompt, Wording } from '../../prompts/wording.ts';
import { orFailure, settled } from '../bench.ts';
import { casePrompt, certaintyText, verdictAsText } from '../casePrompt.ts';
import { type Court, TurnFailure } from '../court.ts';
import { type Knowledge, knowledgeRule } from '../knowledge.ts';
import { certaintyFlags, certaintyShape, isRanked, labelSchema } from '../labelBelief.ts';
import { nextLikely } from '../nextLikely.ts';
import { usualOrder } from '../swaps.ts';
import { reasonSchema } from '../verdict.ts';
import { type CourtroomParams, freshHearings } from './params.ts';

interface HearingAnswer {
  readonly reason: string;
  readonly prediction: string;
  readonly alternative?: string | undefined;
}

export interface Dispute {
  readonly prediction: string;
  readonly alternative: string;
  readonly alternativeFrom: 'named' | 'distribution' | 'two-labels';
}

const hearingSpec = kept((labels: readonly string[], topK: number): AnswerSpec<HearingAnswer> => {
  const answer = { reason: reasonSchema, prediction: labelSchema(labels) };
  const certainty = certaintyShape(labels, topK);
  return {
    name: 'hearing',
    schema:
      labels.length === 2
        ? z.object({ ...answer, ...certainty })
        : z.object({ ...answer, alternative: labelSchema(labels), ...certainty }),
    labelFields:
      labels.length === 2 ? ['prediction'] : ['prediction', 'alternative', ...(isRanked(labels, topK) ? ['label'] : [])],
    labels,
    flags: certaintyFlags,
  };
});

export const rulesOf = (text: Wording['text'], knowledge: Knowledge): string[] => [
  text('rules', { knowledge: knowledgeRule(text, knowledge) }),
];

type HearingTerms = Pick<CourtroomParams, 'knowledge' | 'topK' | 'temperature'>;

function hearingPrompt(wording: Wording, kase: Case, { knowledge, topK }: HearingTerms): Prompt {
  const { text } = wording;
  const { labels } = kase;
  const form =
    labels.length === 2
      ? text('hearingOfTwo', { verdict: verdictAsText(text, kase, topK) })
      : text('hearingOfMany', { certainty: certaintyText(text, labels, topK) });
  return casePrompt(wording, 'hearing', kase, { rules: rulesOf(text, knowledge), task: [text('hearing'), form] });
}

function disputeOf(labels: readonly string[], { prediction, alternative }: HearingAnswer, belief: Belief | null): Dispute {
  if (alternative !== undefined && alternative !== prediction) return { prediction, alternative, alternativeFrom: 'named' };
  const next = nextLikely(labels, prediction, belief);
  return { prediction, alternative: next, alternativeFrom: labels.length === 2 ? 'two-labels' : 'distribution' };
}

/** The preliminary hearing, zero-shot: A1 and A2. Throws `TurnFailure`. */
export async function holdHearing(court: Court, kase: Case, terms: HearingTerms): Promise<Dispute> {
  const { labels } = kase;
  const answer = await court.ask(
    'hearing/clerk',
    'clerk',
    hearingPrompt(court, kase, terms),
    hearingSpec(labels, terms.topK),
    terms,
  );
  const usual = usualOrder(court, labels);
  const stated = await court.belief(answer, usual);
  court.believe('hearing/clerk/belief', { role: 'clerk', ...stated, moment: 'live', after: null, notes: answer.text });
  // What the clerk stated, with any source of beliefs: the dispute is a part of its answer.
  return disputeOf(usual, answer.value, stated.grounds === undefined ? stated.belief : stated.grounds.verbal);
}

/** Whether the top label of fresh hearings varies; null where it does not and some of them failed. */
function varies(tops: readonly (string | null)[]): boolean | null {
  const named = new Set(tops.filter((top) => top !== null));
  if (named.size > 1) return true;
  return tops.includes(null) ? null : false;
}

/** Five fresh hearings, to see whether the most likely label varies. Asked once for a case and clerk; it changes no verdict. */
export async function measureAmbiguity(court: Court, kase: Case, terms: HearingTerms): Promise<void> {
  const tops = await settled(
    Array.from({ length: freshHearings }, async (_, index) => {
      const asked = court.askOnce(`ambiguity/hearing-${index + 1}`, 'clerk', {
        facts: [...kase.facts, { name: 'question', value: kase.question }],
        prompt: (wording) => hearingPrompt(wording, kase, terms),
        answer: hearingSpec(kase.labels, terms.topK),
        temperature: terms.temperature,
        seed: court.caseSeed,
        number: index + 1,
      });
      const answer = await orFailure(asked);
      return answer instanceof TurnFailure ? null : answer.value.prediction;
    }),
  );
  court.findAmbiguity('ambiguity', { role: 'clerk', labels: tops, ambiguous: varies(tops) });
}
