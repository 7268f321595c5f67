// What a check that found nothing wrong proves, in the words of the command line and of screens.
import { isLogOf } from './checkpoints.ts';
import { andImported } from './imported.ts';
import type { Adoption, VerifyReport } from './outputs.ts';
import { quantity } from './sizes.ts';

const notProved =
  'Not proved: that a model gave these answers, who wrote the record and when, that nothing was left out, and that data and labels are right. docs/audit.md of Assize says how to sign before the first trial.';

/** Of a bundle also this; resources/bundle has the same. */
const reportsNotChecked =
  'Not checked: the reports in the bundle, and its statistics other than counts, accuracy and F1. They are only compared with the manifest, which can be written again. assize verify REPORT.html --against BUNDLE.zip compares a report with the record.';

/** What hashes cannot show by themselves; resources/bundle and docs/record-format/verify.py have the same. */
const rewrittenWords =
  'Somebody who rewrites the whole record also makes new hashes, and the root is then another: compare the root with one that you got by another way.';

/** Why a root or head that was given is not compared where chains were not read. */
export const unreadHeadWords = (chains: number): string =>
  `The root or head that you gave was not compared, because ${quantity(chains, 'chain was', 'chains were')} not read.`;

/** Text above a passage that was changed. */
export const passageWords = 'As it is in this file; it may have been changed:';

/** Where the original of a passage may still be. */
export const reportsWords =
  'The reports in the folder reports of the bundle may still show the original words, or may have been changed too: this check compares them with the manifest alone. A comparison with another copy shows which.';

/** What a head that was given says of a record with a chain that ends in it. */
export function headOfWords({ chain, experiment, arm, case: kase }: NonNullable<VerifyReport['head_of']>): string {
  const isTrial = /^[0-9a-f]{16}$/.test(chain);
  const about = [
    ...(experiment === null ? [] : [`experiment ${experiment}`]),
    ...(arm === null ? [] : [`arm ${arm}`]),
    ...(kase === null ? [] : [`case ${kase}`]),
  ].join(', ');
  const name = `${isTrial ? 'trial' : 'the chain'} ${chain}${isTrial && about !== '' ? ` (${about})` : ''}`;
  return `What you gave is the head of ${name}: this is the ${isTrial ? 'trial' : 'chain'} that you named. The head does not cover the rest of the record; only the root does.`;
}

/** What a root or head that was given says of a record in which something else is wrong. @param matches null: an event is bad */
export function headWords(matches: boolean | null): string {
  if (matches === null)
    return 'This check cannot say whether the record has the root that you gave: an event does not have its hash.';
  return matches
    ? 'The events still have the root or head that you gave: the verdicts and beliefs that it covers are those that were recorded.'
    : 'The root of the events is not the one that you gave: nothing shows that these are the events that were recorded.';
}

/** Where a record, or parts of it, were copied from, in sentences. @param timeIn how a time is written */
export function adoptedWords({ others = [], ...first }: Adoption, timeIn: (at: string) => string): string {
  const when = ({ at, root }: Pick<Adoption, 'at' | 'root'>) => `on ${timeIn(at)}, when its root was ${root}`;
  const signed = ({ signers }: Pick<Adoption, 'signers'>) =>
    signers.length === 0 ? 'No signature was found with it.' : `It was signed there by ${signers.join(', ')}.`;
  const words = (each: Omit<Adoption, 'earlier' | 'others'>) => {
    const { file, experiments = [], joined = false } = each;
    const named = `the experiment${experiments.length === 1 ? '' : 's'} ${experiments.join(', ')}`;
    const what = experiments.length === 0 ? 'the whole record' : `${joined ? 'trials of ' : ''}${named}`;
    return `${joined ? 'Joined' : 'Copied'} from ${file} ${when(each)}: ${what}. ${signed(each)}`;
  };
  return [
    ...[first, ...others].flatMap(({ earlier = [], ...each }) => [
      words(each),
      ...earlier.map((before) => `That file was a copy of ${before.file}, made ${when(before)}. ${signed(before)}`),
    ]),
    'This is a note, which no hash covers: anyone who can write to the file can change it.',
  ].join(' ');
}

/** Whether trials of another store were joined to the record, by its notes. */
export const hasJoined = (adopted: Adoption | undefined): boolean =>
  adopted !== undefined && [adopted, ...(adopted.others ?? [])].some(({ joined }) => joined === true);

/** Text about answers that the demo model made up and trials that have not ended; nothing if there are none. */
export function inventedWords({
  standin,
  trials,
  not_ended: open,
  standin_not_ended: inventedOpen = 0,
}: Pick<VerifyReport, 'standin' | 'trials' | 'not_ended' | 'standin_not_ended'>): string {
  const ended = trials - open;
  const of = open === 0 ? 'these trials' : `the ${ended} that have ended`;
  const all = open === 0 ? 'all trials' : 'all trials that have ended';
  const whose = standin === ended ? all : `${standin} of ${of}`;
  return [
    ...(standin === 0 ? [] : [`DEMO MODEL: a program made up the answers of ${whose}. No language model was asked for them.`]),
    ...(inventedOpen === 0
      ? []
      : [
          `${standin === 0 ? 'DEMO MODEL: a program' : 'It also'} made up the answers so far of ${inventedOpen} of ${quantity(open, 'trial')} that ${open === 1 ? 'has' : 'have'} not ended.`,
        ]),
    ...(open === 0 || inventedOpen > 0 ? [] : [`${quantity(open, 'trial has', 'trials have')} not ended.`]),
  ].join(' ');
}

/** Sentences about experiments that have not held all planned trials; nothing if there are none. */
export const heldWords = ({ held_in_part: inPart = [] }: Pick<VerifyReport, 'held_in_part'>): string =>
  inPart
    .map(
      ({ experiment, held, planned, imported = 0 }) =>
        `${experiment}: ${held} of ${planned} planned trials have ended${andImported(imported)}.`,
    )
    .join(' ');

type Checked = Pick<VerifyReport, 'kind' | 'left_out' | 'since'> & { readonly erasures: readonly object[] | null };

const goneFrom = ({ left_out: leftOut, erasures }: Checked): string =>
  [...(leftOut > 0 ? ['left out'] : []), ...((erasures ?? []).length > 0 ? ['erased'] : [])].join(' or ');

/** What a checkpoint shows that an intact record fits, by the hashes that it signs; resources/bundle has the same. Null without one. */
export function unchangedWords(report: Checked & Pick<VerifyReport, 'log' | 'not_ended'>): string | null {
  const { kind, since, log, not_ended: open } = report;
  if (since?.extends !== true) return null;
  const gone = goneFrom(report);
  const isGrown = !isLogOf(since, log);
  const [done, of] = isGrown ? ['changed or removed', 'that it covers'] : ['changed, removed or added', 'of this record'];
  const uncovered = [
    ...(isGrown ? ['what was added since'] : []),
    ...(isGrown || open > 0 ? ['trials that had not ended'] : []),
    ...(gone === '' ? [] : [`texts and labels that were ${gone}`]),
    ...(kind === 'bundle' ? ['the reports and statistics of the bundle'] : []),
  ];
  return `Since you got this checkpoint nobody, not even the owner of the key, can have ${done} an event (such as a verdict), a text or a label ${of} without it showing; before that day anything was possible.${uncovered.length === 0 ? '' : ` Not covered: ${uncovered.join('; ')}.`}`;
}

/** Two to four statements. The command line prints each on a new line. @param isRootKnown its root is one that the reader was given */
export function provedWords(report: Checked, isRootKnown: boolean): readonly string[] {
  const { kind, since } = report;
  const gone = goneFrom(report);
  return [
    gone === ''
      ? 'Proved: no event and no text was changed since its hash was made, and the results listed for each trial follow from its events.'
      : `Proved: no event and no text that is still there was changed since its hash was made. Texts that were ${gone}, and what needs them, were not checked.`,
    ...(isRootKnown || since?.extends === true ? [] : [rewrittenWords]),
    notProved,
    ...(kind === 'bundle' ? [reportsNotChecked] : []),
  ];
}
