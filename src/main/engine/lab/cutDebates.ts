// What a file may say of debates that are cut, which only a dry run tells.
import { isDeepStrictEqual } from 'node:util';
import type { Dataset } from '../datasets/dataset.ts';
import { speechesToCut } from './changedArms.ts';
import { dryRunArm } from './plan.ts';
import type { PreparedExperiment } from './preparedArm.ts';

/** Refuses debates that are cut before other speeches than those that the arm has. */
export async function refuseOtherSpeeches(prepared: PreparedExperiment, data: Dataset): Promise<void> {
  for (const [index, { change }] of prepared.experiment.arms.entries()) {
    const base = change?.kind === 'truncate' && prepared.arms.find(({ definition }) => definition.name === change.of);
    if (!base || change?.kind !== 'truncate') continue;
    const speeches = speechesToCut((await dryRunArm(prepared, data, base)).speeches);
    if (isDeepStrictEqual(speeches, change.speeches)) continue;
    throw prepared.file.error(`the speeches of arm ${JSON.stringify(change.of)} are ${speeches.join(', ')}; list these`, [
      'arms',
      index,
      'change',
      'speeches',
    ]);
  }
}
