import type { Prediction } from '../../shared/domain.ts';
import { beliefChanges } from '../figures/beliefChanges.ts';
import { speechOf } from '../record/withheld.ts';
import type { Pleading } from './pleading.ts';
import type { BeliefStep, Trajectory } from './trajectory.ts';

/** What the role that gave the verdict answered at one moment of a trial. */
export interface PathStep extends Pick<BeliefStep, 'prediction' | 'belief' | 'after' | 'speech'> {
  readonly moment: Exclude<BeliefStep['moment'], 'mixture'>;
}

/** The part of a trajectory that led to the verdict: what statistics hold of each of many trials. */
export interface VerdictPath {
  /** Of the role that gave the ruling. */
  readonly steps: readonly PathStep[];
  /** The first answer of the trial that the verdict can be compared with; null where there is none. */
  readonly initial: Prediction;
  /** Who argued for what; null or absent if no one did, or it was not looked up. */
  readonly pleading?: Pleading | null;
  /** Of a trial with a speech withheld or replaced that nobody heard whose belief counts: what then still counts. */
  readonly unheard?: Unheard;
}

/** `ownBelief`: a belief that the speaker stated with the speech. */
export interface Unheard {
  readonly ownBelief: boolean;
}

/** Whether nobody whose belief counts heard a speech, or it was never made; null where somebody did. */
export const unheardIn = ({ heard, steps }: Trajectory, speech: string): Unheard | null =>
  heard.includes(speech) ? null : { ownBelief: steps.some(({ key, moment }) => moment === 'live' && speechOf(key) === speech) };

/** Answers of the moment: what was held when it was stated. */
export const heldSteps = ({ steps }: VerdictPath): PathStep[] => steps.filter(({ moment }) => moment !== 'recalled');

/**
 * Null for a trial without a ruling.
 *
 * The initial answer is that of a preliminary hearing where one was held (Courtroom-LLM, figure 3: the hearing against the
 * verdict; what a judge of a bench says is the verdict itself); else the first that the deciding role held; where it held
 * none, the first prior of any role. A recalled answer is never an initial one.
 */
export function verdictPath({ steps, ruling }: Trajectory): VerdictPath | null {
  if (ruling === null) return null;
  const own = steps.flatMap(({ role, moment, prediction, belief, after, speech }): PathStep[] =>
    role === ruling.role && moment !== 'mixture' ? [{ moment, prediction, belief, after, speech }] : [],
  );
  const isHearing = ({ key, role, moment }: BeliefStep) =>
    moment === 'live' && role !== ruling.role && key.startsWith('hearing/');
  const firstOf = (isMeant: (step: BeliefStep) => boolean): Prediction =>
    steps.find((step) => step.prediction !== null && isMeant(step))?.prediction ?? null;
  const first = own.find(({ moment }) => moment === 'prior' || moment === 'live');
  return {
    steps: own,
    initial: firstOf(isHearing) ?? first?.prediction ?? firstOf(({ moment }) => moment === 'prior'),
  };
}

/**
 * How far the last belief that the deciding role held is from its first, 0-1, as `beliefChanges` measures it. Null for a trial
 * without a ruling and where that role held fewer than two.
 */
export function movementOf({ steps, ruling }: Trajectory): number | null {
  const held = steps.filter(({ role, moment, belief }) => role === ruling?.role && moment !== 'recalled' && belief !== null);
  const [first, ...later] = held;
  const last = later.at(-1);
  const change = first && last && beliefChanges([first, last], null).at(-1)?.change;
  // Movements that differ by rounding alone are equal.
  return change === undefined || change === null ? null : Number(Math.abs(change).toFixed(9));
}
