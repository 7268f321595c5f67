import type { Variant } from '../../../core/prompts/variant.ts';
import type { PromptPreview } from '../../../shared/api/experiments.ts';
import type { TryNeed } from '../../../shared/api/trials.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import type { PlanReport } from '../../../shared/outputs.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { tokensIn } from '../lab/callEstimate.ts';
import { type Answerer, contextNeeds } from '../lab/checks.ts';
import { prepareDrafted, readExperimentData } from '../lab/experimentFile.ts';
import { type ModelSpeed, noPastCalls, pastCalls, withMeasured } from '../lab/pastCalls.ts';
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
    if (arm === undefined) throw badInput(`there is no arm ${index + 1}; name one of ${prepared.arms.length}`, { field: 'arm' });
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
    if (need === undefined) throw badInput('a protocol without calls needs no context', { field: '--protocol' });
    const { prompt, numPredict, numCtx, fits } = need;
    return { prompt, numPredict, numCtx, fits };
  },
};
