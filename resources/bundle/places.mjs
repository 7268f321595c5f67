// Where in a bundle the trials are that a problem concerns.
import { parse, rawLinesOf } from './bytes.mjs';
import { meaningOf, placeOf, subjectOf, usesOf } from './uses.mjs';

/** The same of a problem in a file of a bundle, which may name no more than a line. */
function subjectIn(problem, files) {
  const [, name, number] = /\b((?:texts|events|trials)\.jsonl), line (\d+)/.exec(problem) ?? [];
  if (name === undefined) return subjectOf(problem);
  let line = '';
  let left = Number(number);
  for (const text of rawLinesOf(files.get(name) ?? new Uint8Array(0))) {
    left -= 1;
    if (left === 0) line = text;
    if (left === 0) break;
  }
  const ref = name === 'texts.jsonl' ? /^\{"ref":"([\w-]{43})"/.exec(line)?.[1] : undefined;
  if (ref !== undefined) return { ref };
  const [, trial, seq = null, kind = 'trials'] = /"trial":"([0-9a-f]{16})"(?:,"seq":(\d+),"kind":"([\w-]+)")?/.exec(line) ?? [];
  return trial === undefined ? null : { trial, seq: seq === null ? null : Number(seq), kind };
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

const nowhere = { uses: [], more_uses: 0, used_in: 0 };

/** Where in a bundle the trials are that a problem concerns, and what it means. @param files of the bundle by name, as they are */
export function placesIn(problem, files) {
  const trials = new Map();
  for (const { trial, experiment, arm, case: kase } of objectsIn(files.get('trials.jsonl')))
    trials.set(trial, { experiment, arm, case: kase });
  const aboutOf = (trial) => trials.get(trial);
  const subject = subjectIn(problem, files);
  const isText = subject !== null && 'ref' in subject;
  const found = isText ? usesOf(subject.ref, eventsIn(files), aboutOf) : subject === null ? nowhere : placeOf(subject, aboutOf);
  return { ...found, meaning: meaningOf({ subject, problem, uses: found.uses }) };
}
