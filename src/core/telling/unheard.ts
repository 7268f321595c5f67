// Tells in what a trial was changed, and what of it nobody heard: the speech that its change withholds or replaces, or those after the cut.
import type { TrialChange } from '../../shared/changes.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { speechOf } from '../record/withheld.ts';

/** By an utterance that nobody heard. */
export const notHeard = 'not heard by the court';

/** @param key of an utterance in the record @param change of its trial */
export const isUnheard = (key: string, change: TrialChange | undefined): boolean =>
  [change?.speech, change?.replaced?.speech].includes(speechOf(key)) ||
  change?.truncated?.of.slice(change.truncated.heard).includes(speechOf(key)) === true;

/** In which declared change a trial differs from the one beside it; null where what was not heard says it, or nothing is changed. */
export function changedTrialText({ change, base_arm: base }: Pick<TrialLine, 'change' | 'base_arm'>): string | null {
  if (change === undefined || unheardText(change) !== null) return null;
  const stays = change.applies === false ? ' This case has that already and stays as it is.' : '';
  return `Tried again with one thing changed: ${change.text}. The unchanged trial of the case is that of arm ${base}.${stays}`;
}

/** What the court did not hear, and by which change; null where it heard everything that was said. */
export function unheardText(change: TrialChange | undefined): string | null {
  if (change?.speech !== undefined)
    return `With the change “${change.text}” the court did not hear the speech ${change.speech}, which is marked below.`;
  if (change?.replaced !== undefined) {
    const { speech, text } = change.replaced;
    return `With the change “${change.text}” the court did not hear what is marked below. In place of the speech ${speech} it heard: “${text}”`;
  }
  if (change?.truncated === undefined) return null;
  const { heard, of } = change.truncated;
  const some = heard === 0 ? 'none of the' : `only the first ${heard} of`;
  return `With the change “${change.text}” the court heard ${some} ${of.length} speeches. Those that it did not hear are marked below.`;
}
