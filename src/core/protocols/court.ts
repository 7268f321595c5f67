import type { Belief, BeliefGrounds, BeliefSource, Example, Fact, FailureOutcome, Prediction } from '../../shared/domain.ts';
import type { EventPayload } from '../../shared/events.ts';
import type { Moderation, ModerationRequest } from '../../shared/moderation.ts';
import type { Swap } from '../../shared/swaps.ts';
import type { AnswerSpec } from '../answers/answer.ts';
import type { RandomSource } from '../cases/shuffle.ts';
import type { Prompt, Wording } from '../prompts/wording.ts';
import type { Written } from '../record/texts.ts';

/** The steps of protocols that have no effect but to be on the record, and no separate method. */
export type StepKind =
  | 'side-assign'
  | 'argument-evaluate'
  | 'position-assign'
  | 'opinion-rate'
  | 'round-settle'
  | 'exchange-measure'
  | 'recommendation-make'
  | 'subtopics-settle'
  | 'debate-stop'
  | 'proposal-make'
  | 'panel-score'
  | 'answer-give'
  | 'answer-compare'
  /** A step of the protocol's own: see `ownStep`. */
  | 'step-take';

export interface Utterance {
  readonly role: string;
  readonly turn: string;
  readonly text: string;
  /** The answer that holds the speaker's private plan: kept in the record and out of every other role's prompt. */
  readonly plan?: string;
  /** Number of the subtopic that it is about, from 1. */
  readonly subtopic?: number;
  /** Words as spoken and as heard, where the speech was cut. */
  readonly shortened?: { readonly words: number; readonly kept: number };
  /** What the speech holds to be right, where debaters take positions. */
  readonly position?: Prediction;
  /** The speaker gives up the position that it was assigned; absent where it was not asked. */
  readonly concedes?: boolean;
  /** What the speaker names as taken from outside the facts. */
  readonly outside?: readonly string[];
}

export interface StatedBelief {
  readonly prediction: Prediction;
  /** P(prediction), 0-1, or null where none was stated. */
  readonly confidence: number | null;
  readonly belief: Belief | null;
  readonly source: BeliefSource;
  readonly inconsistent: boolean;
  /** Absent where the belief is verbal and one role's own. */
  readonly grounds?: BeliefGrounds;
}

export interface BeliefUpdate extends StatedBelief {
  readonly role: string;
  readonly moment: 'live' | 'retrospective' | 'prior';
  /** Key of the utterance that it follows. */
  readonly after: string | null;
  readonly notes?: string;
}

export interface Ruling extends StatedBelief {
  readonly role: string;
  readonly opinion?: string;
}

export interface Answered<T> {
  readonly value: T;
  readonly text: string;
}

export interface PrecedentQuery {
  readonly labels: readonly string[];
  /** Of each label; fewer where the training split has fewer. */
  readonly perLabel: number;
  readonly retriever: 'similar' | 'random';
}

export interface Precedent extends Example {
  /** Cosine with the case on trial, -1 to 1; null where it was drawn at random. */
  readonly similarity: number | null;
  /** For questions about it alone: the same in every trial of the experiment. */
  readonly seed: number;
}

/** A question whose answer serves every trial that asks it: nothing in it depends on how a trial goes. */
export interface SharedQuestion<T> {
  /** Texts in the prompt that others have written. */
  readonly facts: readonly Fact[];
  readonly prompt: (wording: Wording) => Prompt;
  readonly answer: AnswerSpec<T>;
  readonly temperature: number;
  /** Of the case that is asked about: of the one on trial (`Court.caseSeed`), or of a precedent. */
  readonly seed: number;
  /** Distinguishes questions that are asked several times in the same words, from 1. */
  readonly number?: number;
}

type Ambiguity = Omit<EventPayload<'ambiguity-find'>, 'v' | 'key'>;

export interface StatementToRate {
  readonly of: string;
  /** The case's facts as prompts state them. */
  readonly background: string;
  readonly statement: string;
}

/** A turn that got no valid answer after all its attempts. */
export class TurnFailure extends Error {
  readonly outcome: FailureOutcome;
  readonly key: string;

  constructor(key: string, outcome: FailureOutcome, message: string) {
    super(`${key}: ${message}`);
    this.name = 'TurnFailure';
    this.key = key;
    this.outcome = outcome;
  }
}

/**
 * All that a protocol can do. Every key says where in the protocol the step is (`turn-2/judge`) and
 * is used once; effects are recorded under it before the trial continues, so a resumed or replayed trial
 * walks over the recorded ones. Its words are those that the arm was frozen with.
 */
export interface Court extends Wording {
  readonly random: RandomSource;
  /** Of the case on trial: the same in every arm and replicate. */
  readonly caseSeed: number;
  /** Labelled training cases drawn for the arm; never the case on trial. */
  readonly examples: readonly Example[];
  /** Whether this is exchanged in the trial; the labels of its case then come turned round already. */
  swapped(what: Swap): boolean;
  /** Asks a role's model until an answer holds or its attempts are used up. Throws `TurnFailure`. */
  ask<T>(
    key: string,
    role: string,
    prompt: Prompt,
    answer: AnswerSpec<T>,
    options: { temperature: number },
  ): Promise<Answered<T>>;
  /**
   * The belief behind a prediction in an answer, from the arm's source: as stated, from the tokens of the
   * answer, or from further answers to the same prompt, which are asked for once for each answer.
   * @param answer one that `ask` gave, as it gave it
   * @param inside keys and indexes to the part of the answer that has the prediction; none: the answer itself
   */
  belief(answer: Answered<unknown>, labels: readonly string[], inside?: readonly (string | number)[]): Promise<StatedBelief>;
  /** As `ask`, once in an experiment: all trials share the answer, and it is no call of the trial. Throws `TurnFailure`. */
  askOnce<T>(key: string, role: string, question: SharedQuestion<T>): Promise<Answered<T>>;
  /** Training cases, label by label as queried, nearest first; never the case on trial or its double. Throws `TurnFailure`. */
  retrieve(key: string, query: PrecedentQuery): Promise<readonly Precedent[]>;
  /** Reliability of a statement, 0-1, by the arm's frozen assistant; no call of the trial. Throws `TurnFailure`. */
  rate(key: string, role: string, statement: StatementToRate): Promise<number>;
  /** Reliability from which that version takes a statement to be right, 0-1, as it has learnt. Throws where it has none. */
  learntThreshold(): number;
  /** What the moderator, a person, decides. Until then this throws `AwaitsModerator`, and the trial waits. */
  moderate(key: string, request: ModerationRequest): Promise<Moderation>;
  findAmbiguity(key: string, ambiguity: Ambiguity): void;
  /** Records a step that follows from what was answered. Its texts are stored once, and the record has their refs. */
  record<K extends StepKind>(kind: K, key: string, step: Written<K>): void;
  utter(key: string, utterance: Utterance): void;
  believe(key: string, update: BeliefUpdate): void;
  /** A turn is given up and the trial continues; it will be marked incomplete. */
  forfeit(key: string, role: string, failure: TurnFailure): void;
  measure(key: string, name: string, value: number): void;
  /** The verdict; exactly one in a decided trial. */
  rule(key: string, ruling: Ruling): void;
}
