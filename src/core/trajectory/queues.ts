// The queues that a trial by itself is in. Repeats that differ and labels in doubt take all trials of a case, and what people say the reviews.
import type { TrialQueue } from '../../shared/api/experiments.ts';
import type { Prediction } from '../../shared/domain.ts';
import type { DeliberationEffect, TrialLine } from '../../shared/trialLine.ts';
import { isSameSet } from '../beliefs/independentBelief.ts';
import { isInconsistent } from '../beliefs/verbalBelief.ts';
import { splitOf } from '../figures/benchVotes.ts';
import { type answerChange, changeOf } from '../statistics/answerChanges.ts';
import type { Trajectory } from './trajectory.ts';
import { heldSteps, verdictPath } from './verdictPath.ts';

type OwnQueue = Exclude<TrialQueue, 'repeats-differ' | 'label-in-doubt' | 'people-disagree' | 'outside-facts' | 'not-in-facts'>;

/** Whether a verdict is not the label that its own belief makes the likeliest; those of imported predictions are not marked as inconsistent. */
export const isAgainstOwn = ({
  prediction,
  belief,
  inconsistent,
}: Pick<TrialLine, 'prediction' | 'belief' | 'inconsistent'>): boolean =>
  inconsistent || (typeof prediction === 'string' && belief !== null && isInconsistent(belief, prediction));

/** A confidence from here on is sure, 0-1. */
export const sureFrom = 0.8;

/** Whether the deciding role's last change was in the last third of its answers, verdict included; of at least three answers. */
export function isChangedLate(answers: readonly Exclude<Prediction, null>[]): boolean {
  const last = answers.findLastIndex(
    (answer, place) => place > 0 && !isSameSet([answer].flat(), [answers[place - 1] ?? []].flat()),
  );
  return answers.length > 2 && 3 * last > 2 * (answers.length - 1);
}

const effects = {
  corrected: 'corrected',
  degraded: 'degraded',
  stayedRight: 'stayed_right',
  stayedWrong: 'stayed_wrong',
} as const satisfies Record<ReturnType<typeof answerChange>, DeliberationEffect>;

/** The first answer of a decided trial (`verdictPath`), and how it changed against the truth. */
export function firstAnswerOf(
  line: Pick<TrialLine, 'outcome' | 'prediction' | 'truth'>,
  trajectory: Trajectory,
): Required<Pick<TrialLine, 'first_answer' | 'deliberation'>> {
  const initial = line.outcome === 'decided' ? (verdictPath(trajectory)?.initial ?? null) : null;
  const change = changeOf(line, initial);
  return { first_answer: initial, deliberation: change === null ? null : effects[change] };
}

/**
 * In which queues an ended trial is.
 * `wrong-and-sure`: another answer than the label, with a stated confidence of at least `sureFrom`. `corrected`, `made-wrong`: the
 * first answer was wrong and the verdict is right, or the other way round. `against-own-percentage`: `isAgainstOwn`. `judges-disagree`: the valid answers of a
 * bench are not all the same. `failed`: no verdict.
 */
export function queuesOf(
  line: Pick<TrialLine, 'outcome' | 'prediction' | 'correct' | 'confidence' | 'truth' | 'belief' | 'inconsistent'>,
  trajectory: Trajectory,
): OwnQueue[] {
  const { outcome, correct, confidence } = line;
  if (outcome !== 'decided') return ['failed'];
  const path = verdictPath(trajectory);
  const { deliberation } = firstAnswerOf(line, trajectory);
  const answers = path === null ? [] : heldSteps(path).flatMap(({ prediction }) => (prediction === null ? [] : [prediction]));
  const votes = trajectory.ruling?.votes ?? null;
  const split = votes === null ? null : splitOf(votes);
  const isIn: Record<Exclude<OwnQueue, 'failed'>, boolean> = {
    'wrong-and-sure': correct === false && confidence !== null && confidence >= sureFrom,
    'against-own-percentage': isAgainstOwn(line),
    corrected: deliberation === 'corrected',
    'made-wrong': deliberation === 'degraded',
    'changed-late': isChangedLate(answers),
    'judges-disagree': split !== null && split !== 'unanimous',
  };
  return (Object.keys(isIn) as (keyof typeof isIn)[]).filter((queue) => isIn[queue]);
}
