// What a dry run has to show before a run: that its trials can be divided among machines, and that speeches which no one hears are there.
import { isDeepStrictEqual } from 'node:util';
import { badInput } from '../../../shared/errors.ts';
import { isImported } from '../../../shared/imported.ts';
import { isInPart, type Part } from '../../../shared/part.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { Store } from '../store/store.ts';
import { noSpeech, speechesToCut } from './changedArms.ts';
import { saysTheSame } from './freeze.ts';
import { type FrozenExperiment, loadFrozen } from './frozen.ts';
import { dryRunArm } from './plan.ts';
import type { PreparedExperiment } from './preparedArm.ts';
import { lastStart } from './recordedProgress.ts';

/** The experiment with only the trials of a part. @param only a trial that is tried whether or not it is in the part */
export function partOf(frozen: FrozenExperiment, part: Part | undefined, only?: string): FrozenExperiment {
  if (part === undefined) return frozen;
  return { ...frozen, part, runTrials: () => frozen.runTrials().filter(({ id }) => id === only || isInPart(part, id)) };
}

/** The same with the part that was run last, which is what continues; all where the last run was of all, or where all have ended. */
export function lastPartOf(store: Store, frozen: FrozenExperiment, only?: string): FrozenExperiment {
  const { part } = lastStart(store, frozen.name);
  if (part === undefined) return frozen;
  const ended = new Map(store.trials.spent(frozen.name).map(({ arm, trials }) => [arm, trials]));
  const planned = frozen.sampleSize() * frozen.definition.replicates;
  const areLeft = frozen.arms.some((arm) => !isImported(arm) && (ended.get(arm.name) ?? 0) < planned);
  return areLeft ? partOf(frozen, part, only) : frozen;
}

/** Throws bad input for an experiment whose trials depend on each other. */
export async function refuseUnfitPart(prepared: PreparedExperiment, data: Dataset): Promise<void> {
  const { experiment, arms, file } = prepared;
  if (experiment.stop !== undefined) {
    throw file.error('a stopping rule looks at all trials, so the experiment cannot be run in parts', ['stop']);
  }
  for (const arm of arms) {
    const { name, cast } = arm.definition;
    const embeds = arm.bound.precedents?.retriever === 'similar' && cast.retriever !== undefined;
    if (!embeds && (await dryRunArm(prepared, data, arm)).shared.length === 0) continue;
    throw file.error(
      `trials of arm ${JSON.stringify(name)} share answers or vectors that are made once, so the experiment cannot be run in parts; ` +
        'give this arm its own experiment, on one machine',
      ['arms'],
    );
  }
}

/** Throws bad input where a part would freeze or extend the experiment: the machines would do so each for itself. */
export function refuseUnfrozenPart(store: Store | null, prepared: PreparedExperiment, data: Dataset): void {
  const { name } = prepared.experiment;
  if (store?.experiments.get(name) !== undefined && saysTheSame(loadFrozen(store, name), prepared, data)) return;
  throw badInput(
    'a part needs a store that has the experiment as the file says it: run the file with --max-trials 0 on one machine, and copy the store to the others',
    '--part',
  );
}

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
