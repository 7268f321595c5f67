// Which side argues for which label, and both arguments.
import { z } from 'zod';
import { unlabelled } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import { shuffled } from '../../cases/shuffle.ts';
import type { Prompt } from '../../prompts/wording.ts';
import { asHeard } from '../../text/shorten.ts';
import { orFailure, orForfeited, settled } from '../bench.ts';
import { quoted } from '../casePrompt.ts';
import type { Court } from '../court.ts';
import { type Knowledge, outsideOf, outsideShape, outsideText } from '../knowledge.ts';
import { inTurn } from '../swaps.ts';
import { speechFlags, speechOf } from '../texts.ts';
import type { Dispute } from './hearing.ts';
import type { CourtroomParams } from './params.ts';

export const sides = ['prosecutor', 'attorney'] as const;
export type Side = (typeof sides)[number];

const speakerNames: Record<Side, string> = { prosecutor: 'Prosecutor', attorney: 'Attorney' };

const argumentSpec = kept((words: number, knowledge: Knowledge) =>
  unlabelled('argument', z.object({ argument: speechOf(words), ...outsideShape(knowledge) }), ({ argument }) =>
    speechFlags(argument),
  ),
);

/** Who argues for which label, in the order in which the judges read the arguments. */
export type Assignment = readonly { readonly side: Side; readonly label: string; readonly other: string }[];

/** Gives the labels in dispute to the sides, by lot or as the hearing named them, and settles who is read first. Swaps come after the draw. */
export function assignSides(court: Court, dispute: Dispute, terms: CourtroomParams): Assignment {
  const { prediction, alternative } = dispute;
  const labels = terms.sides === 'random' ? shuffled([prediction, alternative], court.random) : [prediction, alternative];
  const [own = prediction, other = alternative] = court.swapped('sides') ? labels.toReversed() : labels;
  const labelOf: Record<Side, string> = { prosecutor: own, attorney: other };
  const order = [...inTurn(court, terms.argumentOrder === 'random' ? shuffled(sides, court.random) : sides)];
  court.record('side-assign', 'sides', { ...dispute, drawn: terms.sides, sides: labelOf, order });
  return order.map((side) => ({ side, label: labelOf[side], other: side === 'prosecutor' ? other : own }));
}

/** A prompt with the texts before a role's own instruction: rules, facts and what of the record it may see. */
export type PromptMaker = (...task: readonly string[]) => Prompt;

/**
 * Both sides argue, neither knowing what the other says, and the judges get what fits the limit.
 * @returns the arguments as the judges read them, in their order, under their heading; none where both sides failed;
 *   and how many sides spoke
 */
export async function hearArguments(
  court: Court,
  promptOf: PromptMaker,
  assignment: Assignment,
  terms: CourtroomParams,
): Promise<{ readonly texts: readonly string[]; readonly speakers: number }> {
  const { argumentWords, knowledge } = terms;
  const form = { words: String(argumentWords), outside: outsideText(court.text, knowledge) };
  const turns = await settled(
    assignment.map(async ({ side, label, other }) => {
      const prompt = promptOf(court.text('argument', { side, label: quoted(label), other: quoted(other), ...form }));
      const asked = court.ask(`argument/${side}`, side, prompt, argumentSpec(argumentWords, knowledge), terms);
      return { side, label, result: await orFailure(asked) };
    }),
  );
  const heard = turns.flatMap(({ side, label, result }) => {
    const answer = orForfeited(court, `argument/${side}`, side, result);
    if (answer === null) return [];
    const argument = asHeard(answer.value.argument, argumentWords);
    court.utter(`argument/${side}/utterance`, { role: side, turn: 'argument', ...argument, ...outsideOf(answer.value) });
    return [[court.text('argumentOf', { speaker: speakerNames[side], label: quoted(label) }), argument.text]];
  });
  return { texts: heard.length === 0 ? [] : [court.text('arguments'), ...heard.flat()], speakers: heard.length };
}
