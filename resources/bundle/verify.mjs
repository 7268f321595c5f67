// Checks a bundle of Assize without Assize: `node verify.mjs BUNDLE.zip`, or in any browser through verify.html.
// It needs the other .mjs files next to it and Node 18 or later, or a browser of 2023 or later; no package and no network.
// docs/record-format.md of Assize explains hashes and files. Exit code 0: intact, 1: tampered, 2: unreadable.

import {
  base64url,
  big,
  hashParts,
  hex,
  joined,
  linesOf,
  needFields,
  parse,
  parseFile,
  sha256,
  sized,
  unbase64,
  unhex,
  utf8,
} from './bytes.mjs';
import { fields } from './fields.mjs';
import { readFiles } from './files.mjs';
import { checkLog } from './log.mjs';
import { countedIn, placesIn } from './places.mjs';
import { checkReviews, reviewKinds } from './reviews.mjs';
import { compare, sentences } from './sentences.mjs';
import { checkStatistics } from './statistics.mjs';
import { addStep, attemptOf, checkReused, checkTrials } from './trials.mjs';
import { countedOf, rootsOf } from './uses.mjs';
import { entriesOf, entriesOfAny, following, need, Repacked, Tampered, Unreadable, unpack } from './zip.mjs';

const compareNames = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

// What the bundle says

/** Every ref in a payload: 43 characters of base64url. `request` and `file` are hashes of what is not kept. */
function* refsIn(payload) {
  const left = [[payload, '']];
  while (left.length > 0) {
    const [value, field] = left.pop();
    if (typeof value === 'string') {
      if (refForm.test(value) && field !== 'request' && field !== 'file') yield value;
    } else if (typeof value === 'object' && value !== null) {
      const inside = Object.entries(value).reverse();
      for (const [name, inner] of inside) left.push([inner, Array.isArray(value) ? field : name]);
    }
  }
}

/** A payload has the fields of its kind and no others. */
function checkFields(payload, kind, place) {
  need(Object.hasOwn(fields, kind), `${place}: events of this kind are not known`);
  const known = fields[kind].split(' ');
  const strange = Object.keys(payload).find((name) => !known.includes(name) && !known.includes(`${name}?`));
  need(strange === undefined, `${place}: ${strange} is not a field of such an event`);
  const missing = known.find((name) => !name.endsWith('?') && !Object.hasOwn(payload, name));
  need(missing === undefined, `${place}: ${missing} is missing`);
}

/** What a trial is called, and what a text is. */
const [trialForm, refForm] = [/^[0-9a-f]{16}$/, /^[\w-]{43}$/];

/** Chains that can always grow on. */
const growing = /^(?:experiment|preparation|assistant|review|erasure)\//;

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
    need(payload.v === 1, `${place}: its payload has an unknown version`);
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
    if (event.kind === 'utterance-make') uttered.set(seq, payload.text);
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

/** A text as what a fault is about; its name is checked no earlier. */
const textOf = (ref) => (refForm.test(ref) ? { ref } : null);

/** What is gone is what the chain of erasures says. Gives what stays of each erased text, by its ref, or null. */
async function checkErased(bytes, salts, { erasures, freezes }, about) {
  const manifests = new Set([...freezes.values()].map(({ dataset }) => dataset.manifest));
  const erased = new Map();
  const parts = erasures.map(() => ['assize/erased/1']);
  for (const line of linesOf('erased.jsonl', bytes)) {
    needFields(line, ['ref', 'erasure', 'stays'], 'erased.jsonl');
    about(textOf(line.ref));
    need(
      Number.isInteger(line.erasure) && line.erasure in parts && !erased.has(line.ref),
      `text ${line.ref}: its erasure is not on the record`,
    );
    parts[line.erasure].push(line.ref, line.stays === null ? '' : `=${line.stays}`);
    erased.set(line.ref, line.stays);
  }
  about(null);
  const hasSalt = Object.entries(salts).some(([id, salt]) => id !== '0' && salt !== '');
  for (const [number, { dataset, scope, experiment, case: kase, salt, texts, erased: hash }] of erasures.entries()) {
    need(
      ['data-set', 'experiment', 'case'].includes(scope) &&
        (scope === 'experiment' ? typeof experiment === 'string' : experiment === null) &&
        (scope === 'case' ? typeof kase === 'string' : kase === null),
      `erasure ${number}: it names something else than its scope`,
    );
    // What stays of other data sets is not in the bundle.
    if (parts[number].length === 1 && !manifests.has(dataset)) continue;
    const said = parts[number].length === 2 * texts + 1 && hex(await hashParts(...parts[number])) === hash;
    need(said, `erasure ${number}: the erased texts are not those that it names`);
    need(scope !== 'data-set' || salt === true, `erasure ${number}: it is of a whole data set and leaves its salt`);
    need(scope !== 'case' || erased.has(kase), `erasure ${number}: the text of its case is not among the erased ones`);
    need(!salt || !hasSalt || !manifests.has(dataset), `erasure ${number}: the salt of its data set is still there`);
  }
  return erased;
}

/** Every text has its name; in a full bundle every named text is there. Gives cases and setups, and how many texts were left out. */
async function checkTexts(manifest, salts, bytes, erased, { refs, trials, freezes, reviews }, about) {
  const manifests = new Set([...freezes.values()].map(({ dataset }) => dataset.manifest));
  const wanted = new Set([...trials.values()].flatMap(({ open, setups }) => [open.case, ...setups]));
  for (const { definition, arms } of freezes.values()) {
    wanted.add(definition);
    for (const { terms } of arms) wanted.add(terms);
  }
  const quoted = new Set(reviews.flatMap(({ kind, payload }) => (kind === 'comment-give' ? [payload.text] : [])));
  const [there, read, listed] = [new Set(), new Map(), []];
  let texts = 0;
  for (const line of linesOf('texts.jsonl', bytes)) {
    const { ref, dataset, text, base64 } = line;
    about(textOf(ref));
    needFields(line, ['ref', 'dataset', base64 === undefined ? 'text' : 'base64'], `text ${ref}`);
    need(!there.has(ref), `text ${ref}: it is there twice`);
    need(Object.hasOwn(salts, dataset), `text ${ref}: its data set ${dataset} is missing`);
    const content = base64 === undefined ? utf8.encode(text) : unbase64(base64);
    need(
      base64url(await sha256(joined(unhex(salts[dataset]), content))) === ref,
      `text ${ref}: its content does not have its name`,
      text === undefined || !refForm.test(ref) ? null : { ref, now: text },
    );
    there.add(ref).add(ref.slice(0, 12));
    texts += 1;
    if (wanted.has(ref)) read.set(ref, parse(text, `text ${ref}`));
    else if (quoted.has(ref)) read.set(ref, text);
    if (manifests.has(ref)) listed.push(...parse(text, `list of cases ${ref}`).cases.map(([kase]) => kase));
  }
  about(null);
  const gone = new Set();
  for (const [ref] of erased) if (!there.has(ref)) gone.add(ref);
  for (const ref of [...gone]) if (!there.has(ref.slice(0, 12))) gone.add(ref.slice(0, 12));
  for (const [ref, stays] of erased) {
    about(textOf(ref));
    there.add(ref).add(ref.slice(0, 12));
    if (wanted.has(ref) && stays !== null && !read.has(ref)) read.set(ref, parse(stays, `what stays of text ${ref}`));
  }
  for (const kase of listed) if (!refs.has(kase)) refs.set(kase, 'a list of cases');
  const missing = [...refs].filter(([ref]) => !there.has(ref));
  const [ref, by] = missing[0] ?? [];
  about(null);
  need(manifest.redacted || ref === undefined, `text ${ref}: ${by} names it and it is missing`, { ref, isGone: true });
  return { texts, leftOut: missing.length, read, gone };
}

/** What an experiment decides beforehand is in its first freeze, and no extension may change it. */
function checkDecided(freezes, read) {
  const decided = new Map();
  for (const { name, definition } of freezes.values()) {
    const { primary, stop } = read.get(definition) ?? need(false, `experiment ${name}: its definition is missing`);
    const said = JSON.stringify([primary, stop]);
    need((decided.get(name) ?? said) === said, `experiment ${name}: what was decided beforehand was changed later`);
    decided.set(name, said);
  }
}

/** A trial lost texts only where an erasure is about its data set, its experiment, its case, or one that it had before it. */
function checkScopes(bytes, gone, { erasures, freezes }) {
  const trials = new Map();
  for (const { trial, kind, payload: text } of linesOf('events.jsonl', bytes)) {
    if (growing.test(trial)) continue;
    const payload = JSON.parse(text);
    const found = trials.get(trial) ?? { freeze: freezes.get(payload.freeze), cases: new Set(), lost: null };
    trials.set(trial, found);
    if (kind === 'trial-open') {
      found.cases.add(payload.case);
      const arms = [...freezes.values()].filter(({ name }) => name === found.freeze?.name).flatMap((each) => each.arms);
      for (const { name, examples } of arms)
        if (name === payload.arm) for (const kase of [...examples.chosen, ...examples.reserves]) found.cases.add(kase);
    }
    for (const precedent of payload.precedents ?? []) found.cases.add(precedent.case);
    const parts = (payload.messages ?? []).flatMap(([, names]) => names);
    if ([...refsIn(payload), ...parts].some((ref) => gone.has(ref))) found.lost = kind;
  }
  for (const [trial, { freeze, cases, lost }] of trials) {
    const isAbout = (each) => each.salt || each.experiment === freeze?.name || cases.has(each.case);
    const isCovered = erasures.some((each) => each.dataset === freeze?.dataset.manifest && isAbout(each));
    need(lost === null || isCovered, `${trial}, ${lost}: a text of it is gone, and no erasure is about its trial`);
  }
}

/**
 * Checks a bundle.
 * @param {Uint8Array} zip its bytes
 * @param {string} [since] an earlier checkpoint that the record has to extend
 * @returns result `intact`, `tampered` or `unreadable`; `problem` names the first fault
 */
export async function verifyBundle(zip, since) {
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
    return { ...(await placesIn(subject, files, known)), counted: countedOf({ ...(await countedIn(files)), ...counts }) };
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
      log: events === undefined ? null : await checkLog(files, events.ends).catch(() => null),
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
  const log = await checkLog(files, found.ends, since);
  const { experiment, redacted } = manifest;
  return {
    result: 'intact',
    experiment,
    redacted,
    chains: names.length,
    trials: lines.length,
    standin: lines.filter(({ status, standin }) => status === 'done' && standin === true).length,
    notEnded: lines.filter(({ status }) => status !== 'done').length,
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

export { compare, sentences };

if (globalThis.process?.argv?.[1]?.endsWith('verify.mjs')) {
  const [, , path, since, ...more] = process.argv;
  if (path === undefined || more.length > 0) {
    console.error('Usage: node verify.mjs BUNDLE.zip [EARLIER-CHECKPOINT]');
    process.exit(2);
  }
  const { readFileSync } = await import('node:fs');
  let report;
  try {
    report = await verifyBundle(
      new Uint8Array(readFileSync(path)),
      since === undefined ? undefined : readFileSync(since, 'utf8'),
    );
  } catch (error) {
    report = { result: 'unreadable', problem: String(error) };
  }
  console.log(sentences(report).join('\n'));
  const isOther = report.result === 'intact' && report.log?.other !== undefined;
  process.exitCode = isOther ? 2 : { intact: 0, tampered: 1, unreadable: 2 }[report.result];
}
