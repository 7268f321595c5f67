// Changes bundles as a forger who has no key does: manifest, root and hashes are right about what was changed.
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, Zip, ZipPassThrough } from 'fflate';
import { eventHash, genesisHash, rootHash, toHex } from '../../../../core/record/hash.ts';

export type Files = Record<string, Uint8Array>;

export const textIn = (files: Files, name: string): string => strFromU8(files[name] ?? new Uint8Array(0));
export const linesIn = (files: Files, name: string): string[] => textIn(files, name).trimEnd().split('\n');
export const withLines = (files: Files, name: string, lines: readonly string[]): Files => ({
  ...files,
  [name]: strToU8(lines.map((line) => `${line}\n`).join('')),
});

/** Packed in a hurry, under a header that says it is packed as small as can be. */
class Entry extends ZipPassThrough {
  override compression = 8;
  flag = 1 as const;
  override mtime = new Date(1980, 0, 1);
  protected override process(content: Uint8Array, isLast: boolean): void {
    this.ondata(null, deflateRawSync(content, { level: 1 }), isLast);
  }
}

/** A zip of the form that bundles have. */
export function zipOf(files: Files): Uint8Array {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  for (const [path, content] of Object.entries(files)) {
    const entry = new Entry(path);
    zip.add(entry);
    entry.push(content, true);
  }
  zip.end();
  return Buffer.concat(chunks);
}

/** A zip of the files under a manifest that is right about them. @param change what the manifest says of the record */
export function packed({ 'manifest.json': manifest = new Uint8Array(0), ...rest }: Files, change: object = {}): Uint8Array {
  const files = Object.entries(rest).map(([path, content]) => ({
    path,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  const said = { ...(JSON.parse(strFromU8(manifest)) as object), ...change, files };
  return zipOf({ ...rest, 'manifest.json': strToU8(`${JSON.stringify(said)}\n`) });
}

/** A bundle without what is only there to be read or run: pages and verifiers are most of one. */
export const lean = (files: Files): Files =>
  unzipSync(packed(Object.fromEntries(Object.entries(files).filter(([name]) => !/\.html$|\.mjs$/.test(name)))));

export interface BundledEvent {
  readonly trial: string;
  readonly kind: string;
  readonly payload: string;
}

/** Rewrites one chain, with right hashes, heads and root. */
export function rechained(files: Files, chain: string, change: (events: BundledEvent[]) => BundledEvent[]): Uint8Array {
  const all = linesIn(files, 'events.jsonl').map((line) => JSON.parse(line) as BundledEvent & { hash: string });
  const heads = new Map(all.map(({ trial, hash }) => [trial, hash]));
  let link: Uint8Array = genesisHash(chain);
  const events = change(all.filter(({ trial }) => trial === chain)).map(({ trial, kind, payload }, seq) => {
    const hash = eventHash(link, seq, kind, Buffer.from(payload));
    const event = { trial, seq, kind, payload, prev_hash: toHex(link), hash: toHex(hash) };
    link = hash;
    return event;
  });
  const before = heads.get(chain) ?? '';
  heads.set(chain, toHex(link));
  const at = all.findIndex(({ trial }) => trial === chain);
  const others = all.filter(({ trial }) => trial !== chain);
  const lines = [...others.slice(0, at), ...events, ...others.slice(at)].map((event) => JSON.stringify(event));
  const rows = linesIn(files, 'trials.jsonl').map((line) => line.replace(before, toHex(link)));
  const root = rootHash([...heads].map(([name, head]) => ({ chain: name, head })));
  return packed(withLines(withLines(files, 'events.jsonl', lines), 'trials.jsonl', rows), { root });
}

/** The bundle as if no one had ever signed the record. */
export function unsigned(files: Files): Files {
  const { 'checkpoint.txt': _note, 'cosigned.txt': _cosigned, 'key.txt': _keys, 'log.jsonl': _log, ...rest } = files;
  return rest;
}
