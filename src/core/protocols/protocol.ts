import type { z } from 'zod';
import type { Case, CaseKind } from '../../shared/domain.ts';
import type { Cast } from '../../shared/experiment.ts';
import type { Swap } from '../../shared/swaps.ts';
import type { PromptFile } from '../prompts/promptFile.ts';
import type { Telling } from '../telling/blocks.ts';
import type { OwnStep } from '../telling/sections.ts';
import type { Court, PrecedentQuery } from './court.ts';
import type { SwapRules } from './swaps.ts';

/** What a protocol can be asked to decide; anything else is refused before the run. */
export interface Acceptance {
  readonly kinds: readonly CaseKind[];
  /** Smallest and largest number of candidate labels. */
  readonly labels: readonly [number, number];
  readonly multiLabel: boolean;
  readonly open: boolean;
}

/** One point on which the paper had to be read: its value, what contradicts it, and what holds here. */
export interface PaperContractEntry {
  readonly subject: string;
  /** What the paper says, with its section. */
  readonly paper: string;
  /** Where the paper is silent or contradicts itself, else null. */
  readonly gap: string | null;
  readonly decision: string;
}

export interface PlannedCalls {
  readonly min: number;
  readonly max: number;
}

export interface PrecedentNeed {
  readonly perLabel: number;
  readonly retriever: PrecedentQuery['retriever'];
}

/** Which texts of a trial a role's prompts may hold, in addition to the rules and the case's facts. */
export interface Sight {
  readonly utterances: boolean;
  /** Which of them, in words; absent: all that was said so far, in order. */
  readonly some?: string;
  readonly ownNotes: boolean;
  /** Labelled training cases, as examples or as precedents with their reasons. */
  readonly examples: boolean;
}

/** A version of the trained assistant that an arm rates with: its number, or null for the newest when it is frozen. */
export interface AssistantNeed {
  readonly version: number | null;
  /** Whether it decides from which reliability on a statement counts. */
  readonly learntThreshold: boolean;
}

/** A published system as code that reads like its paper. Its only effects go through the court. */
export interface Protocol<P> {
  readonly id: string;
  /** Raised by any change that alters a trial. */
  readonly version: number;
  /** Released versions that differ in parameters alone: their numbers, with the values of what they could not choose yet. */
  readonly earlier?: Readonly<Record<number, Partial<P>>>;
  readonly title: string;
  readonly paper: string;
  readonly roles: readonly string[];
  /** Roles that a cast may leave out, and that `*` does not cover: `retriever`, the embedding model behind precedents. */
  readonly optionalRoles?: readonly string[];
  /** Roles that come in numbers, with how many there are: `judge` -> 3 is `judge1` to `judge3`. */
  seats?(params: P): Readonly<Record<string, number>>;
  /** Roles that must have a player under these parameters; absent: all of `roles`. */
  castRoles?(params: P): readonly string[];
  /** The trained assistant that rates statements (`Court.rate`), or null; absent where the protocol knows none. */
  trainedAssistant?(params: P): AssistantNeed | null;
  readonly params: z.ZodType<P>;
  readonly preset: P;
  /** Parameters that change nothing where the others are as they are; absent: all count. */
  unused?(params: P): readonly (keyof P & string)[];
  readonly contract: readonly PaperContractEntry[];
  readonly accepts: Acceptance;
  /** Its prompts by their ids; no two have a text of one name. */
  readonly prompts: Readonly<Record<string, PromptFile>>;
  readonly sees: Readonly<Record<string, Sight>>;
  /** The labels in dispute, where the parameters narrow them. */
  contested?(labels: readonly string[], params: P): readonly string[];
  /** In a sentence: the first answer of a trial, which its verdict is compared with; null or absent: it has none, or is not asked for one. */
  firstAnswer?(params: P): string | null;
  /** Roles that a trial asks, where the cast settles how many there are; absent: those of `castRoles`. */
  players?(cast: Cast): readonly string[];
  /** Why the parameters cannot try cases that the protocol accepts; absent: they always can. */
  refuses?(cases: { readonly labels: readonly string[] }, params: P): string | null;
  /** Role -> the label that it argues for, where the rules settle that beforehand. `kase` has its labels in their usual order. */
  claims?(kase: Case, params: P, swap: Swap | null): Readonly<Record<string, string>>;
  /** What can be exchanged in a trial with such parameters; absent: nothing. A trial asks `Court.swapped`. */
  swaps?(params: P): SwapRules;
  /** Kinds of steps that it alone has; absent: none. */
  readonly steps?: readonly OwnStep[];
  /** What it shows of a trial in addition to the transcript; absent: nothing. */
  readonly telling?: Telling<P>;
  /** Labelled training cases that an arm needs; absent: none. */
  shots?(params: P): number;
  /** Training cases that a trial looks up, or null; absent where the protocol knows none. */
  precedents?(params: P): PrecedentNeed | null;
  /** Answers of one trial that other trials share (`Court.askOnce`), at most; absent where there are none. */
  sharedCalls?(kase: Case, params: P): number;
  /** Model calls of one trial, retries not counted. */
  plannedCalls(kase: Case, params: P, cast: Cast): PlannedCalls;
  /** Answers of one trial whose belief is taken (`Court.belief`). */
  plannedBeliefs(kase: Case, params: P): PlannedCalls;
  run(court: Court, kase: Case, params: P, cast: Cast): Promise<void>;
}

/** Says why a protocol cannot try such cases, or null where it can. */
export function refusal<P>(
  protocol: Protocol<P>,
  cases: { kind: CaseKind; labels: readonly string[]; multiLabel: boolean },
  params: P,
): string | null {
  const { accepts } = protocol;
  if (!accepts.kinds.includes(cases.kind)) {
    return `protocol ${protocol.id} does not try cases of kind ${cases.kind}; it tries ${accepts.kinds.join(', ')}`;
  }
  if (cases.multiLabel && !accepts.multiLabel) {
    return `protocol ${protocol.id} does not try multi-label cases`;
  }
  const labels = protocol.contested?.(cases.labels, params) ?? cases.labels;
  const unknown = labels.find((label) => !cases.labels.includes(label));
  if (unknown !== undefined) {
    return `contested label ${JSON.stringify(unknown)} is not among the labels ${cases.labels.join(', ')}`;
  }
  if (labels.length === 0) {
    return accepts.open ? null : `protocol ${protocol.id} does not try open cases: it needs candidate labels`;
  }
  const [fewest, most] = accepts.labels;
  if (labels.length < fewest || labels.length > most) {
    const range = fewest === most ? `exactly ${fewest}` : `${fewest} to ${most}`;
    const hint = protocol.contested === undefined ? '' : '; name two of them in params.contested, or use another protocol';
    return `protocol ${protocol.id} needs ${range} labels and the data set has ${labels.length}${hint}`;
  }
  return protocol.refuses?.(cases, params) ?? null;
}
