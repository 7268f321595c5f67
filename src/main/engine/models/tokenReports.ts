import { z } from 'zod';
import type { TokenReport } from '../../../shared/model.ts';

const bytes = z.array(z.int().min(0).max(255)).nullish().catch(null);
const tokenLogprob = z.object({ token: z.string(), logprob: z.number(), bytes });
/** A list of token reports as Ollama and the OpenAI-compatible servers write it. */
const tokenReportsSchema = z.array(tokenLogprob.extend({ top_logprobs: z.array(tokenLogprob).nullish() }));

/** What a part of an answer tells of its tokens' probabilities; nothing where it tells none, or in another form. */
export function tokenReportsIn(value: unknown): TokenReport[] {
  const reports = tokenReportsSchema.safeParse(value);
  if (!reports.success) return [];
  return reports.data.map(({ top_logprobs, ...own }) => ({ ...own, top: top_logprobs ?? [] }));
}
