import { z } from 'zod';
import type { CaseKind, FailureOutcome, ShownFact } from '../domain.ts';
import type { ErasureNote } from '../erasure.ts';
import type { Stored } from '../events/parts.ts';
import type { EventKind, EventPayload, eventSchemas } from '../events.ts';
import { experimentSchema, runtimeSchema } from '../experiment.ts';
import type { Writing } from '../longCalls.ts';
import type { CallFailureKind, ChatMessage } from '../model.ts';
import type { moderationKinds } from '../moderation.ts';
import type { TrialAnswer } from '../reviews.ts';
import type { TrialLine } from '../trialLine.ts';
import { backendChoiceSchema } from './engine.ts';

/** A field of an event as a transcript has it: a text instead of its ref, null where it was erased. */
type Shown<F> =
  F extends Stored<infer T>
    ? z.ZodNullable<z.ZodType<T>>
    : F extends z.ZodNullable<Stored<infer T>>
      ? z.ZodNullable<z.ZodType<T>>
      : Extract<F, z.ZodType>;

type Fields<E extends EventKind> = (typeof eventSchemas)[E]['shape'];

/**
 * What a transcript has of an event: its fields, with every text in its place. `seq`: place in the trial's chain; `role`: empty if it
 * belongs to no one. `More` are fields that are added or replaced; `Less` are left out.
 */
type Entry<K extends string, E extends EventKind, More extends object = object, Less extends string = never> = Flat<
  Omit<z.infer<z.ZodObject<{ [N in Exclude<keyof Fields<E>, 'v' | Less>]: Shown<Fields<E>[N]> }>>, keyof More> &
    More & { seq: number; key: string; role: string; kind: K }
>;
type Flat<T> = { [N in keyof T]: T[N] };

interface Failed {
  failure: CallFailureKind | null;
  rejected: FailureOutcome | null;
}

/** Texts are null where they were erased from the store. */
export type TranscriptEntry =
  /** `planned`: whether the speaker made a private plan; `plan` is its text. */
  | Entry<'utterance', 'utterance-make', { planned: boolean; outside?: (string | null)[] | undefined }>
  | Entry<'belief', 'belief-update'>
  | Entry<'forfeit', 'turn-forfeit'>
  | Entry<'measure', 'measure-take'>
  | Entry<'step', 'step-take'>
  /** `opinion` is empty if the verdict has no separate text: the reasons are those of the bench. */
  | Entry<'ruling', 'ruling-give'>
  | Entry<'sides', 'side-assign'>
  | Entry<'ambiguity', 'ambiguity-find'>
  /** `model`: that embeds; null where none was asked. `case`: its id; null, as `facts`, where it was erased. */
  | Entry<
      'precedents',
      'precedent-retrieve',
      {
        model: string | null;
        precedents: { case: string | null; label: string; similarity: number | null; facts: ShownFact[] | null }[];
        failure: CallFailureKind | null;
      },
      'request' | 'setup'
    >
  /** The answer to a question that is put once and serves every trial that asks it. `attempts`: requests that it took; absent: one. */
  | Entry<'share', 'turn-forfeit', Failed & { model: string | null; text: string | null; attempts?: number | undefined }>
  | Entry<'positions', 'position-assign'>
  /** `version`: of the trained assistant; null where a model rates. */
  | Entry<'rating', 'opinion-rate', { version: number | null; failure: CallFailureKind | null }, 'trained'>
  | Entry<'round', 'round-settle', object, 'notes'>
  | Entry<'exchange', 'exchange-measure'>
  | Entry<
      'recommendations',
      'recommendation-make',
      { recommendations: { kind: 'inquiry' | 'test' | 'fact'; text: string | null; reason: string | null }[] }
    >
  | Entry<'subtopics', 'subtopics-settle', object, 'proposals'>
  | Entry<'evaluation', 'argument-evaluate'>
  | Entry<'stop', 'debate-stop'>
  | Entry<'proposal', 'proposal-make'>
  /** `first`: the side that the judge read first. */
  | Entry<'panel', 'panel-score', { first: 'agentA' | 'agentB' }, 'order'>
  | Entry<'answer', 'answer-give'>
  | Entry<'comparison', 'answer-compare'>
  /** The trial asked its moderator; without a `moderated` of the same key it waits. */
  | Entry<'moderation', 'moderation-ask', { asks: (typeof moderationKinds)[number] }, 'kind'>
  | Entry<'moderated', 'moderation-give', object, 'at'>
  /** A prediction that was taken from a file instead of a trial. */
  | Entry<
      'import',
      'prediction-import',
      { probabilities?: (string | null)[] | undefined; opinions?: (string | null)[] | undefined },
      'file'
    >
  /** A model was asked: enough to list calls and their failures. */
  | (Pick<EventPayload<'call-answer'>, 'key' | 'role' | 'promptTokens' | 'completionTokens' | 'wallMs'> &
      Failed & { kind: 'call'; seq: number; method: string | null })
  | Entry<'close', 'trial-close', object, 'at'>;

export interface TrialView {
  readonly line: TrialLine;
  readonly kind: CaseKind;
  readonly question: string;
  /** The name of a case from Try a case; null for others, which have an id. */
  readonly title: string | null;
  readonly labels: readonly string[];
  readonly positive: string | null;
  /** None where the case was erased. */
  readonly facts: readonly ShownFact[];
  /** Columns of a table that are no facts, as its definition names them. */
  readonly left_out: readonly string[];
  /** The erasure that took texts of the trial; null where none did. */
  readonly erased: ErasureNote | null;
  /** Who plays whom, in the protocol's order of roles. */
  readonly cast: readonly {
    readonly role: string;
    readonly model: string;
    readonly backend: string;
    /** What is set for the model beside the parameters, as JSON; absent where nothing is. */
    readonly options?: string;
    /** The label that the role argues for; null where it argues for none, or where the protocol's version is missing. */
    readonly claim: string | null;
  }[];
  readonly params: Readonly<Record<string, unknown>>;
  /** Of the last attempt. */
  readonly entries: readonly TranscriptEntry[];
  /** When the last attempt was opened, ISO 8601; null of a trial that has not begun. */
  readonly opened: string | null;
  /** Highest seq among all events read, also those that make no entry; -1 for an empty chain. */
  readonly lastSeq: number;
  readonly replicates: number;
  /** The other trials of the same case: at most 20 of each arm, beginning with the arm of this trial. */
  readonly others: readonly TrialLine[];
  /** The experiment in which it was tried again with changes; null where it was not. */
  readonly again: string | null;
  /** Describes the first fault of its chain, row and texts; null if there is none. */
  readonly damage: string | null;
  /** Events that cannot be read: what they say is missing. */
  readonly unread: number;
  /** What the fault means, in sentences; null where there is none. */
  readonly damage_means: string | null;
  /** What of the last attempt is not as it was recorded: an event itself, or texts by event and field; `what`: its description; `gone`: the record no longer has it. */
  readonly faulty_texts: readonly {
    readonly seq: number;
    readonly field: string;
    readonly what: string;
    readonly gone: boolean;
  }[];
  /** Own calls of the last attempt with such a text in what was sent; `answer`: the key of the call whose recorded answer still has its words, null where none is known. */
  readonly faulty_calls: readonly {
    readonly key: string;
    readonly texts: readonly { readonly what: string; readonly gone: boolean; readonly answer: string | null }[];
  }[];
  /** How many people judged it and whether they agree, in a sentence; null if no one did. */
  readonly judged: string | null;
  /** What each of them answered, and why. */
  readonly answers: readonly TrialAnswer[];
  /** Of a later replicate: the same as `judged` of the first one, which is the one that people review. */
  readonly first_judged: string | null;
}

/** A case whose facts are compared with those of a trial's case, by its trial in the same arm. */
export interface AlikeCase {
  readonly line: TrialLine;
  /** All ended trials of the case in that arm. */
  readonly runs: readonly Pick<TrialLine, 'status' | 'outcome' | 'prediction'>[];
  /** Facts that are the same in both cases, of all that at least one of them has. */
  readonly same: number;
  readonly facts: number;
  /** Those that differ, farthest apart first, with the value in each case; null where a case does not have the fact. */
  readonly differing: readonly { readonly title: string; readonly one: string | null; readonly other: string | null }[];
  /** Whether both trials have a ruling, and not the same. */
  readonly isOtherwise: boolean;
}

/** Cases of each kind that are listed. */
export const mostAlike = 50;

/** Cases with a ruling in the arm of a trial. None where the cases are texts, or where the facts of the trial's case were erased. */
export interface AlikeCases {
  /** The first `mostAlike` in the order of `byLikeness`. */
  readonly cases: readonly AlikeCase[];
  /** The same of those of which a trial was decided otherwise, by the first such trial; none where the own trial has no ruling. */
  readonly otherwise: readonly AlikeCase[];
  /** How many there are. */
  readonly counts: { readonly cases: number; readonly otherwise: number };
  /** Where the arm has more ended trials than are looked at: how many were, in the order of their ids; else null. */
  readonly part: { readonly read: number; readonly total: number } | null;
}

export interface CallView
  extends Pick<
    EventPayload<'call-answer'>,
    'role' | 'at' | 'seed' | 'done' | 'promptTokens' | 'completionTokens' | 'modelMs' | 'loadMs' | 'wallMs' | 'request'
  > {
  /** Null where the server did not report it. */
  readonly cachedTokens: number | null;
  readonly key: string;
  readonly messages: readonly ChatMessage[];
  /** Model, digest, backend and its version, address, options and answer schema. */
  readonly setup: Readonly<Record<string, unknown>>;
  /** Raw answer of the model; null where there is none or it was erased. */
  readonly answer: string | null;
  readonly thinking: string | null;
  readonly failure: { readonly kind: CallFailureKind; readonly message: string | null; readonly permanent: boolean } | null;
  readonly rejected: FailureOutcome | null;
  readonly method: string | null;
  /** What is odd about an answer that was taken. */
  readonly flags: readonly string[];
  /** The call was made once for several trials, and is no call of this one alone. */
  readonly shared: boolean;
  /** The call of another trial whose answer this is; null where a model was asked. */
  readonly reused: { readonly trial: string; readonly key: string } | null;
}

/** Whether a trial's chain and texts are as they were written, and whether its verdict follows from its answers. */
export interface TrialCheck {
  readonly chain: 'intact' | 'tampered';
  readonly replay: 'identical' | 'different' | 'not-replayable' | 'unfinished' | 'erased';
  readonly head: string | null;
  readonly events: number;
  readonly problem: string | null;
}

export type TrialFrame =
  | { readonly kind: 'entries'; readonly lastSeq: number; readonly entries: readonly TranscriptEntry[] }
  /** The trial's line changed: it began an attempt, or ended. A new attempt makes the earlier entries void. */
  | { readonly kind: 'line'; readonly line: TrialLine }
  /** The answer that is being written, as far as it goes; it replaces what was sent before for this key. */
  | (Writing & { readonly kind: 'tokens' });

export const tryDraftSchema = z.strictObject({
  protocol: z.string().min(1).max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  model: z.string().min(1).max(200),
  /** Models of single roles, of the same server. */
  roles: z.record(z.string().min(1).max(200), z.string().min(1).max(200)).optional(),
  backend: backendChoiceSchema,
  question: z.string().min(1).max(4000),
  /** Empty only where the question is open. */
  facts: z.string().max(200_000),
  /** None: an open question. */
  labels: z.array(z.string().min(1).max(500)).max(100),
  /** A server of the settings by its name; absent: what `backend` says. */
  server: z.string().min(1).max(200).optional(),
  /** Context in tokens, prompt and answer together; absent: as of an experiment without a word on it. */
  numCtx: runtimeSchema.shape.numCtx.unwrap().optional(),
  /** Name of one of the user's variants of the prompts; absent: the shipped words. */
  prompts: z.string().min(1).max(64).optional(),
});
export type TryDraft = z.infer<typeof tryDraftSchema>;

/** Tokens of the call of a try that comes nearest to its context, or goes farthest beyond it. */
export interface TryNeed {
  /** Characters / 4. */
  readonly prompt: number;
  /** Longest answer. */
  readonly numPredict: number;
  readonly numCtx: number;
  readonly fits: boolean;
}

/** Runs to follow: those of one experiment, or all that are under way. */
export const liveQuerySchema = z.strictObject({ experiment: experimentSchema.shape.name.nullable() });

export type LiveFrame =
  /** A trial that runs now, or one that begins a further attempt: replaces what was known of it. */
  | { readonly kind: 'court'; readonly view: TrialView }
  /** Changes of trials already announced, in order, at most one of each trial; a line that is done is its last. */
  | {
      readonly kind: 'changes';
      readonly changes: readonly { readonly trial: string; readonly frames: readonly TrialFrame[] }[];
    };
