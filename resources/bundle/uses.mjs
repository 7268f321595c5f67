// Where a record uses what is wrong in it, and what that means. Assize uses this file too.

/** Uses that are listed; a part of a prompt can be in every trial. */
const mostListed = 100;
/** Characters of a changed text that are shown: more than a case or an answer has, and less than fills a memory. */
const mostShown = 1_000_000;
/** Trials that are named in a sentence. */
const mostNamed = 5;
/** Texts without their hash whose places are looked for. */
export const mostTexts = 20;
/** A prompt names its parts by the first characters of their refs. */
const partLength = 12;
/** Calls of a trial that are named: more have a part of a prompt that is the same in all. */
const mostCalls = 12;

/** Whether a value of JSON holds a text, at any depth: hostile ones are deeper than calls can be. */
function quotes(value, ref) {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (next === ref) return true;
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) left.push(inner);
  }
  return false;
}

/** What fields hold, in words. */
const words = {
  'utterance-make plan': 'the answer with the words and the private plan',
  'utterance-make outside': 'what is said to be from outside the facts',
  'trial-open case': 'its case: facts, groups and true label',
  'call-answer answer': 'a model’s answer',
  'call-answer thinking': 'a model’s thinking',
  'call-answer setup': 'the settings of its calls',
  'ruling-give opinion': 'the reasons of the ruling',
  'belief-update notes': 'private notes on a belief',
  'experiment-freeze definition': 'the definition of the experiment',
  'experiment-extend definition': 'the definition of the experiment',
  'experiment-freeze dataset': 'the list of its cases',
  'experiment-extend dataset': 'the list of its cases',
  'experiment-freeze arms': 'the settings, prompts or examples of its arms',
  'experiment-extend arms': 'the settings, prompts or examples of its arms',
};

/** `defense, rebuttal`. */
const bywhom = (role, phase) => [role === 'prosecutor' ? 'prosecution' : role, phase].filter((part) => part !== null).join(', ');

/** `speech 4 (defense, rebuttal)`. */
function whatIs({ kind, field, role, phase, number, times, calls }) {
  const said = bywhom(role, phase);
  if (field === 'messages') {
    const rest = times > calls.length ? ` and ${times - calls.length} more` : '';
    const named = calls.length > 0 && times <= mostCalls ? `: ${calls.join(', ')}${rest}` : '';
    return `${times === 1 ? 'the prompt of 1 call' : `the prompts of ${times} calls`}${named}`;
  }
  if (kind === 'utterance-make') {
    const speech = `speech ${number} (${said})`;
    return field === 'text' ? speech : `${words[`${kind} ${field}`] ?? field} of ${speech}`;
  }
  return `${words[`${kind} ${field}`] ?? `${field} of ${kind}`}${said === '' ? '' : ` (${said})`}`;
}

/** A short word in a field of a payload; null where there is none. */
const wordIn = (payload, field) => new RegExp(`"${field}":"([\\w -]{1,60})"`).exec(String(payload))?.[1] ?? null;

/** A speech in words, as `whatIs` has it. */
const speechIn = (payload, number) => `speech ${number} (${bywhom(wordIn(payload, 'role'), wordIn(payload, 'turn'))})`;

/**
 * What a call was made for, by the event that came of it: `the belief of the judge after speech 6 (defense, closing)`; null where
 * none tells. @param speech the latest one, in words; null before the first
 */
function callFor(kind, payload, speech) {
  if (kind === 'ruling-give') return 'the ruling';
  if (kind === 'utterance-make') return speech;
  if (kind !== 'belief-update') return null;
  const role = wordIn(payload, 'role') ?? 'one of them';
  return `the belief of ${role === 'judge' ? 'the judge' : role} ${speech === null ? 'before any speech' : `after ${speech}`}`;
}

const isTrial = (chain) => /^[0-9a-f]{16}$/.test(chain);
const experimentOf = (chain) => /^(?:experiment|preparation|review)\/([\s\S]*)$/.exec(chain)?.[1] ?? null;
const unknown = (chain) => ({ experiment: experimentOf(chain), arm: null, case: null });

/**
 * The events that name a text, those of one kind in a trial as one use; prompts come last.
 * @param events chain by chain, each in order
 * @param aboutOf what is known of a trial, by its id
 */
export const usesOf = (ref, events, aboutOf) => usesOfEach([ref], events, aboutOf)[0];

/** As `usesOf`, of several texts in one reading of the events. */
function usesOfEach(refs, events, aboutOf) {
  const wanted = refs.map((ref) => ({ ref, part: ref.slice(0, partLength), found: new Map(), trials: new Set() }));
  let [chain, speeches, speech, asked] = [null, 0, null, []];
  for (const { trial, seq, kind, payload } of events) {
    if (trial !== chain || kind === 'trial-open') [chain, speeches, speech, asked] = [trial, 0, null, []];
    if (kind === 'utterance-make') {
      speeches += 1;
      speech = speechIn(payload, speeches);
    }
    const made = asked.length === 0 ? null : callFor(kind, payload, speech);
    // What was decided on these words comes first.
    if (made !== null) for (const { calls } of asked) calls[kind === 'ruling-give' ? 'unshift' : 'push'](made);
    asked = [];
    for (const { ref, part, found, trials } of wanted) {
      if (!payload.includes(`"${ref}"`) && !payload.includes(`"${part}"`)) continue;
      let said;
      try {
        said = JSON.parse(String(payload));
      } catch {
        continue;
      }
      const number = kind === 'utterance-make' ? speeches : null;
      for (const [field, value] of Object.entries(said)) {
        if (!quotes(value, field === 'messages' ? part : ref)) continue;
        const key = [trial, kind, field, number].join(' ');
        const before = found.get(key);
        if (before !== undefined) before.times += 1;
        // Prompts show neither role nor phase: several calls of a trial have one.
        const by = (name) => (field !== 'messages' && typeof said[name] === 'string' ? said[name] : null);
        if (before === undefined)
          found.set(key, { trial, seq, kind, field, role: by('role'), phase: by('turn'), number, times: 1, calls: [] });
        if (field === 'messages') asked.push(found.get(key));
        trials.add(trial);
      }
    }
  }
  const isPrompt = ({ field }) => Number(field === 'messages');
  return wanted.map(({ found, trials }) => {
    const uses = [...found.values()].sort((one, other) => isPrompt(one) - isPrompt(other));
    return {
      uses: uses.slice(0, mostListed).map((found) => {
        const { calls, ...use } = found;
        return { ...use, ...(aboutOf(use.trial) ?? unknown(use.trial)), what: whatIs(found) };
      }),
      more_uses: Math.max(0, uses.length - mostListed),
      used_in: trials.size,
    };
  });
}

/**
 * Where several texts are, a line for each of the first trials, then how many more there are; nothing of a single one, which the
 * fault itself names.
 * @param refs at most `mostTexts`
 * @param count of all such texts
 * @param events begins a reading of all events, which has to come to its end
 */
export function placesOfTexts(refs, count, events, aboutOf) {
  if (refs.length < 2) return [];
  const uses = usesOfEach(refs, events(), aboutOf)
    .flatMap(({ uses }) => uses.filter(({ field }) => field !== 'messages').slice(0, 1))
    // A store and its bundle have the texts in other orders.
    .sort((one, other) => (one.trial === other.trial ? one.seq - other.seq : one.trial < other.trial ? -1 : 1));
  const named = [...Map.groupBy(uses, ({ trial }) => trial).values()].slice(0, mostNamed).flat();
  const more = count - named.length;
  const lines = linesOfUses({ uses: named, used_in: 0 });
  return more === 0 || named.length === 0 ? lines : [...lines, `and ${more} more ${more === 1 ? 'text' : 'texts'}`];
}

/** Kinds of events that people know by another name. */
const named = {
  'utterance-make': 'a speech',
  'belief-update': 'a belief',
  'call-answer': 'the answer of a call',
  'ruling-give': 'the ruling',
};

/** `the ruling (event 12)`. */
export const eventInWords = ({ seq, kind }) =>
  Object.hasOwn(named, kind) ? `${named[kind]} (event ${seq})` : `event ${seq}, ${kind}`;

/** An event, or the row of a trial where `seq` is null, as the only use. */
export function placeOf({ trial, seq, kind }, aboutOf) {
  const row = kind === 'report' ? 'its report' : 'its row of results';
  const what = seq === null ? row : eventInWords({ seq, kind });
  const use = { trial, seq, kind, field: null, role: null, phase: null, number: null, times: 1 };
  return { uses: [{ ...use, ...(aboutOf(trial) ?? unknown(trial)), what }], more_uses: 0, used_in: 1 };
}

/** What a value of JSON holds, a line each: `facts: age: 31`. */
function linesIn(value, path = '') {
  if (typeof value !== 'object' || value === null) return [`${path}${value}`];
  if (Array.isArray(value)) return value.flatMap((each) => linesIn(each, path));
  const isFact = Object.keys(value).join() === 'name,value';
  const parts = isFact ? [[value.name, value.value]] : Object.entries(value);
  return parts.flatMap(([name, inner]) => linesIn(inner, `${path}${name}: `));
}

/** A text in words: of JSON what it holds, where that hides nothing of how it is written. */
function readable(text) {
  if (!text.startsWith('{')) return text;
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text ? linesIn(value).join('\n') : text;
  } catch {
    return text;
  }
}

/** A text that is not what was recorded, as it is now, and how many characters follow of one that is too long to show. */
export function passageOf(raw) {
  const text = readable(raw);
  const shown = text.slice(0, mostShown).toWellFormed();
  return { text: shown, more: text.length - shown.length };
}

/** A text on one line, in which no character goes unseen or moves others: it has codes for those. */
export const onOneLine = (text) =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `[U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );

/** A passage with the breaks of its own lines. */
export const textOfPassage = ({ text, more }) =>
  `${text}${more > 0 ? ` … (${more === 1 ? '1 more character' : `${more} more characters`})` : ''}`
    .split('\n')
    .map(onOneLine)
    .join('\n');

/** A passage in lines, each marked as one of it: none reaches the next one, where it would look like words of ours. */
export const linesOfPassage = (passage) =>
  textOfPassage(passage)
    .split('\n')
    .flatMap((line) => line.match(/.{1,72}(?: |$)|.{1,72}/gu) ?? [''])
    .map((piece) => `| ${piece}`);

function namesIn(named, count, aboutOf) {
  if (named.length === 0) return '';
  const names = named.map((name) => fileInWords(name, aboutOf)).join(', ');
  return `: ${names}${count > named.length ? ` and ${count - named.length} more` : ''}`;
}

/** The name of a file, for the report of a trial with what it is about. @param aboutOf what is known of a trial, by its id */
export function fileInWords(name, aboutOf) {
  const trial = /^reports\/([0-9a-f]{16})\.html$/.exec(name)?.[1];
  const about = trial === undefined ? undefined : aboutOf(trial);
  return onOneLine(`${name.slice(0, 300)}${about === undefined ? '' : ` (the report of a trial: ${inWords(about)})`}`);
}

/**
 * How much of a file is bad, whichever fault is named, with this in words. Files are those of a bundle, some of them by name.
 * @param aboutOf what is known of a trial, by its id
 */
export function countedOf({ files = 0, bad_files = 0, bad_file_names: named = [], ...counted }, aboutOf = () => undefined) {
  const { texts, bad_texts, events, bad_events } = counted;
  const ofFiles =
    files === 0 ? '' : `; ${bad_files} of ${files} files not as the manifest lists them${namesIn(named, bad_files, aboutOf)}`;
  const isMadeToFit = files > 0 && bad_files === 0 && bad_texts + bad_events > 0;
  const manifest = isMadeToFit ? ' So the manifest was made, or changed to match, after the change.' : '';
  const words = `Counted over everything: ${bad_texts} of ${texts} texts and ${bad_events} of ${events} events without their hash or place${ofFiles}.${manifest} What else may be wrong was not counted.`;
  return { ...counted, ...(files === 0 ? {} : { files, bad_files, bad_file_names: named }), words };
}

/**
 * The root of a record in which something is wrong, and the one that it should have, with this in lines to read.
 * @param found over the events; null where they do not hold or were not all read
 * @param named by the manifest of a bundle; null of a store
 */
export function rootsOf(found, named) {
  const what = named === null ? 'Record root' : 'Bundle root';
  const none = 'none, because it is not known that every event has its hash and its place';
  const same = found === null ? '' : found === named ? ', the same' : ', ANOTHER ONE';
  const words = [
    `${what} found over the events: ${found ?? none}`,
    ...(named === null ? [] : [`${what} that the manifest names: ${named}${same}`]),
    'Only a root or a checkpoint that you got by another way shows whether the events are the right ones. It covers them, and not what is wrong above.',
  ];
  return { found, named, words };
}

/** How far the check came, where the fault is not in a text, an event or a row. */
function reachOf(checked, left) {
  if (checked === null) return 'The check stopped here: nothing that comes after it was checked.';
  if (left.length === 0)
    return `This file is missing, was added, or is not as it was exported. The record was checked to its end and holds: ${checked.join(', ')}.`;
  const before = checked.length === 0 ? '' : ` Checked before, without a fault: ${checked.join(', ')}.`;
  return `The check stopped here.${before} Not checked, or not to the end: ${left.join(', ')}.`;
}

/** What is known of a text that no event names. */
function unnamedWords(isCase) {
  if (isCase === null)
    return 'No event names it. Whether it is a case is not known: a list of cases is missing or was changed too.';
  return isCase
    ? 'It is a case of the data set, and no trial in this file is about it.'
    : 'No event and no list of cases names it: nothing in this file depends on it.';
}

/** Whether a list of cases has a text; null where it cannot be read. */
function hasCase(list, ref) {
  try {
    return JSON.parse(list).cases.some(([kase]) => kase === ref);
  } catch {
    return null;
  }
}

/**
 * Whether lists of cases have a text; null where one that could have it cannot be read.
 * @param lists as they are recorded, null for each that is missing or does not have its hash
 */
export function isCaseIn(lists, ref) {
  const all = lists.map((list) => hasCase(list, ref));
  return all.includes(true) || (all.includes(null) ? null : false);
}

/**
 * What a fault means for those who read the record, in sentences.
 * @param subject what it is about: a text, an event, a row or a report; null where it is none of these
 * @param areEventsSound whether every event was checked and has its hash
 * @param checked the parts of a bundle that were checked without a fault; null of a store
 * @param left those that were not, or not to their end
 * @param isListed whether a text that no event names is a case, as `isCaseIn` has it
 */
export function meaningOf({ subject, uses, areEventsSound, checked = null, left = [], isListed = null }) {
  if (subject === null) return reachOf(checked, left);
  if ('ref' in subject) {
    const words = subject.isGone
      ? 'What was written here is gone from the record.'
      : 'What is written here is not what was recorded.';
    const events = areEventsSound
      ? ' Every event has its hash: the verdicts and beliefs in the events hold together, and you may use them if you know the root of the record, or the key that signed them.'
      : '';
    if (uses.length === 0) return `${words} ${unnamedWords(isListed)}${events}`;
    const isCase = uses.some(({ field }) => field === 'case');
    const asked =
      areEventsSound && !subject.isGone && uses.some(({ field }) => field === 'messages')
        ? ' In that case no model was asked with these words either: the events name what is in each prompt by its hash. An intact copy shows what the recorded words were; of a speech, the model’s answer in the call before it can show them too.'
        : '';
    return `${words}${events}${asked} ${isCase ? 'The true label and the groups of the case are a part of it, so do not rely on whether these trials are right.' : 'Do not rely on these words.'}`;
  }
  if (subject.kind === 'report')
    return 'The report of this trial is missing, or is not the one that was exported. The events, the texts and the results of the bundle hold.';
  return subject.seq === null
    ? 'What lists and statistics say of this trial is not what its events say.'
    : `From this event on, nothing that this ${isTrial(subject.trial) ? 'trial' : 'chain'} says is proved.`;
}

/** The id that a changed case gives itself; null where it has none that is safe to show. */
function idIn(text) {
  try {
    const { id } = JSON.parse(String(text));
    return typeof id === 'string' && /^[\p{L}\p{N} ._-]{1,60}$/u.test(id) ? id : null;
  } catch {
    return null;
  }
}

/** What text is at fault, and how, in words without hashes; undefined where the fault is in no text, or nothing is known of it. */
export function plainOf({ subject, uses, isListed = null }) {
  if (subject === null || !('ref' in subject)) return undefined;
  const happened = subject.isGone ? 'is missing from the record' : 'was changed after it was recorded';
  const [first] = uses;
  const kase = uses.find(({ field }) => field === 'case')?.case ?? null;
  if (kase !== null) return onOneLine(`The text of case ${kase} ${happened}.`);
  if (first !== undefined)
    return onOneLine(
      `In ${isTrial(first.trial) ? `a trial${inBrackets(first)}` : first.trial}, ${first.what}: this text ${happened}.`,
    );
  if (isListed !== true) return undefined;
  const id = idIn(subject.now);
  return id === null
    ? `The text of a case of the data set ${happened}.`
    : onOneLine(`The text of case ${id}, as it calls itself, ${happened}.`);
}

/** `experiment e, arm a, case c, replicate 1`: replicates are counted from 1 here, from 0 in files. */
function inWords({ experiment, arm, case: kase, replicate }) {
  const parts = { experiment, arm, case: kase, replicate: replicate === undefined ? null : replicate + 1 };
  return Object.entries(parts)
    .flatMap(([name, part]) => (part === null ? [] : [`${name} ${part}`]))
    .join(', ');
}

function inBrackets(about) {
  const words = inWords(about);
  return words === '' ? '' : ` (${words})`;
}

/** A chain with what is known of its trial. @param about undefined where nothing is */
export const chainInWords = (chain, about) =>
  onOneLine(isTrial(chain) && about !== undefined ? `trial ${chain}${inBrackets(about)}` : chain);

/** A line for each trial: what of it is meant. */
export function linesOfUses({ uses, used_in: usedIn }) {
  const byTrial = new Map();
  for (const use of uses) byTrial.set(use.trial, [...(byTrial.get(use.trial) ?? []), use]);
  const lines = [...byTrial.values()].slice(0, mostNamed).map((all) => {
    const [first] = all;
    return onOneLine(`${chainInWords(first.trial, first)}: ${all.map(({ what }) => what).join('; ')}`);
  });
  return usedIn > lines.length ? [...lines, `and ${usedIn - lines.length} more`] : lines;
}
