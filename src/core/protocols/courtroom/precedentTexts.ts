// The precedents as the judges read them, each with a reason for its label.
import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { narrate } from '../../cases/narrative.ts';
import { orFailure } from '../bench.ts';
import { casePrompt, quoted } from '../casePrompt.ts';
import { type Court, type Precedent, TurnFailure } from '../court.ts';
import { reasonSchema } from '../verdict.ts';

const reasonSpec: AnswerSpec<{ reason: string }> = {
  name: 'reason of a precedent',
  schema: z.object({ reason: reasonSchema }),
  labelFields: [],
  labels: [],
};

/**
 * The precedents as the judges read them, each with the clerk's reason why its label fits, which is written once for
 * a training case and a model, without the case on trial. If there is no valid reason the precedent has none.
 */
export async function reasonedPrecedents(
  court: Court,
  kase: Case,
  precedents: readonly Precedent[],
  temperature: number,
): Promise<string[]> {
  if (precedents.length === 0) return [];
  const texts = [court.text('earlierCases')];
  for (const [index, { facts, label, seed }] of precedents.entries()) {
    const key = `precedents/reason-${index + 1}`;
    const asked = court.askOnce(key, 'clerk', {
      facts: [...facts, { name: 'question', value: kase.question }],
      prompt: (wording) =>
        casePrompt(
          wording,
          'precedent-reason',
          { ...kase, facts: [...facts] },
          { task: [wording.text('precedentReason', { label: quoted(label) })] },
        ),
      answer: reasonSpec,
      temperature,
      seed,
    });
    const answer = await orFailure(asked);
    const isLost = answer instanceof TurnFailure;
    if (isLost) court.forfeit(`${key}/forfeit`, 'clerk', answer);
    const slots = { number: String(index + 1), facts: narrate(facts, kase.kind), label: quoted(label) };
    texts.push(
      isLost ? court.text('earlierCase', slots) : court.text('reasonedPrecedent', { ...slots, reason: answer.value.reason }),
    );
  }
  return texts;
}
