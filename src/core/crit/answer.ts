import { z } from 'zod';
import type { AnswerSpec } from '../answers/answer.ts';
import { repeatFlags } from '../protocols/repeats.ts';
import { textOf } from '../protocols/texts.ts';

/** Reasons and rivals that one answer lists at most: an answer has to end within its limit of tokens. */
export const mostReasons = 3;
export const mostRivals = 2;

/** Credibility as it is asked for: of so many. */
export const credibilityScale = 10;

const weighed = {
  validity: z.int().min(1).max(10),
  credibility: z.int().min(0).max(credibilityScale),
};
const text = textOf(20);

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
      claim: textOf(30),
      reasons: z.array(reason).max(mostReasons),
      rivals: z.array(z.object({ text, ...weighed })).max(mostRivals),
      justification: textOf(40),
    }),
    labelFields: [],
    labels: [],
    flags: ({ reasons, rivals }) => repeatFlags([...reasons, ...rivals], ({ text: said }) => said),
  };
}
