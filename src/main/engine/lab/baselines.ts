import { type Baseline, type Baselines, drawnBaseline } from '../../../core/baselines/baseline.ts';
import { fitBaselines } from '../../../core/baselines/fitBaselines.ts';
import { constantBaselines, expectedAccuracy } from '../../../core/baselines/frequencyBaselines.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import type { Store } from '../store/store.ts';
import { programVersion } from '../version.ts';
import type { FrozenExperiment } from './frozen.ts';

/** With the program's version, and where chance decided, with what the truths of the cases on trial say of its luck. */
function complete(baseline: Baseline, onTrial: readonly DatasetCase[]): Baseline {
  const truths = new Map(onTrial.flatMap(({ id, truth }) => (typeof truth === 'string' ? [[id, truth] as const] : [])));
  const expected = baseline.name === drawnBaseline ? expectedAccuracy(baseline.predictions, truths) : null;
  const luck = `accuracy to be expected of such draws, over the ${truths.size} cases with a known truth: ${expected?.toFixed(3)}`;
  const { about } = baseline;
  const notes = expected === null ? about.notes : [...about.notes, luck];
  return { ...baseline, about: { ...about, library: `Assize ${programVersion}`, notes } };
}

/**
 * The baselines of an experiment. They are a function of the record alone: the training split is stored with the cases
 * on trial, so nothing but the store is needed, and any reader of it gets the same predictions. It takes seconds with
 * thousands of training cases: call it in a worker.
 * @param onProgress called with the share of the work that is done, 0-1; may throw to give up
 */
export function experimentBaselines(store: Store, frozen: FrozenExperiment, onProgress?: (share: number) => void): Baselines {
  const { dataset, seed } = frozen.definition;
  const stored = store.datasets.cases(frozen.dataset.id);
  const refs = new Map(stored.map(({ id, ref }) => [id, ref]));
  const read = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const ref = refs.get(id);
      return ref === undefined || store.erasures.has(ref) ? [] : [store.datasets.read(ref)];
    });
  const onTrial = read(frozen.sample());
  const finish = ({ baselines, ...rest }: Baselines) => ({ ...rest, baselines: baselines.map((one) => complete(one, onTrial)) });
  // An experiment without arms in its definition was made from a file of predictions.
  if (frozen.definition.arms.length === 0) return finish(constantBaselines(onTrial, dataset.labels ?? [], seed));
  const fitted = fitBaselines({
    kind: dataset.kind,
    labels: dataset.labels ?? [],
    multiLabel: isMultiLabel(dataset),
    training: read(stored.flatMap(({ id, split }) => (split === 'train' ? [id] : []))),
    onTrial,
    seed,
    onProgress,
  });
  return finish(fitted);
}
