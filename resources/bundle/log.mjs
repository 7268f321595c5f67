// Checks the log of a record and its checkpoints: RFC 6962 and C2SP's signed-note, tlog-checkpoint and tlog-cosignature.
import { base64, hex, joined, linesOf, needFields, sha256, subtle, unbase64, unhex, utf8 } from './bytes.mjs';
import { noSignerWords, notSignedWords, signedWhenWords, sinceSentence } from './words.mjs';
import { need } from './zip.mjs';

const leafText = (chain, head) => `assize/leaf/1\n${chain}\n${head}\n`;

/**
 * The hashes of the log's entries. An entry of a chain that the bundle has says which; of the others there is the hash.
 * `others` counts the entries up to the last of these.
 * @param ends chain and hash of what can be an entry, with whether it has to be one
 */
async function leavesOf(bytes, ends) {
  const leaves = [];
  const seen = new Set();
  let others = 0;
  for (const line of linesOf('log.jsonl', bytes)) {
    const place = `log.jsonl, line ${leaves.length + 1}`;
    if (line.hash === undefined) {
      needFields(line, ['chain', 'head'], place);
      const entry = `${line.chain} ${line.head}`;
      need(ends.has(entry), `${place}: ${line.chain} does not have this head`);
      need(!seen.has(entry), `${place}: the log has this head twice`);
      seen.add(entry);
      leaves.push(await sha256(joined(Uint8Array.of(0), utf8.encode(leafText(line.chain, line.head)))));
    } else {
      needFields(line, ['hash'], place);
      const hash = unbase64(line.hash);
      need(hash.length === 32, `${place}: it is not a hash`);
      need(!seen.has(line.hash), `${place}: the log has this entry twice`);
      seen.add(line.hash);
      leaves.push(hash);
      others = leaves.length;
    }
  }
  for (const [entry, required] of ends)
    need(!required || seen.has(entry), `${entry.split(' ')[0]}: an attempt at it ended, and the log does not have its head`);
  return { leaves, others, seen };
}

/** Of chains that can grow on, the kind of each whose end the first entries of the log do not have. */
function grownSince(ends, seen, signed) {
  const signedEnds = new Set([...seen].slice(0, signed));
  const last = new Map([...ends].flatMap(([entry, required]) => (required ? [] : [[entry.split(' ')[0], entry]])));
  return [...last.values()].filter((entry) => !signedEnds.has(entry)).map((entry) => entry.split('/')[0]);
}

/** Root of the tree over the first leaves. */
async function rootAt(leaves, size) {
  const tree = [];
  const merge = async () => {
    const [right, left] = [tree.pop(), tree.pop()];
    tree.push({ size: left.size + right.size, hash: await sha256(joined(Uint8Array.of(1), left.hash, right.hash)) });
  };
  for (const leaf of leaves.slice(0, size)) {
    tree.push({ size: 1, hash: leaf });
    while (tree.length > 1 && tree.at(-1).size === tree.at(-2).size) await merge();
  }
  while (tree.length > 1) await merge();
  return tree[0]?.hash ?? (await sha256(new Uint8Array(0)));
}

/** The parts of a checkpoint: what it says, and who is said to have signed it. */
export function parseNote(note, place) {
  const end = note.lastIndexOf('\n\n');
  need(end > 0 && note.endsWith('\n'), `${place}: it is not a signed note`);
  const text = note.slice(0, end + 1);
  const [origin, size, root] = text.split('\n');
  need(/^(?:0|[1-9]\d{0,14})$/.test(size) && /^[\w+/]{43}=$/.test(root), `${place}: it is not a checkpoint`);
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map((line) => {
      const [dash, name, encoded, ...more] = line.split(' ');
      need(dash === '—' && encoded !== undefined && more.length === 0, `${place}: a line of it is not a signature`);
      return { name, bytes: unbase64(encoded) };
    });
  return { text, origin, size: Number(size), root, signatures };
}

/** Whether a signature holds; null where this browser or Node does not know Ed25519. */
async function holds(publicKey, signature, text) {
  let key;
  try {
    key = await subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']);
  } catch {
    return null;
  }
  return subtle.verify({ name: 'Ed25519' }, key, signature, utf8.encode(text));
}

const isBy = async (name, type, publicKey, bytes) =>
  hex(bytes.slice(0, 4)) === hex(await sha256(joined(utf8.encode(`${name}\n`), Uint8Array.of(type), publicKey))).slice(0, 8);

/** The keys in key.txt, as signed-note writes them. */
function keysOf(text) {
  need(text.endsWith('\n'), 'key.txt: its last line is cut');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, name, id, encoded] = /^(\S+)\+([0-9a-f]{8})\+(\S+)$/.exec(line) ?? [];
      const bytes = unbase64(encoded ?? '');
      need(bytes.length === 33 && bytes[0] === 1, 'key.txt: a line of it is no key of a log');
      return { name, id: unhex(id), publicKey: bytes.slice(1) };
    });
}

/** Checks who signed a checkpoint. Witnesses of Assize say their key in their name; of others nothing is checked. */
async function checkSignatures(place, { text, origin, signatures }, keys) {
  let [signer, checked] = [null, true];
  const witnesses = [];
  const check = async (publicKey, signature, signed) => {
    const found = await holds(publicKey, signature, signed);
    need(found !== false, `${place}: a signature does not fit it`);
    checked &&= found !== null;
  };
  for (const { name, bytes } of signatures) {
    // Several people can have signed one log, under its name.
    const byOwn = await Promise.all(keys.map(async (key) => key.name === name && (await isBy(name, 1, key.publicKey, bytes))));
    const own = keys[byOwn.indexOf(true)];
    const witness = /^assize\.invalid\/witness\/([0-9a-f]{64})$/.exec(name)?.[1];
    if (name === origin && own !== undefined) {
      need(bytes.length === 68, `${place}: a signature has another length`);
      await check(own.publicKey, bytes.slice(4), text);
      signer = own.publicKey;
    } else if (witness !== undefined && (await isBy(name, 4, unhex(witness), bytes))) {
      need(bytes.length === 76, `${place}: a signature has another length`);
      const seconds = new DataView(bytes.buffer, bytes.byteOffset + 4, 8).getBigUint64(0);
      await check(unhex(witness), bytes.slice(12), `cosignature/v1\ntime ${seconds}\n${text}`);
      // Who owns the log is no witness of it.
      if (!keys.some(({ publicKey }) => hex(publicKey) === witness))
        witnesses.push({ fingerprint: hex(await sha256(unhex(witness))), at: new Date(Number(seconds) * 1000).toISOString() });
    }
  }
  need(signer !== null, `${place}: it is not signed by a key in key.txt`);
  return { signer, witnesses, checked };
}

/**
 * Checks log and checkpoints of a bundle; null where it has none.
 * @param files of the bundle by name
 * @param ends of attempts, and of chains that can grow on
 * @param manifest says when the newest checkpoint was made, which no signature covers
 * @param since an earlier checkpoint, as text; the result says whether the log extends it
 */
export async function checkLog(files, ends, manifest, since) {
  const names = ['checkpoint.txt', 'cosigned.txt'].filter((name) => files.has(name));
  const parts = ['log.jsonl', 'key.txt', 'checkpoint.txt'].filter((name) => files.has(name));
  if (parts.length === 0 && names.length === 0) return null;
  need(parts.length === 3, 'log.jsonl, key.txt and checkpoint.txt belong together, and one of them is missing');
  const { leaves, others, seen } = await leavesOf(files.get('log.jsonl'), ends);
  const textOf = (name) => new TextDecoder('utf-8', { fatal: true }).decode(files.get(name));
  const keys = keysOf(textOf('key.txt'));
  for (const { name, id, publicKey } of keys)
    need(await isBy(name, 1, publicKey, id), 'key.txt: a line of it is no key of a log');
  const log = { entries: leaves.length, signed: 0, cosigned: 0, signer: null, witnesses: [], checked: true, checkpoints: [] };
  const { signed_at: at } = manifest;
  log.made_at = typeof at === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(at) ? at : null;
  const extended = async (place, { origin, size, root }) => {
    need(
      keys.some(({ name }) => name === origin),
      `${place}: it is of another log`,
    );
    need(size <= leaves.length, `${place}: it covers ${size} entries and the log has ${leaves.length}`);
    need(
      base64(await rootAt(leaves, size)) === root,
      `${place}: the first ${size} entries of the log are not those that it covers`,
    );
  };
  for (const name of names) {
    const whole = textOf(name);
    const note = parseNote(whole, name);
    await extended(name, note);
    const { signer, witnesses, checked } = await checkSignatures(name, note, keys);
    log.origin = note.origin;
    log.signed = Math.max(log.signed, note.size);
    log.signer ??= hex(await sha256(signer));
    log.checkpoints.push({ size: note.size, note: whole, key: signer });
    log.checked &&= checked;
    log.witnesses.push(...witnesses);
    if (witnesses.length > 0) log.cosigned = Math.max(log.cosigned, note.size);
  }
  log.unsigned = grownSince(ends, seen, log.signed);
  need(others <= log.signed, `log.jsonl, line ${others}: no checkpoint covers this entry of a chain that is not in the bundle`);
  if (since === undefined) return { ...log, leaves };
  const place = 'the earlier checkpoint';
  const earlier = parseNote(since, place);
  // A checkpoint of another log, such as that of a copy, says nothing of this one.
  if (earlier.origin !== log.origin) return { ...log, leaves, other: earlier.origin };
  const { problem = null } = await extended(place, earlier).then(Object, ({ message }) => ({ problem: message }));
  const isSigned = await checkSignatures(place, earlier, keys).then(
    ({ checked }) => checked,
    () => false,
  );
  return { ...log, leaves, since: { size: earlier.size, problem, isSigned } };
}

/** Whether a checkpoint was given of which an intact bundle can show nothing. */
export const isUncompared = ({ result, log, isSinceGiven }) =>
  result === 'intact' && isSinceGiven && (log === null || log.other !== undefined);

/** Whether nothing was added to the log since the checkpoint that was given, which it extends. */
export const isLogOf = ({ entries, unsigned, since }) => entries === since.size && unsigned.length === 0;

/** What a check says of the earlier checkpoint that the reader gave, in lines to read. @param log null where none fits the events */
export function sinceSentences(log, isGiven) {
  if (!isGiven) return [];
  if (log === null) return ['The earlier checkpoint was compared with nothing: no log was found that fits the events.'];
  if (log.other !== undefined) return ['The earlier checkpoint is of another log, so it shows nothing about this record.'];
  const { size, problem, isSigned } = log.since;
  const isExtended = problem === null;
  return [sinceSentence({ size, entries: log.entries, isExtended, isSame: isExtended && isLogOf(log), isChecked: isSigned })];
}

/** Who vouches for the record, in lines to read. @param given hash that the reader entered */
export function logSentences({ log }, given) {
  if (log === null) return [noSignerWords];
  const { entries, signed, cosigned, signer, witnesses, checked, made_at, unsigned } = log;
  return [
    `Log: ${entries} entries; ${cosigned} signed and cosigned by a witness, ${Math.max(0, signed - cosigned)} signed, without a witness, ${entries - Math.max(signed, cosigned)} not signed yet.`,
    ...(checked ? [] : ['Signatures were not checked: this browser or Node does not know Ed25519.']),
    `Signed by ${signer}${given === signer ? ', the key that you entered.' : ': compare it with what the signer gave you.'}`,
    signedWhenWords(made_at),
    ...(unsigned.length === 0 ? [] : [notSignedWords(unsigned.length, [...new Set(unsigned)].sort())]),
    ...witnesses.map(({ fingerprint, at }) => `Cosigned at ${at} by ${fingerprint}.`),
  ];
}
