// Queries: experiments that are not on the record yet, and those in which trials on the record are tried again with changes.
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { caseOnTrial } from '../../../core/cases/caseOnTrial.ts';
import { shownFacts } from '../../../core/cases/columnNames.ts';
import type { Variant } from '../../../core/prompts/variant.ts';
import type { PromptPreview, VaryDraft, VarySize } from '../../../shared/api/experiments.ts';
import type { ImportPreview } from '../../../shared/api/imports.ts';
import type { TryNeed } from '../../../shared/api/trials.ts';
import type { ShownFact } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { type ImportRequest, importReport, prepareImport, refuseUnknown } from '../imports/importPredictions.ts';
import { saidIn } from '../imports/plan.ts';
import { readPredictions } from '../imports/predictionRows.ts';
import { newTrials } from '../imports/record.ts';
import { addedRanges, type ModelSpeed, noPastCalls, pastCalls, tokensIn, withMeasured } from '../lab/callEstimate.ts';
import { type Answerer, coldSeeds, contextNeeds } from '../lab/checks.ts';
import { refuseErased } from '../lab/erasedData.ts';
import { prepareDrafted, readExperimentData } from '../lab/experimentFile.ts';
import { definitionOf } from '../lab/freeze.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { dryRunArm, planExperiment } from '../lab/plan.ts';
import type { PreparedArm, PreparedExperiment } from '../lab/preparedArm.ts';
import { recordedData, withRecordedData } from '../lab/recordedData.ts';
import { recordedProgress } from '../lab/recordedProgress.ts';
import { firstCasesName, firstCasesOf, retrialName, retrialOf } from '../lab/retrial.ts';
import { prepareTry, type TryRequest } from '../lab/tryOut.ts';
import { refuseCasesOfTrial, varied } from '../lab/vary.ts';
import type { Store } from '../store/store.ts';
import { tallyArms } from './experiment.ts';
import { findTrial } from './findTrial.ts';
import type { FileQuery, Query } from './query.ts';

/** An experiment that is not on the record, and where its data are. */
interface Drafted {
  readonly experiment: Experiment;
  /** Absolute. */
  readonly dataPath: string;
}

const withData = async (prepared: PreparedExperiment) => ({ prepared, data: await readExperimentData(prepared) });
function ready({ experiment, dataPath }: Drafted, store: Store | null) {
  const prepared = prepareDrafted(experiment, dataPath);
  return withData(store === null ? prepared : withRecordedData(store, prepared));
}

export const draftData: Query<Drafted, Dataset> = {
  withoutStore: async (draft) => (await ready(draft, null)).data,
  run: async (store, draft) => (await ready(draft, store)).data,
};

interface DraftPlan extends Drafted {
  readonly missingModels: string[] | null;
  readonly answerer: Answerer;
  readonly measured: readonly ModelSpeed[];
  /** Adds to the recorded experiment of this name. */
  readonly isExtension: boolean;
  /** Calls that are answered at a time without any of them getting slower. */
  readonly atATime: number;
}

async function planDraft(draft: DraftPlan, store: Store | null): Promise<PlanReport> {
  const { missingModels, answerer, measured, isExtension, atATime } = draft;
  const { prepared, data } = await ready(draft, store);
  const progress = store !== null && isExtension ? recordedProgress(store, prepared.experiment.name) : { done: new Map() };
  return planExperiment(prepared, data, {
    ...progress,
    missingModels,
    answerer,
    past: withMeasured(store === null ? noPastCalls : pastCalls(store, data), measured),
    atATime,
  });
}

export const draftPlan: Query<DraftPlan, PlanReport> = {
  withoutStore: (draft) => planDraft(draft, null),
  run: (store, draft) => planDraft(draft, store),
};

interface DraftPreview extends Drafted {
  readonly arm: number;
  /** Words that are not in any file yet, in place of the arm's; null: the arm's own. */
  readonly variant: Variant | null;
}

async function preview({ arm: index, variant, ...draft }: DraftPreview, store: Store | null): Promise<PromptPreview> {
  const { prepared, data } = await ready(draft, store);
  const arm = prepared.arms[index];
  if (arm === undefined) throw badInput(`there is no arm ${index + 1}; name one of ${prepared.arms.length}`, 'arm');
  const { calls } = await dryRunArm(prepared, data, variant === null ? arm : { ...arm, variant });
  return {
    arm: arm.definition.name,
    case: data.sample[0] ?? '',
    calls: calls.map(({ call: { key, role, request }, answer }) => ({
      key,
      role,
      model: request.model,
      messages: request.messages.map((message) => ({ ...message })),
      schema: { ...request.schema },
      prompt_tokens: tokensIn(request.messages.map(({ content }) => content).join('')),
      invented: answer,
    })),
  };
}

export const draftPreview: Query<DraftPreview, PromptPreview> = {
  withoutStore: (draft) => preview(draft, null),
  run: (store, draft) => preview(draft, store),
};

/** What the longest prompt of a try would need of the context, from a dry run with invented answers. Throws bad input. */
export const tryNeed: FileQuery<TryRequest, TryNeed> = {
  needs: 'no store',
  async run(request) {
    // Nothing of it is recorded: its name may have any time.
    const { prepared, data } = await withData(prepareTry(request, new Date(0)));
    const [arm] = prepared.arms;
    if (arm === undefined) throw badInput('there is nothing to try');
    const dryRun = await dryRunArm(prepared, data, arm);
    const [need] = contextNeeds(prepared, data, () => dryRun);
    if (need === undefined) throw badInput('a protocol without calls needs no context', '--protocol');
    const { prompt, numPredict, numCtx, fits } = need;
    return { prompt, numPredict, numCtx, fits };
  },
};

const mostValues = 50;
const mostRows = 8;
const longestCell = 200;

/** @param store null where there is none yet: then an experiment would be made */
async function previewOf(store: Store | null, request: ImportRequest): Promise<ImportPreview> {
  const prepared = prepareImport(store, request, await readPredictions(request.path, request));
  const { places, trialAt, read } = prepared.plan;
  const fresh = newTrials(store, prepared, prepared.fault);
  const named = places.filter((place) => trialAt(place).row.prediction !== null);
  const values = [...Map.groupBy(named, (place) => saidIn(trialAt(place).row))].toSorted(([, a], [, b]) => b.length - a.length);
  // A longer one is no spelling of a label that a screen could map.
  const shown = values.filter(([value]) => value.length <= longestCell).slice(0, mostValues);
  return {
    report: importReport(basename(store?.path ?? ''), prepared, fresh),
    values: shown.map(([value, mine]) => ({
      value,
      trials: mine.length,
      label: mine[0] === undefined ? null : read(trialAt(mine[0])).prediction,
    })),
    more_values: values.length - shown.length,
    first: places.slice(0, mostRows).map((place) => {
      const trial = trialAt(place);
      const { row } = trial;
      const { prediction, confidence } = read(trial);
      return {
        line: row.line,
        case: row.case,
        value: saidIn(row).slice(0, longestCell),
        prediction,
        confidence,
      };
    }),
  };
}

/** What a file of predictions would add. Throws all that the import itself would throw before it writes. */
export const importPreview: Query<ImportRequest, ImportPreview> = {
  run(store, request) {
    refuseUnknown(store, request);
    return previewOf(store, request);
  },
  withoutStore: (request) => previewOf(null, request),
};

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
