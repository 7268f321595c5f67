import { type TrialLine, unstarted } from '../../../shared/trialLine.ts';
import type { Baseline } from '../../baselines/baseline.ts';
import { isCorrect } from '../accuracy.ts';

/** What a baseline is called in a report: an arm of the same name keeps its own. */
export const baselineTitle = (name: string, arms: readonly string[]): string =>
  arms.includes(name) ? `${name} (baseline)` : name;

/** A baseline's predictions as lines, one a planned case: always decided, confident by its belief, without calls. */
export function* baselineLines(
  { name, predictions, about }: Baseline,
  planned: readonly Pick<TrialLine, 'experiment' | 'case' | 'status' | 'truth' | 'groups' | 'weight'>[],
): Generator<TrialLine> {
  // A trial that is not done does not know its case's truth yet.
  const byCase = new Map(
    planned
      .toSorted((one, other) => Number(one.status === 'done') - Number(other.status === 'done'))
      .map((line) => [line.case, line]),
  );
  for (const { case: id, prediction, belief } of predictions) {
    const line = byCase.get(id);
    if (line === undefined) continue;
    const { experiment, truth, groups, weight } = line;
    yield {
      ...unstarted,
      experiment,
      arm: name,
      protocol: 'baseline',
      protocol_version: 1,
      case: id,
      seed: about.seed ?? 0,
      status: 'done',
      outcome: 'decided',
      prediction,
      confidence: typeof prediction === 'string' ? (belief?.[prediction] ?? null) : null,
      belief,
      truth,
      correct: truth === null || prediction === null ? null : isCorrect(truth, prediction),
      groups,
      ...(weight === undefined ? {} : { weight }),
    };
  }
}
