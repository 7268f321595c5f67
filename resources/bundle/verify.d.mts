import type { Counted, Passage, Roots, Uses } from './uses.mjs';

/** What a check of a bundle found. `problem` names the first fault; the other fields are there where it is intact. */
export interface BundleCheck extends Partial<Uses> {
  readonly result: 'intact' | 'tampered' | 'unreadable';
  readonly problem?: string;
  /** What text is at fault, and how, in words without hashes. */
  readonly plain?: string;
  /** What the fault means for those who read the record. */
  readonly meaning?: string;
  /** Where the fault is in a text. */
  readonly passage?: Passage;
  /** How much is bad, of a bundle that was changed. */
  readonly counted?: Counted;
  readonly experiment?: string;
  readonly redacted?: boolean;
  /** What the manifest of an intact bundle says of where the record was copied from: anything. */
  readonly adopted?: unknown;
  readonly chains?: number;
  /** Those that have begun; of a changed bundle only where its events hold. */
  readonly trials?: number;
  /** Trials whose answers the demo model made up, as far as texts say it. */
  readonly standin?: number;
  readonly notEnded?: number;
  /** Those of them that have an answer of the demo model. */
  readonly standinNotEnded?: number;
  readonly events?: number;
  readonly texts?: number;
  /** Texts that events name and a redacted bundle leaves out. */
  readonly leftOut?: number;
  /** Erasures that took texts of the record. */
  readonly erased?: number;
  /** Hexadecimal. */
  readonly root?: string;
  /** Of a bundle in which something else is bad: the root of its events, if they hold. */
  readonly eventsRoot?: string;
  /** Of a changed bundle. */
  readonly roots?: Roots;
  /** By chain, the hash of its last event; there if the events hold. */
  readonly heads?: ReadonlyMap<string, string>;
  /** Null where no one signed the record; of a changed bundle also where its log does not fit its events. */
  readonly log?: BundleLog | null;
}

export interface BundleLog {
  readonly origin: string;
  /** The log that the earlier checkpoint is of, where that is another one. */
  readonly other?: string;
  /** Of the earlier checkpoint that was given: how it does not fit, or null, and whether a key of the log signed it. */
  readonly since?: { readonly size: number; readonly problem: string | null; readonly isSigned: boolean };
  readonly entries: number;
  /** Entries that a checkpoint covers, and those that one with a witness does. */
  readonly signed: number;
  readonly cosigned: number;
  /** When the newest checkpoint was made, as the manifest says it; null where it does not. */
  readonly made_at: string | null;
  /** Of chains that can always grow, the kind of each whose last event no checkpoint covers, such as `review`. */
  readonly unsigned: readonly string[];
  /** Whether signatures could be checked here. */
  readonly checked: boolean;
  /** Of the leaves, 32 bytes each. */
  readonly leaves: readonly Uint8Array[];
  /** Newest first. `key` is the public key that signed it. */
  readonly checkpoints: readonly { readonly size: number; readonly note: string; readonly key: Uint8Array }[];
}

/** @param since text of an earlier checkpoint that the record has to extend */
export function verifyBundle(zip: Uint8Array, since?: string): Promise<BundleCheck>;
export function filesIn(zip: Uint8Array): Promise<Map<string, { readonly bytes: Uint8Array; readonly problem: string | null }>>;
export function sentences(report: BundleCheck, entered?: string): string[];
export function compare(report: BundleCheck, entered: string): { readonly fits: boolean; readonly words: string } | null;
