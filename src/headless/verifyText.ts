// What `assize verify` prints for people: what was found, where, what it means, and what to do next.
import { linesOfPassage, linesOfUses, onOneLine, type TextUse } from '../../resources/bundle/uses.mjs';
import { commandText, ownCall } from '../main/engine/engine.ts';
import {
  type EarlierReport,
  isLogOf,
  isOfOtherLog,
  isSignedByNamed,
  logWords,
  noSignatureWords,
  noSignerWords,
  otherHash,
  ownKeyWords,
  type ProofReport,
  signedUseWords,
  signedWhenWords,
  sinceWords,
  unsignedWords,
  whoseKeyWords,
} from '../shared/checkpoints.ts';
import { isDifferent } from '../shared/differenceCounts.ts';
import type { Differences } from '../shared/differences.ts';
import { erasedText } from '../shared/erasure.ts';
import type { VerifyReport } from '../shared/outputs.ts';
import {
  adoptedWords,
  hasJoined,
  headOfWords,
  headWords,
  heldWords,
  inventedWords,
  passageWords,
  provedWords,
  reportsWords,
  trialsWords,
  unchangedWords,
  unreadHeadWords,
} from '../shared/proved.ts';
import { differencesText } from './differencesText.ts';
import { amount, lines } from './format.ts';

const cosignerText = ({ name, fingerprint, at }: ProofReport['cosigners'][number]): string =>
  fingerprint === null ? `Cosignature not checked, its key is not known: ${name}` : `Cosigned at ${at}: ${fingerprint}`;

export function proofText(report: ProofReport): string {
  const { result, proof, trial, head, position, size, origin, signature_checked, cosigners, problem } = report;
  if (result === 'tampered')
    return `TAMPERED: ${proof}\nTrial ${trial}: ${problem ?? ''}\nWhat to do: ask for the proof again, and for the checkpoint that it is of.\n`;
  return lines(
    `Intact: ${proof}`,
    `Trial ${trial} ended with the head ${head}: compare it with the one that you know.`,
    `Entry ${position} of the log ${origin}, in its checkpoint of ${amount(size, 'entry', 'entries')}.`,
    signature_checked ? 'Signed by a key that you gave.' : 'The log’s own signature was not checked: give its key with --key.',
    cosigners.map(cosignerText),
    `Not proved: what the trial says. ${ownCall} verify checks that in the store or the bundle that has it.`,
  );
}

function logText(report: VerifyReport, hasKey: boolean): string {
  const { log, since, result, adopted } = report;
  // Of a changed record it is not known.
  const noSigner = result !== 'tampered' && noSignerWords;
  if (log === null) return lines(hasKey ? noSignatureWords : noSigner);
  const { signers, cosigners, time_stamps, made_at } = log;
  return lines(
    [logWords(log, hasKey), (signers.length > 0 && unsignedWords(log, hasJoined(adopted))) || []].flat().join(' '),
    signers.map(
      (signer) =>
        `Signed by ${signer.fingerprint}, ${signer.known ? 'which you named with --key' : `${ownKeyWords(signer)}${hasKey ? ', and which you have not named with --key' : ''}`}.`,
    ),
    signers.length > 0 && time_stamps === 0 && signedWhenWords(made_at),
    !signers.every(({ known, own }) => known || own) && whoseKeyWords,
    signers.length === 0 && noSigner,
    cosigners.map(cosignerText),
    time_stamps > 0 && `${amount(time_stamps, 'time stamp')} attached, which this program does not check.`,
    result === 'intact' && (unchangedWords(report) ?? false),
    since !== null && result !== 'other-log' && sinceWords(since, log),
  );
}

function erasuresText({ erasures, erasure_unfinished }: VerifyReport): string {
  return lines(
    erasures?.map(
      ({ at, texts, salt, ...erased }) =>
        `Erased at ${at}: ${onOneLine(erasedText(erased))}, ${amount(texts, 'text')}${salt ? ' and the salt' : ''}. Not checked without these texts: the prompts and answers of the calls that had them, and whether the verdicts follow from those.`,
    ),
    erasure_unfinished && `An erasure was cut short: run ${ownCall} erase to finish it.`,
  );
}

/** Why the checkpoint that was given shows nothing of this record, and how it can be compared after all. */
function otherLogText({ store, since, log, kind, adopted }: VerifyReport): string {
  if (since === null || !isOfOtherLog(since, log)) return '';
  const what = kind === 'bundle' ? 'bundle' : 'store';
  if (log === null)
    return `NOT COMPARED: this ${what} has no log, so nothing shows whether it continues from the checkpoint of --since. Ask its owner for one with the log ${since.origin}.\n`;
  return [
    `NOT COMPARED: the checkpoint of --since is of another log than that of this ${what}, so it shows nothing about it.`,
    'A copy that assize adopt or merge makes has another log. So has a record that somebody wrote to take the place of the real one: until you have compared the two, do not take this for the record that the checkpoint is of.',
    `The checkpoint is of the log ${since.origin} and covers ${amount(since.size, 'entry', 'entries')}. The log here is ${log.origin} and has ${amount(log.size, 'entry', 'entries')}; even logs of the same record can differ in number.`,
    list('To compare the two', [
      kind === 'bundle' || hasJoined(adopted)
        ? `Check a bundle of the file that the copy was made of, and note the root that it prints: ${ownCall} verify OTHER.zip --since CHECKPOINT. Then: ${kind === 'bundle' ? commandText('verify', store) : `export a bundle of the same experiment, and run ${ownCall} verify BUNDLE`} --head ROOT`
        : `Check the file that the copy was made of, and note the root that it prints: ${ownCall} verify FILE --since CHECKPOINT. Then: ${commandText('verify', store)} --head ROOT. Of a copy that was only added to since, it says so.`,
    ]),
  ].join('\n');
}

type Fault = NonNullable<VerifyReport['first_bad']>;

const list = (title: string, entries: readonly string[]) =>
  entries.length === 0
    ? ''
    : lines(
        `${title}:`,
        entries.map((line) => `  - ${line}`),
      );

const isTrial = ({ trial }: TextUse) => /^[0-9a-f]{16}$/.test(trial);

function lookingAt(store: string, { experiment, trial }: TextUse): string[] {
  if (experiment === null) return [];
  return [
    `To read the trial as it is now, with a warning on top: ${commandText('show', experiment, '--trial', trial, '--store', store)}`,
    `To continue with sound trials, export them one by one; one that fails the check of an export is refused without --damaged: ${commandText('export', experiment, '--store', store, '--format', 'html', '--trial', 'ID', '--out', 'FILE')}`,
  ];
}

function remedies({ store }: VerifyReport, { kind, uses = [] }: Fault, isBundle: boolean, isCompared: boolean): string[] {
  if (kind === 'checkpoint')
    return [
      'Ask the owner of the record why it does not fit the checkpoint: a store that continues from it must still begin with what it covers.',
      `Compare with a copy from before: ${ownCall} verify COPY --since CHECKPOINT`,
    ];
  if (kind === 'earlier')
    return [
      'Ask who could write to the store since that check. If an older copy was put back on purpose, delete the file of --resume.',
      `Compare with a copy from before: ${ownCall} verify COPY --resume FILE`,
    ];
  if (isBundle)
    return [
      'Do not rely on this file as a whole. Ask for it as it was exported.',
      `Compare the root of the new one with a root that you got by another way: ${ownCall} verify BUNDLE --head ROOT`,
      ...(isCompared
        ? []
        : [`With another copy of the bundle, see which words differ: ${commandText('verify', store)} --against OTHER.zip`]),
    ];
  const [used] = uses.filter(isTrial);
  return [
    `Put back a copy from before the change, and check it against a root or a checkpoint that was kept elsewhere: ${ownCall} verify COPY --head ROOT, or --since CHECKPOINT`,
    ...(kind === 'trials' || kind === 'trajectories'
      ? [`Or make the results again from the events, in a copy of your own: ${commandText('rebuild', store)}`]
      : []),
    ...(used === undefined ? [] : lookingAt(store, used)),
  ];
}

const passageText = (passage: NonNullable<Fault['passage']>, isBundle: boolean): string =>
  lines(
    passageWords,
    linesOfPassage(passage).map((line) => `  ${line}`),
    isBundle && reportsWords,
  );

const rootsText = ({ roots }: VerifyReport, head: string): string =>
  lines(roots?.words, head !== '' && `Root or head that you gave: ${head.toLowerCase()}`);

function faultText(report: VerifyReport, bad: Fault, head: string, hasKey: boolean, isCompared: boolean): string {
  const unread = report.earlier?.chains_not_read ?? 0;
  const { trial, seq, kind, problem, plain, meaning, passage, uses = [], more_uses = 0, used_in = 0 } = bad;
  const isUsable = kind !== 'checkpoint' && report.head_matches !== false && report.log?.signers.some(({ known }) => known);
  const place = [trial, seq === null ? null : `event ${seq}`, kind].filter((part) => part !== null).join(', ');
  return [
    `TAMPERED: ${report.store}\n${plain === undefined ? '' : `${plain}\n`}First bad record: ${onOneLine(`${place}: ${problem}`)}\n`,
    lines(inventedWords(report) || false),
    list('Where it is', linesOfUses({ uses, more_uses, used_in })),
    list('Texts without their hash', report.counted?.bad_text_places ?? []),
    passage === undefined ? '' : passageText(passage, report.kind === 'bundle'),
    meaning === undefined ? '' : `What it means: ${meaning}\n`,
    report.counted === undefined ? '' : `${report.counted.words}\n`,
    report.log === null
      ? ''
      : `The events are still those of the log.${report.log.signers.length === 0 ? '' : ' Its signatures cover them, not the fault above.'}${isUsable ? ` ${signedUseWords}` : ''}\n`,
    logText(report, hasKey),
    rootsText(report, head),
    head !== '' ? `${unread > 0 ? unreadHeadWords(unread) : headWords(report.head_matches)}\n` : '',
    list('What to do', remedies(report, bad, kind === 'bundle', isCompared)),
  ].join('');
}

const counted = (report: VerifyReport) =>
  [trialsWords(report), amount(report.events, 'event'), amount(report.texts, 'text')].join(', ');

function partlyReadText(
  report: VerifyReport,
  { chains_read, chains_not_read, first, last, root }: EarlierReport,
  head: string,
  hasKey: boolean,
): string {
  const when = first === last ? `the check of ${first}` : `the checks from ${first} to ${last}`;
  const whole =
    head === ''
      ? `Read everything: ${commandText('verify', report.store)}`
      : `Read everything, and compare: ${commandText('verify', report.store, '--head', head)}`;
  const ended = root === null ? 'No earlier check came to its end' : `The last that came to its end had the record root ${root}`;
  return [
    `NOT READ WHOLE: ${report.store}`,
    `Nothing is wrong in what was read now: ${amount(chains_read, 'chain')} with ${counted(report)}, and the log.`,
    `Not read again: ${amount(chains_not_read, 'chain')}. The file of --resume says that ${when} read them. ${ended}. They have the same number of events and the same last hash as then. A change within them since, or in the results that are made from them, is not found this way.`,
    `Record root, if the chains that were not read are sound: ${report.root ?? ''}`,
    ...(head === '' ? [] : [unreadHeadWords(chains_not_read)]),
    `${logText(report, hasKey)}${erasuresText(report)}${list('What to do next', [whole])}`,
  ].join('\n');
}

const earlierText = ({ earlier }: VerifyReport): string =>
  earlier === undefined
    ? ''
    : earlier.not_used === null
      ? 'All of it was read now. The next check with the same file of --resume reads only what is new.\n'
      : `The file of --resume was not used: ${earlier.not_used}. All of the store was read, and nothing was added to the file. To begin a new one, delete it.\n`;

function further({ store, head_matches, since, left_out, log }: VerifyReport, hasKey: boolean): string {
  return list('What to do next', [
    ...(head_matches === true || since?.extends === true
      ? []
      : [
          `Compare the root with one that you got by another way, such as from the report or a letter: ${ownCall} verify RECORD --head ROOT`,
        ]),
    ...(hasKey || log === null || log.signers.every(({ own }) => own)
      ? []
      : ['Compare the signer with the fingerprint that you were given, such as in a letter: --key FINGERPRINT']),
    ...(since === null ? ['Check that it continues from an earlier checkpoint: --since CHECKPOINT'] : []),
    ...(left_out === 0
      ? [
          `Derive every verdict again from the recorded answers: ${commandText('replay', store)}`,
          `Compute differences, intervals and p-values again: ${commandText('stats', 'EXPERIMENT', '--store', store)}`,
        ]
      : []),
  ]);
}

const otherPlace = {
  key: `Compare it with the signer that ${ownCall} verify names.`,
  log: 'Give the checkpoint that it is from with --since CHECKPOINT.',
} as const;

/** @param key a trusted key's fingerprint, or the file of such keys; absent: none named @param differences from another copy */
export function verifyText(report: VerifyReport, head = '', key?: string, differences?: Differences): string {
  const { adopted } = report;
  return [
    report.result === 'other-log' ? otherLogText(report) : '',
    foundText(report, head, key, differences !== undefined),
    report.format === undefined
      ? ''
      : `Format ${report.format.now}, of an earlier Assize. The first thing that is written to this store brings it to format ${report.format.after_writing}; events, heads and roots stay the same. An earlier Assize can then no longer open it: keep a copy if you may go back.\n`,
    adopted === undefined ? '' : `${onOneLine(adoptedWords(adopted, (at) => at))}\n`,
    differences === undefined ? '' : differencesText(differences),
    report.result === 'intact' && differences !== undefined && isDifferent(differences)
      ? `\n${report.store} is intact, but the other copy is not the same: ${ownCall} verify ends with 1.\n`
      : '',
  ].join('');
}

/** That none of the keys that the reader named signed the record, and what the number is that they gave as one. */
function otherSignerText({ log, root }: VerifyReport, key: string | undefined): string {
  if (key === undefined || isSignedByNamed(log)) return '';
  const what =
    otherHash(log, key)?.of === 'log'
      ? ' What you gave is a log root, as a checkpoint signs it, and not a key.'
      : key.toLowerCase() === root
        ? ' What you gave is the root of this record, and not a key.'
        : '';
  return `NOT SIGNED BY THE KEY THAT YOU NAMED: ${log === null || log.signers.length === 0 ? 'nobody signed it' : 'another key did'}.${what} So ${ownCall} verify ends with 1.\n`;
}

const otherRecordWords = ({ kind, store }: VerifyReport, { meaning, problem }: NonNullable<VerifyReport['first_bad']>): string =>
  meaning !== undefined
    ? `Intact, and added to since the root that you named: ${store}\nEvery hash in it holds. ${meaning} Its root is another one now, so with --head ${ownCall} verify ends with 1; without, with 0.`
    : `NOT THE RECORD THAT YOU NAMED: ${store}\nEvery hash in it holds, and ${problem}. Either it is another record, or something was added to it since, such as a trial or a review; either way ${ownCall} verify ends with 1. --since CHECKPOINT shows which${kind === 'bundle' ? '. The root of a whole record fits a bundle only where the record held nothing else: give the bundle root or the head of a trial' : `, and so does a copy from then, with a new file NOTES: ${ownCall} verify COPY --resume NOTES, then ${commandText('verify', store)} --resume NOTES`}.`;

function foundText(report: VerifyReport, head: string, key: string | undefined, isCompared: boolean): string {
  const hasKey = key !== undefined;
  const rootText = `${report.kind === 'bundle' ? 'Bundle root' : 'Record root'}: ${report.root ?? ''}\n`;
  const { result, left_out, head_matches, head_of, first_bad, store, log, earlier } = report;
  const other = otherHash(log, head);
  if (first_bad?.kind === 'head' && other !== null)
    return `NOT THE ROOT: ${store}\nEvery hash in it holds. What you gave is ${other.words} ${otherPlace[other.of]} ${rootText}${logText(report, hasKey)}`;
  if (first_bad?.kind === 'head') return `${otherRecordWords(report, first_bad)}\n${logText(report, hasKey)}`;
  if (first_bad !== null) return faultText(report, first_bad, head, hasKey, isCompared);
  if (result === 'tampered') return `TAMPERED: ${store}\n`;
  if (earlier !== undefined && earlier.chains_not_read > 0) return partlyReadText(report, earlier, head, hasKey);
  const known =
    head_matches === true
      ? head_of === null
        ? 'its root is the given one'
        : 'the given head is in it'
      : report.since?.extends === true
        ? `its log ${isLogOf(report.since, log) ? 'is that of' : 'continues from'} the given checkpoint`
        : 'to know that it is the record that you mean, compare the root below or the signer with what you were given';
  const invented = inventedWords(report);
  const { experiments = [] } = report;
  const names = onOneLine(experiments.map((name) => JSON.stringify(name)).join(', '));
  return `Intact: ${store}\n${counted(report)}; ${known}.\n${otherSignerText(report, key)}${names === '' ? '' : `Experiments: ${names}. ${onOneLine(heldWords(report.held))}`.trimEnd().concat('\n')}${invented === '' ? '' : `${invented}\n`}${head_of === null ? '' : `${headOfWords(head_of)}\n`}${earlierText(report)}${left_out === 0 ? '' : `Redacted: ${amount(left_out, 'text')} left out. What they say, the prompts of calls and the truth of cases were not checked.\n`}${rootText}${logText(report, hasKey)}${erasuresText(report)}${provedWords(report, head_matches === true && head_of === null).join('\n')}\n${further(report, hasKey)}`;
}
