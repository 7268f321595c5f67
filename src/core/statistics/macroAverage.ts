/** Unweighted mean of a statistic over classes. */
export interface MacroAverage {
  /** 0-1; null without any class. */
  readonly value: number | null;
  /** Number of classes averaged. */
  readonly classes: number;
  /** Number of classes whose statistic is undefined and went into the mean as 0. */
  readonly undefinedClasses: number;
}

/**
 * Macro average: sum of the classes' values / number of classes, an undefined value (null) as 0.
 *
 * Source: scikit-learn's `average='macro'` with `zero_division=0` and `labels` given; how many zeros
 * stand for undefined values is told, which scikit-learn says only as a warning. All listed classes
 * count, those without a single case too; scikit-learn without `labels` leaves such classes out.
 * Example: [0.5, null, 1] gives 1.5 / 3 = 0.5 with one class undefined.
 */
export function macroAverage(values: readonly (number | null)[]): MacroAverage {
  const undefinedClasses = values.filter((value) => value === null).length;
  const sum = values.reduce<number>((total, value) => total + (value ?? 0), 0);
  return { value: values.length === 0 ? null : sum / values.length, classes: values.length, undefinedClasses };
}
