// Finds the best of several instructions for an arm's prompts, on cases of the validation split alone.
import { createHash } from 'node:crypto';
import { sampleOf, tellingOf } from '../../../core/cases/sample.ts';
import { meanRight, type Rung, rungsOf, successiveHalving } from '../../../core/optimiser/successiveHalving.ts';
import { type Contender, comparisonsOf, contender } from '../../../core/statistics/measures/comparisons.ts';
import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { longestName } from '../../../shared/experiment.ts';
import type { OptimiseReport } from '../../../shared/promptOutputs.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { type Dataset, readDataset } from '../datasets/dataset.ts';
import { defaultResamples } from '../report/statistics.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import { readExperiment } from './experimentFile.ts';
import { loadFrozen } from './frozen.ts';
import type { PreparedArm, PreparedExperiment } from './preparedArm.ts';
import { type Candidate, candidatesIn } from './promptCandidates.ts';

/** Of fewer the interval over the confirming half covers less often than it says: docs/decisions/0037 has the simulation. */
const fewestCases = 40;

const hashOf = (words: string) => createHash('sha256').update(words).digest('hex');

/** Characters that a search puts behind the names of the experiment and of the arm. */
const longestAddition = 50;

export interface OptimiseRequest {
  readonly arm: string;
  /** File with an instruction on each line. */
  readonly instructions: string;
  /** `PROMPT/TEXT`. */
  readonly into: string;
}

/** Everything that is settled before anything is asked. */
export interface PreparedSearch {
  readonly prepared: PreparedExperiment;
  readonly arm: PreparedArm;
  readonly candidates: readonly Candidate[];
  readonly into: string;
  readonly data: Dataset;
  /** Ids of validation cases in the order of the sample: first those to choose on, then those to confirm on. */
  readonly selection: readonly string[];
  readonly confirmation: readonly string[];
  readonly likeTestCases: number;
  /** What the names of its experiments end in. */
  readonly mark: string;
}

/** Reads the arm, the instructions and the validation split. Throws bad input. */
export async function prepareSearch(path: string, { arm: name, instructions, into }: OptimiseRequest): Promise<PreparedSearch> {
  const read = readExperiment(path);
  const arm = read.arms.find(({ definition }) => definition.name === name);
  if (arm === undefined) {
    const known = read.arms.map(({ definition }) => JSON.stringify(definition.name)).join(', ');
    throw badInput(`there is no arm ${JSON.stringify(name)}; the file has ${known}`, { field: '--arm' });
  }
  if (Math.max(read.experiment.name.length, name.length) > longestName - longestAddition) {
    throw badInput(
      `a search names its experiments and arms after these, and a name has at most ${longestName} characters; shorten the name of the experiment and of the arm to ${longestName - longestAddition}`,
      { file: path },
    );
  }
  const candidates = candidatesIn(instructions, into, arm, read.experiment.runtime.numCtx);
  const { dataset, seed } = read.experiment;
  if (dataset.split.validation === 0) {
    throw read.file.error(
      'instructions are chosen on the validation split, and it has no share; give it one, such as {"test": 0.6, "validation": 0.4}',
      ['dataset', 'split'],
    );
  }
  if (dataset.label === undefined) throw read.file.error('without a label nobody knows which answers are right', ['dataset']);
  const definition = { ...dataset, sample: { from: 'validation' as const, distinct: true } };
  const data = await readDataset(read.dataPath, definition, { seed });
  const byId = new Map(data.cases.map((kase) => [kase.id, kase]));
  const test = new Set(
    data.cases.filter(({ id }) => data.splits.get(id) === 'test').map((kase) => tellingOf(kase, dataset.kind)),
  );
  const labelled = data.sample.filter((id) => (byId.get(id)?.truth ?? null) !== null);
  const usable = labelled.filter((id) => {
    const kase = byId.get(id);
    return kase !== undefined && !test.has(tellingOf(kase, dataset.kind));
  });
  if (usable.length < fewestCases) {
    throw read.file.error(
      `the validation split has ${usable.length} labelled cases that are like no test case; at least ${fewestCases} are needed`,
      ['dataset', 'split'],
    );
  }
  const half = Math.floor(usable.length / 2);
  const selection = candidates.length === 1 ? [] : usable.slice(0, half);
  try {
    rungsOf(candidates.length, selection.length);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badInput(`${error.message}; give fewer instructions, or the validation split a larger share`, { file: instructions });
  }
  const words = [name, into, ...candidates.map(({ variant }) => variant.hash)].join();
  return {
    prepared: {
      ...read,
      experiment: { ...read.experiment, dataset: { ...dataset, sample: { from: 'validation', distinct: false } } },
    },
    arm,
    candidates,
    into,
    data,
    selection,
    confirmation: usable.slice(selection.length),
    likeTestCases: labelled.length - usable.length,
    mark: hashOf(words).slice(0, 8),
  };
}

/** A part of the data: the training cases, and those of the validation split that are tried. No test case is among them. */
function partOf({ data, prepared }: PreparedSearch, ids: readonly string[]): Dataset {
  const tried = new Set(ids);
  const cases = data.cases.filter(({ id }) => tried.has(id) || data.splits.get(id) === 'train');
  const { dataset, seed } = prepared.experiment;
  return {
    ...data,
    cases,
    splits: new Map(cases.map(({ id }) => [id, data.splits.get(id) ?? 'train'])),
    sample: sampleOf(
      cases.filter(({ id }) => tried.has(id)),
      dataset,
      seed,
    ),
    rowCount: cases.length,
  };
}

/** The arm as it is (null), or with the words of a candidate. */
function armWith({ arm }: PreparedSearch, candidate: Candidate | null): PreparedArm {
  const { counterbalance: _swaps, ...definition } = arm.definition;
  if (candidate === null) return { ...arm, definition };
  const { variant } = candidate;
  return { ...arm, variant, definition: { ...definition, name: `${definition.name} (${variant.name})`, prompts: variant.name } };
}

/** One experiment of the search. */
function experimentOf(
  search: PreparedSearch,
  step: string,
  arms: readonly PreparedArm[],
  ids: readonly string[],
): PreparedExperiment {
  const { prepared, mark } = search;
  // Failed trials that are tried again can leave other candidates in a step, and no experiment can lose an arm.
  const members = hashOf(arms.map(({ definition }) => definition.name).join()).slice(0, 4);
  const experiment = {
    ...prepared.experiment,
    name: `${prepared.experiment.name}: instructions ${mark}, ${step} (${members})`,
    arms: arms.map(({ definition }) => definition),
  };
  return { ...prepared, experiment, arms, data: partOf(search, ids) };
}

/** What each arm of a finished experiment did, case by case. Throws where trials are left. */
function contendersIn(store: Store, { experiment }: PreparedExperiment): Map<string, Contender> {
  const frozen = loadFrozen(store, experiment.name);
  const lines = [...trialLines(store, frozen)];
  if (lines.some(({ status }) => status !== 'done')) {
    throw new AssizeError(
      'interrupted',
      `experiment ${JSON.stringify(experiment.name)} is not finished; run the command again to go on`,
    );
  }
  const { dataset } = frozen.definition;
  const terms = { labels: dataset.labels ?? [], multiLabel: isMultiLabel(dataset) };
  return new Map(
    [...Map.groupBy(lines, ({ arm }) => arm)].map(([arm, own]) => [arm, contender(arm, false, measured(own, new Map()), terms)]),
  );
}

/**
 * Chooses among the candidates by successive halving on the selection cases, and compares the winner with the arm as it was on
 * the confirmation cases, which had no say: the interval there needs no correction for the choice.
 *
 * Every stage is an experiment of its own on the record; one that is there already is not run again.
 * @param run runs what is left of an experiment
 * @param read reads the record after it
 */
export async function searchInstructions(
  search: PreparedSearch,
  path: string,
  run: (experiment: PreparedExperiment, what: string) => Promise<{ standin: boolean }>,
  read: <T>(action: (store: Store) => T) => Promise<T>,
): Promise<OptimiseReport> {
  const { candidates, selection, confirmation, prepared, arm, into } = search;
  const byName = new Map(candidates.map((candidate) => [candidate.variant.name, candidate]));
  const experiments: string[] = [];
  let standin = false;
  const hold = async (step: string, arms: readonly PreparedArm[], ids: readonly string[]) => {
    const experiment = experimentOf(search, step, arms, ids);
    const report = await run(experiment, `${step}: ${arms.length} arms on ${ids.length} cases`);
    standin ||= report.standin;
    experiments.push(experiment.experiment.name);
    return read((store) => contendersIn(store, experiment));
  };
  const tryOn = async (names: readonly string[], { from, to }: Rung, stage: number) => {
    const arms = names.map((name) => armWith(search, byName.get(name) ?? null));
    const found = await hold(`stage ${stage}`, arms, selection.slice(from, to));
    return new Map(names.map((name, place) => [name, found.get(arms[place]?.definition.name ?? '')?.correct ?? []]));
  };
  const standings = await successiveHalving([...byName.keys()], selection.length, tryOn);
  const best = byName.get(standings[0]?.candidate ?? '');
  if (best === undefined) throw new Error('a search has a candidate');
  const [changed, usual] = [armWith(search, best), armWith(search, null)];
  const found = await hold('confirmation', [changed, usual], confirmation);
  const [one, other] = [found.get(changed.definition.name), found.get(usual.definition.name)];
  if (one === undefined || other === undefined) throw new Error('both arms were tried');
  const resampling = { resamples: defaultResamples, seed: prepared.experiment.seed, level: 0.95 };
  const [comparison] = comparisonsOf([one, other], resampling).run(() => undefined).comparisons;
  if (comparison === undefined) throw new Error('two arms make one pair');
  return {
    experiment: prepared.experiment.name,
    arm: arm.definition.name,
    into,
    store: path,
    standin,
    cases: { selection: selection.length, confirmation: confirmation.length, like_test_cases: search.likeTestCases },
    candidates: standings.map((standing) => ({
      name: standing.candidate,
      instruction: byName.get(standing.candidate)?.instruction ?? '',
      stages: standing.rungs,
      cases: standing.right.length,
      accuracy: standing.right.length === 0 ? null : meanRight(standing),
    })),
    winner: { name: best.variant.name, hash: best.variant.hash, comparison },
    experiments,
  };
}
