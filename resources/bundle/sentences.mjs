// What a check of a bundle found, in words.
import { isLogOf, isUncompared, logSentences, sinceSentences } from './log.mjs';
import { linesOfPassage, linesOfUses, onOneLine } from './uses.mjs';

const percent = (share) => `${(100 * share).toFixed(1)}%`;

const amount = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

const askAgain = 'Ask for it as it was exported, and compare the root of the new one with a root that you got by another way.';

const goneFrom = ({ leftOut, erased }) => [...(leftOut > 0 ? ['left out'] : []), ...(erased > 0 ? ['erased'] : [])].join(' or ');

/** As src/shared/proved.ts of Assize has it. */
function unchangedSentences(report) {
  const { log, notEnded: open } = report;
  if (!log?.since) return [];
  const gone = goneFrom(report);
  const isGrown = !isLogOf(log);
  const [done, of] = isGrown ? ['changed or removed', 'that it covers'] : ['changed, removed or added', 'of this record'];
  const uncovered = [
    ...(isGrown ? ['what was added since'] : []),
    ...(isGrown || open > 0 ? ['trials that had not ended'] : []),
    ...(gone === '' ? [] : [`texts and labels that were ${gone}`]),
    'the reports and statistics of the bundle',
  ];
  return [
    `Since you got this checkpoint nobody, not even the owner of the key, can have ${done} an event (such as a verdict), a text or a label ${of} without it showing; before that day anything was possible. Not covered: ${uncovered.join('; ')}.`,
  ];
}

/** As src/shared/proved.ts of Assize has it. */
function provedSentence(report) {
  const gone = goneFrom(report);
  return gone === ''
    ? 'Proved: no event and no text was changed since its hash was made, and the results listed for each trial follow from its events.'
    : `Proved: no event and no text that is still there was changed since its hash was made. Texts that were ${gone}, and what needs them, were not checked.`;
}

/** Where the record was copied from, as the maker of the bundle says it. As src/shared/proved.ts of Assize has it. */
function adoptedSentences(adopted) {
  const when = ({ at, root }) => `on ${at}, when its root was ${root}`;
  const signed = ({ signers }) =>
    signers.length === 0 ? 'No signature was found with it.' : `It was signed there by ${signers.join(', ')}.`;
  const words = (each) => {
    const { file, experiments = [], joined = false } = each;
    const named = `the experiment${experiments.length === 1 ? '' : 's'} ${experiments.join(', ')}`;
    const what = experiments.length === 0 ? 'the whole record' : `${joined ? 'trials of ' : ''}${named}`;
    return `${joined ? 'Joined' : 'Copied'} from ${file} ${when(each)}: ${what}. ${signed(each)}`;
  };
  try {
    const said = [adopted, ...(adopted.others ?? [])].flatMap((each) => [
      words(each),
      ...(each.earlier ?? []).map((before) => `That file was a copy of ${before.file}, made ${when(before)}. ${signed(before)}`),
    ]);
    return [...said, 'This is a note, which no hash covers: anyone who can write to the file can change it.'];
  } catch {
    // It can be anything, or missing.
    return [];
  }
}

/** As src/shared/proved.ts of Assize has it. */
const passageSentences = (passage, quote) => [
  'As it is in this file; it may have been changed:',
  ...quote(passage),
  'The reports in the folder reports of the bundle may still show the original words, or may have been changed too: this check compares them with the manifest alone. A comparison with another copy shows which.',
];

/** What is wrong, where, what it means, and what to do. */
function faultSentences(report) {
  const { problem, plain, uses = [], used_in = 0, meaning, counted, log = null, isSinceGiven = false } = report;
  return [
    `TAMPERED: ${plain ?? problem}`,
    ...(report.trials === undefined ? [] : inventedSentences(report)),
    ...linesOfUses({ uses, used_in }).map((line) => `Where it is: ${line}`),
    ...(counted?.bad_text_places ?? []).map((line) => `Texts without their hash: ${line}`),
    ...(meaning === undefined ? [] : [`What it means: ${meaning}`]),
    `What to do: Do not rely on this file as a whole. ${askAgain}`,
    ...sinceSentences(log, isSinceGiven),
  ];
}

/** What somebody wants who looks further into a fault. */
function faultDetails(report, given, quote) {
  const { problem, plain, passage, counted, roots, log } = report;
  return [
    ...(plain === undefined ? [] : [`In technical words: ${problem}`]),
    ...(passage === undefined ? [] : passageSentences(passage, quote)),
    ...(counted === undefined ? [] : [counted.words]),
    ...(roots?.words ?? []),
    ...(!log
      ? []
      : [
          'The events are still those of the log. Its signatures cover them, not the fault above.',
          ...logSentences({ log }, given),
        ]),
  ];
}

/** An arm, with `by` whose decisions the labels are: undefined where they are the truth. */
function armSentence({ arm, done, known, right, by, interval, f1: score }) {
  const [truth, judged] =
    by === undefined ? ['truth', 'with a known truth were right'] : [`decision of ${by}`, `agreed with ${by}`];
  if (known === 0) return `${arm}: ${done} trials done, none with a known ${truth}.`;
  const ends = interval === null ? '' : `95% interval ${percent(interval.low)} to ${percent(interval.high)}`;
  const source = interval?.derived === false ? ' over cases, as statistics.json says it: not computed again here' : '';
  return [
    `${arm}: ${right} of ${known} decisions ${judged}, ${percent(right / known)}`,
    ...(ends === '' ? [] : [` (${ends}${source})`]),
    ...(score === null ? ['.'] : [`, F1 ${score.toFixed(3)}.`]),
  ].join('');
}

/** More heads than these are not listed. */
const mostHeads = 20;

/** The number that a report of a trial names, of each trial. */
function headSentences(heads) {
  const trials = [...heads].filter(([chain]) => /^[0-9a-f]{16}$/.test(chain));
  if (trials.length > mostHeads)
    return [
      'Head of a trial: in events.jsonl of this bundle, the hash of the last event of the trial. Compare it with the one in its report.',
    ];
  const listed = trials.map(([trial, head]) => `Head of trial ${trial}: ${head}`);
  return listed.length === 0
    ? []
    : [...listed, 'Compare a head with the one in a report of the trial that you got by another way.'];
}

/** Which answers the demo model made up, and how many trials have not ended. As src/shared/proved.ts of Assize has it. */
function inventedSentences({ standin, trials, notEnded: open, standinNotEnded: inventedOpen }) {
  const ended = trials - open;
  const of = open === 0 ? 'these trials' : `the ${ended} that have ended`;
  const all = open === 0 ? 'all trials' : 'all trials that have ended';
  return [
    ...(standin === 0
      ? []
      : [
          `DEMO MODEL: a program made up the answers of ${standin === ended ? all : `${standin} of ${of}`}. No language model was asked for them.`,
        ]),
    ...(inventedOpen === 0
      ? []
      : [
          `${standin === 0 ? 'DEMO MODEL: a program' : 'It also'} made up the answers so far of ${inventedOpen} of ${open === 1 ? '1 trial that has' : `${open} trials that have`} not ended.`,
        ]),
    ...(open === 0 || inventedOpen > 0 ? [] : [open === 1 ? '1 trial has not ended.' : `${open} trials have not ended.`]),
  ];
}

/** What the reader entered, as hashes are written. */
const hashIn = (entered) => entered.replaceAll(/^\s*fingerprint:|\s/gi, '').toLowerCase();

/**
 * What a number that the reader got by another way says of the bundle; null where none is entered.
 * @param {string} entered a root, a head of a trial or the fingerprint of a key
 */
export function compare({ result, root, eventsRoot = root, heads, log }, entered) {
  const given = hashIn(entered);
  if (given === '') return null;
  if (!/^[0-9a-f]{64}$/.test(given))
    return { fits: false, words: 'What you entered is no root, head or fingerprint: these have 64 hexadecimal digits.' };
  if (given === eventsRoot) return { fits: true, words: 'What you entered is the bundle root over the events of this file.' };
  const [chain] = [...(heads ?? [])].find(([, head]) => head === given) ?? [];
  if (chain !== undefined)
    return { fits: true, words: `What you entered is the head of ${chain} in this file. It covers nothing else of the record.` };
  if (given === log?.signer)
    return {
      fits: true,
      words: `What you entered is the key that signed the events of this file${result === 'intact' ? '' : ': you may use what it signed, also without the root'}. It does not say which record it is.`,
    };
  return {
    fits: false,
    words:
      eventsRoot === undefined
        ? 'What you entered was compared with nothing: the check ended before it had a root.'
        : 'What you entered IS NOT the bundle root of this file, nor the head of a trial in it, nor the key that signed it. Ask for the right file. The root of a whole record is another number than that of a bundle.',
  };
}

/** What was found, in lines to read, the most important first. @param entered as `compare` has it */
export const sentences = (report, entered = '') => [...mainSentences(report, entered), ...detailSentences(report, entered)];

const uncomparedSentence = ({ log }) =>
  log === null
    ? 'NOT COMPARED: this bundle has no log, so nothing shows whether it continues from the earlier checkpoint. Ask its maker for one with checkpoint.txt, key.txt and log.jsonl in it.'
    : `NOT COMPARED: the earlier checkpoint is of the log ${log.other}, and that of this bundle is ${log.origin}. A copy of a record has another log, and so has one that somebody wrote to take its place. Before you rely on this bundle, compare the bundle root below with that of the file which the copy was made of.`;

/** What every reader needs. */
export function mainSentences(report, entered = '') {
  if (report.isSinceBad) return [`NOT CHECKED: ${report.problem}`, 'What to do: Give the checkpoint as it was saved.'];
  if (report.result === 'unreadable')
    return [`UNREADABLE: ${report.problem}`, `What to do: Do not rely on this file. ${askAgain}`];
  if (report.result === 'tampered') return faultSentences(report);
  const unchanged = unchangedSentences(report);
  const isKnown = unchanged.length > 0 || hashIn(entered) === report.root;
  return [
    ...(isUncompared(report) ? [uncomparedSentence(report)] : []),
    `INTACT: experiment ${report.experiment}: ${amount(report.trials, 'trial')}, ${amount(report.events, 'event')} in ${amount(report.chains, 'chain')}, ${amount(report.texts, 'text')}.`,
    ...inventedSentences(report),
    ...(report.redacted
      ? [
          `Redacted: ${amount(report.leftOut, 'text')} left out. What they say, and the truth of each case, cannot be checked here.`,
        ]
      : []),
    ...report.arms.map(armSentence).map(onOneLine),
    `Bundle root: ${report.root}.${isKnown ? '' : ' Compare it with one that you got by another way.'}`,
    ...logSentences(report, hashIn(entered)),
    ...(isUncompared(report) ? [] : sinceSentences(report.log, report.isSinceGiven)),
    ...unchanged,
    ...adoptedSentences(report.adopted).map(onOneLine),
    provedSentence(report),
    ...(isKnown
      ? []
      : [
          'Somebody who rewrites the whole record also makes new hashes, and the root is then another: compare the root with one that you got by another way.',
        ]),
    'Not proved: that a model gave these answers, who wrote the record and when, that nothing was left out, and that data and labels are right. docs/audit.md of Assize says how to sign before the first trial.',
  ];
}

/** The rest, for who looks further. @param quote what a passage that was changed becomes */
export function detailSentences(report, entered = '', quote = linesOfPassage) {
  if (report.result === 'unreadable') return [];
  if (report.result === 'tampered') return faultDetails(report, hashIn(entered), quote);
  return [
    ...headSentences(report.heads),
    'Not checked: the reports in the bundle, and its statistics other than counts, accuracy and F1. They are only compared with the manifest, which can be written again. assize verify REPORT.html --against BUNDLE.zip compares a report with the record.',
    'What to do next: assize verify BUNDLE.zip checks more, such as the request of each call. Only assize replay BUNDLE.zip checks whether each verdict follows from the recorded answers of the models, and assize stats EXPERIMENT --store BUNDLE.zip computes differences, intervals and p-values again.',
  ];
}
