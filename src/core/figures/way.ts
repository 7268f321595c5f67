import type { Belief, BeliefGrounds } from '../../shared/domain.ts';
import type { EventKind, RecordEvent } from '../../shared/events.ts';
import { type Persuasion, persuasion } from '../statistics/persuasion.ts';
import { pleadingOf } from '../statistics/pleading.ts';
import { type TrialPath, trialPath } from '../statistics/trialPath.ts';
import { type PlacedStep, stepOf, verdictStep } from './steps.ts';

/** What one role held in the course of a trial. */
export interface WayLine {
  readonly role: string;
  /** The role that rules, or the mixture that becomes the verdict. */
  readonly rules: boolean;
  readonly points: readonly { readonly step: PlacedStep; readonly belief: Belief }[];
}

/** How a decided trial came to its verdict. */
export interface Way {
  readonly path: TrialPath;
  /** Roles that held beliefs at two steps or more. What was recalled at the end is in none. */
  readonly lines: readonly WayLine[];
  readonly persuasion: Persuasion;
  /** The bench behind the verdict; null where no several judges or voters answered. */
  readonly votes: NonNullable<BeliefGrounds['votes']> | null;
}

/** Kinds of events that a way is made from. */
export const wayKinds = [
  'trial-open',
  'side-assign',
  'utterance-make',
  'belief-update',
  'exchange-measure',
  'ruling-give',
] as const satisfies readonly EventKind[];

/** Rules by which the label of a bench, and not of those who argued, is the verdict. */
const benchRules = new Set<string>(['majority', 'confidence', 'order', 'last'] satisfies NonNullable<
  BeliefGrounds['votes']
>['decidedBy'][]);

function linesOf(events: readonly RecordEvent[]): WayLine[] {
  const byRole = new Map<string, { step: PlacedStep; belief: Belief }[]>();
  const add = (role: string, step: PlacedStep | null, belief: Belief | null) => {
    if (step === null || belief === null) return;
    byRole.set(role, [...(byRole.get(role) ?? []), { step, belief }]);
  };
  let ruling = '';
  for (const { kind, payload } of events) {
    if (kind === 'belief-update' && payload.moment !== 'retrospective') {
      add(payload.role, stepOf(payload.key, payload.moment === 'prior'), payload.belief);
    }
    // The mixture is of what was stated, whatever the source of beliefs; so is that of the ruling below.
    if (kind === 'exchange-measure') add('mixture', stepOf(payload.key, false), payload.mixture);
    if (kind === 'ruling-give') {
      ruling = payload.role;
      add(ruling, verdictStep, ruling === 'mixture' ? (payload.grounds?.verbal ?? null) : payload.belief);
    }
  }
  return [...byRole].flatMap(([role, points]) => (points.length < 2 ? [] : [{ role, rules: role === ruling, points }]));
}

/**
 * The way of one attempt; null for one without a ruling.
 * @param events of one attempt, in order; those of `wayKinds` suffice
 * @param claims role -> label that it argues for, where the rules of the protocol settle that
 * @param positive the label that is followed, of two
 */
export function wayOf(
  events: readonly RecordEvent[],
  claims: Readonly<Record<string, string>>,
  positive: string | null,
): Way | null {
  const found = trialPath(events);
  const ruling = events.findLast((event) => event.kind === 'ruling-give')?.payload;
  if (found === null || ruling === undefined) return null;
  const path = { ...found, pleading: pleadingOf(events, claims) };
  const votes = ruling.grounds?.votes ?? null;
  return {
    path,
    lines: linesOf(events),
    persuasion: persuasion(path, positive),
    votes: votes !== null && votes.asked > 1 && benchRules.has(votes.decidedBy) ? votes : null,
  };
}
