import { z } from 'zod';
import type { DraftInput } from '../../../shared/api/experiments.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { baselineMark, type Primary, primarySchema, primaryTests } from '../../../shared/primary.ts';

export const primaryFormSchema = z.strictObject({
  /** Key of an arm, and of the arm or baseline (`baseline:majority`) that it is compared with. */
  a: z.string(),
  b: z.string(),
  measure: primarySchema.shape.measure.unwrap().default('accuracy'),
  test: z.enum(primaryTests).default('difference'),
  margin: z.number().nullable().default(0.05),
  /** Tests that are decided beforehand. Kept forms of earlier versions have none. */
  family: z.int().default(1),
  /** Null: the run tries all cases. */
  width: z.number().nullable().default(null),
});
export type PrimaryForm = z.infer<typeof primaryFormSchema>;

const isBaseline = (key: string) => key.startsWith(baselineMark);

/** Whether the run can stop by it: by the accuracy of two arms alone. */
export const canStop = ({ measure, b }: Pick<PrimaryForm, 'measure' | 'b'>): boolean => measure === 'accuracy' && !isBaseline(b);

/** The first choice for an arm and another one or a baseline. */
export const newPrimary = (a: string, b: string): PrimaryForm => primaryFormSchema.parse({ a, b });

/** The form of a comparison on record; undefined where one of its arms is not there. @param keyOf key of the arm of a name */
export function primaryFormOf(
  { compare, measure, test, margin, family }: Primary,
  stop: Experiment['stop'],
  keyOf: (name: string) => string | undefined,
): PrimaryForm | undefined {
  const [a, b] = compare.map((name) => (isBaseline(name) ? name : keyOf(name)));
  return a === undefined || b === undefined
    ? undefined
    : { a, b, measure, test, margin: margin ?? null, family, width: stop?.width ?? null };
}

/** An arm that is no longer there has an empty name, which is a fault of the draft. @param nameOf names the arm of a key */
export function primaryInput(
  form: PrimaryForm | undefined,
  nameOf: (key: string) => string | undefined,
): Pick<DraftInput, 'primary' | 'stop'> {
  if (form === undefined) return {};
  const [a = '', b = ''] = [nameOf(form.a), isBaseline(form.b) ? form.b : nameOf(form.b)];
  const { measure, test, margin, family, width } = form;
  return {
    primary: { compare: [a, b], measure, test, family, ...(test === 'difference' || margin === null ? {} : { margin }) },
    ...(width === null || !canStop(form) ? {} : { stop: { width } }),
  };
}
