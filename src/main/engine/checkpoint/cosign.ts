// Signs a checkpoint of somebody else's log as a witness.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import { z } from 'zod';
import { isExtended, sameBytes } from '../../../core/checkpoint/merkle.ts';
import {
  type Checkpoint,
  checkpointText,
  noteText,
  parseCheckpoint,
  parseExtensionProof,
  parseNote,
  type SignedNote,
  type VerifierKey,
  verifierKeyText,
  witnessKey,
} from '../../../core/checkpoint/note.ts';
import type { CosignReport } from '../../../shared/checkpoints.ts';
import { badInput, systemCode } from '../../../shared/errors.ts';
import { configurationFolder } from '../store/location.ts';
import { writeWholeFile } from '../wholeFile.ts';
import { signedBy, witnessSignature } from './signatures.ts';
import { fingerprintOf, type UserKey } from './userKey.ts';

/** Origin -> the largest tree of that log that this user cosigned. */
const seenSchema = z.record(z.string(), z.strictObject({ size: z.int().min(0), root: z.base64() }));

const seenPath = (): string => join(configurationFolder(), 'witnessed.json');

function readSeen(path: string): z.infer<typeof seenSchema> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    throw badInput('the list of what you have cosigned cannot be read; check its permissions', { file: path });
  }
  try {
    return seenSchema.parse(JSON.parse(text));
  } catch {
    throw badInput(
      'the list of what you have cosigned is damaged; restore it from a copy, for it keeps you from signing two histories',
      {
        file: path,
      },
    );
  }
}

/** Throws bad input unless the later tree begins with the earlier one. */
function refuseOtherHistory(earlier: Checkpoint, later: Checkpoint, proof: string | undefined): void {
  if (earlier.origin !== later.origin) throw badInput(`the earlier checkpoint is of another log, ${earlier.origin}`, '--since');
  if (earlier.size > later.size)
    throw badInput(
      `you have seen ${earlier.size} entries of this log, and the checkpoint has ${later.size}: it goes back in time`,
    );
  if (earlier.size === later.size) {
    if (sameBytes(earlier.root, later.root)) return;
    throw badInput(
      `you have seen another history of the same ${earlier.size} entries; keep both checkpoints, they show that it was changed`,
    );
  }
  if (proof === undefined) {
    throw badInput(
      `you have seen ${earlier.size} entries of this log; ask its owner for the proof that this checkpoint extends them (assize checkpoint --since with your copy)`,
      '--proof',
    );
  }
  const { from, hashes, checkpoint } = parseExtensionProof(proof);
  const field = '--proof';
  if (from !== earlier.size || parseNote(checkpoint).text !== checkpointText(later))
    throw badInput(
      `the proof leads from ${from} entries to another checkpoint; it has to lead from ${earlier.size} to this one`,
      field,
    );
  if (!isExtended(earlier, later, hashes))
    throw badInput('the proof does not hold: this checkpoint does not extend the one that you have seen', field);
}

interface Asked {
  readonly note: SignedNote;
  /** What was seen before, where it is not on this user's own list. */
  readonly since: SignedNote | undefined;
  readonly proof: string | undefined;
  /** The keys of logs that this user trusts; none: the log's own signature is not checked. */
  readonly keys: readonly VerifierKey[];
}

/** Adds this user's cosignature, and remembers what it signed before it hands it out. Throws bad input for another history. */
export function cosign(key: UserKey, { note, since, proof, keys }: Asked, now: Date): CosignReport {
  const later = parseCheckpoint(note.text);
  if (note.text !== checkpointText(later))
    throw badInput('the checkpoint has lines of an extension, which no witness of this program signs');
  const trusted = keys.filter(({ name }) => name === later.origin);
  if (keys.length > 0 && !trusted.some((each) => signedBy(each, note) !== null))
    throw badInput('the checkpoint is not signed by a key that you gave for this log', '--key');
  const path = seenPath();
  const seen = readSeen(path);
  const own = seen[later.origin];
  const remembered = own === undefined ? null : { origin: later.origin, size: own.size, root: base64.decode(own.root) };
  const given = since === undefined ? null : parseCheckpoint(since.text);
  if (remembered !== null && given !== null && given.size !== remembered.size)
    throw badInput(`you cosigned ${remembered.size} entries of this log already; the proof has to begin there`, '--since');
  if (remembered !== null && given !== null) refuseOtherHistory(remembered, given, undefined);
  const earlier = given ?? remembered;
  if (earlier !== null) refuseOtherHistory(earlier, later, proof);
  const line = witnessSignature(key, note.text, Math.floor(now.getTime() / 1000));
  const others = note.signatures.filter(({ name }) => name !== line.name);
  writeWholeFile(
    path,
    `${JSON.stringify({ ...seen, [later.origin]: { size: later.size, root: base64.encode(later.root) } }, null, 2)}\n`,
  );
  return {
    origin: later.origin,
    size: later.size,
    extends: earlier?.size ?? null,
    signature_checked: trusted.length > 0,
    witness_key: verifierKeyText(witnessKey(key.publicKey)),
    fingerprint: fingerprintOf(key.publicKey),
    note: noteText({ text: note.text, signatures: [...others, line] }),
  };
}
