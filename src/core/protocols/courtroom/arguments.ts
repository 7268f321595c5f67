import { z } from 'zod';
import type { AnswerSpec } from '../../answers/answer.ts';
import { shuffled } from '../../cases/shuffle.ts';
import { asHeard, charactersPerWord } from '../../text/shorten.ts';
import { orFailure, settled } from '../bench.ts';
import { type Court, type Prompt, TurnFailure } from '../court.ts';
import { inTurn } from '../swaps.ts';
import type { Dispute } from './hearing.ts';

export const sides = ['prosecutor', 'attorney'] as const;
export type Side = (typeof sides)[number];

const speakerNames: Record<Side, string> = { prosecutor: 'Prosecutor', attorney: 'Attorney' };

/** Characters of an argument that is read at all: servers that cannot hold a model to a schema let it go on. */
const longestArgument = 100_000;

const argumentSpec = (words: number): AnswerSpec<{ argument: string }> => ({
  name: 'argument',
  schema: z.object({
    // A longer one is no fault of the answer: what the judges read is cut to the limit in words.
    argument: z
      .string()
      .min(1)
      .max(longestArgument)
      .meta({ maxLength: words * charactersPerWord }),
  }),
  labelFields: [],
  labels: [],
});

/** Who argues for which label, in the order in which the judges read the arguments. */
export type Assignment = readonly { readonly side: Side; readonly label: string; readonly other: string }[];

export interface AssignmentTerms {
  readonly sides: 'random' | 'fixed';
  readonly argumentOrder: 'prosecutor-first' | 'random';
}

/** Gives the labels in dispute to the sides, by lot or as the hearing named them, and settles who is read first. Swaps come after the draw. */
export function assignSides(court: Court, dispute: Dispute, terms: AssignmentTerms): Assignment {
  const { prediction, alternative } = dispute;
  const labels = terms.sides === 'random' ? shuffled([prediction, alternative], court.random) : [prediction, alternative];
  const [own = prediction, other = alternative] = court.swapped('sides') ? labels.toReversed() : labels;
  const labelOf: Record<Side, string> = { prosecutor: own, attorney: other };
  const order = [...inTurn(court, terms.argumentOrder === 'random' ? shuffled(sides, court.random) : sides)];
  court.assign('sides', { ...dispute, drawn: terms.sides, sides: labelOf, order });
  return order.map((side) => ({ side, label: labelOf[side], other: side === 'prosecutor' ? other : own }));
}

/** The texts before a role's own instruction: rules, facts and what of the record it may see. */
export type PromptMaker = (...parts: readonly string[]) => Prompt;

/**
 * Both sides argue, neither knowing what the other says, and the judges get what fits the limit.
 * @returns the arguments as the judges read them, in their order
 */
export async function hearArguments(
  court: Court,
  promptOf: PromptMaker,
  assignment: Assignment,
  { argumentWords, temperature }: { readonly argumentWords: number; readonly temperature: number },
): Promise<string[]> {
  const words = String(argumentWords);
  const turns = await settled(
    assignment.map(async ({ side, label, other }) => {
      const prompt = promptOf(`${court.text(side)}\n\n${court.text('argument', { label, other, words })}`);
      const asked = court.ask(`argument/${side}`, side, prompt, argumentSpec(argumentWords), { temperature });
      return { side, label, answer: await orFailure(asked) };
    }),
  );
  return turns.flatMap(({ side, label, answer }) => {
    if (answer instanceof TurnFailure) {
      court.forfeit(`argument/${side}/forfeit`, side, answer);
      return [court.text('noArgument', { speaker: side })];
    }
    const heard = asHeard(answer.value.argument, argumentWords);
    court.utter(`argument/${side}/utterance`, { role: side, turn: 'argument', ...heard });
    return [court.text('argumentOf', { speaker: speakerNames[side], label }), heard.text];
  });
}
