import { z } from 'zod';
import type { DraftInput } from '../../../shared/api/experiments.ts';
import { primarySchema, primaryTests } from '../../../shared/primary.ts';

/** What is decided beforehand, as it is being written. */
export const primaryFormSchema = z.strictObject({
  /** Keys of the two arms. */
  a: z.string(),
  b: z.string(),
  measure: primarySchema.shape.measure.unwrap(),
  test: z.enum(primaryTests),
  margin: z.number().nullable(),
  /** Null: the run tries all cases. */
  width: z.number().nullable(),
});
export type PrimaryForm = z.infer<typeof primaryFormSchema>;

/** The first choice for two arms. */
export const newPrimary = (a: string, b: string): PrimaryForm => ({
  a,
  b,
  measure: 'accuracy',
  test: 'difference',
  margin: 0.05,
  width: null,
});

/** Nothing where one of the arms is no longer there. @param nameOf names the arm of a key */
export function primaryInput(
  form: PrimaryForm | undefined,
  nameOf: (key: string) => string | undefined,
): Pick<DraftInput, 'primary' | 'stop'> {
  if (form === undefined) return {};
  const [a, b] = [nameOf(form.a), nameOf(form.b)];
  if (a === undefined || b === undefined) return {};
  const { measure, test, margin, width } = form;
  return {
    primary: { compare: [a, b], measure, test, ...(test === 'difference' || margin === null ? {} : { margin }) },
    ...(width === null || measure !== 'accuracy' ? {} : { stop: { width } }),
  };
}
