import type { SocrasynthParams } from './params.ts';

/**
 * When a debate continues for another round, and how contentious it is then.
 *
 * Source: "SocraSynth: Adversarial Multi-LLM Reasoning", table 6.2, step 3:
 *
 *   while ((D <- D / decay) > 0.1 and G >= G') { refute; G' <- G; G <- CRIT }
 *
 * The division comes first, so the first round is held at D / decay and the closing statements at the D that ended the
 * loop. A fall of G is seen at the next test: the round in which it fell is held to its end. From 0.9 with a decay of
 * 1.2 this makes 12 rounds, the last at 0.1009, and ends at 0.0841. Deviations: `maxRounds` is tested after the
 * division too. A failed G is in no comparison: the last known one replaces it.
 *
 * `phases` is section 6.1.2 instead: 0.7 to 0.9 at first, about 0.5 as the debate continues, and 0.1 after it. Here D falls in
 * equal steps from its first value to 0.5 in the last of `maxRounds`, stays there for the closing statements, and is 0.1 for
 * what both propose. From 0.9 over four rounds: 0.8, 0.7, 0.6, 0.5.
 */

/** The loop ends where contentiousness is not above it. */
const conciliatory = 0.1;
/** Where the falling phase of section 6.1.2 ends. */
const moderate = 0.5;
/** Contentiousness of what both propose in the end: studies 2 and 3, and section 6.1.2. */
const conciliations = { decay: 0.3, phases: 0.1 } as const;

type DebateTerms = Pick<SocrasynthParams, 'schedule' | 'contentiousness' | 'decay' | 'maxRounds'>;

export const stopReasons = ['contentiousness', 'quality', 'rounds', 'agreement'] as const;
export type StopReason = (typeof stopReasons)[number];

export interface RoundState {
  /** Rounds started, this one included; where the loop has ended, rounds held. */
  readonly rounds: number;
  /** D, 0-1. */
  readonly contentiousness: number;
  /** Why there is no further round; null where there is one. */
  readonly stopped: StopReason | null;
}

/** The D of a round, from 1. */
function levelOf({ schedule, contentiousness, decay, maxRounds }: DebateTerms, round: number): number {
  if (schedule === 'decay') return contentiousness / decay ** round;
  return contentiousness - Math.max(0, contentiousness - moderate) * Math.min(1, round / maxRounds);
}

export const conciliationOf = ({ schedule }: Pick<DebateTerms, 'schedule'>): number => conciliations[schedule];

/** The test before a round. @param held rounds held so far @param scores the known values of G so far, in order */
export function nextRound(terms: DebateTerms, held: number, scores: readonly number[]): RoundState {
  const contentiousness = levelOf(terms, held + 1);
  const [previous, last] = [scores.at(-2) ?? 0, scores.at(-1) ?? 0];
  const stop = (stopped: StopReason): RoundState => ({ rounds: held, contentiousness, stopped });
  if (contentiousness <= conciliatory) return stop('contentiousness');
  if (last < previous) return stop('quality');
  if (held >= terms.maxRounds) return stop('rounds');
  return { rounds: held + 1, contentiousness, stopped: null };
}

/** Rounds that are held if quality never falls and no one concedes. */
export function mostRounds(terms: DebateTerms): number {
  let held = 0;
  while (nextRound(terms, held, []).stopped === null) held += 1;
  return held;
}
