import type { Belief, BeliefGrounds } from '../../shared/domain.ts';
import { type PlacedStep, stepOf, verdictStep } from '../figures/steps.ts';
import { persuasion, type SpeechEffect } from '../statistics/persuasion.ts';
import { pleadingOf } from './pleading.ts';
import type { Trajectory } from './trajectory.ts';
import { type VerdictPath, verdictPath } from './verdictPath.ts';

/** What one role held in the course of a trial. */
export interface BeliefLine {
  readonly role: string;
  /** The role that rules, or the mixture that becomes the verdict. */
  readonly rules: boolean;
  readonly points: readonly { readonly step: PlacedStep; readonly belief: Belief }[];
}

/** How the verdict of a decided trial was found, as figures read it. */
export interface DecidedTrial {
  readonly path: VerdictPath;
  /** Roles that held beliefs at two steps or more. What was recalled at the end is in none. */
  readonly lines: readonly BeliefLine[];
  readonly persuasion: readonly SpeechEffect[];
  /** The bench behind the verdict; null where no several judges or voters answered. */
  readonly votes: NonNullable<BeliefGrounds['votes']> | null;
}

/** Rules by which the label of a bench, and not of those who argued, is the verdict. */
const benchRules = new Set<string>(['majority', 'weights', 'confidence', 'order', 'last'] satisfies NonNullable<
  BeliefGrounds['votes']
>['decidedBy'][]);

function linesOf({ steps }: Trajectory, ruling: string): BeliefLine[] {
  const byRole = new Map<string, { step: PlacedStep; belief: Belief }[]>();
  for (const { key, role, moment, belief, stated } of steps) {
    if (moment === 'recalled') continue;
    const step = moment === 'ruling' ? verdictStep : stepOf(key, moment === 'prior');
    // The mixture is of what was stated, with any source of beliefs; so is that of its ruling.
    const held = moment === 'ruling' && role === 'mixture' ? stated : belief;
    if (step === null || held === null) continue;
    byRole.set(role, [...(byRole.get(role) ?? []), { step, belief: held }]);
  }
  return [...byRole].flatMap(([role, points]) => (points.length < 2 ? [] : [{ role, rules: role === ruling, points }]));
}

/** Null without a ruling. @param claims role -> label by the protocol's rules @param positive the label followed, of two */
export function decidedTrial(
  trajectory: Trajectory,
  claims: Readonly<Record<string, string>>,
  positive: string | null,
): DecidedTrial | null {
  const found = verdictPath(trajectory);
  if (found === null || trajectory.ruling === null) return null;
  const { role, votes } = trajectory.ruling;
  const path = { ...found, pleading: pleadingOf(trajectory, claims) };
  return {
    path,
    lines: linesOf(trajectory, role),
    persuasion: persuasion(path, positive),
    votes: votes !== null && votes.asked > 1 && benchRules.has(votes.decidedBy) ? votes : null,
  };
}
