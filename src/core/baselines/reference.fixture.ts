import values from '../../../docs/reference/values/baselines.json' with { type: 'json' };
import texts from '../../../docs/reference/values/texts.json' with { type: 'json' };
import type { DatasetCase } from '../../shared/domain.ts';

interface Rows {
  readonly labels: readonly string[];
  readonly train: readonly (readonly string[])[];
  readonly trainLabels: readonly string[];
  readonly test: readonly (readonly string[])[];
}

function cases({ labels, train, trainLabels, test }: Rows, names: readonly string[], testLabels: readonly string[] = []) {
  const casesOf = (name: string, rows: readonly (readonly string[])[], truths: readonly string[]) =>
    rows.map(
      (row, index): DatasetCase => ({
        id: `${name}${index}`,
        facts: row.flatMap((value, place) => (value === '' ? [] : [{ name: names[place] ?? '', value }])),
        question: null,
        truth: truths[index] ?? null,
        groups: {},
      }),
    );
  return {
    training: casesOf('train', train, trainLabels),
    onTrial: casesOf('test', test, testLabels),
    /** Class of each training row: its label's place. */
    classes: Int32Array.from(trainLabels, (label) => labels.indexOf(label)),
  };
}

/** Tables with what scikit-learn says of them; docs/reference/baselines.py made them. */
export const referenceSets = values.sets.map((set) => ({ ...set, ...cases(set, set.columns, set.testLabels) }));

/** Texts with what scikit-learn says of them; docs/reference/texts.py made them. */
export const referenceTexts = texts.sets.map((set) => ({ ...set, ...cases(set, set.parts) }));
