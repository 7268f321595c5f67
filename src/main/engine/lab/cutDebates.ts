// Finds speeches in a file that no one would hear; only a dry run shows them.
import { isDeepStrictEqual } from 'node:util';
import type { Dataset } from '../datasets/dataset.ts';
import { noSpeech, speechesToCut } from './changedArms.ts';
import { dryRunArm } from './plan.ts';
import type { PreparedExperiment } from './preparedArm.ts';

/** Refuses speeches that the arm does not have, and debates that are cut before others. */
export async function refuseOtherSpeeches(prepared: PreparedExperiment, data: Dataset): Promise<void> {
  for (const [index, { change }] of prepared.experiment.arms.entries()) {
    if (change?.kind !== 'truncate' && change?.kind !== 'withhold' && change?.kind !== 'replace') continue;
    const base = prepared.arms.find(({ definition }) => definition.name === change.of);
    if (base === undefined) continue;
    const made = (await dryRunArm(prepared, data, base)).speeches;
    const at = ['arms', index, 'change'] as const;
    if (change.kind !== 'truncate') {
      if (made.includes(change.speech)) continue;
      throw prepared.file.error(noSpeech(change.of, change.speech, made), [...at, 'speech']);
    }
    const speeches = speechesToCut(made);
    if (isDeepStrictEqual(speeches, change.speeches)) continue;
    throw prepared.file.error(`the speeches of arm ${JSON.stringify(change.of)} are ${speeches.join(', ')}; list these`, [
      ...at,
      'speeches',
    ]);
  }
}
