// What all steps of a Debate-Feedback trial share.
import { z } from 'zod';
import type { Case, Prediction } from '../../../shared/domain.ts';
import type { Prompt, PromptMessage } from '../../prompts/wording.ts';
import { casePrompt } from '../casePrompt.ts';
import type { Court } from '../court.ts';
import { knowledgeRule, knowledgeSchema, type WithKnowledge } from '../knowledge.ts';
import { topKSchema } from '../labelBelief.ts';
import { usualOrder } from '../swaps.ts';

export const paramsSchema = z.strictObject({
  /** The first two take opposing positions, more are free. */
  debaters: z.int().min(2).max(8).default(2),
  rounds: z.int().min(1).max(8).default(2),
  /** The debate ends after a round that passed and moved no probability of the opinion by as much; 0: never before its rounds are over. */
  tolerance: z.number().min(0).max(1).default(0),
  /** T: the weight of the newest opinion; 1 is no smoothing. */
  smoothing: z.number().min(0).max(1).default(0.5),
  /** `none`: no ratings, and every round passes; `model`: a language model; `trained`: a version of the trained assistant. */
  assistant: z.enum(['none', 'model', 'trained']).default('none'),
  /** Version of the trained assistant; absent: the newest when the experiment begins. */
  assistantVersion: z.int().min(1).max(1_000_000).optional(),
  /** What must reach the threshold for a round to pass: the best rating, the mean of all, or `each` by itself: answers that fall short are not heard. */
  passing: z.enum(['max', 'mean', 'each']).default('max'),
  /** Reliability from which a round passes. */
  threshold: z.number().min(0).max(1).default(0.5),
  /** In place of `threshold`, what the trained assistant has learnt on the statements that it was not trained on. */
  learntThreshold: z.boolean().default(false),
  /** Whether a debater says with its answer if the others have convinced it. It continues to argue for its position. */
  concessions: z.boolean().default(true),
  /** After a round that does not pass: back to the first opinion, or on with the one before it. */
  onUnreliable: z.enum(['initial', 'keep']).default('initial'),
  /** Whether a round knows of the rounds before it. */
  memory: z.enum(['none', 'transcript']).default('none'),
  /** Longest statement and longest summary, in words. */
  words: z.int().min(20).max(1000).default(200),
  knowledge: knowledgeSchema,
  topK: topKSchema,
  temperature: z.number().min(0).max(2).default(0.7),
});
export type DebateFeedbackParams = WithKnowledge<z.infer<typeof paramsSchema>>;

/** A debater's position: a label, or a set of labels; null where it is free to take one. */
export type Position = Prediction;

export interface Statement {
  /** Of the debater, from 1. */
  readonly number: number;
  readonly role: string;
  readonly position: Position;
  /** Under which it was uttered. */
  readonly key: string;
  readonly text: string;
  /** The answer that it was read from: what the speaker remembers. */
  readonly answer: string;
}

/** A trial of this protocol: what its steps have in common. */
export interface Debate {
  readonly court: Court;
  readonly kase: Case;
  /** Its labels in their usual order, in which answers are stored and settled. */
  readonly labels: readonly string[];
  readonly terms: DebateFeedbackParams;
  /** What was said in earlier rounds, as debaters read it: with `memory` none, nothing. */
  readonly earlier: string[];
  readonly conversation: PromptMessage[];
}

export function openDebate(court: Court, kase: Case, terms: DebateFeedbackParams): Debate {
  return {
    court,
    kase,
    labels: usualOrder(court, kase.labels),
    terms,
    earlier: [],
    conversation: [],
  };
}

export const roleOf = (number: number) => `debater${number}`;

/** Rules, x first and alike for every role, then what it knows of the debate and what it is to do. */
export const promptOf = (
  id: string,
  { court, kase, terms }: Debate,
  record: readonly string[],
  ...task: readonly string[]
): Prompt =>
  casePrompt(court, id, kase, {
    rules: [court.text('rules', { knowledge: knowledgeRule(court.text, terms.knowledge) })],
    record,
    task,
  });
