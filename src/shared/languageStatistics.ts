import { z } from 'zod';
import { measureSchema } from './statistics.ts';

/**
 * How speeches are put, by words (docs/statistics.md): `words`; `hedging`, `certainty`, `concession`, `agreement` and `tone` (words that speak
 * well less words that speak ill) for each 100 words; `repetition`, the share of runs of four words that were said earlier in the trial;
 * `facts_cited`, different facts that a speech names.
 */
export const languageMeasures = [
  'words',
  'hedging',
  'certainty',
  'concession',
  'agreement',
  'tone',
  'repetition',
  'facts_cited',
] as const;
export type LanguageMeasure = (typeof languageMeasures)[number];

const differenceSchema = measureSchema.extend({
  /** By 2,000 exchanges of the groups between cases, two-sided; null where it was not drawn. Adjusted over all tests of the arm. */
  p_value: z.number().nullable(),
  p_adjusted: z.number().nullable(),
});

export const languageStatisticsSchema = z.strictObject({
  arm: z.string(),
  /** Trials that were read, the first of the sample, of all finished ones with speeches; their speeches, and those in other languages or too short to judge. */
  trials: z.int(),
  of: z.int(),
  speeches: z.int(),
  unmeasured: z.int(),
  /** Version of the lists of words. */
  lexicon: z.int(),
  /** By role and turn or round, in the order in which they come. */
  steps: z.array(
    z.strictObject({
      role: z.string(),
      step: z.string(),
      /** Mean of the level of contentiousness that the speaker was given, 0-1; null if it was given none. */
      contentiousness: z.number().nullable(),
      measures: z.array(measureSchema),
    }),
  ),
  /** By role: the change of each measure from the least contentious to the most, were it 0 and 1: the mean slope within trials. */
  over_contentiousness: z.array(z.strictObject({ role: z.string(), measures: z.array(measureSchema) })),
  /** By value of each group column: means over trials, and less those of all other cases; of two values only for the second. */
  groups: z.array(
    z.strictObject({
      attribute: z.string(),
      value: z.string(),
      measures: z.array(measureSchema),
      differences: z.array(differenceSchema),
    }),
  ),
});
export type LanguageStatistics = z.infer<typeof languageStatisticsSchema>;
