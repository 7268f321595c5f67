// Experiments whose cases calibrate the sets of labels of another one.
import { badInput } from '../../../shared/errors.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';
import { trialLines } from './trialLines.ts';

const labelsOf = ({ definition }: FrozenExperiment) => (definition.dataset.labels ?? []).join('\n');
const alike = (arm: FrozenExperiment['arms'][number]) =>
  JSON.stringify([arm.protocol, arm.protocolVersion, arm.terms, arm.templates]);

/** The arms of an experiment that another one has by name. */
export function sharedArms(frozen: FrozenExperiment, other: FrozenExperiment, names: readonly string[]): string[] {
  return labelsOf(other) === labelsOf(frozen) ? names.filter((name) => other.arms.some((arm) => arm.name === name)) : [];
}

/** Why another experiment cannot calibrate these arms; null where it can. */
export function whyUnfit(frozen: FrozenExperiment, other: FrozenExperiment, names: readonly string[]): string | null {
  if (labelsOf(other) !== labelsOf(frozen)) return 'it has other labels';
  for (const name of names) {
    const [mine, theirs] = [frozen, other].map(({ arms }) => arms.find((arm) => arm.name === name));
    if (theirs === undefined) return `it has no arm ${JSON.stringify(name)}; name the arms that it has with --arms`;
    if (mine !== undefined && alike(mine) !== alike(theirs)) return `its arm ${JSON.stringify(name)} is a different one`;
  }
  const onTrial = new Set(frozen.sample());
  const shared = other.dataset.id === frozen.dataset.id ? other.sample().find((id) => onTrial.has(id)) : undefined;
  return shared === undefined ? null : `case ${shared} is on trial in both; take another split of the data`;
}

/** The trials of the same arms over other cases. Throws bad input where the two do not fit together. */
export function calibrationIn(store: Store, frozen: FrozenExperiment, names: readonly string[], wanted: string) {
  const other = loadFrozen(store, wanted);
  const why = whyUnfit(frozen, other, names);
  if (why !== null) throw badInput(`${JSON.stringify(wanted)} cannot calibrate: ${why}`, { field: '--calibration' });
  return { experiment: wanted, lines: [...trialLines(store, other)] };
}
