// How many calls go into what is made once for several trials.
import { narrate } from '../../../core/cases/narrative.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { probeText, vectorMaker } from './backends.ts';
import { addedRanges, charactersPerToken, type Estimate, type Range, sum } from './callEstimate.ts';
import type { DryRun, SharedDryRun } from './dryRun.ts';
import { batchSize } from './preparation/preparations.ts';
import type { PreparedArm, PreparedExperiment } from './preparedArm.ts';

export interface Made {
  /** Shared questions that were answered, or failed. */
  readonly questions: number;
  /** Cases with a vector, by `vectorMaker`. */
  readonly vectors: ReadonlyMap<string, number>;
  /** Whether every finished trial is decided. One that is not may have ended before it asked what it shares. */
  readonly allDecided: boolean;
}

export const nothingMade: Made = { questions: 0, vectors: new Map(), allDecided: true };

interface Progress extends Made {
  readonly done: ReadonlyMap<string, number>;
}

interface Sharer {
  readonly arm: PreparedArm;
  readonly dryRun: DryRun;
  readonly remaining: number;
}

/** Numbers of shared questions: those of all trials, and those that the trials which are left ask, asked before or not. */
interface QuestionCount {
  readonly all: Range;
  readonly left: Range;
}

const most = (values: readonly number[]) => values.reduce((top, value) => Math.max(top, value), 0);
const added = (counts: readonly QuestionCount[]): QuestionCount => ({
  all: addedRanges(counts.map(({ all }) => all)),
  left: addedRanges(counts.map(({ left }) => left)),
});

/** Questions about the case on trial: those of the same name are put once, whichever arm puts them. */
function questionsOfCases(sharers: readonly Sharer[], cases: number, replicates: number): QuestionCount {
  const askers = new Map<string, number[]>();
  for (const { dryRun, remaining } of sharers) {
    for (const { name, about } of dryRun.shared) {
      if (about === 'case') askers.set(name, [...(askers.get(name) ?? []), remaining]);
    }
  }
  return added(
    [...askers.values()].map((remaining) => ({
      all: { min: cases, max: cases },
      left: { min: Math.ceil(most(remaining) / replicates), max: Math.min(cases, sum(remaining)) },
    })),
  );
}

const mannerOf = ({ dryRun }: Sharer) => dryRun.shared.find(({ about }) => about === 'precedent')?.manner;

/** Questions about precedents: each once for a training case and a manner of asking. Which cases trials find is not known beforehand. */
function questionsOfPrecedents(sharers: readonly Sharer[], training: number): QuestionCount {
  const { '': _none, ...manners } = Object.fromEntries(Map.groupBy(sharers, (sharer) => mannerOf(sharer) ?? ''));
  return added(
    Object.values(manners).map((alike) => {
      const found = alike.flatMap(({ dryRun: { queries }, remaining }) =>
        queries.map(({ perLabel, labels }) => remaining * perLabel * labels.length),
      );
      return { all: { min: 0, max: training }, left: { min: 0, max: Math.min(training, sum(found)) } };
    }),
  );
}

/** Only questions that are not on the record are left, and no more than the open trials ask. */
function unanswered({ all, left }: QuestionCount, { questions, allDecided }: Progress): Range {
  const max = Math.max(0, Math.min(left.max, all.max - questions));
  const open = Math.max(left.min, allDecided ? all.min : 0) - questions;
  return { min: Math.min(max, Math.max(0, open)), max };
}

/** Numbers of a vector where its model is not known: those of the common embedding models, 4 bytes each. */
const bytesPerVector = 768 * 4;
/** Calls of a run that make the vector of the probe text, of each model: nothing of them is kept but the vector. */
const probes = 1;
/** Bytes that the record of one call takes in addition to its texts: events, index, references. */
export const bytesPerCall = 1500;
export const storedShare = 0.5;

/** Calls that make vectors: of each model the probe of a run, the training split in batches, then each case on trial by itself. */
function embeddingCalls(
  sharers: readonly Sharer[],
  { experiment: { replicates, dataset } }: PreparedExperiment,
  data: Dataset,
  training: Dataset['cases'],
  progress: Progress,
) {
  const lengthOf = new Map(data.cases.map(({ id, facts }) => [id, narrate(facts, dataset.kind).length]));
  const known = new Set(training.map(({ id }) => id));
  const alone = data.sample.filter((id) => !known.has(id));
  const characters = sum([...known, ...alone].map((id) => lengthOf.get(id) ?? 0));
  const byMaker = Map.groupBy(
    sharers.flatMap(({ arm: { definition, bound }, remaining }) => {
      const { retriever } = definition.cast;
      const needed = remaining > 0 && bound.precedents?.retriever === 'similar' && retriever !== undefined;
      return needed ? [{ maker: vectorMaker(retriever), remaining }] : [];
    }),
    ({ maker }) => maker,
  );
  const parts = [...byMaker].map(([maker, alike]) => {
    const made = progress.vectors.get(maker) ?? 0;
    const batches = Math.ceil(Math.max(0, training.length - made) / batchSize);
    const madeAlone = Math.max(0, made - training.length);
    const left = Math.max(0, alone.length - madeAlone);
    const remaining = alike.map(({ remaining: trials }) => trials);
    const surely = progress.allDecided ? left : Math.max(0, Math.min(left, Math.ceil(most(remaining) / replicates) - madeAlone));
    const max = probes + batches + Math.min(left, sum(remaining));
    const vectors = Math.max(0, training.length - made) + left;
    const share = vectors / Math.max(1, training.length + alone.length);
    return {
      calls: { min: Math.min(max, probes + batches + surely), max },
      tokens: (characters * share + probes * probeText.length) / charactersPerToken,
      bytes: vectors * bytesPerVector + (max - probes) * bytesPerCall,
    };
  });
  const tokens = sum(parts.map((part) => part.tokens));
  return {
    calls: addedRanges(parts.map(({ calls }) => calls)),
    tokens,
    bytes: sum(parts.map(({ bytes }) => bytes)),
  };
}

/** What is made once for several trials and is not yet: shared answers and vectors. Ranges are for first attempts. */
export function planPreparation(
  prepared: PreparedExperiment,
  data: Dataset,
  dryRuns: readonly DryRun[],
  progress: Progress,
  estimate: Estimate,
) {
  const { replicates } = prepared.experiment;
  const cases = data.sample.length;
  const sharers = prepared.arms.flatMap((arm, index): Sharer[] => {
    const dryRun = dryRuns[index];
    const remaining = Math.max(0, cases * replicates - (progress.done.get(arm.definition.name) ?? 0));
    return dryRun === undefined || (arm.bound.precedents === null && dryRun.shared.length === 0)
      ? []
      : [{ arm, dryRun, remaining }];
  });
  if (sharers.length === 0) {
    const none = { min: 0, max: 0 };
    return { calls: none, promptTokens: none, completionTokens: none, bytes: 0, seconds: none, estimates: [] };
  }
  const training = data.cases.filter(({ id, truth }) => typeof truth === 'string' && data.splits.get(id) === 'train');
  const questions = unanswered(
    added([questionsOfCases(sharers, cases, replicates), questionsOfPrecedents(sharers, training.length)]),
    progress,
  );
  const asked: readonly SharedDryRun[] = sharers.flatMap(({ dryRun }) => dryRun.shared);
  const estimates = asked.map(({ call }) => estimate(call, ''));
  const mean = (values: readonly number[]) => sum(values) / Math.max(1, values.length);
  const meanRange = (ranges: readonly Range[]) => ({
    min: questions.min * mean(ranges.map(({ min }) => min)),
    max: questions.max * mean(ranges.map(({ max }) => max)),
  });
  const prompt = mean(estimates.map(({ promptTokens }) => promptTokens));
  const completion = meanRange(estimates.map(({ completionTokens }) => completionTokens));
  const times = estimates.flatMap(({ seconds }) => seconds ?? []);
  const characters = mean(asked.map((each) => each.characters));
  const embeddings = embeddingCalls(sharers, prepared, data, training, progress);
  return {
    calls: addedRanges([questions, embeddings.calls]),
    promptTokens: {
      min: Math.round(questions.min * prompt + embeddings.tokens),
      max: Math.round(questions.max * prompt + embeddings.tokens),
    },
    completionTokens: { min: Math.round(completion.min), max: Math.round(completion.max) },
    seconds: times.length < estimates.length ? null : meanRange(times),
    estimates,
    bytes: Math.round(questions.max * (bytesPerCall + characters * storedShare) + embeddings.bytes),
  };
}
