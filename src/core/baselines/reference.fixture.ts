import values from '../../../docs/reference/values/baselines.json' with { type: 'json' };
import type { DatasetCase } from '../../shared/domain.ts';

/** Tables with what scikit-learn says of them; docs/reference/baselines.py made them. */
export const referenceSets = values.sets.map((set) => {
  const casesOf = (name: string, rows: readonly (readonly string[])[], labels: readonly string[]) =>
    rows.map(
      (row, index): DatasetCase => ({
        id: `${name}${index}`,
        facts: row.flatMap((value, place) => (value === '' ? [] : [{ name: set.columns[place] ?? '', value }])),
        question: null,
        truth: labels[index] ?? null,
        groups: {},
      }),
    );
  return {
    ...set,
    training: casesOf('train', set.train, set.trainLabels),
    onTrial: casesOf('test', set.test, set.testLabels),
    /** Class of each training row: its label's place. */
    classes: Int32Array.from(set.trainLabels, (label) => set.labels.indexOf(label)),
  };
});
