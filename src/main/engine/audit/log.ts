// Checks the log of a store: its leaves against the chains, its hashes against the leaves, its checkpoints against both.
import { growingTree, leafBytes, leafHash, sameBytes } from '../../../core/checkpoint/merkle.ts';
import {
  type Checkpoint,
  namedWitness,
  parseCheckpoint,
  type SignedNote,
  signatureType,
  type VerifierKey,
} from '../../../core/checkpoint/note.ts';
import type { LogReport, SinceReport } from '../../../shared/checkpoints.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { type Cosigner, cosignersOf, signedBy, wholeNote } from '../checkpoint/signatures.ts';
import { fingerprintOf, ownFingerprint } from '../checkpoint/userKey.ts';
import type { CheckpointRow, Log } from '../store/log.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, faultOfKind } from './chain.ts';

export interface LogOptions {
  readonly since?: SignedNote | undefined;
  /** The only keys whose signatures count, or one's fingerprint; absent: those of the store and the names of witnesses. */
  readonly keys?: readonly VerifierKey[] | string | undefined;
}

interface LogCheck {
  readonly bad: BadRecord | null;
  readonly log: LogReport | null;
  readonly since: SinceReport | null;
  readonly signerKnown: boolean;
}

export interface LogSource extends Pick<Log, 'origin' | 'misfit'> {
  entries(): Iterable<{
    readonly position: number;
    readonly chain: string | null;
    readonly hash: Uint8Array;
    /** As `Leaf`. */
    readonly hashes: Buffer | null;
  }>;
  checkpoints(): readonly (Omit<CheckpointRow, 'id' | 'made_at'> & { readonly made_at: string | null })[];
  /** Of those chains that can always grow, the kind of each whose end no checkpoint covers. */
  unsigned(): readonly string[];
}

export const logOf = ({ log }: Store): LogSource => ({
  origin: log.origin,
  misfit: log.misfit,
  checkpoints: log.checkpoints,
  unsigned: log.unsigned,
  *entries() {
    for (const { position, chain, head, hashes } of log.leaves())
      yield { position, chain, hash: leafHash(leafBytes(chain, head.toString('hex'))), hashes };
  },
});

/** Walks the leaves once. Returns the roots at the sizes asked for, as far as the log reaches, and what is wrong with it. */
function walk(
  source: LogSource,
  sizes: ReadonlySet<number>,
): { roots: Map<number, Uint8Array>; size: number; bad: BadRecord | null } {
  const tree = growingTree();
  const roots = new Map<number, Uint8Array>([[0, tree.root()]]);
  let size = 0;
  for (const { position, chain, hash, hashes } of source.entries()) {
    if (position !== size) return { roots, size, bad: faultOfKind('log', `entry ${size} of the log is missing`) };
    const completed = Buffer.concat(tree.add(hash));
    if (hashes !== null && !hashes.equals(completed))
      return {
        roots,
        size,
        bad: { ...faultOfKind('log', `entry ${position} of the log does not have its hashes`), trial: chain },
      };
    size += 1;
    if (sizes.has(size)) roots.set(size, tree.root());
  }
  const misfit = source.misfit();
  return { roots, size, bad: misfit === null ? null : { ...faultOfKind('log', misfit.problem), trial: misfit.chain } };
}

interface Signed {
  readonly row: ReturnType<LogSource['checkpoints']>[number];
  readonly key: VerifierKey;
  readonly checkpoint: Checkpoint;
  readonly cosigners: readonly Cosigner[];
}

/** The stored checkpoints with their signatures checked. Throws bad input for the first that does not hold. */
function signedCheckpoints(source: LogSource, keys: readonly VerifierKey[] | undefined): Signed[] {
  const origin = source.origin() ?? '';
  const rows = source.checkpoints();
  const owners = rows.map(({ key }) => key);
  return rows.map((row) => {
    const note = wholeNote(row);
    const checkpoint = parseCheckpoint(note.text);
    const key: VerifierKey = { name: origin, type: signatureType.log, publicKey: row.key };
    if (checkpoint.origin !== origin || checkpoint.size !== row.size)
      throw new AssizeError('bad-input', 'its note is of another log, or of another size');
    if (signedBy(key, note) === null) throw new AssizeError('bad-input', 'it is not signed by its key');
    return { row, key, checkpoint, cosigners: cosignersOf(note, key, { owners, known: keys ?? null }) };
  });
}

const keysOf = (source: LogSource, fingerprint: string): VerifierKey[] =>
  source
    .checkpoints()
    .flatMap((row) => [
      { name: source.origin() ?? '', type: signatureType.log, publicKey: row.key },
      ...wholeNote(row).signatures.flatMap(({ name }) => namedWitness(name) ?? []),
    ])
    .filter(({ publicKey }) => fingerprintOf(publicKey) === fingerprint);

const has = (keys: readonly VerifierKey[], key: VerifierKey): boolean =>
  keys.some(({ name, type, publicKey }) => name === key.name && type === key.type && sameBytes(publicKey, key.publicKey));

const distinct = <T extends { name: string; fingerprint: string | null }>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [`${one.name} ${one.fingerprint}`, one])).values(),
];

function mismatch({ size, root }: Checkpoint, roots: ReadonlyMap<number, Uint8Array>, entries: number): string | null {
  if (size > entries) return `it covers ${size} entries and the log has ${entries}: entries from ${entries} on were removed`;
  const found = roots.get(size);
  if (found !== undefined && sameBytes(found, root)) return null;
  return `the first ${size} entries of the log are not those that it covers: one of them was changed, removed or put in`;
}

/** @throws bad input where the signature of `since` does not fit a key that it names */
export function checkLog(source: LogSource, { since, keys: given }: LogOptions): LogCheck {
  const earlier = since === undefined ? null : parseCheckpoint(since.text);
  const origin = source.origin();
  const none = { log: null, since: null, signerKnown: false };
  if (origin === null)
    return {
      ...none,
      since: earlier === null ? null : { origin: earlier.origin, size: earlier.size, extends: false, signature_checked: false },
      bad: null,
    };
  if (origin === '') return { ...none, bad: faultOfKind('log', 'a table of the log, or its name, is missing') };
  let checkpoints: Signed[];
  let keys: readonly VerifierKey[] | undefined;
  try {
    keys = typeof given === 'string' ? keysOf(source, given) : given;
    checkpoints = signedCheckpoints(source, keys);
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { ...none, bad: faultOfKind('checkpoint', `a checkpoint of the store does not hold: ${error.message}`) };
  }
  const sizes = new Set([...checkpoints.map(({ row }) => row.size), ...(earlier === null ? [] : [earlier.size])]);
  const { roots, size, bad } = walk(source, sizes);
  if (bad !== null) return { ...none, bad };
  for (const { checkpoint } of checkpoints) {
    const problem = mismatch(checkpoint, roots, size);
    if (problem !== null)
      return { ...none, bad: faultOfKind('checkpoint', `the checkpoint of ${checkpoint.size} entries: ${problem}`) };
  }
  const trusted = keys ?? checkpoints.map(({ key }) => key);
  const isGiven = (key: VerifierKey) => has(keys ?? [], key);
  const signed = checkpoints.filter(({ key }) => has(trusted, key));
  const cosigned = checkpoints.filter(({ cosigners }) => cosigners.some(({ fingerprint }) => fingerprint !== null));
  const most = (some: readonly Signed[]) => Math.max(0, ...some.map(({ row }) => row.size));
  // A checkpoint of another log says nothing of this one.
  const isOther = earlier !== null && earlier.origin !== origin;
  const problem = earlier === null || isOther ? null : mismatch(earlier, roots, size);
  const newest = checkpoints.at(-1);
  const unsigned = source.unsigned();
  const own = checkpoints.length === 0 ? null : ownFingerprint();
  return {
    bad:
      problem === null ? null : faultOfKind('checkpoint', `the record does not extend the checkpoint that was given: ${problem}`),
    log: {
      origin,
      size,
      checkpoints: checkpoints.length,
      signed: most(signed),
      cosigned: most(cosigned),
      roots: checkpoints.map(({ checkpoint }) => ({ size: checkpoint.size, root: Buffer.from(checkpoint.root).toString('hex') })),
      signers: [...Map.groupBy(checkpoints, ({ key }) => fingerprintOf(key.publicKey))].map(([fingerprint, all]) => ({
        name: origin,
        fingerprint,
        signed: most(all),
        known: all.every(({ key }) => isGiven(key)),
        own: fingerprint === own,
      })),
      cosigners: distinct(checkpoints.flatMap(({ cosigners }) => cosigners)),
      time_stamps: checkpoints.filter(({ row }) => row.time_stamp !== null).length,
      made_at: newest?.row.made_at ?? null,
      unsigned_chains: unsigned.length,
      unsigned_kinds: [...new Set(unsigned)].toSorted(),
    },
    since:
      earlier === null || since === undefined
        ? null
        : {
            origin: earlier.origin,
            size: earlier.size,
            extends: problem === null && !isOther,
            signature_checked: trusted.filter(({ name }) => name === earlier.origin).some((key) => signedBy(key, since) !== null),
          },
    signerKnown: newest !== undefined && isGiven(newest.key),
  };
}
