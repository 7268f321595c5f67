// Checks what people judged, commented, settled and signed in a bundle.
import { need } from './zip.mjs';

/** The events of a chain of reviews, and of no other. */
export const reviewKinds = ['review-give', 'comment-give', 'review-adjudicate', 'record-sign'];

const isText = (value) => typeof value === 'string';
const isFlag = (value) => typeof value === 'boolean';
const isSize = (value) => typeof value === 'number' && value >= 0;
const isPlace = (value) => Number.isSafeInteger(value) && value >= 0;
const isRef = (value) => isText(value) && value.length === 43;
const isHash = (value) => isText(value) && /^[\da-f]{64}$/.test(value);
const isJudgement = (value) => ['label', 'unsure', 'flag', 'withdrawn'].includes(value);
const orNull = (isOne) => (value) => value === null || isOne(value);
const listOf = (isOne) => (value) => Array.isArray(value) && value.every(isOne);

const said = { at: isText, reviewer: isRef, replaces: orNull(isPlace) };
const about = { ...said, trial: isText, head: isHash };
/** What the fields of each kind are. */
const forms = {
  'review-give': {
    ...{ ...about, judgement: isJudgement, label: orNull(isText), reason: orNull(isRef), blind: isFlag, seconds: isSize },
  },
  'comment-give': { ...about, utterance: isPlace, text: isRef, start: isPlace, end: isPlace, comment: orNull(isRef) },
  'review-adjudicate': { ...about, label: orNull(isText), reason: orNull(isRef), settles: listOf(isPlace) },
  'record-sign': { ...said, reason: isRef, heads: orNull(listOf(isHash)) },
};

/** An adjudication settles what other reviewers of its trial differ on, and nothing else does; one that takes one back settles nothing. */
function checkSettled({ chain, place, payload }, standing) {
  const { head, reviewer, label, reason, settles, replaces } = payload;
  const there = [...standing.values()].filter((each) => each.chain === chain && each.payload.head === head);
  const labelled = there.filter((each) => each.kind === 'review-give' && each.payload.label !== null);
  // Of what one person answered twice the first counts.
  const first = new Map(labelled.toReversed().map((each) => [each.payload.reviewer, each]));
  const places = [...first.values()].map(({ seq }) => seq);
  const isSound =
    label === null
      ? settles.length === 0
      : reason !== null &&
        settles.length === places.length &&
        places.every((seq) => settles.includes(seq)) &&
        !first.has(reviewer) &&
        new Set([...first.values()].map((each) => each.payload.label)).size > 1;
  need(isSound, `${place}: it does not settle what other reviewers of the trial differ on`);
  const isSettled = there.some(
    (each) =>
      each.kind === 'review-adjudicate' &&
      each.seq !== replaces &&
      each.payload.settles.every((seq) => standing.has(`${chain} ${seq}`)),
  );
  need(label === null || !isSettled, `${place}: another adjudication settles it already`);
}

/** A sign-off names one head of the experiment's own chain and one of each trial that it covers, sorted. */
function checkSigned({ place, payload: { heads } }, name, owners) {
  const found = heads.map((each) => owners.get(each));
  const isSound =
    found.every((each) => each?.name === name) &&
    found.length > 1 &&
    new Set(found.map(({ owner }) => owner)).size === found.length &&
    found.some(({ owner }) => owner === `experiment/${name}`) &&
    heads.every((each, at) => at === 0 || each > heads[at - 1]);
  need(isSound, `${place}: it signs what is not on the record of this experiment`);
}

/**
 * What people judged, commented, settled and signed is about trials of the experiment that had ended, and takes the place of none
 * but the same person's own.
 * @param read gives the definition of an experiment, and the text of an utterance; undefined where it was left out
 */
export function checkReviews(reviews, { ends, opened, freezes, spoken }, read) {
  const standing = new Map();
  const labels = new Map([...freezes.values()].map(({ name, definition }) => [name, read(definition)?.dataset.labels ?? []]));
  const nameOf = (trial) => freezes.get(opened.get(trial))?.name;
  const owners = new Map();
  for (const [end, closed] of ends) {
    const at = end.lastIndexOf(' ');
    const [owner, head] = [end.slice(0, at), end.slice(at + 1)];
    const name = closed ? nameOf(owner) : owner.startsWith('experiment/') ? owner.slice('experiment/'.length) : null;
    owners.set(head, { owner, name });
  }
  for (const event of reviews) {
    const { kind, chain, seq, place, payload } = event;
    const { trial, head, reviewer, judgement, label, replaces } = payload;
    const name = chain.slice('review/'.length);
    const hasForm = Object.entries(forms[kind]).every(([field, isRight]) => isRight(payload[field]));
    need(hasForm, `${place}: its payload has another form`);
    if (kind !== 'record-sign')
      need(
        ends.get(`${trial} ${head}`) === true && nameOf(trial) === name,
        `${place}: no trial of this experiment ended with the hash that it names`,
      );
    if (kind === 'review-give' || kind === 'review-adjudicate')
      need(label === null || labels.get(name).includes(label), `${place}: the experiment does not have its label`);
    if (kind === 'review-give') {
      need((judgement === 'label') === (label !== null), `${place}: its judgement and its label do not fit`);
    } else if (kind === 'comment-give') {
      const { utterance, text, start, end } = payload;
      need(
        spoken.get(`${trial} ${head}`)?.get(utterance) === `${payload.v} ${text}`,
        `${place}: its trial has no such utterance`,
      );
      const whole = read(text);
      need(start < end && (whole === undefined || end <= [...whole].length), `${place}: its utterance has no such range`);
    } else if (kind === 'review-adjudicate') {
      checkSettled(event, standing);
    } else if (payload.heads !== null) {
      checkSigned(event, name, owners);
    }
    const withdraws = { 'review-give': judgement === 'withdrawn', 'comment-give': payload.comment === null }[kind];
    const gone = withdraws ?? (kind === 'record-sign' ? payload.heads : label) === null;
    need(replaces !== null || !gone, `${place}: it takes something back but names nothing`);
    const own = `${kind} ${trial} ${reviewer}`;
    const before = standing.get(`${chain} ${replaces}`);
    need(
      replaces === null || before?.own === own,
      `${place}: it replaces what does not exist, or is not of the same person and trial`,
    );
    standing.delete(`${chain} ${replaces}`);
    if (!gone) standing.set(`${chain} ${seq}`, { ...event, own });
  }
}
