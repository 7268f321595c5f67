// The files of a bundle, against its manifest.
import { hex, joined, parseFile, sha256 } from './bytes.mjs';
import { need, Tampered, Unreadable, unpack } from './zip.mjs';

/** Files that do not match the manifest and are named. */
const mostMisfits = 20;

/** A fault of a file: only for the report of a trial is it known what the file is about. */
function fileFault(path, problem) {
  const trial = /^reports\/([0-9a-f]{16})\.html$/.exec(path)?.[1];
  return Object.assign(new Tampered(problem, trial === undefined ? null : { trial, seq: null, kind: 'report' }), { path });
}

/** The files of a bundle by name; `misfit` is of the first that is missing, is not named, or has not the size and the hash that the manifest says; `counts` says how many do, and names some. */
export async function readFiles(entries) {
  const listed = entries.get('manifest.json');
  if (listed === undefined) throw new Unreadable('this zip is no bundle of Assize: it has no manifest.json');
  const own = await unpack('manifest.json', listed);
  need(own.problem === null, own.problem);
  const isCut = own.bytes.at(-1) !== 10;
  const manifest = parseFile('manifest.json', isCut ? joined(own.bytes, Uint8Array.of(10)) : own.bytes);
  if (manifest.bundle !== 1) throw new Unreadable(`this bundle has version ${manifest.bundle}; a newer verify.mjs can read it`);
  const files = new Map();
  const misfits = [];
  const note = (fault) => misfits.push(fault);
  // An editor can take it off: the rest says more than that.
  if (isCut) note(fileFault('manifest.json', 'manifest.json: the newline at its end is missing'));
  for (const { path, bytes: size, sha256: hash } of manifest.files) {
    const entry = entries.get(path);
    if (entry === undefined) {
      note(fileFault(path, `${path}: it is missing`));
      continue;
    }
    const { bytes, problem } = await unpack(path, entry);
    const isNamed = bytes.length === size && hex(await sha256(bytes)) === hash;
    const found = problem ?? (isNamed ? null : `${path}: it is not the file that the manifest names`);
    if (found !== null) note(fileFault(path, found));
    files.set(path, bytes);
    entries.delete(path);
  }
  entries.delete('manifest.json');
  for (const unnamed of entries.keys()) note(fileFault(unnamed, `${unnamed}: the manifest does not name it`));
  const counts = {
    files: manifest.files.length + entries.size + Number(isCut),
    bad_files: misfits.length,
    bad_file_names: misfits.slice(0, mostMisfits).map(({ path }) => path),
  };
  return { manifest, files, misfit: misfits[0] ?? null, counts };
}
