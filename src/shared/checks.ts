import { z } from 'zod';

/** Something to know before a run: `note` where nothing is wrong, `problem` where the run cannot go well. */
export const checkSchema = z.strictObject({
  text: z.string(),
  severity: z.enum(['note', 'warning', 'problem']),
  /** What to do about it; null where there is nothing to do, or nothing is known. */
  remedy: z.string().nullable(),
});
export type Check = z.infer<typeof checkSchema>;

export const note = (text: string, remedy: string | null = null): Check => ({ text, severity: 'note', remedy });
export const warning = (text: string, remedy: string | null = null): Check => ({ text, severity: 'warning', remedy });
export const problem = (text: string, remedy: string): Check => ({ text, severity: 'problem', remedy });

/** A check in one line. */
export const sentenceOf = ({ text, severity, remedy }: Check): string =>
  remedy === null ? text : `${text}${severity === 'problem' ? ':' : ';'} ${remedy}`;
