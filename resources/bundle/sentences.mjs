// What a check of a bundle found, in words.
import { isLogOf, isUncompared, logSentences, sinceSentences } from './log.mjs';
import { linesOfPassage, linesOfUses, onOneLine } from './uses.mjs';
import {
  adoptedSentences,
  goneFrom,
  inventedSentences,
  notProvedWords,
  passageWords,
  provedSentence,
  reportsNotChecked,
  reportsWords,
  rewrittenWords,
  unchangedSentence,
} from './words.mjs';

const percent = (share) => `${(100 * share).toFixed(1)}%`;

const amount = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

const askAgain = 'Ask for it as it was exported, and compare the root of the new one with a root that you got by another way.';

function unchangedSentences(report) {
  const { log, notEnded } = report;
  if (!log?.since) return [];
  return [unchangedSentence({ gone: goneFrom(report), isGrown: !isLogOf(log), notEnded, isBundle: true })];
}

/** As the maker of the bundle says it; it can be anything, or missing. */
function copiedSentences(adopted) {
  try {
    return adoptedSentences(adopted);
  } catch {
    return [];
  }
}

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
    ...(passage === undefined ? [] : [passageWords, ...quote(passage), reportsWords]),
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
    ...unchanged,
    ...(isUncompared(report) ? [] : sinceSentences(report.log, report.isSinceGiven)),
    ...copiedSentences(report.adopted).map(onOneLine),
    provedSentence(goneFrom(report)),
    ...(isKnown ? [] : [rewrittenWords]),
    notProvedWords,
  ];
}

/** The rest, for who looks further. @param quote what a passage that was changed becomes */
export function detailSentences(report, entered = '', quote = linesOfPassage) {
  if (report.result === 'unreadable') return [];
  if (report.result === 'tampered') return faultDetails(report, hashIn(entered), quote);
  return [
    ...headSentences(report.heads),
    reportsNotChecked,
    'What to do next: assize verify BUNDLE.zip checks more, such as the request of each call. Only assize replay BUNDLE.zip checks whether each verdict follows from the recorded answers of the models, and assize stats EXPERIMENT --store BUNDLE.zip computes differences, intervals and p-values again.',
  ];
}
