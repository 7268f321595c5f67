// Where in a bundle the trials are that a problem concerns.
import { base64url, big, hashParts, hex, joined, parse, rawLinesOf, sha256, sized, unbase64, unhex, utf8 } from './bytes.mjs';
import { isCaseIn, meaningOf, mostTexts, passageOf, placeOf, placesOfTexts, plainOf, usesOf } from './uses.mjs';

/** What a line of a file is about, where a fault names no more than the line. */
function subjectOfLine({ file, line: number }, files) {
  let line = '';
  let left = Number(number);
  for (const text of rawLinesOf(files.get(file) ?? new Uint8Array(0))) {
    left -= 1;
    if (left === 0) line = text;
    if (left === 0) break;
  }
  if (file === 'texts.jsonl') {
    const ref = /^\{"ref":"([\w-]{43})"/.exec(line)?.[1];
    return ref === undefined ? null : { ref };
  }
  if (file === 'trials.jsonl') {
    const trial = /"trial":"([0-9a-f]{16})"/.exec(line)?.[1];
    return trial === undefined ? null : { trial, seq: null, kind: 'trials' };
  }
  const [, trial, seq, kind] = /"trial":"([0-9a-f]{16})","seq":(\d+),"kind":"([\w-]+)"/.exec(line) ?? [];
  return file === 'events.jsonl' && trial !== undefined ? { trial, seq: Number(seq), kind } : null;
}

function* objectsIn(bytes = new Uint8Array(0)) {
  for (const line of rawLinesOf(bytes)) {
    let found;
    try {
      found = parse(line, '');
    } catch {
      continue;
    }
    yield found;
  }
}

function* eventsIn(files) {
  for (const event of objectsIn(files.get('events.jsonl')))
    if ([event.trial, event.kind, event.payload].every((part) => typeof part === 'string')) yield event;
}

/** Lines of a file, and those that cannot be read or are not good. */
async function badIn(bytes = new Uint8Array(0), isGood) {
  let [all, good] = [0, 0];
  for (const line of rawLinesOf(bytes)) {
    all += 1;
    try {
      good += Number(await isGood(parse(line, '')));
    } catch {}
  }
  return [all, all - good];
}

/** The name that a line of a text should have. */
async function nameOf({ dataset, text, base64 }, salts) {
  const content = base64 === undefined ? utf8.encode(text) : unbase64(base64);
  return base64url(await sha256(joined(unhex(salts[dataset]), content)));
}

const saltsIn = (files) => [...objectsIn(files.get('salts.json'))][0] ?? {};

/** The ref of the list of cases that a freeze or an extension names; undefined where its payload cannot be read. */
function listNamedIn(payload) {
  try {
    return JSON.parse(payload).dataset.manifest;
  } catch {
    return undefined;
  }
}

/** The lists of cases that the events name; null for each that is missing, does not have its name, or is not named in a way that can be read. */
async function listsIn(files) {
  const lists = new Map();
  for (const { kind, payload } of eventsIn(files))
    if (kind === 'experiment-freeze' || kind === 'experiment-extend') lists.set(listNamedIn(payload), null);
  const salts = saltsIn(files);
  for (const line of objectsIn(files.get('texts.jsonl')))
    if (lists.has(line.ref) && (await nameOf(line, salts)) === line.ref) lists.set(line.ref, line.text);
  return [...lists.values()];
}

/** How many texts do not have their name, and where they are, and how many events have not their hash or do not follow the one before. */
export async function countedIn(files) {
  const salts = saltsIn(files);
  const bad = [];
  const [texts, badTexts] = await badIn(files.get('texts.jsonl'), async (line) => {
    const isGood = (await nameOf(line, salts)) === line.ref;
    if (!isGood && bad.length < mostTexts) bad.push(String(line.ref));
    return isGood;
  });
  let before = {};
  const [events, badEvents] = await badIn(files.get('events.jsonl'), async (event) => {
    const { trial, seq, kind, payload, prev_hash: link } = event;
    const [place, end] =
      trial === before.trial ? [before.seq + 1, before.hash] : [0, hex(await hashParts('assize/chain/1', trial))];
    before = event;
    const hash = await sha256(joined(unhex(link), big(seq, 8), sized(kind), utf8.encode(payload)));
    return seq === place && link === end && event.hash === hex(hash);
  });
  const places = placesOfTexts(bad, badTexts, () => eventsIn(files), aboutIn(files));
  return {
    texts,
    bad_texts: badTexts,
    events,
    bad_events: badEvents,
    ...(places.length === 0 ? {} : { bad_text_places: places }),
  };
}

/** How many trials have begun and have not ended, and in how many a model that makes up its answers took part, by texts that have their name. @param trials as `checkEvents` found them */
export async function inventedIn(files, trials) {
  const all = [...trials.values()];
  const named = new Set(all.flatMap(({ setups }) => setups));
  const salts = saltsIn(files);
  const standins = new Set();
  for (const line of objectsIn(files.get('texts.jsonl')))
    if (named.has(line.ref) && JSON.parse(line.text).standin === true && (await nameOf(line, salts)) === line.ref)
      standins.add(line.ref);
  const [ended, open] = [true, false].map((has) => all.filter(({ last }) => (last['trial-close'] !== undefined) === has));
  const invented = (some) => some.filter(({ setups }) => setups.some((ref) => standins.has(ref))).length;
  return { trials: all.length, notEnded: open.length, standin: invented(ended), standinNotEnded: invented(open) };
}

const nowhere = { uses: [], more_uses: 0, used_in: 0 };

/** Rows of trials whose names are texts: those of a hostile bundle can be anything. */
function* rowsIn(files) {
  for (const row of objectsIn(files.get('trials.jsonl')))
    if ([row.trial, row.experiment, row.arm, row.case].every((part) => typeof part === 'string')) yield row;
}

/** What is known of a trial, by its id. */
export function aboutIn(files) {
  const trials = new Map();
  for (const { trial, experiment, arm, case: kase, replicate } of rowsIn(files))
    trials.set(trial, { experiment, arm, case: kase, ...(Number.isInteger(replicate) ? { replicate } : {}) });
  return (trial) => trials.get(trial);
}

/**
 * Where in a bundle the trials are that a fault concerns, and what it means.
 * @param subject of the fault, never shown in words: names from the bundle can be in it
 * @param files of the bundle by name, as they are
 * @param known whether the events were checked and no fault is known of their file, and which parts were checked and which are left
 */
export async function placesIn(subject, files, known) {
  const aboutOf = aboutIn(files);
  const about = subject !== null && 'file' in subject ? subjectOfLine(subject, files) : subject;
  const isText = about !== null && 'ref' in about;
  const found = isText ? usesOf(about.ref, eventsIn(files), aboutOf) : about === null ? nowhere : placeOf(about, aboutOf);
  const passage = isText && 'now' in about ? { passage: passageOf(about.now) } : {};
  const isListed = isText && found.uses.length === 0 ? isCaseIn(await listsIn(files), about.ref) : null;
  const plain = plainOf({ subject: about, uses: found.uses, isListed });
  return {
    ...found,
    ...passage,
    ...(plain === undefined ? {} : { plain }),
    meaning: meaningOf({ subject: about, uses: found.uses, isListed, ...known }),
  };
}
