// The queues that a trial by itself is in. Whether a label is in doubt takes all trials of its case.
import type { TrialQueue } from '../../shared/api/experiments.ts';
import type { Prediction } from '../../shared/domain.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { isSameSet } from '../beliefs/independentBelief.ts';
import { splitOf } from '../figures/benchVotes.ts';
import { isCorrect } from '../statistics/accuracy.ts';
import type { Trajectory } from './trajectory.ts';
import { heldSteps, verdictPath } from './verdictPath.ts';

/** A confidence from here on is sure, 0-1. */
export const sureFrom = 0.8;

/**
 * Whether whoever ruled changed the answer for the last time in the last third of the answers, the verdict among them. It takes
 * three answers: of two, any change would be late.
 */
export function isChangedLate(answers: readonly Exclude<Prediction, null>[]): boolean {
  const last = answers.findLastIndex(
    (answer, place) => place > 0 && !isSameSet([answer].flat(), [answers[place - 1] ?? []].flat()),
  );
  return answers.length > 2 && 3 * last > 2 * (answers.length - 1);
}

/**
 * In which queues an ended trial is.
 * `wrong-and-sure`: another answer than the label, with a stated confidence of at least `sureFrom`. `corrected`, `made-wrong`: the
 * first answer was wrong and the verdict is right, or the other way round (`verdictPath`). `judges-disagree`: the valid answers of a
 * bench are not all the same. `failed`: no verdict.
 */
export function queuesOf(
  { outcome, correct, confidence, truth }: Pick<TrialLine, 'outcome' | 'correct' | 'confidence' | 'truth'>,
  trajectory: Trajectory,
): Exclude<TrialQueue, 'label-in-doubt'>[] {
  if (outcome !== 'decided') return ['failed'];
  const path = verdictPath(trajectory);
  const initial = path?.initial ?? null;
  const began = truth === null || initial === null ? null : isCorrect(truth, initial);
  const answers = path === null ? [] : heldSteps(path).flatMap(({ prediction }) => (prediction === null ? [] : [prediction]));
  const votes = trajectory.ruling?.votes ?? null;
  const split = votes === null ? null : splitOf(votes);
  const isIn: Record<Exclude<TrialQueue, 'label-in-doubt' | 'failed'>, boolean> = {
    'wrong-and-sure': correct === false && confidence !== null && confidence >= sureFrom,
    corrected: correct === true && began === false,
    'made-wrong': correct === false && began === true,
    'changed-late': isChangedLate(answers),
    'judges-disagree': split !== null && split !== 'unanimous',
  };
  return (Object.keys(isIn) as (keyof typeof isIn)[]).filter((queue) => isIn[queue]);
}
