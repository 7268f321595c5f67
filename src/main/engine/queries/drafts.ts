import { basename } from 'node:path';
import type { Variant } from '../../../core/prompts/variant.ts';
import type { PromptPreview } from '../../../shared/api/experiments.ts';
import type { ImportPreview } from '../../../shared/api/imports.ts';
import type { TryNeed } from '../../../shared/api/trials.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { type ImportRequest, importReport, prepareImport, refuseUnknown } from '../imports/importPredictions.ts';
import { saidIn } from '../imports/plan.ts';
import { readPredictions } from '../imports/predictionRows.ts';
import { newTrials } from '../imports/record.ts';
import { type ModelSpeed, noPastCalls, pastCalls, tokensIn, withMeasured } from '../lab/callEstimate.ts';
import { type Answerer, contextNeeds } from '../lab/checks.ts';
import { prepareDrafted, readExperimentData } from '../lab/experimentFile.ts';
import { dryRunArm, planExperiment } from '../lab/plan.ts';
import type { PreparedExperiment } from '../lab/preparedArm.ts';
import { recordedProgress } from '../lab/recordedProgress.ts';
import { prepareTry, type TryRequest } from '../lab/tryOut.ts';
import type { Store } from '../store/store.ts';
import type { FileQuery, Query } from './query.ts';

/** An experiment that is not on the record, and where its data are. */
interface Drafted {
  readonly experiment: Experiment;
  /** Absolute. */
  readonly dataPath: string;
}

const withData = async (prepared: PreparedExperiment) => ({ prepared, data: await readExperimentData(prepared) });
const ready = ({ experiment, dataPath }: Drafted) => withData(prepareDrafted(experiment, dataPath));

export const draftData: FileQuery<Drafted, Dataset> = {
  needs: 'no store',
  run: async (draft) => (await ready(draft)).data,
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
  const { prepared, data } = await ready(draft);
  const progress = store !== null && isExtension ? recordedProgress(store, prepared.experiment.name) : { done: new Map() };
  return planExperiment(prepared, data, {
    ...progress,
    missingModels,
    answerer,
    past: withMeasured(store === null ? noPastCalls : pastCalls(store, data.fileHash), measured),
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

export const draftPreview: FileQuery<DraftPreview, PromptPreview> = {
  needs: 'no store',
  async run({ arm: index, variant, ...draft }) {
    const { prepared, data } = await ready(draft);
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
  },
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
