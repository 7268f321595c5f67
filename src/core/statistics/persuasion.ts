import { followedLabel } from '../figures/beliefChanges.ts';
import { type Side, sideOf } from '../figures/speakers.ts';
import { heldSteps, type VerdictPath } from '../trajectory/verdictPath.ts';

/** How one speech moved the role that decides. */
export interface SpeechEffect {
  readonly side: Side;
  readonly role: string;
  readonly turn: string;
  /** Key of the speech's utterance. */
  readonly after: string | null;
  /** P(label) after the speech less P(label) before it, -1 to 1; the label of two that is followed, the positive one. */
  readonly change: number;
  /** The change towards the label that the speaker's side argues for, -1 to 1; null for a speaker of no side. */
  readonly towards: number | null;
}

/**
 * Change of belief per speech, from the beliefs held just before and just after it.
 *
 * For trials of two labels: the prosecution argues for the followed (positive) label and the defense for the other, or
 * where sides were exchanged the other way round, so that a positive `towards` is a speech that convinced and a negative one a speech that backfired. What a judge recalls
 * at the end is left out. The first speech has an effect only where a prior was asked for. Beliefs without a
 * distribution are passed over, and what was said until the next one is then several speeches' doing: no one has that effect.
 * More than two labels, or several that can apply: no effects, since sides argue for one of two.
 */
export function persuasion(path: VerdictPath, positive: string | null): SpeechEffect[] {
  const effects: SpeechEffect[] = [];
  let before: number | null = null;
  let passedOver = false;
  const accused = accusationIn(path);
  for (const { moment, prediction, belief, speech, after } of heldSteps(path)) {
    if (moment === 'ruling' || Array.isArray(prediction)) break;
    if (belief === null) {
      passedOver = true;
      continue;
    }
    const labels = Object.keys(belief);
    if (labels.length !== 2) break;
    const label = followedLabel(labels, positive) ?? '';
    const now = belief[label] ?? 0;
    if (before !== null && speech !== null && !passedOver)
      effects.push(effectOf({ ...speech, after }, now - before, accused === null || accused === label));
    before = now;
    passedOver = false;
  }
  return effects;
}

/** The label that the prosecution argued for; null where that is not known. */
function accusationIn({ pleading }: VerdictPath): string | null {
  const own = Object.entries(pleading?.claims ?? {}).find(([role]) => sideOf(role) === 'prosecution');
  return own?.[1] ?? null;
}

function effectOf(speech: Pick<SpeechEffect, 'role' | 'turn' | 'after'>, change: number, accuses: boolean): SpeechEffect {
  const side = sideOf(speech.role);
  return {
    side,
    ...speech,
    change,
    towards: side === 'neutral' ? null : (side === 'prosecution') === accuses ? change : -change,
  };
}
