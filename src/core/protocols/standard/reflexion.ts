import type { Case } from '../../../shared/domain.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import type { Court, PromptMessage } from '../court.ts';
import { usualOrder } from '../swaps.ts';
import { critiqueSpec, reasonedSpec } from './answers.ts';

/** What all three prompts begin with, and the words that ask for a verdict. */
export interface ReflexionTexts {
  readonly persona: string;
  readonly facts: string;
  readonly verdict: string;
}

/**
 * Reflexion: an answer, a critique of it by the model that gave it, and an answer that has read both; three calls.
 *
 * Source: table 3 of "Debate-Feedback", which names it as a baseline and gives neither prompts nor steps; Shinn et al.
 * 2023, arXiv 2303.11366. Deviation: theirs reflects on failures that an environment reports and tries again; nobody may
 * tell the model here whether it was right, so that it reflects on its own answer, once. A call that fails is the
 * failure of the trial: neither is the first answer put in the place of the last, nor is it revised without a critique.
 */
export async function reflect(
  court: Court,
  kase: Case,
  { persona, facts, verdict }: ReflexionTexts,
  { temperature }: { readonly temperature: number },
): Promise<void> {
  const role = 'predictor';
  const prompt = (...parts: string[]): PromptMessage[] => [
    { role: 'system', parts: [persona] },
    { role: 'user', parts: [facts, ...parts] },
  ];
  const first = await court.ask(
    'answer',
    role,
    prompt(court.text('reflexionAnswer', { verdict })),
    reasonedSpec('answer', kase),
    {
      temperature,
    },
  );
  const labels = usualOrder(court, kase.labels);
  const held = await court.belief(first, labels);
  court.believe('first-answer', { role, moment: 'live', after: null, ...held, notes: first.value.reason });

  const answered = court.text('reflexionFirst', {
    answer: predictionText(held.prediction) ?? '',
    reason: first.value.reason,
  });
  const { value } = await court.ask('critique', role, prompt(answered, court.text('reflexionCritique')), critiqueSpec, {
    temperature,
  });
  court.utter('critique-heard', { role, turn: 'critique', text: value.critique });

  const heard = court.text('reflexionHeard', { critique: value.critique });
  const task = court.text('reflexionRevision', { verdict });
  const last = await court.ask('revision', role, prompt(answered, heard, task), reasonedSpec('revision', kase), { temperature });
  court.rule('ruling', { role, ...(await court.belief(last, labels)), opinion: last.text });
}
