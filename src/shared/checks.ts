import { z } from 'zod';
import type { Remedy } from './errors.ts';

/** Something to know before a run: `note` where nothing is wrong, `problem` where the run cannot go well. */
export const checkSchema = z.strictObject({
  text: z.string(),
  severity: z.enum(['note', 'warning', 'problem']),
  /** What to do about it; null where there is nothing to do, or nothing is known. */
  remedy: z.string().nullable(),
  /** The same in the words of the screens, where they differ. */
  screen_remedy: z.string().optional(),
  /** Where a form also shows it, next to what it is about. */
  about: z.literal('primary').optional(),
  /** The arm whose temperature the remedy asks to set. */
  temperature_of: z.string().optional(),
});
export type Check = z.infer<typeof checkSchema>;

type Advice = string | Required<Remedy> | null;

const remedies = (advice: Advice): Pick<Check, 'remedy' | 'screen_remedy'> =>
  advice === null || typeof advice === 'string' ? { remedy: advice } : { remedy: advice.command, screen_remedy: advice.screen };

export const note = (text: string, advice: Advice = null): Check => ({ text, severity: 'note', ...remedies(advice) });
export const warning = (text: string, advice: Advice = null): Check => ({ text, severity: 'warning', ...remedies(advice) });
export const problem = (text: string, advice: string): Check => ({ text, severity: 'problem', ...remedies(advice) });

export const sentenceOf = ({ text, severity, remedy }: Check): string =>
  remedy === null ? text : `${text}${severity === 'problem' ? ':' : ';'} ${remedy}`;

export const screenSentenceOf = (check: Check): string => sentenceOf({ ...check, remedy: check.screen_remedy ?? check.remedy });
