// The parts of a trial's report that can be left out when it is saved.
import { z } from 'zod';
import { isImported } from './imported.ts';

export const reportPartTitles = {
  summary: 'the summary for the person decided about',
  transcript: 'the transcript',
  plans: 'private plans and notes',
  calls: 'the calls',
  check: 'how to check this',
  prompts: 'the prompts in full',
} as const;
export const reportParts = Object.keys(reportPartTitles) as (keyof typeof reportPartTitles)[];
export const reportPartSchema = z.enum(reportParts);
export type ReportPart = z.infer<typeof reportPartSchema>;

/** The parts that the report of a trial can have: for an imported prediction nobody spoke, and no model was asked. */
export const partsOfTrial = (trial: Parameters<typeof isImported>[0]): readonly ReportPart[] =>
  isImported(trial) ? ['summary', 'check'] : reportParts;
