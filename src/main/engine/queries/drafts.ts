import type { PromptPreview } from '../../../shared/api/experiments.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { tokensIn } from '../lab/callEstimate.ts';
import type { Answerer } from '../lab/checks.ts';
import { prepareDrafted } from '../lab/draftFile.ts';
import { readExperimentData } from '../lab/experimentData.ts';
import { type ModelSpeed, noPastCalls, type PastCalls, pastCalls, withMeasured } from '../lab/pastCalls.ts';
import { planExperiment, rehearseArm } from '../lab/plan.ts';
import type { FileQuery, Query } from './query.ts';

/** An experiment that is not on the record, and where its data are. */
interface Drafted {
  readonly experiment: Experiment;
  /** Absolute. */
  readonly dataPath: string;
}

export const draftData: FileQuery<Drafted, Dataset> = {
  needs: 'no store',
  run: ({ experiment, dataPath }) => readExperimentData(prepareDrafted(experiment, dataPath)),
};

interface DraftPlan extends Drafted {
  readonly missingModels: string[] | null;
  readonly answerer: Answerer;
  readonly measured: readonly ModelSpeed[];
}

async function planDraft(draft: DraftPlan, past: (data: Dataset) => PastCalls): Promise<PlanReport> {
  const { experiment, dataPath, missingModels, answerer, measured } = draft;
  const prepared = prepareDrafted(experiment, dataPath);
  const data = await readExperimentData(prepared);
  return planExperiment(prepared, data, {
    done: new Map(),
    missingModels,
    answerer,
    past: withMeasured(past(data), measured),
  });
}

export const draftPlan: Query<DraftPlan, PlanReport> = {
  withoutStore: (draft) => planDraft(draft, () => noPastCalls),
  run: (store, draft) => planDraft(draft, ({ fileHash }) => pastCalls(store, fileHash)),
};

export const draftPreview: FileQuery<Drafted & { arm: number }, PromptPreview> = {
  needs: 'no store',
  async run({ experiment, dataPath, arm: index }) {
    const prepared = prepareDrafted(experiment, dataPath);
    const arm = prepared.arms[index];
    if (arm === undefined) throw badInput(`there is no arm ${index + 1}; name one of ${prepared.arms.length}`, { field: 'arm' });
    const data = await readExperimentData(prepared);
    const { calls } = await rehearseArm(prepared, data, arm);
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
