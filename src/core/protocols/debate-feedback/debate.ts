// What all steps of a Debate-Feedback trial share.
import type { Case, Prediction } from '../../../shared/domain.ts';
import type { Prompt, PromptMessage } from '../../prompts/wording.ts';
import { casePrompt } from '../casePrompt.ts';
import type { Court } from '../court.ts';
import { type Knowledge, knowledgeRule } from '../knowledge.ts';
import { usualOrder } from '../swaps.ts';

export interface DebateTerms {
  readonly debaters: number;
  readonly words: number;
  readonly knowledge: Knowledge;
  /** Labels that the judge ranks, where there are many. */
  readonly topK: number;
  readonly temperature: number;
  readonly assistant: 'none' | 'model' | 'trained';
  readonly passing: 'max' | 'mean' | 'each';
  readonly threshold: number;
  readonly smoothing: number;
  /** Whether a debater may give up the position that it was assigned. */
  readonly concessions: boolean;
  readonly onUnreliable: 'initial' | 'keep';
  readonly memory: 'none' | 'transcript';
}

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
  readonly terms: DebateTerms;
  /** What was said in earlier rounds, as debaters read it: with `memory` none, nothing. */
  readonly earlier: string[];
  readonly conversation: PromptMessage[];
}

export function openDebate(court: Court, kase: Case, terms: DebateTerms): Debate {
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
