// Finds the best of several instructions for an arm's prompts, only on cases of the validation split.
import { createHash } from 'node:crypto';
import { sampleOf, tellingOf } from '../../../core/cases/sample.ts';
import { meanRight, type Rung, rungsOf, successiveHalving } from '../../../core/optimiser/successiveHalving.ts';
import { type Contender, comparisonsOf, contender } from '../../../core/statistics/measures/comparisons.ts';
import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { armSchema, longestName } from '../../../shared/experiment.ts';
import type { OptimiseReport } from '../../../shared/promptOutputs.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { type Dataset, readDataset } from '../datasets/dataset.ts';
import { caseTerms, resamplingOf } from '../report/statistics.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import { readExperiment } from './experimentFile.ts';
import { type FrozenExperiment, loadFrozen } from './frozen.ts';
import type { PreparedArm, PreparedExperiment } from './preparedArm.ts';
import { withoutPrimary } from './primary.ts';
import {
  type Candidate,
  candidatesFrom,
  candidatesIn,
  factsOf,
  mistakesIn,
  suggestionArm,
  suggestionExperiment,
  wordsAt,
} from './suggestions.ts';

/** Of fewer the interval over the confirming half covers less often than it says: docs/decisions/0037 has the simulation. */
const fewestCases = 40;

const hashOf = (words: string) => createHash('sha256').update(words).digest('hex');

/** Characters that a search puts behind the names of the experiment and of the arm. */
const longestAddition = 50;

export interface OptimiseRequest {
  readonly arm: string;
  /** File with an instruction on each line; may be absent where the experiment file has a model suggest some. */
  readonly instructions: string | undefined;
  readonly into: string;
}

type PreparedSearch = Readonly<Awaited<ReturnType<typeof prepareSearch>>>;

/** Reads the arm, the instructions and the validation split. Throws bad input. */
export async function prepareSearch(path: string, { arm: name, instructions, into }: OptimiseRequest) {
  const read = readExperiment(path);
  const arm = read.arms.find(({ definition }) => definition.name === name);
  if (arm === undefined) {
    const known = read.arms.map(({ definition }) => JSON.stringify(definition.name)).join(', ');
    throw badInput(`there is no arm ${JSON.stringify(name)}; the file has ${known}`, '--arm');
  }
  if (Math.max(read.experiment.name.length, name.length) > longestName - longestAddition) {
    throw badInput(
      `a search names its experiments and arms after these, and a name has at most ${longestName} characters; shorten the name of the experiment and of the arm to ${longestName - longestAddition}`,
      { file: path },
    );
  }
  const { dataset, seed, suggestions, runtime } = read.experiment;
  if (instructions === undefined && suggestions === undefined) {
    throw badInput(
      'give a file of instructions, or "suggestions" in the experiment file, which asks a model for some',
      '--instructions',
    );
  }
  const place = { arm, into, numCtx: runtime.numCtx };
  wordsAt(place);
  const listed = instructions === undefined ? [] : candidatesIn(instructions, place);
  const most = listed.length + (suggestions?.atMost ?? 0);
  if (dataset.split.validation === 0) {
    throw read.file.error(
      'instructions are chosen on the validation split, and it has no share; give it one, such as {"test": 0.6, "validation": 0.4}',
      ['dataset', 'split'],
    );
  }
  if (dataset.label === undefined) throw read.file.error('without a label no one knows which answers are right', ['dataset']);
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
  const selection = most === 1 && suggestions === undefined ? [] : usable.slice(0, half);
  try {
    rungsOf(most, selection.length);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw badInput(`${error.message}; give fewer instructions, or the validation split a larger share`, {
      file: instructions ?? path,
    });
  }
  return {
    prepared: {
      ...read,
      experiment: { ...read.experiment, dataset: { ...dataset, sample: { from: 'validation' as const, distinct: false } } },
    },
    arm,
    listed,
    place,
    data,
    /** Ids of validation cases in the order of the sample: first those to choose on, then those to confirm on. */
    selection,
    confirmation: usable.slice(selection.length),
    likeTestCases: labelled.length - usable.length,
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
  };
}

function armWith({ arm }: PreparedSearch, candidate: Candidate | null): PreparedArm {
  const { counterbalance: _swaps, ...definition } = arm.definition;
  if (candidate === null) return { ...arm, definition };
  const { variant } = candidate;
  // Parsed, so that its keys stand as in the record: what the record has is not run again.
  const changed = armSchema.parse({ ...definition, name: `${definition.name} (${variant.name})`, prompts: variant.name });
  return { ...arm, variant, definition: changed };
}

/** The name of an experiment of the search. @param of what else would give the experiment another name */
function stepName({ prepared, arm, place }: PreparedSearch, of: readonly string[], step: string): string {
  const mark = hashOf([arm.definition.name, place.into, ...of].join()).slice(0, 8);
  return `${prepared.experiment.name}: instructions ${mark}, ${step}`;
}

/** One experiment of the search. @param of as for `stepName` */
function experimentOf(
  search: PreparedSearch,
  of: readonly string[],
  step: string,
  arms: readonly PreparedArm[],
  ids: readonly string[],
): PreparedExperiment & { readonly data: Dataset } {
  const { prepared } = search;
  // Failed trials that are tried again can leave other candidates in a step, and no experiment can lose an arm.
  const members = hashOf(arms.map(({ definition }) => definition.name).join()).slice(0, 4);
  const experiment = {
    ...withoutPrimary(prepared.experiment),
    name: stepName(search, of, `${step} (${members})`),
    arms: arms.map(({ definition }) => definition),
  };
  return { ...prepared, experiment, arms, data: partOf(search, ids) };
}

function finishedLines(store: Store, frozen: FrozenExperiment): TrialLine[] {
  const lines = [...trialLines(store, frozen)];
  if (lines.every(({ status }) => status === 'done')) return lines;
  throw new AssizeError(
    'interrupted',
    `experiment ${JSON.stringify(frozen.name)} is not finished; run the command again to continue`,
  );
}

function contendersIn(store: Store, { experiment }: PreparedExperiment): Map<string, Contender> {
  const frozen = loadFrozen(store, experiment.name);
  const lines = finishedLines(store, frozen);
  const terms = caseTerms(frozen);
  return new Map(
    [...Map.groupBy(lines, ({ arm }) => arm)].map(([arm, own]) => [
      arm,
      contender(arm, false, () => measured(own, new Map()), terms),
    ]),
  );
}

type RunStep = (experiment: PreparedExperiment, what: string) => Promise<void>;
type ReadRecord = <T>(action: (store: Store) => T) => Promise<T>;

/** Has a model suggest instructions from what the unchanged arm got wrong on the selection cases, and on no others. */
async function suggest(search: PreparedSearch, run: RunStep, read: ReadRecord): Promise<ReturnType<typeof candidatesFrom>> {
  const { prepared, place, selection, listed } = search;
  const { kind } = prepared.experiment.dataset;
  const tried = experimentOf(search, [], 'mistakes', [armWith(search, null)], selection);
  await run({ ...tried, later: [suggestionArm(prepared.experiment)] }, `mistakes: the arm as it is on ${selection.length} cases`);
  // Half of the context at four characters a token, for what the model reads in addition to the words of the prompt.
  const room = 2 * place.numCtx;
  const mistakes = await read((store) =>
    mistakesIn(finishedLines(store, loadFrozen(store, tried.experiment.name)), tried.data, kind, room),
  );
  const facts = factsOf(prepared, tried.data.labels, place, mistakes);
  const name = stepName(search, [JSON.stringify([prepared.experiment.suggestions, facts])], 'suggestions');
  const asked = suggestionExperiment(prepared, name, facts);
  await run(asked, `suggestions: one call with ${mistakes.shown.length} of ${mistakes.wrong} mistakes`);
  return read((store) => candidatesFrom(store, asked, place, listed, mistakes));
}

/**
 * Chooses among the candidates by successive halving on the selection cases, and compares the winner with the arm as it was on
 * the confirmation cases, which had no say: the interval there needs no correction for the choice.
 *
 * Every stage is a separate experiment on the record; an existing one is not run again.
 * @param run runs what is left of an experiment
 * @param read reads the record after it
 * @returns what was found, and the file of the winner's variant; null where there was no candidate
 */
export async function searchInstructions(
  search: PreparedSearch,
  path: string,
  run: (experiment: PreparedExperiment, what: string) => Promise<{ standin: boolean }>,
  read: ReadRecord,
): Promise<{ report: OptimiseReport; winner: string | null }> {
  const { selection, confirmation, prepared, arm, place } = search;
  const experiments: string[] = [];
  let standin = false;
  const runStep: RunStep = async (experiment, what) => {
    const ended = await run(experiment, what);
    standin ||= ended.standin;
    experiments.push(experiment.experiment.name);
  };
  const asked = prepared.experiment.suggestions === undefined ? null : await suggest(search, runStep, read);
  const candidates = [...search.listed, ...(asked?.candidates ?? [])];
  const byName = new Map(candidates.map((candidate) => [candidate.variant.name, candidate]));
  const hashes = candidates.map(({ variant }) => variant.hash);
  const hold = async (step: string, arms: readonly PreparedArm[], ids: readonly string[]) => {
    const experiment = experimentOf(search, hashes, step, arms, ids);
    await runStep(experiment, `${step}: ${arms.length} arms on ${ids.length} cases`);
    return read((store) => contendersIn(store, experiment));
  };
  const tryOn = async (names: readonly string[], { from, to }: Rung, stage: number) => {
    const arms = names.map((name) => armWith(search, byName.get(name) ?? null));
    const found = await hold(`stage ${stage}`, arms, selection.slice(from, to));
    const rightOf = (name: string | undefined) => found.get(name ?? '')?.tried.map(({ right }) => right) ?? [];
    return new Map(names.map((name, index) => [name, rightOf(arms[index]?.definition.name)]));
  };
  const confirm = async (best: Candidate): Promise<NonNullable<OptimiseReport['winner']>> => {
    const [changed, usual] = [armWith(search, best), armWith(search, null)];
    const found = await hold('confirmation', [changed, usual], confirmation);
    const [one, other] = [found.get(changed.definition.name), found.get(usual.definition.name)];
    if (one === undefined || other === undefined) throw new Error('both arms were tried');
    const drawn = resamplingOf(prepared.experiment);
    const [comparison] = comparisonsOf([one, other], drawn).comparisons;
    if (comparison === undefined) throw new Error('two arms make one pair');
    return { name: best.variant.name, hash: best.variant.hash, comparison };
  };
  const standings = await successiveHalving([...byName.keys()], selection.length, tryOn);
  const best = byName.get(standings[0]?.candidate ?? '');
  const winner = best === undefined ? null : await confirm(best);
  const report: OptimiseReport = {
    experiment: prepared.experiment.name,
    arm: arm.definition.name,
    into: place.into,
    store: path,
    standin,
    cases: { selection: selection.length, confirmation: confirmation.length, like_test_cases: search.likeTestCases },
    suggestions: asked?.report ?? null,
    candidates: standings.map((standing) => ({
      name: standing.candidate,
      instruction: byName.get(standing.candidate)?.instruction ?? '',
      stages: standing.rungs,
      cases: standing.right.length,
      accuracy: standing.right.length === 0 ? null : meanRight(standing),
    })),
    winner,
    experiments,
  };
  return { report, winner: best?.text ?? null };
}
