import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { narrate } from '../../cases/narrative.ts';
import { orFailure } from '../bench.ts';
import { type Court, type Precedent, type Prompt, TurnFailure } from '../court.ts';
import { labelList, reasonSchema } from '../verdict.ts';

const reasonSpec: AnswerSpec<{ reason: string }> = {
  name: 'reason of a precedent',
  schema: z.object({ reason: reasonSchema }),
  labelFields: [],
  labels: [],
};

/** The clerk's prompt for the reason of a precedent: it knows nothing of the case on trial. */
function reasonPrompt(text: Court['text'], { question, labels, kind }: Case, { facts, label }: Precedent): Prompt {
  return [
    { role: 'system', parts: [text('archive', { question, labels: labelList(labels) })] },
    {
      role: 'user',
      parts: [text('facts', { facts: narrate(facts, kind) }), text('precedentReason', { label })],
    },
  ];
}

/**
 * The precedents as the judges read them, each with the clerk's reason why its label fits, which is written once for
 * a training case and a model. Where it cannot be had the precedent stands without.
 */
export async function reasonedPrecedents(
  court: Court,
  kase: Case,
  precedents: readonly Precedent[],
  temperature: number,
): Promise<string[]> {
  const texts: string[] = [];
  for (const [index, precedent] of precedents.entries()) {
    const key = `precedents/reason-${index + 1}`;
    const asked = court.askOnce(key, 'clerk', {
      facts: [...precedent.facts, { name: 'question', value: kase.question }],
      prompt: (text) => reasonPrompt(text, kase, precedent),
      answer: reasonSpec,
      temperature,
      seed: precedent.seed,
    });
    const answer = await orFailure(asked);
    if (answer instanceof TurnFailure) court.forfeit(`${key}/forfeit`, 'clerk', answer);
    const slots = { number: String(index + 1), facts: narrate(precedent.facts, kase.kind), label: precedent.label };
    texts.push(
      answer instanceof TurnFailure
        ? court.text('precedent', slots)
        : court.text('reasonedPrecedent', { ...slots, reason: answer.value.reason }),
    );
  }
  return texts;
}
