import type { Case } from '../../../shared/domain.ts';
import { casePrompt, earlierCases, verdictAsText } from '../casePrompt.ts';
import type { Answered, Court, Precedent } from '../court.ts';
import { type Knowledge, knowledgeRule, outsideText } from '../knowledge.ts';
import { labelsReversed, type SwapRules } from '../swaps.ts';
import { type Verdict, verdictSpec } from '../verdict.ts';

/** One classification by one role: what `single` is, and what `vote` is made of. Throws `TurnFailure`. */
export function classify(
  court: Court,
  kase: Case,
  precedents: readonly Precedent[],
  key: string,
  role: string,
  terms: { readonly knowledge: Knowledge; readonly topK: number; readonly temperature: number },
): Promise<Answered<Verdict>> {
  const prompt = casePrompt(court, 'classification', kase, {
    rules: [knowledgeRule(court.text, terms.knowledge)],
    earlier: earlierCases(court.text, precedents, kase),
    task: [
      court.text('task', {
        verdict: verdictAsText(court.text, kase, terms.topK),
        outside: outsideText(court.text, terms.knowledge),
      }),
    ],
  });
  return court.ask(key, role, prompt, verdictSpec('classification', kase.labels, terms), terms);
}

/** What can be exchanged in a classification: the order of precedents only where there are any. */
export const precedentSwaps = ({ shots }: { readonly shots: number }): SwapRules => ({
  ...(shots === 0 ? {} : { order: { does: 'The examples (precedents) come in the other order.' } }),
  labels: labelsReversed,
});
