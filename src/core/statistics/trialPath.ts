import type { Belief, Prediction } from '../../shared/domain.ts';
import type { RecordEvent } from '../../shared/events.ts';
import type { Pleading } from './pleading.ts';

/** What the role that gave the verdict answered at one moment of a trial. */
export interface PathStep {
  /** `recalled`: stated at the end about an earlier moment; never one sequence with what was held at the time. */
  readonly moment: 'prior' | 'live' | 'recalled' | 'ruling';
  readonly prediction: Prediction;
  /** Null where no distribution was stated. */
  readonly belief: Belief | null;
  /** The one speech that was made since the role's last step; null where there was none, or more than one. */
  readonly speech: { readonly role: string; readonly turn: string } | null;
}

/** The way to a verdict: each step in the order of the record. */
export interface TrialPath {
  readonly steps: readonly PathStep[];
  /** The first answer of the trial that the verdict can be compared with; null where there is none. */
  readonly initial: Prediction;
  /** Who argued for what; null or absent where nobody did, or it was not looked up. */
  readonly pleading?: Pleading | null;
}

const moments = { prior: 'prior', live: 'live', retrospective: 'recalled' } as const;

/** Answers of the moment: what was held when it was stated. */
export const heldSteps = ({ steps }: TrialPath): PathStep[] => steps.filter(({ moment }) => moment !== 'recalled');

/**
 * The path of one attempt of a decided trial; null for one without a ruling.
 *
 * The path is of the role that gave the ruling. Its initial answer is that of a preliminary hearing where one was held
 * (Courtroom-LLM, figure 3: the hearing against the verdict; what a judge of a bench says is the verdict itself); else the
 * first that it held; where it held none, the first prior of any role. A recalled answer is never an initial one.
 * A speech stands by a step only where it is the only one since the role's step before, and where the step says that it
 * follows this speech: a change after two speeches, or after a forfeited turn, is nobody's.
 * @param events of one attempt, in order
 */
export function trialPath(events: readonly RecordEvent[]): TrialPath | null {
  const ruling = events.findLast((event) => event.kind === 'ruling-give')?.payload;
  if (ruling === undefined) return null;
  const steps: PathStep[] = [];
  let prior: Prediction = null;
  let hearing: Prediction = null;
  let speeches: { key: string; role: string; turn: string }[] = [];
  for (const event of events) {
    if (event.kind === 'utterance-make') speeches.push(event.payload);
    if (event.kind !== 'belief-update' && event.kind !== 'ruling-give') continue;
    const { role, prediction, belief } = event.payload;
    const moment = event.kind === 'ruling-give' ? 'ruling' : moments[event.payload.moment];
    if (moment === 'prior') prior ??= prediction;
    if (moment === 'live' && role !== ruling.role && event.payload.key.startsWith('hearing/')) hearing ??= prediction;
    if (role !== ruling.role) continue;
    const [only, ...others] = speeches;
    const follows = event.kind === 'belief-update' && moment === 'live' && event.payload.after === only?.key;
    const speech = only !== undefined && others.length === 0 && follows ? { role: only.role, turn: only.turn } : null;
    steps.push({ moment, prediction, belief, speech });
    if (moment !== 'recalled') speeches = [];
  }
  const first = steps.find(({ moment }) => moment === 'prior' || moment === 'live');
  return { steps, initial: hearing ?? first?.prediction ?? prior };
}
