import { z } from 'zod';
import { claimWords, notSignedWords, sinceSentence } from '../../resources/bundle/words.mjs';
import { quantity } from './sizes.ts';

export { minuteOf, noSignerWords, signedWhenWords } from '../../resources/bundle/words.mjs';

/** One who signed: a witness, or the log's own key. */
const signerSchema = z.strictObject({
  /** As the signature names it. */
  name: z.string(),
  /** SHA-256 of the public key, hexadecimal; null where the key is not known, so that nothing was checked. */
  fingerprint: z.string().nullable(),
});

const cosignerSchema = signerSchema.extend({
  /** When it signed, by its own clock, ISO 8601; null where nothing was checked. */
  at: z.string().nullable(),
});

/** The file of the user's key, if the command made it because there was none. */
const keyMade = { key_made: z.string().optional() };

export const checkpointReportSchema = z.strictObject({
  store: z.string(),
  origin: z.string(),
  /** Entries of the log that it covers. */
  size: z.int(),
  /** RFC 6962, base64. */
  root: z.string(),
  made_at: z.string(),
  /** Of the key that signed it. */
  fingerprint: z.string(),
  /** That key as signed-note writes it. */
  key: z.string(),
  ...keyMade,
  /** SHA-256 of the key of the checkpoint before, hexadecimal, if it is another one. */
  key_before: z.string().optional(),
  cosigners: z.array(cosignerSchema),
  /** A time stamp (RFC 3161) is attached; it was not checked. */
  time_stamp: z.boolean(),
  /** The signed note, byte for byte, with the cosignatures that were attached. */
  note: z.string(),
});
export type CheckpointReport = z.infer<typeof checkpointReportSchema>;

export const keyReportSchema = z.strictObject({
  ...keyMade,
  fingerprint: z.string(),
  /** As a witness of other logs, as signed-note writes it. */
  witness_key: z.string(),
  /** As the key of the store's log; null where there is no store, or one of an older format. */
  log_key: z.string().nullable(),
});
export type KeyReport = z.infer<typeof keyReportSchema>;

export const cosignReportSchema = z.strictObject({
  origin: z.string(),
  size: z.int(),
  /** The entries that were seen before and that the checkpoint extends; null for the first one of this log. */
  extends: z.int().nullable(),
  /** Whether the log's own signature was checked, with a key that was given. */
  signature_checked: z.boolean(),
  ...keyMade,
  witness_key: z.string(),
  /** Of that key, as `verify` prints it. */
  fingerprint: z.string(),
  note: z.string(),
});
export type CosignReport = z.infer<typeof cosignReportSchema>;

const logSignerSchema = signerSchema.extend({
  /** Entries that the largest of them covers. */
  signed: z.int(),
  /** Whether its key is one of those that the reader gave. */
  known: z.boolean(),
  /** Whether its key is the user's own, by the configuration folder of this machine. */
  own: z.boolean(),
});

/** What `verify` says about the log: entries from 0 up to `cosigned` are anchored elsewhere, from there to `signed` only signed, the rest neither. */
export const logReportSchema = z.strictObject({
  origin: z.string(),
  size: z.int(),
  checkpoints: z.int(),
  signed: z.int(),
  cosigned: z.int(),
  /** The log roots that its checkpoints sign, hexadecimal, and how many entries each covers. */
  roots: z.array(z.strictObject({ size: z.int(), root: z.string() })),
  signers: z.array(logSignerSchema),
  cosigners: z.array(cosignerSchema),
  /** Attached, and not checked. */
  time_stamps: z.int(),
  /** When the newest checkpoint was made, ISO 8601, by the clock of who signed it: no signature covers it. Null where it is not known. */
  made_at: z.string().nullable(),
  /** Chains that can grow without an end, such as those of reviews, with events that no checkpoint covers. */
  unsigned_chains: z.int(),
  /** What these chains are of, each once: `experiment`, `preparation`, `assistant`, `review` or `erasure`. */
  unsigned_kinds: z.array(z.string()),
});
export type LogReport = z.infer<typeof logReportSchema>;

/** What a signature by a key that the reader does not know leaves open. */
export const whoseKeyWords =
  'Anyone can make such a key. To know whose it is, ask the signer for its fingerprint by another way than this file.';

/** Whose the key of a signer is, as far as this machine and the fingerprint that the reader entered show. */
export function ownKeyWords(
  { own, fingerprint }: Pick<LogReport['signers'][number], 'own' | 'fingerprint'>,
  entered: string | null = null,
): string {
  if (own) return 'your own key on this machine';
  return fingerprint === entered ? 'the key that you entered' : 'a key that this machine does not have';
}

/** What a key that the reader knows says of a changed record whose events hold. */
export const signedUseWords =
  'You know the key that signed them, so you may use what it signed, also without the root. A key does not say which record it is.';

/**
 * What of the record is not signed; null where all that can be is.
 * @param log with the chains that grew since the newest checkpoint
 * @param joined whether chains of another store were joined
 */
export const unsignedWords = (
  { unsigned_chains: chains, unsigned_kinds: kinds }: Pick<LogReport, 'unsigned_chains' | 'unsigned_kinds'>,
  joined = false,
): string | null => (chains === 0 ? null : notSignedWords(chains, kinds, joined));

/** When a checkpoint was made: only a witness that was checked shows that it was no later than that one says. @param made in words */
export const madeWords = (made: string, cosigners: CheckpointReport['cosigners']): string =>
  cosigners.some(({ at }) => at !== null) ? `made ${made}` : `made ${made}, ${claimWords}`;

/** What a key that was given says of a record without a signature that fits its events. */
export const noSignatureWords =
  'The key that you gave was compared with nothing: no signature was found that fits the events as they are now. So nothing shows that its owner signed what is in this file.';

/** What a hash of the log is, in words, if it was given as a root or head of the record; null if it is none. */
export function otherHash(log: LogReport | null, given: string): { readonly of: 'key' | 'log'; readonly words: string } | null {
  const hash = given.toLowerCase();
  if (log?.signers.some(({ fingerprint }) => fingerprint === hash) === true)
    return { of: 'key', words: 'the signer’s key, not a root: it says who signed the record, not which record it is.' };
  const signed = log?.roots.find(({ root }) => root === hash);
  if (signed === undefined) return null;
  const entries = signed.size === 1 ? 'the first entry' : `the first ${signed.size} entries`;
  return {
    of: 'log',
    words: `a log root, as a checkpoint signs it. It covers ${entries} of the log of this record and nothing else.`,
  };
}

/** What the log has entries for: why it has other ones than there are trials. */
export const logEntryWords = '(one for each end of a trial, the others for what trials share, reviews and erasures)';

/** How long the log is, and which of its entries are fixed, and by whom. @param hasKey the reader gave keys: no others count */
export function logWords({ size, signed, cosigned, checkpoints, unsigned_chains: more }: LogReport, hasKey = false): string {
  const only = Math.max(signed, cosigned);
  const ranges = [
    [0, cosigned, 'signed and cosigned by a witness'] as const,
    [cosigned, only, 'signed, without a witness'] as const,
    [only, size, hasKey ? 'not signed by a key that you gave' : 'not signed yet'] as const,
  ].flatMap(([from, to, what]) =>
    to <= from ? [] : [`${to - from === 1 ? `entry ${from}` : `entries ${from} to ${to - 1}`} ${what}`],
  );
  const later =
    checkpoints > 0 || more === 0
      ? ''
      : ` Its first checkpoint adds ${more}: until it is signed, a copy has fewer entries than the original.`;
  return `Log: ${quantity(size, 'entry', 'entries')} ${logEntryWords}${ranges.length === 0 ? '' : `; ${ranges.join(', ')}`}.${later}`;
}

/** What `verify --proof` found: whether a trial with this head is in a signed log. */
export const proofReportSchema = z.strictObject({
  result: z.enum(['intact', 'tampered']),
  proof: z.string(),
  /** As the proof says them. */
  trial: z.string(),
  head: z.string(),
  /** Whether that is the head that was given; null where none was. */
  head_matches: z.boolean().nullable(),
  origin: z.string(),
  /** Of the entry, from 0. */
  position: z.int(),
  /** Entries that the checkpoint covers. */
  size: z.int(),
  /** Whether a key that was given signed the checkpoint; a proof does not say the key, so that without one it was not checked. */
  signature_checked: z.boolean(),
  cosigners: z.array(cosignerSchema),
  /** Why it proves nothing; null where it does. */
  problem: z.string().nullable(),
});
export type ProofReport = z.infer<typeof proofReportSchema>;

/** What earlier checks read, by the file of `--resume`. */
export const earlierReportSchema = z.strictObject({
  /** Chains that this check read, and those that earlier checks read and this one skipped. */
  chains_read: z.int(),
  chains_not_read: z.int(),
  /** When the first and the last of the checks began that read those; null where all were read now. */
  first: z.iso.datetime().nullable(),
  last: z.iso.datetime().nullable(),
  /** Record root at the end of the last completed check; null if none was completed. */
  root: z.string().nullable(),
  /** Why the file was not used, so that everything was read and nothing was added to it; null where it was. */
  not_used: z.string().nullable(),
});
export type EarlierReport = z.infer<typeof earlierReportSchema>;

export const sinceReportSchema = z.strictObject({
  /** Where it is not that of the record, the two cannot be compared. */
  origin: z.string(),
  size: z.int(),
  extends: z.boolean(),
  /** Whether its signature is by a key that was given, or that signed a checkpoint of the store; otherwise it was not checked. */
  signature_checked: z.boolean(),
});
export type SinceReport = z.infer<typeof sinceReportSchema>;

/** Whether one of the keys that a reader named signed a record, or cosigned it as a witness. */
export const isSignedByNamed = (log: LogReport | null): boolean =>
  log !== null && (log.signers.some(({ known }) => known) || log.cosigners.some(({ fingerprint }) => fingerprint !== null));

/** Whether a checkpoint that was given is not of the log of the record, which may have none. */
export const isOfOtherLog = (since: SinceReport | null, log: LogReport | null): boolean =>
  since !== null && since.origin !== log?.origin;

/** Whether nothing was added to the log since the checkpoint that was given. */
export const isLogOf = ({ extends: isExtended, size }: SinceReport, log: LogReport | null): boolean =>
  isExtended && log?.size === size && log.unsigned_chains === 0;

/** What a record says of an earlier checkpoint, also where something else in the record is bad. */
export function sinceWords(since: SinceReport, log: LogReport | null): string {
  if (log === null) return 'This record has no log, so nothing shows whether it continues from the checkpoint that you gave.';
  if (isOfOtherLog(since, log)) return 'The checkpoint that you gave is of another log, so it shows nothing about this record.';
  const { size, extends: isExtended, signature_checked: isChecked } = since;
  return sinceSentence({ size, entries: log.size, isExtended, isSame: isLogOf(since, log), isChecked });
}
