import type { TrialLine } from '../../../shared/trialLine.ts';
import type { Baseline } from '../../baselines/baseline.ts';
import { isCorrect } from '../accuracy.ts';

/**
 * The predictions of a baseline as lines of trials, one for each case that some trial is planned of; a baseline makes no
 * calls, always decides, and has its belief's share of the prediction as its confidence.
 */
export function baselineLines({ name, predictions, about }: Baseline, planned: readonly TrialLine[]): TrialLine[] {
  // A trial that is not done does not know its case's truth yet.
  const byCase = new Map(
    planned
      .toSorted((one, other) => Number(one.status === 'done') - Number(other.status === 'done'))
      .map((line) => [line.case, line]),
  );
  return predictions.flatMap(({ case: id, prediction, belief }) => {
    const line = byCase.get(id);
    if (line === undefined) return [];
    const { experiment, truth, groups, weight } = line;
    return [
      {
        experiment,
        arm: name,
        protocol: 'baseline',
        protocol_version: 1,
        trial: '',
        case: id,
        replicate: 0,
        attempt: 1,
        seed: about.seed ?? 0,
        status: 'done',
        outcome: 'decided',
        incomplete: false,
        inconsistent: false,
        prediction,
        confidence: typeof prediction === 'string' ? (belief?.[prediction] ?? null) : null,
        belief,
        belief_source: null,
        truth,
        correct: truth === null || prediction === null ? null : isCorrect(truth, prediction),
        calls: 0,
        attempts: 0,
        reused: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        model_ms: 0,
        wall_ms: 0,
        models: [],
        backends: [],
        groups,
        ...(weight === undefined ? {} : { weight }),
        ambiguous: null,
        head_hash: null,
        standin: false,
        swap: null,
        base_arm: null,
      },
    ];
  });
}
