import { lastAttempt } from '../../../core/record/fold.ts';
import { pleadingOf } from '../../../core/statistics/pleading.ts';
import { type TrialPath, trialPath } from '../../../core/statistics/trialPath.ts';
import type { EventKind } from '../../../shared/events.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** Events that a way to a verdict is read from. */
export const pathKinds = [
  'trial-open',
  'side-assign',
  'utterance-make',
  'belief-update',
  'ruling-give',
] as const satisfies readonly EventKind[];

/**
 * The ways to the verdicts of decided trials, by trial. Trials without a ruling of their own have none.
 * @param claimsOf role -> label that it argues for by the rules of an arm
 * @param onRead told how many trials are read
 */
export function trialPaths(
  store: Store,
  lines: readonly TrialLine[],
  claimsOf: (arm: string) => Readonly<Record<string, string>>,
  onRead: (done: number, of: number) => void,
): Map<string, TrialPath> {
  const decided = lines.filter(({ status, outcome }) => status === 'done' && outcome === 'decided');
  const paths = new Map<string, TrialPath>();
  decided.forEach(({ trial, arm }, index) => {
    const events = lastAttempt(parseChain(store.events.ofKinds(trial, pathKinds)));
    const path = trialPath(events);
    if (path !== null) paths.set(trial, { ...path, pleading: pleadingOf(events, claimsOf(arm)) });
    onRead(index + 1, decided.length);
  });
  return paths;
}
