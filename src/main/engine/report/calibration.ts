// Experiments whose cases calibrate the sets of labels of another one.
import { badInput } from '../../../shared/errors.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { haveSameFacts, isSameCase } from '../store/sameCase.ts';
import type { Store } from '../store/store.ts';
import { trialLines } from './trialLines.ts';

const labelsOf = ({ definition }: FrozenExperiment) => (definition.dataset.labels ?? []).join('\n');

/** All that an arm asks apart from the case on trial, as text. */
function askedBy(store: Store, { definition }: FrozenExperiment, arm: FrozenExperiment['arms'][number]): string {
  // Names of examples are salted by their data set.
  const shown = [arm.examples.chosen, arm.examples.reserves].map((refs) =>
    refs.map((ref) => {
      const { id, facts, truth } = store.datasets.outline(ref);
      return [id, facts, truth];
    }),
  );
  const { dataset, reading } = definition;
  return JSON.stringify([arm.protocol, arm.protocolVersion, arm.terms, arm.templates, shown, dataset.question, reading]);
}

/** A case that is on trial in both, over any data sets; for an erased one the id decides. */
function sharedCase(store: Store, frozen: FrozenExperiment, other: FrozenExperiment): string | undefined {
  const onTrial = new Set(frozen.sample());
  return other.sample().find((id) => {
    if (!onTrial.has(id) || other.dataset.id === frozen.dataset.id) return onTrial.has(id);
    const [one, same] = [frozen, other].map(({ dataset }) => store.datasets.caseOfId(dataset.id, id)?.ref);
    if (one === undefined || same === undefined) return false;
    if (store.erasures.has(one) || store.erasures.has(same)) return true;
    const [mine, theirs] = [store.datasets.read(one), store.datasets.read(same)];
    return haveSameFacts(mine, theirs) || isSameCase(mine, theirs);
  });
}

export function sharedArms(frozen: FrozenExperiment, other: FrozenExperiment, names: readonly string[]): string[] {
  return labelsOf(other) === labelsOf(frozen) ? names.filter((name) => other.arms.some((arm) => arm.name === name)) : [];
}

/** Why another experiment cannot calibrate these arms; null where it can. */
export function whyUnfit(
  store: Store,
  frozen: FrozenExperiment,
  other: FrozenExperiment,
  names: readonly string[],
): string | null {
  if (labelsOf(other) !== labelsOf(frozen)) return 'it has other labels';
  for (const name of names) {
    const [mine, theirs] = [frozen, other].map(({ arms }) => arms.find((arm) => arm.name === name));
    if (theirs === undefined) return `it has no arm ${JSON.stringify(name)}; name the arms that it has with --arms`;
    if (mine !== undefined && askedBy(store, frozen, mine) !== askedBy(store, other, theirs))
      return `its arm ${JSON.stringify(name)} is a different one`;
  }
  const shared = sharedCase(store, frozen, other);
  return shared === undefined ? null : `case ${shared} is on trial in both; take another split of the data`;
}

/** The trials of the same arms over other cases. Throws bad input where the two do not fit together. */
export function calibrationIn(store: Store, frozen: FrozenExperiment, names: readonly string[], wanted: string) {
  const other = loadFrozen(store, wanted);
  const why = whyUnfit(store, frozen, other, names);
  if (why !== null) throw badInput(`${JSON.stringify(wanted)} cannot calibrate: ${why}`, '--calibration');
  return { experiment: wanted, lines: [...trialLines(store, other)] };
}
