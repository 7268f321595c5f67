// Checks a bundle of Assize without Assize: `node verify.mjs BUNDLE.zip`, or in any browser through verify.html.
// It needs the other .mjs files next to it and Node 18 or later, or a browser of 2023 or later; no package and no network.
// docs/record-format.md of Assize explains hashes and files. Exit code 0: intact, 1: tampered, 2: unreadable or not compared.

import { big, hashParts, hex, joined, linesOf, needFields, parse, parseFile, sha256, sized, utf8 } from './bytes.mjs';
import { fields } from './fields.mjs';
import { readFiles } from './files.mjs';
import { checkLog, isUncompared, parseNote } from './log.mjs';
import { aboutIn, countedIn, inventedIn, placesIn } from './places.mjs';
import { checkReviews, reviewKinds } from './reviews.mjs';
import { compare, detailSentences, mainSentences, sentences } from './sentences.mjs';
import { checkStatistics } from './statistics.mjs';
import { checkDecided, checkErased, checkScopes, checkTexts, growing, refsIn } from './texts.mjs';
import { addStep, attemptOf, checkReused, checkTrials } from './trials.mjs';
import { countedOf, rootsOf } from './uses.mjs';
import { entriesOf, entriesOfAny, following, need, Repacked, Tampered, Unreadable, unpack } from './zip.mjs';

const compareNames = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/** A payload has the fields of its kind and no others. */
function checkFields(payload, kind, place) {
  need(Object.hasOwn(fields, kind), `${place}: events of this kind are not known`);
  const known = fields[kind].split(' ');
  const strange = Object.keys(payload).find((name) => !known.includes(name) && !known.includes(`${name}?`));
  need(strange === undefined, `${place}: ${strange} is not a field of such an event`);
  const missing = known.find((name) => !name.endsWith('?') && !Object.hasOwn(payload, name));
  need(missing === undefined, `${place}: ${missing} is missing`);
}

/** What a trial is called. */
const trialForm = /^[0-9a-f]{16}$/;

/** Walks the chains. Gives the head of each, the texts that its events name, and the last attempt of each trial. */
async function checkEvents(bytes, about) {
  const heads = new Map();
  const refs = new Map();
  const trials = new Map();
  const freezes = new Map();
  const erasures = [];
  const reviews = [];
  const opened = new Map();
  const ends = new Map();
  const spoken = new Map();
  const calls = new Map();
  let uttered = new Map();
  let [chain, seq, link, closed, events] = [null, 0, new Uint8Array(0), false, 0];
  for (const event of linesOf('events.jsonl', bytes)) {
    needFields(event, ['trial', 'seq', 'kind', 'payload', 'prev_hash', 'hash'], `events.jsonl, line ${events + 1}`);
    if (event.trial !== chain) {
      need(!heads.has(event.trial), `${event.trial}: its events are not together`);
      [chain, seq, link, closed] = [event.trial, 0, await hashParts('assize/chain/1', event.trial), false];
    }
    const place = `${chain}, event ${seq}, ${event.kind}`;
    about(trialForm.test(chain) ? { trial: chain, seq, kind: event.kind } : null);
    need(event.seq === seq, `${place}: event ${seq} is missing`);
    need(event.prev_hash === hex(link), `${place}: it does not link to the event before it`);
    link = await sha256(joined(link, big(seq, 8), sized(event.kind), utf8.encode(event.payload)));
    need(event.hash === hex(link), `${place}: its content does not have its hash`);
    const payload = parse(event.payload, place);
    checkFields(payload, event.kind, place);
    need(payload.v === 1 || (payload.v === 2 && event.kind === 'comment-give'), `${place}: its payload has an unknown version`);
    need(!closed || event.kind === 'trial-open', `${place}: it follows the end of its trial`);
    closed = event.kind === 'trial-close';
    // An erasure names its data set, which need not be the bundle's.
    if (event.kind !== 'text-erase') for (const ref of refsIn(payload)) if (!refs.has(ref)) refs.set(ref, place);
    // A prompt names its parts by the first 12 characters of their refs.
    for (const part of (payload.messages ?? []).flatMap(([, parts]) => parts)) if (!refs.has(part)) refs.set(part, place);
    need((event.kind === 'text-erase') === (chain === 'erasure/texts'), `${place}: such an event has no place in this chain`);
    if (event.kind === 'text-erase') erasures.push(payload);
    const isReview = reviewKinds.includes(event.kind);
    need(isReview === chain.startsWith('review/'), `${place}: such an event has no place in this chain`);
    if (isReview) reviews.push({ kind: event.kind, chain, seq, place, payload });
    if (event.kind === 'trial-open') uttered = new Map();
    if (event.kind === 'utterance-make') uttered.set(seq, `1 ${payload.text}`);
    if (event.kind === 'ruling-give') uttered.set(seq, `2 ${payload.opinion}`);
    if (closed) spoken.set(`${chain} ${event.hash}`, uttered);
    if (event.kind.startsWith('experiment-')) freezes.set(event.hash, payload);
    if (event.kind === 'trial-open') opened.set(chain, payload.freeze);
    if (event.kind === 'trial-open') trials.set(chain, attemptOf(payload));
    else if (trials.has(chain)) addStep(trials.get(chain), event.kind, payload);
    if (event.kind === 'call-answer' && trials.has(chain)) calls.set(event.hash, { chain, seq, place, payload });
    if (closed || growing.test(chain)) ends.set(`${chain} ${event.hash}`, closed);
    heads.set(chain, event.hash);
    seq += 1;
    events += 1;
  }
  return { heads, refs, trials, freezes, ends, erasures, events, reviews, opened, spoken, calls };
}

/**
 * Checks a bundle.
 * @param {Uint8Array} zip its bytes
 * @param {string} [since] an earlier checkpoint that the record has to extend
 * @returns result `intact`, `tampered` or `unreadable`; `problem` names the first fault
 */
export async function verifyBundle(zip, since) {
  try {
    if (since !== undefined) parseNote(since, 'the earlier checkpoint');
  } catch ({ message }) {
    return { result: 'unreadable', problem: message, isSinceBad: true };
  }
  return { ...(await verified(zip, since)), isSinceGiven: since !== undefined };
}

async function verified(zip, since) {
  const found = await settled(() => checked(entriesOf(zip), since));
  if (!found.isRepacked) return found;
  // A user who unpacks a bundle, changes a file and packs it again should read which one.
  const inside = await settled(() => checked(entriesOfAny(zip), since));
  return inside.result === 'tampered' && !inside.isStrange
    ? { ...inside, problem: `${inside.problem}. The zip was also packed again by another program` }
    : { result: 'unreadable', problem: found.problem };
}

/** Every file in the zip of a bundle by name, as far as it unpacks, with what is wrong with it or null. Throws where it is not a zip. */
export async function filesIn(zip) {
  let entries;
  try {
    entries = entriesOf(zip);
  } catch (error) {
    if (!(error instanceof Repacked)) throw error;
    entries = entriesOfAny(zip);
  }
  const files = new Map();
  for (const [path, entry] of entries) files.set(path, await unpack(path, entry));
  return files;
}

/** A file that breaks the search for places too hides no fault. */
async function placesOf({ subject = null, files, counts, ...known }) {
  if (files === undefined) return { meaning: 'The check ended before it came to the record: nothing in this file was checked.' };
  try {
    return {
      ...(await placesIn(subject, files, known)),
      counted: countedOf({ ...(await countedIn(files)), ...counts }, aboutIn(files)),
    };
  } catch {
    return {};
  }
}

/** What a check finds; of one that breaks, why. */
async function settled(check) {
  try {
    return await check();
  } catch (error) {
    const known = error instanceof Tampered || error instanceof Unreadable;
    // A hostile file can break any step; it is not intact then, whichever step broke.
    return {
      result: error instanceof Unreadable ? 'unreadable' : 'tampered',
      problem: known ? error.message : `it cannot be read: ${error}`,
      ...(error instanceof Unreadable ? {} : await placesOf(error)),
      ...(error?.eventsRoot === undefined ? {} : { eventsRoot: error.eventsRoot, heads: error.heads, log: error.log }),
      ...error?.invented,
      ...(error?.roots === undefined ? {} : { roots: error.roots }),
      ...(error instanceof Repacked ? { isRepacked: true } : {}),
      ...(known ? {} : { isStrange: true }),
    };
  }
}

async function checked(entries, since) {
  const { manifest, files, misfit, counts } = await readFiles(entries);
  let left = parts;
  let [eventsRoot, events] = [];
  try {
    const found = await derived(manifest, files, since, (part, root, found) => {
      left = parts.slice(parts.indexOf(part));
      eventsRoot ??= root;
      events ??= found;
    });
    left = [];
    if (misfit !== null) throw misfit;
    return found;
  } catch (error) {
    const isKnown = error instanceof Tampered || error instanceof Unreadable;
    // The check also reads a file that was changed, to say more than its name: what is wrong in it is the fault.
    const within = isKnown && error.message !== misfit?.message ? `. The first fault of the record: ${error.message}` : '';
    const fault = misfit === null || error === misfit ? error : new Tampered(misfit.message + within, error.subject);
    // Texts are looked at only after every event was found to have its hash.
    const areEventsSound = misfit?.path !== 'events.jsonl';
    throw Object.assign(fault, {
      files,
      counts,
      areEventsSound,
      checked: parts.slice(0, parts.length - left.length),
      left,
      eventsRoot,
      roots: rootsOf(eventsRoot ?? null, /^[0-9a-f]{64}$/.test(manifest.root) ? manifest.root : null),
      heads: events?.heads,
      invented: events && (await inventedIn(files, events.trials).catch(() => undefined)),
      log: events === undefined ? null : await checkLog(files, events.ends, manifest, since).catch(() => null),
    });
  }
}

/** What of a record is checked, in this order. */
const parts = ['events', 'erasures', 'texts', 'reviews', 'results', 'statistics', 'root', 'log'];

/**
 * Holds the files of a bundle against each other.
 * @param begin called with the name of each part before it is checked, and the root of the events and what they hold once that is known
 */
async function derived(manifest, files, since, begin) {
  begin('events');
  const file = (name) => files.get(name) ?? need(false, `${name}: it is missing`);
  const found = await following((about) => checkEvents(file('events.jsonl'), about));
  const names = [...found.heads.keys()].sort(compareNames);
  const root = hex(await hashParts('assize/root/1', ...names.flatMap((name) => [name, found.heads.get(name)])));
  begin('erasures', root, found);
  const salts = parseFile('salts.json', file('salts.json'));
  need(
    Object.entries(salts).every(([id, salt]) => /^\d+$/.test(id) && /^(?:[0-9a-f]{2})*$/.test(salt)),
    'salts.json: it names what is no data set or no salt',
  );
  const erasedLines = files.get('erased.jsonl') ?? new Uint8Array(0);
  const erased = await following((about) => checkErased(erasedLines, salts, found, about));
  begin('texts');
  const { texts, leftOut, read, gone } = await following((about) =>
    checkTexts(manifest, salts, file('texts.jsonl'), erased, found, about),
  );
  checkDecided(found.freezes, read);
  begin('reviews');
  checkReviews(found.reviews, found, (ref) => read.get(ref));
  begin('results');
  if (!manifest.redacted && gone.size > 0) checkScopes(file('events.jsonl'), gone, found);
  await following((about) => checkReused(found, about));
  const lines = await following((about) => checkTrials(file('trials.jsonl'), found, (ref) => read.get(ref), about));
  begin('statistics');
  const arms = checkStatistics(file('statistics.json'), lines);
  begin('root');
  need(manifest.root === root, 'manifest.json: its root is not that of the chains');
  begin('log');
  const log = await checkLog(files, found.ends, manifest, since);
  need(!log?.since?.problem, log?.since?.problem);
  const { experiment, redacted, adopted } = manifest;
  const begun = lines.filter(({ status }) => status !== 'queued');
  return {
    result: 'intact',
    experiment,
    redacted,
    adopted,
    chains: names.length,
    trials: begun.length,
    standin: begun.filter(({ status, standin }) => status === 'done' && standin === true).length,
    notEnded: begun.filter(({ status }) => status !== 'done').length,
    standinNotEnded: begun.filter(({ status, standin }) => status !== 'done' && standin === true).length,
    events: found.events,
    texts,
    leftOut,
    erased: found.erasures.length,
    arms,
    root,
    heads: found.heads,
    log,
  };
}

export { compare, detailSentences, mainSentences, sentences };

if (globalThis.process?.argv?.[1]?.endsWith('verify.mjs')) {
  const [, , path, since, ...more] = process.argv;
  if (path === undefined || more.length > 0) {
    console.error('Usage: node verify.mjs BUNDLE.zip [EARLIER-CHECKPOINT]');
    process.exit(2);
  }
  const { readFileSync } = await import('node:fs');
  const read = (file, as) => {
    try {
      return readFileSync(file, as);
    } catch ({ code }) {
      console.error(`${file} cannot be read (${code}). Give the zip file, not the folder that was unpacked from it.`);
      process.exit(2);
    }
  };
  const [bytes, earlier] = [new Uint8Array(read(path)), since === undefined ? undefined : read(since, 'utf8')];
  let report;
  try {
    report = await verifyBundle(bytes, earlier);
  } catch (error) {
    report = { result: 'unreadable', problem: String(error) };
  }
  console.log(sentences(report).join('\n'));
  process.exitCode = isUncompared(report) ? 2 : { intact: 0, tampered: 1, unreadable: 2 }[report.result];
}
