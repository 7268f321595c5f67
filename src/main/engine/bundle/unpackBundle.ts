// Unpacks a bundle into a store for reading.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { strFromU8, unzipSync } from 'fflate/browser';
import { z } from 'zod';
import { type BundleCheck, type BundleLog, verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { isOfOtherLog } from '../../../shared/checkpoints.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { adoptionSchema, statsReportSchema, type VerifyReport } from '../../../shared/outputs.ts';
import { faultOfKind } from '../audit/chain.ts';
import { checkLog, type LogSource } from '../audit/log.ts';
import { type VerifyOptions, verifyStore } from '../audit/verify.ts';
import { fingerprintOf } from '../checkpoint/userKey.ts';
import { copyWhole } from '../store/copyRecord.ts';
import { firstBytes, isThere } from '../store/firstBytes.ts';
import { noteOrigin } from '../store/origin.ts';
import { rebuildTrials } from '../store/projecting.ts';
import { openStore, openStoreReadOnly } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { openTemporaryFolder } from '../temporaryFolder.ts';

export const eventLine = z.object({
  trial: z.string(),
  seq: z.int(),
  kind: z.string(),
  payload: z.string(),
  prev_hash: z.string(),
  hash: z.string(),
});
export const textLine = z.object({
  ref: z.string(),
  dataset: z.int(),
  text: z.string().optional(),
  base64: z.string().optional(),
});
export const erasedLine = z.object({ ref: z.string(), erasure: z.int(), stays: z.string().nullable() });
export const saltsSchema = z.record(z.string().regex(/^\d+$/), z.string());

export function isBundle(path: string): boolean {
  if (!isThere(path) || !statSync(path).isFile()) return false;
  return firstBytes(path, 4).toString('latin1') === 'PK\x03\x04';
}

/** Of a bundle, which is read as a whole. */
const mostBytes = 2 ** 30;

/** Checks a bundle with the verifier that goes into each. Throws store-unreadable where it is none. */
export async function checkBundle(path: string): Promise<BundleCheck> {
  if (statSync(path).size > mostBytes)
    throw new AssizeError('store-unreadable', 'this bundle is larger than 1 GiB, the most that is read into memory', {
      file: path,
    });
  const found = await verifyBundle(readFileSync(path));
  if (found.result !== 'unreadable') return found;
  throw new AssizeError(
    'store-unreadable',
    `${found.problem}; ask for the file as it was exported, or name another store or bundle`,
    { file: path },
  );
}

function* linesOf<T>(bytes: Uint8Array | undefined, schema: z.ZodType<T>): Generator<T> {
  for (const line of strFromU8(bytes ?? new Uint8Array(0)).split('\n')) if (line !== '') yield schema.parse(JSON.parse(line));
}

const countedLooks = z.object({ primary: statsReportSchema.shape.primary });

/** Numbers of finished cases at which results were shown before the end, as the statistics of an intact bundle say. */
export function looksInBundle(path: string): number[] {
  const { 'statistics.json': bytes } = unzipSync(readFileSync(path), { filter: ({ name }) => name === 'statistics.json' });
  const found = countedLooks.safeParse(bytes && JSON.parse(strFromU8(bytes)));
  return found.data?.primary?.looks ?? [];
}

/**
 * Makes a store of an intact and full bundle.
 * @param name what its user calls it, where the path is not the user's own
 * @param folder where, a temporary one
 * @throws store-unreadable for a damaged one, bad-input for a redacted one
 */
export async function unpackBundle(
  path: string,
  name?: string,
  folder = openTemporaryFolder('bundle'),
): Promise<{ readonly store: string; remove(): void }> {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const { result, problem, leftOut = 0, log, adopted } = await checkBundle(path);
    if (result !== 'intact')
      throw new AssizeError('store-unreadable', `the bundle is damaged or was changed: ${problem}`, { file: path });
    if (leftOut > 0) throw badInput('this bundle is redacted: without its texts it can only be verified', { file: path });
    const wanted = ['events.jsonl', 'texts.jsonl', 'erased.jsonl', 'salts.json'];
    const files = unzipSync(readFileSync(path), { filter: ({ name }) => wanted.includes(name) });
    const store = join(folder, 'bundle.db');
    await withStore(openStore(store, { create: true }), async (opened) => {
      const salts = saltsSchema.parse(JSON.parse(strFromU8(files['salts.json'] ?? new Uint8Array(0))));
      opened.restore({
        datasets: Object.entries(salts).map(([id, salt]) => ({ id: Number(id), salt: Buffer.from(salt, 'hex') })),
        texts: function* () {
          for (const { ref, dataset, text, base64 } of linesOf(files['texts.jsonl'], textLine))
            yield {
              ref,
              dataset,
              bytes: base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64'),
              isText: base64 === undefined,
            };
        },
        erased: () => linesOf(files['erased.jsonl'], erasedLine),
        events: function* () {
          for (const { trial, seq, kind, payload, prev_hash, hash } of linesOf(files['events.jsonl'], eventLine))
            yield {
              trial,
              seq,
              kind,
              payload: Buffer.from(payload),
              prevHash: Buffer.from(prev_hash, 'hex'),
              hash: Buffer.from(hash, 'hex'),
            };
        },
      });
      await rebuildTrials(opened, {});
    });
    const signers = [...new Set(log?.checkpoints.map(({ key }) => fingerprintOf(Buffer.from(key))))];
    noteOrigin(store, {
      ...{ kind: 'bundle', file: name ?? basename(path), path: name === undefined ? resolve(path) : null, signers },
      adopted: adoptionSchema.safeParse(adopted).data ?? null,
      signed_at: log?.made_at ?? null,
    });
    return { store, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Makes a store for reading of a bundle, or of another store, in a folder. @returns its path. Throws as `unpackBundle` does */
export async function copyForReading(path: string, name: string, folder: string): Promise<string> {
  if (isBundle(path)) return (await unpackBundle(path, name, folder)).store;
  const store = join(folder, 'given.db');
  copyWhole(path, store);
  noteOrigin(store, { kind: 'store', file: name, path: null, signers: [], adopted: null, signed_at: null });
  return store;
}

const noLog = { bad: null, log: null, since: null, signerKnown: false };

/** The log in a bundle, whose entries its verifier has held against the chains. */
const logIn = (log: BundleLog | null): LogSource => ({
  origin: () => log?.origin ?? null,
  misfit: () => null,
  unsigned: () => log?.unsigned ?? [],
  checkpoints: () =>
    (log?.checkpoints ?? []).toReversed().map(({ size, note, key }) => ({
      size,
      made_at: log?.made_at ?? null,
      note,
      cosignatures: '',
      key: Buffer.from(key),
      time_stamp: null,
    })),
  *entries() {
    for (const [position, hash] of (log?.leaves ?? []).entries()) yield { position, chain: null, hash, hashes: null };
  },
});

/** What is signed in a changed bundle whose events hold. The fault was found before, so one of the log is left out. */
const signedPart = (log: BundleLog, { keys, since }: VerifyOptions) => ({
  ...checkLog(logIn(log), { keys, since }),
  bad: null,
});

/** `assize verify` of a bundle: as its own verifier does, then, with its texts, as a store. @throws store-unreadable */
export async function verifyBundleFile(path: string, options: VerifyOptions): Promise<VerifyReport> {
  const found = await checkBundle(path);
  const { result, problem, leftOut = 0, root = null, trials = 0, events = 0, texts = 0, log = null } = found;
  const { uses, more_uses, used_in, plain, meaning, passage } = found;
  const isIntact = result === 'intact';
  const { bad, signerKnown, ...logged } = isIntact
    ? checkLog(logIn(log), options)
    : log === null
      ? noLog
      : signedPart(log, options);
  const sound = isOfOtherLog(logged.since, logged.log) ? 'other-log' : 'intact';
  const vouched = { ...logged, signer: signerKnown ? 'known' : 'unknown' } as const;
  // Not what its manifest says: it could call itself redacted to be checked less.
  if (bad === null && isIntact && leftOut === 0) {
    const { store, remove } = await unpackBundle(path);
    try {
      const { head } = options;
      // The log of the bundle is that of the store which it is from; an unpacked one has its own.
      return await withStore(openStoreReadOnly(store), (opened) => {
        const found = verifyStore(opened, { head });
        const result = found.result === 'intact' ? sound : found.result;
        return { ...found, ...vouched, ...{ result, store: path, kind: 'bundle' } };
      });
    } finally {
      remove();
    }
  }
  const eventsRoot = root ?? found.eventsRoot;
  const head = options.head?.toLowerCase();
  const ending = [...(found.heads ?? [])].find(([, hash]) => hash === head);
  const headMatches = head === undefined || eventsRoot === undefined ? null : head === eventsRoot || ending !== undefined;
  const fault = isIntact
    ? headMatches === false
      ? 'no chain of this bundle ends in the given head, and it is not the bundle root'
      : null
    : (problem ?? '');
  const { data: adopted } = adoptionSchema.safeParse(found.adopted);
  return {
    result: fault === null && bad === null ? sound : 'tampered',
    store: path,
    kind: 'bundle',
    trials,
    events,
    texts,
    standin: found.standin ?? 0,
    not_ended: found.notEnded ?? 0,
    ...(found.standinNotEnded ? { standin_not_ended: found.standinNotEnded } : {}),
    left_out: isIntact ? leftOut : 0,
    root,
    ...(found.roots === undefined ? {} : { roots: found.roots }),
    head_matches: headMatches,
    head_of: ending === undefined ? null : { chain: ending[0], experiment: found.experiment ?? null, arm: null, case: null },
    erasures: null,
    erasure_unfinished: false,
    ...vouched,
    ...(adopted === undefined ? {} : { adopted }),
    first_bad:
      bad ??
      (fault === null
        ? null
        : {
            ...faultOfKind(isIntact ? 'head' : 'bundle', fault),
            uses,
            more_uses,
            used_in,
            plain,
            meaning,
            passage,
          }),
    ...(found.counted === undefined ? {} : { counted: found.counted }),
  };
}

/** `assize verify` of a store or a bundle. Throws store-unreadable where it is neither. */
export async function verifyFile(path: string, options: VerifyOptions): Promise<VerifyReport> {
  if (isBundle(path)) {
    if (options.resume === undefined) return verifyBundleFile(path, options);
    throw badInput('a bundle is always read whole; leave out --resume', '--resume');
  }
  return withStore(openStoreReadOnly(path), (store) => verifyStore(store, options));
}
