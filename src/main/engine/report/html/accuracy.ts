// How often an arm was right, as the first page of a report says it.
import type { Prediction } from '../../../../shared/domain.ts';
import type { FrozenExperiment } from '../../lab/frozen.ts';
import type { Store } from '../../store/store.ts';
import { trialLines } from '../trialLines.ts';

/** Other cases of an arm whose truth is known, each counted once: by its first replicate. */
export interface OtherCases {
  /** Decided ones. */
  readonly n: number;
  readonly right: number;
  /** Ones without a decision. */
  readonly undecided: number;
  /** The single label that is right in most of the decided ones; null where several can apply, or there are none. */
  readonly commonest: { readonly label: string; readonly right: number } | null;
}

/** Case -> whether it was decided correctly; null: no decision. */
type Verdicts = Map<string, { readonly correct: boolean | null; readonly truth: Prediction }>;

/** A bundle asks for each trial in turn: what one root of the record says is read once. */
const known = new WeakMap<Store, { readonly key: string; readonly arms: Map<string, Verdicts> }>();

function verdictsOf(store: Store, frozen: FrozenExperiment, root: string): Map<string, Verdicts> {
  const key = `${root} ${frozen.name}`;
  const found = known.get(store);
  if (found?.key === key) return found.arms;
  const arms = new Map<string, Verdicts>();
  for (const { arm, case: id, replicate, status, truth, correct } of trialLines(store, frozen, undefined)) {
    if (status !== 'done' || truth === null || replicate !== 0) continue;
    const verdicts = arms.get(arm) ?? new Map();
    arms.set(arm, verdicts.set(id, { correct, truth }));
  }
  known.set(store, { key, arms });
  return arms;
}

function commonestOf(truths: readonly Prediction[]): OtherCases['commonest'] {
  const labels = truths.filter((truth) => typeof truth === 'string');
  const counted = [...Map.groupBy(labels, (label) => label)].map(([label, all]) => ({ label, right: all.length }));
  return counted.toSorted((one, other) => other.right - one.right)[0] ?? null;
}

/** @param root of the whole record, which names its state */
export function otherCases(store: Store, frozen: FrozenExperiment, root: string, of: { arm: string; case: string }): OtherCases {
  const all = verdictsOf(store, frozen, root).get(of.arm) ?? new Map<string, never>();
  const others = [...all].flatMap(([id, verdict]) => (id === of.case ? [] : [verdict]));
  const decided = others.filter(({ correct }) => correct !== null);
  return {
    n: decided.length,
    right: decided.filter(({ correct }) => correct === true).length,
    undecided: others.length - decided.length,
    commonest: commonestOf(decided.map(({ truth }) => truth)),
  };
}
