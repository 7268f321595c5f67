// Checks what people judged, commented, settled and signed in a bundle.
import { need } from './zip.mjs';

/** What stands in a chain of reviews, and nowhere else. */
export const reviewKinds = ['review-give', 'comment-give', 'review-adjudicate', 'record-sign'];

/** An adjudication settles what other reviewers of its trial differ on; one that takes one back settles nothing. */
function checkSettled({ chain, place, payload: { trial, head, reviewer, label, reason, settles } }, standing) {
  const seqs = Array.isArray(settles) ? settles : [];
  const reviews = seqs.map((seq) => standing.get(`${chain} ${seq}`)).filter((each) => each?.kind === 'review-give');
  const people = new Set([reviewer, ...reviews.map(({ payload }) => payload.reviewer)]);
  const isSound =
    label === null
      ? seqs.length === 0
      : reason !== null &&
        reviews.length === seqs.length &&
        reviews.every(({ payload }) => payload.trial === trial && payload.head === head && payload.label !== null) &&
        people.size === seqs.length + 1 &&
        new Set(reviews.map(({ payload }) => payload.label)).size > 1;
  need(isSound, `${place}: it does not settle what other reviewers of the trial differ on`);
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
  const heads = new Map();
  for (const [end, closed] of ends) {
    const at = end.lastIndexOf(' ');
    const [owner, head] = [end.slice(0, at), end.slice(at + 1)];
    heads.set(head, closed ? nameOf(owner) : owner.startsWith('experiment/') ? owner.slice('experiment/'.length) : null);
  }
  for (const event of reviews) {
    const { kind, chain, seq, place, payload } = event;
    const { trial, head, reviewer, judgement, label, replaces } = payload;
    const name = chain.slice('review/'.length);
    if (kind !== 'record-sign')
      need(
        ends.get(`${trial} ${head}`) === true && nameOf(trial) === name,
        `${place}: no trial of this experiment ended with the hash that it names`,
      );
    if (kind === 'review-give' || kind === 'review-adjudicate')
      need(label === null || labels.get(name).includes(label), `${place}: the experiment does not have its label`);
    if (kind === 'review-give') {
      const { blind, seconds } = payload;
      const known = ['label', 'unsure', 'flag', 'withdrawn'].includes(judgement) && typeof blind === 'boolean' && seconds >= 0;
      need(known, `${place}: its payload has another form`);
      need((judgement === 'label') === (typeof label === 'string'), `${place}: its judgement and its label do not fit`);
    } else if (kind === 'comment-give') {
      const { utterance, text, start, end } = payload;
      need(spoken.get(`${trial} ${utterance}`) === text, `${place}: its trial has no such utterance`);
      const whole = read(text);
      const fits = start >= 0 && start < end && (whole === undefined || end <= [...whole].length);
      need(fits && Number.isInteger(start) && Number.isInteger(end), `${place}: its utterance has no such range`);
    } else if (kind === 'review-adjudicate') {
      checkSettled(event, standing);
    } else if (payload.heads !== null) {
      const sound = payload.heads.every((each, at) => heads.get(each) === name && (at === 0 || each > payload.heads[at - 1]));
      need(sound, `${place}: it signs what is not on the record of this experiment`);
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
