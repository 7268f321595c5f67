// What a check that found nothing wrong proves, in the words of the command line and of screens.
import {
  adoptedSentences,
  goneFrom,
  inventedSentences,
  notProvedWords,
  provedSentence,
  reportsNotChecked,
  rewrittenWords,
  unchangedSentence,
} from '../../resources/bundle/words.mjs';
import { isLogOf } from './checkpoints.ts';
import { andImported } from './imported.ts';
import type { Adoption, VerifyReport } from './outputs.ts';
import { count, quantity } from './sizes.ts';

export { passageWords, reportsWords } from '../../resources/bundle/words.mjs';

/** Why a root or head that was given is not compared where chains were not read. */
export const unreadHeadWords = (chains: number): string =>
  `The root or head that you gave was not compared, because ${quantity(chains, 'chain was', 'chains were')} not read.`;

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
export const adoptedWords = (adopted: Adoption, timeIn: (at: string) => string): string =>
  adoptedSentences(adopted, timeIn).join(' ');

/** Whether trials of another store were joined to the record, by its notes. */
export const hasJoined = (adopted: Adoption | undefined): boolean =>
  adopted !== undefined && [adopted, ...(adopted.others ?? [])].some(({ joined }) => joined === true);

/** Text about answers that the demo model made up and trials that have not ended; nothing if there are none. */
export const inventedWords = ({
  standin,
  trials,
  not_ended: notEnded,
  standin_not_ended: standinNotEnded = 0,
}: Pick<VerifyReport, 'standin' | 'trials' | 'not_ended' | 'standin_not_ended'>): string =>
  inventedSentences({ standin, trials, notEnded, standinNotEnded }).join(' ');

/** `104 trials (103 ended)`; only their number where not all were read now. */
export const trialsWords = ({ result, trials, not_ended: notEnded }: Pick<VerifyReport, 'result' | 'trials' | 'not_ended'>) =>
  `${quantity(trials, 'trial')}${result === 'partly-read' ? '' : ` (${count(trials - notEnded)} ended)`}`;

/** How many of their planned trials experiments have held: a sentence for each with trials left, or for the only one. */
export function heldWords(held: NonNullable<VerifyReport['held']> = []): string {
  const named = held.length === 1 ? held : held.filter((each) => each.held < each.planned);
  const whole = held.length - named.length;
  const rest = named.length === 0 ? quantity(whole, 'experiment') : quantity(whole, 'other experiment');
  return [
    ...named.map(
      ({ experiment, held, planned, imported = 0 }) =>
        `${experiment}: ${held} of ${planned} planned trials have ended${andImported(imported)}.`,
    ),
    ...(whole === 0 ? [] : [`All planned trials of ${rest} have ended.`]),
  ].join(' ');
}

type Checked = Pick<VerifyReport, 'kind' | 'left_out' | 'since'> & { readonly erasures: readonly object[] | null };

const goneIn = ({ left_out: leftOut, erasures }: Checked): string => goneFrom({ leftOut, erased: erasures?.length ?? 0 });

/** What a checkpoint shows that an intact record fits, by the hashes that it signs. Null without one. */
export function unchangedWords(report: Checked & Pick<VerifyReport, 'log' | 'not_ended'>): string | null {
  const { kind, since, log, not_ended: notEnded } = report;
  if (since?.extends !== true) return null;
  return unchangedSentence({ gone: goneIn(report), isGrown: !isLogOf(since, log), notEnded, isBundle: kind === 'bundle' });
}

/** Two to four statements. The command line prints each on a new line. @param isRootKnown its root is one that the reader was given */
export function provedWords(report: Checked, isRootKnown: boolean): readonly string[] {
  const { kind, since } = report;
  return [
    provedSentence(goneIn(report)),
    ...(isRootKnown || since?.extends === true ? [] : [rewrittenWords]),
    notProvedWords,
    ...(kind === 'bundle' ? [reportsNotChecked] : []),
  ];
}
