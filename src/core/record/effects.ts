// What a trial asks of its surroundings, and what it gets back.
import type { Change } from '../../shared/changes.ts';
import type { Example } from '../../shared/domain.ts';
import type { EventKind, EventPayload } from '../../shared/events.ts';
import type { BeliefChoice, CastMember, ReadingMode, Runtime } from '../../shared/experiment.ts';
import type { CallFailureKind, CompletionRequest, CompletionResult } from '../../shared/model.ts';
import type { Moderation, ModerationRequest } from '../../shared/moderation.ts';
import type { Swap } from '../../shared/swaps.ts';
import type { TrainedAssistant } from '../assistant/trainedAssistant.ts';
import type { PrecedentQuery, SharedQuestion } from '../protocols/court.ts';
import type { GuardRules } from '../text/found.ts';
import type { RawAttempt } from './reading.ts';

export interface PreparedCall {
  readonly key: string;
  readonly role: string;
  readonly backend: string;
  readonly request: CompletionRequest;
  /** A failure of it is followed by a further attempt, unless it is for good. Absent: it is not. */
  readonly again?: boolean;
}

/** The result of a call: an answer, or a failure that belongs to the record. */
export interface CallReport {
  readonly result: CompletionResult | null;
  readonly failure: { kind: CallFailureKind; message: string; permanent: boolean } | null;
  /** Milliseconds from sending to the end, by the monotonic clock. */
  readonly wallMs: number;
  /** Where it was sent: backend, address, version, model digest. */
  readonly sentTo: Readonly<Record<string, unknown>>;
  /** Wall time, ISO 8601. */
  readonly at: string;
}

/** A question that all trials of an experiment share, as one of them asks it. */
export interface SharedAsk {
  /** Salted hash of the question: the same for every trial that asks it. */
  readonly name: string;
  readonly role: string;
  readonly question: SharedQuestion<unknown>;
  readonly terms: TrialTerms;
}

/** The last answer to a shared question, and the call in the preparation chain that it came from. */
export interface SharedAnswer {
  readonly call: { readonly key: string; readonly hash: string };
  /** Setup of that call, as JSON text. */
  readonly setup: string;
  readonly raw: RawAttempt;
}

export interface Retrieval extends Pick<EventPayload<'precedent-retrieve'>, 'method' | 'precedents' | 'withoutVector'> {
  /** What made the vectors, as JSON text; null where no model was asked. */
  readonly setup: string | null;
  readonly failure: { readonly kind: CallFailureKind; readonly message: string } | null;
}

/** Compares what is recorded from beyond the trial with what is made again, and throws a `Divergence` if they differ. */
export interface Recheck {
  share(asked: SharedAsk, recorded: EventPayload<'answer-share'>): Promise<void>;
  retrieval(query: PrecedentQuery, terms: TrialTerms, recorded: EventPayload<'precedent-retrieve'>): Promise<void>;
}

/** The vector of a statement, or why there is none. */
export interface StatementVector {
  /** What made it, as JSON text. */
  readonly setup: string;
  readonly vector: Float32Array | null;
  readonly failure: { readonly kind: CallFailureKind; readonly message: string } | null;
}

export interface ReusedAnswer {
  readonly at: string;
  readonly from: NonNullable<EventPayload<'call-answer'>['reused']>;
  readonly answer: EventPayload<'call-answer'>;
}

/** What a court does beyond its record. Each throws what is no part of the trial: an outage, an interruption, a gap in a replay. */
export interface Effects {
  perform(call: PreparedCall): Promise<CallReport>;
  /** Looks for an answer to the same request, by its hash, and waits for one under way; null: it has to be asked. Absent: every call is made. */
  reuse?(call: PreparedCall, request: string): Promise<ReusedAnswer | null>;
  /** Gives the answer to a shared question, which is asked if this is the first time. */
  askOnce(asked: SharedAsk): Promise<SharedAnswer>;
  /** Answers in the moderator's place; absent, or null: the trial waits for one. */
  moderate?(key: string, request: ModerationRequest): { readonly at: string; readonly moderation: Moderation } | null;
  retrieve(query: PrecedentQuery, terms: TrialTerms): Promise<Retrieval>;
  /** Makes the vector by which the arm's trained assistant rates a text. */
  rate(text: string, terms: TrialTerms): Promise<StatementVector>;
  /** If present, checks what the record has from beyond the trial against what is made again, in a replay. */
  readonly recheck?: Recheck;
}

export type Collector = () => { texts: Map<string, string>; keep: (text: string) => string };

export interface TrialLedger {
  find<K extends EventKind>(kind: K, key: string): EventPayload<K> | undefined;
  /** Text behind a ref. Throws where it is not there. */
  text(ref: string): string;
  /** Appends an event with the texts that it is the first to refer to, in one transaction. */
  append<K extends EventKind>(kind: K, payload: EventPayload<K>, texts: ReadonlyMap<string, string>): void;
}

export interface TrialTerms {
  readonly seed: number;
  /** Of the experiment, and of the case on trial in all its arms and replicates. */
  readonly experimentSeed: number;
  readonly caseSeed: number;
  /** What of a call's key its seed follows from; absent: all of it. */
  readonly seedKey?: (key: string) => string;
  /** 1 for the first attempt at the trial. */
  readonly attempt: number;
  readonly salt: Uint8Array;
  readonly templates: Readonly<Record<string, string>>;
  readonly examples: readonly Example[];
  readonly runtime: Runtime;
  readonly belief: BeliefChoice;
  readonly reading: ReadingMode;
  /** By which foreign texts are made harmless. */
  readonly guard: GuardRules;
  /** Every parameter is the paper's own: nothing is sent that the paper does not have. Absent: not so. */
  readonly paper?: boolean;
  castOf(role: string): CastMember;
  /** What is exchanged in the arm; absent: nothing. */
  readonly swap?: Swap | null;
  /** What is replaced in the facts of the case by something neutral; absent: nothing. */
  readonly mask?: 'names' | undefined;
  /** In what the arm differs from another; absent: it is an arm by itself. */
  readonly change?: Change | undefined;
  /** The embedding model behind precedents; null where there is none. */
  readonly retriever: CastMember | null;
  /** The trained assistant that rates statements, and the model that makes their vectors; absent where the arm has none. */
  readonly assistant?: TrainedAssistant | undefined;
  readonly embedder?: CastMember | undefined;
}
