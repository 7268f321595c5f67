import { z } from 'zod';
import type { AnswerSpec } from '../answers/answer.ts';

/** Reasons and rivals that one answer lists at most: an answer has to end within its limit of tokens. */
export const mostReasons = 5;
export const mostRivals = 4;

/** Room for about 30 words. */
const longestReason = 260;
const longestClaim = 400;
const longestJustification = 700;

const weighed = {
  validity: z.number().min(1).max(10),
  credibility: z.number().min(0).max(1),
};
const text = z.string().min(1).max(longestReason);

export interface CritAnswer {
  readonly claim: string;
  readonly reasons: readonly { text: string; is_claim?: boolean | undefined; validity: number; credibility: number }[];
  readonly rivals: readonly { text: string; validity: number; credibility: number }[];
  readonly justification: string;
}

/** @param deep whether the answer has to say which reasons are themselves claims */
export function critSpec(deep: boolean): AnswerSpec<CritAnswer> {
  const reason = deep ? z.object({ text, is_claim: z.boolean(), ...weighed }) : z.object({ text, ...weighed });
  return {
    name: 'crit',
    schema: z.object({
      claim: z.string().min(1).max(longestClaim),
      reasons: z.array(reason).max(mostReasons),
      rivals: z.array(z.object({ text, ...weighed })).max(mostRivals),
      justification: z.string().min(1).max(longestJustification),
    }),
    labelFields: [],
    labels: [],
  };
}
