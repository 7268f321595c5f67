// What a check proves, and what signatures leave open, in words. Assize uses this file too.

/** Of an intact record that nobody signed. */
export const noSignerWords =
  'No key signed this record: it holds no checkpoint. A person’s sign-off is a review, not such a signature.';

/** `2026-11-28 14:50 UTC` of an ISO 8601 time. */
export const minuteOf = (iso) => iso.replace(/^(.{10})T(.{5}).*Z$/, '$1 $2 UTC');

export const claimWords = 'says the clock of who signed it; not proved, because a signature covers no time';

/** What a signature leaves open of its time. @param made when the newest checkpoint was made; null where it does not say */
export const signedWhenWords = (made) =>
  made === null
    ? 'When it was signed is not proved: a checkpoint bears no time unless a time stamp is with it. A report that names a time has it from the clock of who signed.'
    : `The newest checkpoint was made ${minuteOf(made)}, ${claimWords}.`;

/** @param chains that grew since the newest checkpoint, of these kinds @param joined whether chains of another store were joined */
export const notSignedWords = (chains, kinds, joined = false) =>
  `${chains} chain${chains === 1 ? ' has' : 's have'} events since the newest checkpoint that are not signed: of ${kinds.map((kind) => `${kind}s`).join(', ')}${joined ? ', or joined from another store' : ''}.`;

export const notProvedWords =
  'Not proved: that a model gave these answers, who wrote the record and when, that nothing was left out, and that data and labels are right. docs/audit.md of Assize says how to sign before the first trial.';

/** Of a bundle also this. */
export const reportsNotChecked =
  'Not checked: the reports in the bundle, and its statistics other than counts, accuracy and F1. They are only compared with the manifest, which can be written again. assize verify REPORT.html --against BUNDLE.zip compares a report with the record.';

/** What hashes cannot show by themselves; docs/record-format/verify.py has the same. */
export const rewrittenWords =
  'Somebody who rewrites the whole record also makes new hashes, and the root is then another: compare the root with one that you got by another way.';

/** What a log says of an earlier checkpoint of it. @param entries in the log now, of which the checkpoint covers `size` */
export function sinceSentence({ size, entries, isExtended, isSame, isChecked }) {
  const number = (count) => `${count} ${count === 1 ? 'entry' : 'entries'}`;
  const added = entries - size;
  const does = isSame ? 'is exactly that of' : isExtended ? 'extends' : 'does not extend';
  const grown =
    isExtended && added > 0 ? `: ${number(added)} ${added === 1 ? 'was' : 'were'} added since, and it has ${entries} now` : '';
  return `The log ${does} the earlier checkpoint of ${number(size)}${isChecked ? '' : ', whose signature was not checked'}${grown}.`;
}

/** Text above a passage that was changed. */
export const passageWords = 'As it is in this file; it may have been changed:';

/** Where the original of a passage may still be. */
export const reportsWords =
  'The reports in the folder reports of the bundle may still show the original words, or may have been changed too: this check compares them with the manifest alone. A comparison with another copy shows which.';

/** How texts of a record came to be missing; empty text where none is. */
export const goneFrom = ({ leftOut, erased }) =>
  [...(leftOut > 0 ? ['left out'] : []), ...(erased > 0 ? ['erased'] : [])].join(' or ');

/** What a checkpoint shows that an intact record fits, by the hashes that it signs. */
export function unchangedSentence({ gone, isGrown, notEnded, isBundle }) {
  const held = isGrown
    ? 'nothing that this checkpoint covers was changed or removed since you got it'
    : 'nothing in this record was changed, removed or added since you got this checkpoint';
  const whole = gone === '' ? held.replace(/^n/, 'N') : `Apart from texts and labels that were ${gone}, ${held}`;
  const uncovered = [
    ...(isGrown ? ['what was added since'] : []),
    ...(isGrown || notEnded > 0 ? ['trials that had not ended'] : []),
    ...(isBundle ? ['the reports and statistics of the bundle'] : []),
  ];
  return `${whole}: no event (such as a verdict), text or label. Not even the owner of the key can change these unseen. Before that day anything was possible.${uncovered.length === 0 ? '' : ` Not covered: ${uncovered.join('; ')}.`}`;
}

export const provedSentence = (gone) =>
  gone === ''
    ? 'Proved: no event and no text was changed since its hash was made, and the results listed for each trial follow from its events.'
    : `Proved: no event and no text that is still there was changed since its hash was made. Texts that were ${gone}, and what needs them, were not checked.`;

/** Where a record, or parts of it, were copied from. Throws for what is no such note. @param timeIn how a time is written */
export function adoptedSentences(adopted, timeIn = (at) => at) {
  const when = ({ at, root }) => `on ${timeIn(at)}, when its root was ${root}`;
  const signed = ({ signers }) =>
    signers.length === 0 ? 'No signature was found with it.' : `It was signed there by ${signers.join(', ')}.`;
  const words = (each) => {
    const { file, experiments = [], joined = false } = each;
    const named = `the experiment${experiments.length === 1 ? '' : 's'} ${experiments.join(', ')}`;
    const what = experiments.length === 0 ? 'the whole record' : `${joined ? 'trials of ' : ''}${named}`;
    return `${joined ? 'Joined' : 'Copied'} from ${file} ${when(each)}: ${what}. ${signed(each)}`;
  };
  return [
    ...[adopted, ...(adopted.others ?? [])].flatMap((each) => [
      words(each),
      ...(each.earlier ?? []).map((before) => `That file was a copy of ${before.file}, made ${when(before)}. ${signed(before)}`),
    ]),
    'This is a note, which no hash covers: anyone who can write to the file can change it.',
  ];
}

/** Which answers the demo model made up, and how many trials have not ended; nothing if there are none. */
export function inventedSentences({ standin, trials, notEnded: open, standinNotEnded: inventedOpen }) {
  const ended = trials - open;
  const of = open === 0 ? 'these trials' : `the ${ended} that have ended`;
  const all = open === 0 ? 'all trials' : 'all trials that have ended';
  const [which, have] = open === 1 ? ['1 trial', 'has'] : [`${open} trials`, 'have'];
  return [
    ...(standin === 0
      ? []
      : [
          `DEMO MODEL: a program made up the answers of ${standin === ended ? all : `${standin} of ${of}`}. No language model was asked for them.`,
        ]),
    ...(inventedOpen === 0
      ? []
      : [
          `${standin === 0 ? 'DEMO MODEL: a program' : 'It also'} made up the answers so far of ${inventedOpen} of ${which} that ${have} not ended.`,
        ]),
    ...(open === 0 || inventedOpen > 0 ? [] : [`${which} ${have} not ended.`]),
  ];
}
