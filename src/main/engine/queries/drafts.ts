import type { PromptPreview } from '../../../shared/api/experiments.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { prepareDrafted } from '../lab/draftFile.ts';
import { readExperimentData } from '../lab/experimentData.ts';
import { planExperiment, rehearseArm } from '../lab/plan.ts';
import type { Answerer } from '../lab/reproducibleNotes.ts';
import type { FileQuery } from './query.ts';

/** An experiment that is not on the record, and where its data are. */
interface Drafted {
  readonly experiment: Experiment;
  /** Absolute. */
  readonly dataPath: string;
}

const charactersPerToken = 4;

export const draftData: FileQuery<Drafted, Dataset> = {
  needs: 'no store',
  run: ({ experiment, dataPath }) => readExperimentData(prepareDrafted(experiment, dataPath)),
};

export const draftPlan: FileQuery<Drafted & { missingModels: string[] | null; answerer: Answerer }, PlanReport> = {
  needs: 'no store',
  async run({ experiment, dataPath, missingModels, answerer }) {
    const prepared = prepareDrafted(experiment, dataPath);
    return planExperiment(prepared, await readExperimentData(prepared), { done: new Map(), missingModels, answerer });
  },
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
        prompt_tokens: Math.ceil(request.messages.reduce((sum, { content }) => sum + content.length, 0) / charactersPerToken),
        invented: answer,
      })),
    };
  },
};
