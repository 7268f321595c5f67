import type { Evaluation } from '../../shared/crit.ts';
import type { Belief, BeliefGrounds, BeliefSource, Example, Fact, FailureOutcome, Prediction } from '../../shared/domain.ts';
import type { EventPayload } from '../../shared/events.ts';
import type { Moderation, ModerationRequest, Subtopic } from '../../shared/moderation.ts';
import type { Swap } from '../../shared/swaps.ts';
import type { AnswerSpec } from '../answers/answer.ts';
import type { RandomSource } from '../cases/shuffle.ts';

/** A message as the texts it is joined from, with a blank line between: equal texts are stored once. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly string[];
}

export type Prompt = readonly PromptMessage[];

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

/** A validated answer, and the model's own text that it was read from. */
export interface Answered<T> {
  readonly value: T;
  readonly text: string;
}

/** Which training cases are wanted as precedents. */
export interface PrecedentQuery {
  readonly labels: readonly string[];
  /** Of each label; fewer where the training split has fewer. */
  readonly perLabel: number;
  readonly retriever: 'similar' | 'random';
}

/** A labelled training case beside the case on trial. */
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
  /** Makes the prompt with `Court.text`. */
  readonly prompt: (text: Court['text']) => Prompt;
  readonly answer: AnswerSpec<T>;
  readonly temperature: number;
  /** Of the case that is asked about: of the one on trial (`Court.caseSeed`), or of a precedent. */
  readonly seed: number;
  /** Tells questions apart that are put several times in the same words, from 1. */
  readonly number?: number;
}

/** Subtopics of a debate, the lists that they came from, and what the critic says of them. */
export interface SettledSubtopics {
  readonly settledBy: 'agents' | 'moderator';
  readonly subtopics: readonly Subtopic[];
  readonly proposals: Readonly<Record<'agentA' | 'agentB' | 'merged', readonly Subtopic[] | null>>;
  readonly balance: { readonly balanced: boolean; readonly justification: string } | null;
}

export interface JointProposal {
  readonly role: string;
  readonly stage: 'draft' | 'joint';
  readonly proposal: {
    readonly proposal: string;
    readonly open_questions: readonly string[];
    readonly next_steps: readonly string[];
  };
}

type Stop = Omit<EventPayload<'debate-stop'>, 'v' | 'key'>;

/** A judge's sheet. */
export interface PanelScores extends Omit<EventPayload<'panel-score'>, 'v' | 'key' | 'opinion'> {
  readonly opinion: { readonly claims: Readonly<Record<'agentA' | 'agentB', string>>; readonly justification: string };
}

/** A judge's comparison of a debate with a plain answer; `justification` as text. */
type Comparison = Omit<EventPayload<'answer-compare'>, 'v' | 'key'>;

type Assignment = Omit<EventPayload<'side-assign'>, 'v' | 'key'>;
type Ambiguity = Omit<EventPayload<'ambiguity-find'>, 'v' | 'key'>;
export type Exchange = Omit<EventPayload<'exchange-measure'>, 'v' | 'key'>;

/** What would make a verdict surer, and why. */
export interface Recommendation {
  readonly kind: EventPayload<'recommendation-make'>['recommendations'][number]['kind'];
  readonly text: string;
  readonly reason: string;
}

/** A statement of a debater, to be rated by a trained assistant. */
export interface StatementToRate {
  /** Key of the utterance. */
  readonly of: string;
  /** The case's facts as they are told. */
  readonly background: string;
  readonly statement: string;
}

type Positions = Omit<EventPayload<'position-assign'>, 'v' | 'key'>;
type Rating = Pick<EventPayload<'opinion-rate'>, 'role' | 'of' | 'value'>;
type Settlement = Omit<EventPayload<'round-settle'>, 'v' | 'key' | 'notes'> & { readonly notes: string | undefined };

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
 * All that a protocol can do. Every key says where in the protocol the step stands (`turn-2/judge`) and
 * is used once; effects are recorded under it before the trial goes on, so a resumed or replayed trial
 * walks over the recorded ones.
 */
export interface Court {
  /** The trial's own generator. */
  readonly random: RandomSource;
  /** Of the case on trial: the same in every arm and replicate. */
  readonly caseSeed: number;
  /** Labelled training cases drawn for the arm; never the case on trial. */
  readonly examples: readonly Example[];
  /** Whether this is exchanged in the trial; the labels of its case then come turned round already. */
  swapped(what: Swap): boolean;
  /** A template of the arm as frozen, with each `{{slot}}` filled. Throws on a slot without a value. */
  text(template: string, slots?: Readonly<Record<string, string>>): string;
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
  /**
   * As `ask`, for a question that is put once in an experiment and whose answer all trials share. It is no
   * call of the trial. Throws `TurnFailure`.
   */
  askOnce<T>(key: string, role: string, question: SharedQuestion<T>): Promise<Answered<T>>;
  /**
   * Labelled cases of the training split, label by label in the order of the query, the nearest first; never
   * the case on trial, nor one that tells the same. Throws `TurnFailure`.
   */
  retrieve(key: string, query: PrecedentQuery): Promise<readonly Precedent[]>;
  /**
   * Reliability of a statement, 0-1, by the version of the trained assistant that the arm is frozen with. It is no call of
   * the trial. Throws `TurnFailure`.
   */
  rate(key: string, role: string, statement: StatementToRate): Promise<number>;
  /** A rating that a model gave in a call of the trial. */
  noteRating(key: string, rating: Rating): void;
  /** What debaters have to hold. */
  assignPositions(key: string, positions: Positions): void;
  /** How the judge's opinion after a round came about. */
  settleRound(key: string, settlement: Settlement): void;
  /**
   * What the moderator, a person, decides. While nobody has decided the trial waits: this throws
   * `AwaitsModerator`, and the trial goes on from here when the answer is on the record.
   */
  moderate(key: string, request: ModerationRequest): Promise<Moderation>;
  /** What is argued about; the last one holds. */
  settleSubtopics(key: string, settled: SettledSubtopics): void;
  /** Why the rounds of a debate are over. */
  stopDebate(key: string, stop: Stop): void;
  propose(key: string, proposal: JointProposal): void;
  scorePanel(key: string, scores: PanelScores): void;
  /** An answer by a single model, to compare a debate with. */
  giveAnswer(key: string, given: { readonly role: string; readonly answer: string }): void;
  compareAnswer(key: string, comparison: Comparison): void;
  /** Who argues for which label. */
  assign(key: string, assignment: Assignment): void;
  /** Whether fresh hearings of the case agree. */
  findAmbiguity(key: string, ambiguity: Ambiguity): void;
  /** What CRIT found in the argument of `subject`. */
  evaluate(key: string, found: { readonly role: string; readonly subject: string; readonly evaluation: Evaluation }): void;
  /** How far two distributions agree after an exchange. */
  measureExchange(key: string, exchange: Exchange): void;
  /** What those who argued recommend together. */
  recommend(
    key: string,
    joint: {
      readonly role: string;
      readonly contentiousness: number;
      readonly recommendations: readonly Recommendation[];
    },
  ): void;
  utter(key: string, utterance: Utterance): void;
  believe(key: string, update: BeliefUpdate): void;
  /** A turn is given up and the trial goes on; it will be marked incomplete. */
  forfeit(key: string, role: string, failure: TurnFailure): void;
  measure(key: string, name: string, value: number): void;
  /** The verdict; exactly one in a decided trial. */
  rule(key: string, ruling: Ruling): void;
}
