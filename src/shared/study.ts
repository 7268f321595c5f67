import { z } from 'zod';
import { measureSchema } from './statistics.ts';

/** Accuracy of all and macro-F1 of the decided, as in the reports of single experiments. */
const scores = { accuracy: measureSchema, macro_f1: measureSchema };

/** What `assize study --json` prints. */
export const studyReportSchema = z.strictObject({
  study: z.string(),
  store: z.string(),
  /** Whether the demo model answered some trial. */
  standin: z.boolean(),
  datasets: z.array(
    z.strictObject({
      name: z.string(),
      experiment: z.string(),
      /** Cases on trial; null where the record has no such experiment yet. */
      cases: z.int().nullable(),
    }),
  ),
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      /** In the order of the data sets; null where the record does not have the arm there. */
      sets: z.array(z.strictObject({ planned: z.int(), done: z.int(), ...scores }).nullable()),
      /** Mean over the data sets, each counting the same; `n` and `cases` are sums. */
      mean: z.strictObject(scores),
    }),
  ),
});
export type StudyReport = z.infer<typeof studyReportSchema>;
