import type { Prediction, Truth } from '../../shared/domain.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { isCorrect } from './accuracy.ts';

/** What deliberation did to a first answer: right or wrong, before and after. Source: Debate-Feedback, table 5. */
export function answerChange({
  truth,
  initial,
  verdict,
}: {
  readonly truth: NonNullable<Truth>;
  readonly initial: NonNullable<Prediction>;
  readonly verdict: NonNullable<Prediction>;
}): 'corrected' | 'degraded' | 'stayedRight' | 'stayedWrong' {
  const right = isCorrect(truth, verdict);
  if (isCorrect(truth, initial)) return right ? 'stayedRight' : 'degraded';
  return right ? 'corrected' : 'stayedWrong';
}

/** The same of a trial; null without a verdict, a known truth or a first answer. */
export function changeOf(
  { outcome, truth, prediction }: Pick<TrialLine, 'outcome' | 'truth' | 'prediction'>,
  initial: Prediction,
): ReturnType<typeof answerChange> | null {
  if (outcome !== 'decided' || truth === null || prediction === null || initial === null) return null;
  return answerChange({ truth, initial, verdict: prediction });
}
