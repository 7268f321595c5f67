// Writes a bundle: a zip that appears only when it is whole and its own verifier finds it intact.

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { Zip, ZipDeflate } from 'fflate/browser';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { failsCheck, refusedExport } from '../audit/damage.ts';
import { ownCall } from '../commandText.ts';
import type { TellProgress } from '../queries/query.ts';
import { adoptionOfExperiment } from '../store/origin.ts';
import type { Store } from '../store/store.ts';
import { type BundleFile, type BundleOptions, bundleContents } from './contents.ts';

/** No clock goes into a bundle: the same record gives the same bytes. The first moment that a zip can name. */
const mtime = new Date(1980, 0, 1);
/** A zip without extensions counts its bytes in 32 bits. */
const mostBytes = 2 ** 32 - 2 ** 20;

/** The part of the time that goes by before the bundle's own verifier reads it, by a profile. */
const writing = 0.9;

/** Writes pieces of text into a zip, one file after the other. Returns what its manifest says of each. */
function* zipped(zip: Zip, files: Iterable<BundleFile>): Generator<{ path: string; bytes: number; sha256: string }> {
  for (const { path, pieces } of files) {
    const entry = new ZipDeflate(path, { level: 9 });
    entry.mtime = mtime;
    zip.add(entry);
    const hash = createHash('sha256');
    let bytes = 0;
    for (const piece of pieces) {
      const chunk = Buffer.from(piece, 'utf8');
      hash.update(chunk);
      bytes += chunk.length;
      entry.push(chunk);
    }
    entry.push(new Uint8Array(0), true);
    yield { path, bytes, sha256: hash.digest('hex') };
  }
}

/** Writes an experiment's bundle to a new file; returns its root. @throws bad-input (too large, damaged), store-unreadable */
export async function writeBundle(
  store: Store,
  experiment: string,
  statistics: StatsReport,
  path: string,
  options: BundleOptions,
  tell: TellProgress,
): Promise<string> {
  // A bundle carries columns that its own verifier does not derive again.
  const [fault] = statistics.damage?.first ?? [];
  if (fault !== undefined) {
    throw refusedExport(
      store,
      fault,
      'a bundle can only be made of an intact record; in another format, --damaged exports it all the same and says so',
    );
  }
  const file = openSync(path, 'wx', 0o600);
  try {
    let written = 0;
    const zip = new Zip((error, chunk) => {
      if (error !== null) throw error;
      written += chunk.length;
      if (written > mostBytes) throw badInput('the bundle would be larger than 4 GB; export parts of the record as events-jsonl');
      writeSync(file, chunk);
    });
    const { files, root } = bundleContents(store, experiment, statistics, options);
    const listed = [];
    for (const file of zipped(zip, files)) {
      listed.push(file);
      tell({ share: (writing * listed.length) / files.length, what: 'writing the bundle' });
    }
    const adopted = adoptionOfExperiment(store, experiment);
    const signedAt = store.log.checkpoints().at(-1)?.made_at;
    const note = { ...(adopted === null ? {} : { adopted }), ...(signedAt === undefined ? {} : { signed_at: signedAt }) };
    const manifest = { bundle: 1, experiment, redacted: options.redacted, root, files: listed, ...note };
    for (const _listed of zipped(zip, [{ path: 'manifest.json', pieces: [`${JSON.stringify(manifest)}\n`] }]));
    zip.end();
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  tell({ share: writing, what: 'checking the bundle' });
  const { result, problem, root = '' } = await verifyBundle(readFileSync(path));
  if (result === 'intact') return root;
  // No `damage`: a run that changed the record meanwhile leads here as well, and is no fault.
  const again = 'if a run has just changed the record, try again; else';
  throw new AssizeError('store-unreadable', `${failsCheck}: a bundle of it is not intact: ${problem}`, {
    file: store.path,
    remedy: { command: `${again} run ${ownCall} verify`, screen: `${again} check the record in the settings` },
  });
}
