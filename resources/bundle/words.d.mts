export const noSignerWords: string;
export function minuteOf(iso: string): string;
export const claimWords: string;
export function signedWhenWords(made: string | null): string;
export function notSignedWords(chains: number, kinds: readonly string[], joined?: boolean): string;
export const notProvedWords: string;
export const reportsNotChecked: string;
export const rewrittenWords: string;
export const passageWords: string;
export function sinceSentence(about: {
  readonly size: number;
  readonly entries: number;
  readonly isExtended: boolean;
  readonly isSame: boolean;
  readonly isChecked: boolean;
}): string;
export const reportsWords: string;

/** Texts that are not in the record, and erasures that took some of it. */
export function goneFrom(counts: { readonly leftOut: number; readonly erased: number }): string;

export function unchangedSentence(about: {
  /** As of `goneFrom`. */
  readonly gone: string;
  /** Whether something was added since the checkpoint. */
  readonly isGrown: boolean;
  readonly notEnded: number;
  readonly isBundle: boolean;
}): string;

/** @param gone as of `goneFrom` */
export function provedSentence(gone: string): string;

interface Copied {
  readonly file: string;
  readonly at: string;
  readonly root: string;
  readonly signers: readonly string[];
}

interface Joined extends Copied {
  readonly experiments?: readonly string[] | undefined;
  readonly joined?: true | undefined;
  readonly earlier?: readonly Copied[] | undefined;
}

export function adoptedSentences(
  adopted: Joined & { readonly others?: readonly Joined[] | undefined },
  timeIn?: (at: string) => string,
): string[];

/** Trials, those that have not ended, and of either those whose answers the demo model made up. */
export function inventedSentences(counts: {
  readonly trials: number;
  readonly notEnded: number;
  readonly standin: number;
  readonly standinNotEnded: number;
}): string[];
