import type { Measure } from '../../shared/statistics.ts';

/** The F1 that represents a system: of the positive label, and where there is none, the mean over the labels. */
export const ledF1 = (positive: string | null): { readonly measure: string; readonly label: string | null } =>
  positive === null ? { measure: 'macro_f1', label: null } : { measure: 'f1', label: positive };

/** `F1 of YES`, `macro-F1`. */
export const ledF1Name = (positive: string | null): string => (positive === null ? 'macro-F1' : `F1 of ${positive}`);

/** The measure among those of a system; undefined where it has none. */
export function ledF1In(measures: readonly Measure[], positive: string | null): Measure | undefined {
  const { measure, label } = ledF1(positive);
  return measures.find((each) => each.name === measure && each.label === label && each.over === 'decided');
}
