import type { Change } from '../../shared/changes.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { hashParts, toHex } from './hash.ts';

/** What names a trial: one case, in one arm of one experiment, for the k-th time. */
export type TrialName = Readonly<Pick<TrialLine, 'experiment' | 'arm' | 'case' | 'replicate'>>;

/** First 16 hex digits of SHA-256 over experiment, arm, case and replicate, each length-prefixed UTF-8. */
export function trialId(name: TrialName): string {
  const digest = hashParts([name.experiment, name.arm, name.case, String(name.replicate)]);
  // Cut before it becomes a string: a piece of a string keeps the whole of it in memory.
  return toHex(digest.subarray(0, 8));
}

/** Chain that holds an experiment's frozen definition and its extensions. */
export const experimentChain = (experiment: string): string => `experiment/${experiment}`;
/** Chain that holds what is made once for all trials of an experiment. */
export const preparationChain = (experiment: string): string => `preparation/${experiment}`;
/** Chain that holds the trained assistants of a data set, which is named by the ref of its list of cases. */
export const assistantChain = (manifest: string): string => `assistant/${manifest}`;
/** Chain that holds what people judged of the trials of an experiment. */
export const reviewChain = (experiment: string): string => `review/${experiment}`;

/** What a chain of this name is the chain of; null where it is one of another kind. */
const named =
  (chainOf: (of: string) => string) =>
  (chain: string): string | null =>
    chain.startsWith(chainOf('')) ? chain.slice(chainOf('').length) : null;

export const frozenExperiment = named(experimentChain);
export const preparedExperiment = named(preparationChain);
export const assistantManifest = named(assistantChain);
export const reviewedExperiment = named(reviewChain);

export const erasureChain = 'erasure/texts';

export const isTrialChain = (chain: string): boolean =>
  frozenExperiment(chain) === null &&
  preparedExperiment(chain) === null &&
  assistantManifest(chain) === null &&
  reviewedExperiment(chain) === null &&
  chain !== erasureChain;

function seedFrom(parts: readonly string[]): number {
  const digest = hashParts(parts);
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0) >>> 1;
}

/** 31 bits from experiment seed, case and replicate: arms are paired. @param further 0, or number of an arm with other seeds */
export function trialSeed(experimentSeed: number, caseId: string, replicate: number, further = 0): number {
  const parts = [String(experimentSeed), caseId, String(replicate)];
  return seedFrom(further === 0 ? parts : [...parts, String(further)]);
}

/** The `further` of `trialSeed` for the trials of an arm. */
export const furtherSeed = (change: Change | undefined): number =>
  change?.kind === 'seed' ? change.number : change?.kind === 'withhold' ? change.seeds : 0;

/** 31 bits from the trial's seed and the key of the call; a further attempt at the trial has its own seeds. */
export function callSeed(seed: number, attempt: number, key: string): number {
  return seedFrom(attempt === 1 ? [String(seed), key] : [String(seed), key, String(attempt)]);
}
