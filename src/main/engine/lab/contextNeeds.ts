// How much of a model's context the longest call of each arm needs.
import { castMember } from '../../../core/protocols/cast.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { charactersPerToken } from './callEstimate.ts';
import { type DryRun, promptLength } from './dryRun.ts';
import type { PreparedArm, PreparedExperiment } from './experimentFile.ts';

const charactersOf = (facts: Dataset['cases'][number]['facts']) =>
  facts.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

/** Characters by which the longest case on trial exceeds the one of the dry run. */
function longerBy({ cases, sample }: Dataset): number {
  const onTrial = new Set(sample);
  const lengths = cases.filter(({ id }) => onTrial.has(id)).map(({ facts }) => charactersOf(facts));
  const dryRun = cases.find(({ id }) => id === sample[0]);
  return lengths.reduce((most, length) => Math.max(most, length), 0) - (dryRun === undefined ? 0 : charactersOf(dryRun.facts));
}

/** Tokens of the call of an arm that comes nearest to its context, or goes farthest beyond it. */
export interface ContextNeed {
  readonly arm: string;
  /** Estimated, rounded up. */
  readonly prompt: number;
  /** Longest answer. */
  readonly numPredict: number;
  readonly numCtx: number;
  readonly fits: boolean;
}

/** What the arms need of the context, one each where there is a dry run of the arm. */
export function contextNeeds(
  { experiment, arms }: PreparedExperiment,
  data: Dataset,
  dryRunOf: (arm: PreparedArm) => DryRun | undefined,
): ContextNeed[] {
  const extra = longerBy(data) / charactersPerToken;
  return arms.flatMap((arm) => {
    const needs = (dryRunOf(arm)?.calls ?? []).map(({ call }) => {
      const options = castMember(arm.definition.cast, call.role)?.options;
      return {
        prompt: Math.ceil(promptLength(call) / charactersPerToken + extra),
        numCtx: options?.numCtx ?? experiment.runtime.numCtx,
        numPredict: options?.numPredict ?? experiment.runtime.numPredict,
      };
    });
    const [worst] = needs.toSorted((a, b) => b.prompt + b.numPredict - b.numCtx - (a.prompt + a.numPredict - a.numCtx));
    if (worst === undefined) return [];
    return [{ arm: arm.definition.name, ...worst, fits: worst.prompt + worst.numPredict <= worst.numCtx }];
  });
}
