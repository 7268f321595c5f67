import { shownArmNames } from '../../../core/figures/armNames.ts';
import { changeTitle } from '../../../core/telling/unheard.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { minuteText } from '../../ui/moments.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { factsApart } from './factsApart.ts';

type Column = Pick<TrialView, 'line' | 'title' | 'question' | 'facts' | 'entries' | 'opened' | 'replicates'>;

/** Cases from Try a case have no id that says anything, and one arm. */
const isTold = ({ title }: Column): boolean => title !== null;

const isLater = (a: Column, b: Column): boolean => a.opened !== null && b.opened !== null && a.opened > b.opened;

/** Two trials of one case with the original first; others in the order given. */
export function originalFirst<View extends Column>(a: View, b: View): readonly [View, View] {
  if (a.line.case !== b.line.case) return [a, b];
  const [isChanged, isOtherChanged] = [a, b].map(({ line }) => line.change !== undefined);
  const isAfter = isChanged === isOtherChanged ? isTold(a) && isTold(b) && isLater(a, b) : isChanged === true;
  return isAfter ? [b, a] : [a, b];
}

/** What the column of a trial is called next to another trial. */
export function columnTitle(view: Column, other: Column): string {
  const { line, replicates, entries, opened } = view;
  const { change, arm, base_arm: base, protocol } = line;
  const numbered = replicateText(line, replicates);
  const named = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ');
  const changed = change === undefined ? null : changeTitle(change, entries);
  if (!isTold(view)) {
    const name = changed === null ? arm : (base ?? arm);
    return named([changed === null ? arm : (shownArmNames([name]).get(name) ?? name), changed, numbered]);
  }
  if (changed !== null) return named([capitalized(changed), numbered]);
  const isFirst = other.line.change !== undefined;
  const hasOtherFacts = view.question === other.question && factsApart(view, other).length > 0;
  if (isFirst || (hasOtherFacts && isLater(other, view))) return named(['As tried first', numbered]);
  if (hasOtherFacts && isLater(view, other)) return 'Facts changed';
  return named([protocolTitle(protocol), opened === null ? null : minuteText(opened), numbered]);
}
