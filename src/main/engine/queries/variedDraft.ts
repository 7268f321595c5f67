// The experiment in which trials on the record are tried again with changes.
import { isDeepStrictEqual } from 'node:util';
import { caseOnTrial } from '../../../core/cases/caseOnTrial.ts';
import { shownFacts } from '../../../core/cases/columnNames.ts';
import type { VaryDraft, VarySize } from '../../../shared/api/experiments.ts';
import type { ShownFact } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { addedRanges } from '../lab/callEstimate.ts';
import { coldSeeds } from '../lab/checks.ts';
import { refuseErased } from '../lab/erasedData.ts';
import { prepareDrafted, readExperimentData } from '../lab/experimentFile.ts';
import { definitionOf } from '../lab/freeze.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import type { PreparedArm, PreparedExperiment } from '../lab/preparedArm.ts';
import { firstCasesName, firstCasesOf, retrialName, retrialOf } from '../lab/retrial.ts';
import { refuseCasesOfTrial, varied } from '../lab/vary.ts';
import type { Store } from '../store/store.ts';
import { findTrial } from './findTrial.ts';
import type { Query } from './query.ts';
import { tallyArms } from './tally.ts';

interface VariedDraft {
  readonly experiment: Experiment;
  readonly data: Dataset;
  readonly size: VarySize;
  /** Whether the demo model answered in the trials that are tried again. */
  readonly standin: boolean;
}

/** Throws bad input where an experiment has the name that the first cases of another would have, but not these cases. */
function refuseOtherCases(own: FrozenExperiment, of: FrozenExperiment, cases: number): void {
  const [mine, theirs] = [own, of].map(({ dataset, definition, sample }) => [
    dataset.id,
    definition.seed,
    sample().slice(0, cases),
  ]);
  if (own.sampleSize() === cases && isDeepStrictEqual(mine, theirs)) return;
  throw badInput(
    `there is already an experiment ${JSON.stringify(own.name)}, and it does not try the first cases of ${JSON.stringify(of.name)} with the same data and seed; choose another number of cases`,
    '--cases',
  );
}

/** The experiment of a trial that is tried again: the one on the record, or only its arm. Throws bad input. */
function retrialDefinition(
  store: Store,
  experiment: string,
  trial: string,
): { readonly definition: Experiment; readonly frozen: FrozenExperiment; readonly isNew: boolean } {
  const again = retrialName(trial);
  if (store.experiments.get(again) !== undefined) {
    const frozen = loadFrozen(store, again);
    if (frozen.definition.retrial?.trial !== trial) {
      throw badInput(`there is already an experiment ${JSON.stringify(again)}, and it does not try this trial again`, 'trial');
    }
    return { definition: frozen.definition, frozen, isNew: false };
  }
  const { trial: planned, frozen } = findTrial(store, trial);
  const { primary: _primary, stop: _stop, ...definition } = frozen.definition;
  const arms = definition.arms.filter(({ name, change }) => name === planned.arm && change === undefined);
  if (definition.name !== experiment) throw badInput('this trial is of another experiment', 'trial');
  if (arms.length > 0) return { definition: { ...definition, arms }, frozen, isNew: true };
  throw badInput('this trial was imported, or is itself one with a change; open the trial that it varies', 'trial');
}

/** The data set of an experiment as the record has it. Throws `ErasedText` where a case of it was erased. */
function recordedData(store: Store, { name, dataset, definition, sample }: FrozenExperiment): Dataset {
  const stored = store.datasets.cases(dataset.id);
  const { labels = [], positive = null } = definition.dataset;
  return {
    cases: stored.map(({ ref }) => store.datasets.read(ref)),
    splits: new Map(stored.map(({ id, split }) => [id, split])),
    sample: sample(),
    labels: [...labels],
    positive,
    multiLabel: isMultiLabel(definition.dataset),
    fileHash: '',
    fileRef: store.experiments.history(name).at(-1)?.payload.dataset.file ?? '',
    checks: [],
  };
}

/** The calls of a trial of each arm that was not there before, by the first case of the sample, as a plan counts them. */
function callsOf(made: PreparedExperiment, data: Dataset, before: readonly PreparedArm[]) {
  const known = new Set(before.map(({ definition }) => definition.name));
  const first = data.cases.find(({ id }) => id === data.sample[0]);
  if (first === undefined) return { min: 0, max: 0 };
  const onTrial = caseOnTrial(definitionOf(made, data).dataset, first);
  const tried = made.arms.filter(({ definition }) => !known.has(definition.name));
  return addedRanges(tried.map(({ bound, definition }) => bound.plannedCalls(onTrial, definition.belief)));
}

/** The facts that any case of an experiment has, with the names that people read; those of erased cases are gone. */
export const experimentFacts: Query<{ experiment: string }, Omit<ShownFact, 'value'>[]> = {
  run(store, { experiment }) {
    const frozen = loadFrozen(store, experiment);
    const drawn = frozen.sample().flatMap((id) => store.datasets.caseOfId(frozen.dataset.id, id) ?? []);
    const left = drawn.filter(({ ref }) => !store.erasures.has(ref)).map(({ ref }) => store.datasets.read(ref));
    const facts = new Map(left.flatMap((each) => each.facts.map((fact) => [fact.name, fact] as const)));
    return shownFacts([...facts.values()], columnTermsOf(store, frozen)).map(({ value: _value, ...names }) => names);
  },
};

/** The experiment with further arms, or of one trial tried again, and its data. @throws bad input for what cannot be changed */
export const variedDraft: Query<VaryDraft, VariedDraft> = {
  async run(store, { experiment, trial, changes, cases: first, expect }) {
    refuseCasesOfTrial(trial, first);
    const sampled = first === undefined ? experiment : firstCasesName(experiment, first);
    const known = store.experiments.get(sampled) === undefined ? experiment : sampled;
    refuseErased(store, known);
    const whole = loadFrozen(store, known);
    if (first !== undefined && known === sampled) refuseOtherCases(whole, loadFrozen(store, experiment), first);
    const { definition, frozen, isNew } =
      trial === null
        ? { definition: whole.definition, frozen: whole, isNew: first !== undefined && known !== sampled }
        : retrialDefinition(store, experiment, trial);
    const prepared = { ...prepareDrafted(definition, ''), data: recordedData(store, frozen) };
    const read = { raw: definition, prepared, data: undefined };
    const again = () => (trial === null ? firstCasesOf(read, first ?? 0) : retrialOf(read, trial));
    const file = isNew ? await again() : read;
    const { made } = await varied(file, { changes, arms: [], expect });
    const data = await readExperimentData(made);
    const unchanged = isNew ? file.prepared.arms.length : 0;
    const { replicates } = made.experiment;
    const [arms, cases] = [made.arms.length - (isNew ? 0 : prepared.arms.length), data.sample.length];
    const cold = coldSeeds(made.arms);
    const [trials, calls] = [arms * cases * replicates, callsOf(made, data, isNew ? [] : prepared.arms)];
    const ofEach = cases * replicates;
    const size = {
      ...{ trials, arms, cases, replicates, unchanged, cold },
      calls: { min: calls.min * ofEach, max: calls.max * ofEach },
    };
    return { experiment: made.experiment, data, size, standin: tallyArms(store, whole).standin };
  },
};
