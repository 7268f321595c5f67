import { narrate } from '../../../core/cases/narrative.ts';
import type { PrecedentQuery } from '../../../core/protocols/court.ts';
import { tellingOf } from '../../../core/retrieval/sameText.ts';
import type { CaseKind } from '../../../shared/domain.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { type Range, sum } from './callEstimate.ts';

/** Precedents that a query finds for one case: at least and at most, since the labels in dispute are not known beforehand. */
type Found = Range;

/** How many precedents the training split has to give, by counting alone. */
export interface PrecedentSupply {
  /** Labelled training cases. */
  readonly training: number;
  /** What one trial finds: where there is least to find and where there is most. */
  ofTrial(query: PrecedentQuery): { readonly poorest: Found; readonly richest: Found };
  /** Training cases that all trials of some arms can find together, all of them looking in one way. */
  most(queries: readonly PrecedentQuery[], replicates: number): number;
}

export function precedentSupply({ cases, splits, sample, labels }: Dataset, kind: CaseKind): PrecedentSupply {
  const training = cases.flatMap(({ id, facts, truth }) =>
    typeof truth === 'string' && splits.get(id) === 'train'
      ? [{ id, label: truth, telling: tellingOf(narrate(facts, kind)) }]
      : [],
  );
  const ofLabel = Map.groupBy(training, ({ label }) => label);
  const ofText = Map.groupBy(training, ({ telling }) => telling);
  const byId = new Map(cases.map((kase) => [kase.id, kase]));
  // A case finds neither itself nor one that tells the same; few have any such.
  const hidden = sample.map((id) => {
    const kase = byId.get(id);
    return kase === undefined ? [] : (ofText.get(tellingOf(narrate(kase.facts, kind))) ?? []).map(({ label }) => label);
  });
  const kinds = [...Map.groupBy(hidden, (missing) => JSON.stringify(missing.toSorted())).values()].map((alike) => ({
    missing: alike[0] ?? [],
    cases: alike.length,
  }));

  /** Of each label what one case finds, the fewest first. */
  const countsFor = (perLabel: number, missing: readonly string[]) =>
    labels
      .map((label) => (ofLabel.get(label)?.length ?? 0) - missing.filter((each) => each === label).length)
      .map((count) => Math.min(perLabel, count))
      .toSorted((a, b) => a - b);

  const foundBy = ({ perLabel, labels: wanted }: PrecedentQuery, missing: readonly string[]): Found => {
    const counts = countsFor(perLabel, missing);
    return { min: sum(counts.slice(0, wanted.length)), max: sum(counts.slice(-wanted.length)) };
  };

  return {
    training: training.length,

    ofTrial(query) {
      const found = kinds.map(({ missing }) => foundBy(query, missing)).toSorted((a, b) => a.min - b.min);
      const none = { min: 0, max: 0 };
      return {
        poorest: found[0] ?? none,
        richest: { min: found.at(-1)?.min ?? 0, max: Math.max(0, ...found.map(({ max }) => max)) },
      };
    },

    most(queries, replicates) {
      const perLabel = Math.max(0, ...queries.map((query) => query.perLabel));
      const drawn = queries.some(({ retriever }) => retriever === 'random');
      return sum(
        kinds.map(({ missing, cases: alike }) => {
          const each = sum(
            queries.map((query) => {
              // The nearest of all labels are the same in every replicate; those of the labels in dispute need not be.
              const times = drawn || query.labels.length < labels.length ? replicates : 1;
              return foundBy(query, missing).max * times;
            }),
          );
          return alike * Math.min(each, sum(countsFor(perLabel, missing)) * (drawn ? replicates : 1));
        }),
      );
    },
  };
}
