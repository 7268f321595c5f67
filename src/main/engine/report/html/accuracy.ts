// How often an arm was right, as the first page of a report says it.
import type { Prediction } from '../../../../shared/domain.ts';
import type { FrozenExperiment } from '../../lab/frozen.ts';
import type { Store } from '../../store/store.ts';
import { trialLines } from '../trialLines.ts';

/** Trials of an arm on other cases whose truth is known. */
export interface OtherCases {
  /** Decided ones. */
  readonly n: number;
  /** Cases that these are of. */
  readonly cases: number;
  readonly right: number;
  /** Ones without a decision. */
  readonly undecided: number;
  /** The single label that is right in most of the decided ones; null where several can apply, or there are none. */
  readonly commonest: { readonly label: string; readonly right: number } | null;
}

/** Case -> whether its trials were decided correctly; null: no decision. */
type Verdicts = Map<string, { readonly correct: (boolean | null)[]; readonly truth: Prediction }>;

/** A bundle asks for each trial in turn: what one root of the record says is read once. */
const known = new WeakMap<Store, { readonly key: string; readonly arms: Map<string, Verdicts> }>();

function verdictsOf(store: Store, frozen: FrozenExperiment, root: string): Map<string, Verdicts> {
  const key = `${root} ${frozen.name}`;
  const found = known.get(store);
  if (found?.key === key) return found.arms;
  const arms = new Map<string, Verdicts>();
  for (const { arm, case: id, status, truth, correct } of trialLines(store, frozen, undefined)) {
    if (status !== 'done' || truth === null) continue;
    const verdicts: Verdicts = arms.get(arm) ?? new Map();
    arms.set(arm, verdicts);
    const known = verdicts.get(id);
    if (known === undefined) verdicts.set(id, { correct: [correct], truth });
    else known.correct.push(correct);
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
  const others = [...all].flatMap(([id, { correct, truth }]) =>
    id === of.case ? [] : correct.map((each) => ({ id, correct: each, truth })),
  );
  const decided = others.filter(({ correct }) => correct !== null);
  return {
    n: decided.length,
    cases: new Set(decided.map(({ id }) => id)).size,
    right: decided.filter(({ correct }) => correct === true).length,
    undecided: others.length - decided.length,
    commonest: commonestOf(decided.map(({ truth }) => truth)),
  };
}
