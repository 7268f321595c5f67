import type { Case } from '../../../shared/domain.ts';
import { narrate } from '../../cases/narrative.ts';
import type { Answered, Court, Precedent, Prompt } from '../court.ts';
import { labelsReversed, type SwapRules } from '../swaps.ts';
import { certaintyWords, labelList, type Verdict, verdictSpec } from '../verdict.ts';

function promptOf(court: Court, kase: Case, precedents: readonly Precedent[]): Prompt {
  const labels = labelList(kase.labels);
  const shown = precedents.map(({ facts, label }, index) =>
    court.text('precedent', { number: String(index + 1), facts: narrate(facts, kase.kind), label }),
  );
  return [
    { role: 'system', parts: [court.text('rules', { question: kase.question, labels })] },
    {
      role: 'user',
      parts: [
        court.text('facts', { facts: narrate(kase.facts, kase.kind) }),
        ...(shown.length === 0 ? [] : [court.text('precedentHeading'), ...shown]),
        court.text('task', { certainty: certaintyWords(court.text, kase.labels) }),
      ],
    },
  ];
}

/** One classification by one role: what `single` is, and what `vote` is made of. Throws `TurnFailure`. */
export function classify(
  court: Court,
  kase: Case,
  precedents: readonly Precedent[],
  key: string,
  role: string,
  { temperature }: { readonly temperature: number },
): Promise<Answered<Verdict>> {
  return court.ask(key, role, promptOf(court, kase, precedents), verdictSpec('classification', kase.labels), { temperature });
}

/** What can be exchanged in a classification: the order of precedents only where there are any. */
export const precedentSwaps = ({ shots }: { readonly shots: number }): SwapRules => ({
  ...(shots === 0 ? {} : { order: { does: 'The precedents stand in the other order.' } }),
  labels: labelsReversed,
});
