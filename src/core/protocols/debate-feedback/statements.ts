import { z } from 'zod';
import type { Prediction } from '../../../shared/domain.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { kept } from '../../answers/kept.ts';
import { labelSetOf } from '../../beliefs/independentBelief.ts';
import type { Prompt } from '../../prompts/wording.ts';
import { asHeard } from '../../text/shorten.ts';
import { orFailure, orForfeited, settled } from '../bench.ts';
import { type Knowledge, outsideOf, outsideShape, outsideText } from '../knowledge.ts';
import { labelSchema } from '../labelBelief.ts';
import { labelSetShape } from '../labelSetBelief.ts';
import { repeatFlags } from '../repeats.ts';
import { inTurn } from '../swaps.ts';
import { speechFlags, speechOf } from '../texts.ts';
import { type Debate, type Position, promptOf, roleOf, type Statement } from './debate.ts';
import { stance } from './positions.ts';

/** What every debater has said in one step, by its place; null for one whose turn is forfeited. */
export type Statements = readonly (Statement | null)[];

type Turn = 'opinion' | 'answer';

const spokenSchema = z.object({
  position: z.union([z.string(), z.array(z.string())]).optional(),
  concedes: z.boolean().optional(),
});

/** Name of the field that holds the text: one called `answer` would ask for a label. */
const fieldOf = { opinion: 'opinion', answer: 'reply' } as const;

const textIn = (turn: Turn, answer: Readonly<Record<string, unknown>>): string => z.string().parse(answer[fieldOf[turn]]);

function namesIn(answer: unknown): string[] {
  const { position } = spokenSchema.parse(answer);
  return Array.isArray(position) ? position : [];
}

/** The text, and from a free debater the position that it takes. */
const statementSpec = kept(
  (
    turn: Turn,
    words: number,
    knowledge: Knowledge,
    concessions: boolean,
    labels: readonly string[],
    multiLabel: boolean,
    free: boolean,
  ): AnswerSpec<Record<string, unknown>> => {
    const position = multiLabel ? labelSetShape(labels).applies : labelSchema(labels);
    const field = fieldOf[turn];
    return {
      name: turn,
      schema: z.object({
        [field]: speechOf(words),
        ...outsideShape(knowledge),
        ...(free ? { position } : {}),
        ...(turn === 'answer' && !free && concessions ? { concedes: z.boolean() } : {}),
      }),
      labelFields: free ? ['position'] : [],
      labels: free ? labels : [],
      flags: (value) => [...speechFlags(textIn(turn, value)), ...repeatFlags(namesIn(value), (name) => name)],
    };
  },
);

function positionIn(labels: readonly string[], answer: unknown): Prediction {
  const { position = null } = spokenSchema.parse(answer);
  return Array.isArray(position) ? labelSetOf(labels, position) : position;
}

function introduction({ court, terms }: Debate, number: number, assigned: Position): string {
  const task = assigned === null ? court.text('free') : court.text('assigned', { stance: stance(court, assigned) });
  return `${court.text('debater', { number: String(number), debaters: String(terms.debaters) })} ${task}`;
}

const instructions = {
  opinion: { assigned: ['opinion', 'opinionFields'], free: ['opinion', 'freeOpinionFields'] },
  answer: { assigned: ['reply', 'replyFields'], free: ['freeReply', 'freeReplyFields'] },
} as const;

function instruction({ court, terms, kase }: Debate, turn: Turn, free: boolean): string[] {
  const position = court.text(kase.multiLabel ? 'positionOfSeveral' : 'positionOfOne');
  const outside = outsideText(court.text, terms.knowledge);
  const concession = terms.concessions ? `, ${court.text('concession')}` : '';
  const slots = { words: String(terms.words), position, outside, concession };
  return instructions[turn][free ? 'free' : 'assigned'].map((name) => court.text(name, slots));
}

async function speak(debate: Debate, key: string, turn: Turn, number: number, assigned: Position, prompt: Prompt) {
  const { court, kase, terms } = debate;
  const { words, knowledge, concessions } = terms;
  const spec = statementSpec(turn, words, knowledge, concessions, kase.labels, kase.multiLabel, assigned === null);
  const role = roleOf(number);
  const result = await orFailure(court.ask(key, role, prompt, spec, terms));
  return { key, role, number, assigned, result };
}

type Spoken = Awaited<ReturnType<typeof speak>>;

function record({ court, labels, terms }: Debate, turn: Turn, { key, role, number, assigned, result }: Spoken): Statement | null {
  const answer = orForfeited(court, key, role, result);
  if (answer === null) return null;
  const heard = asHeard(textIn(turn, answer.value), terms.words);
  const position = assigned ?? positionIn(labels, answer.value);
  const said = `${key}/utterance`;
  const { concedes } = spokenSchema.parse(answer.value);
  court.utter(said, {
    role,
    turn,
    ...heard,
    ...(position === null ? {} : { position }),
    ...(concedes === undefined ? {} : { concedes }),
    ...outsideOf(answer.value),
  });
  return { number, role, position, key: said, text: heard.text, answer: answer.text };
}

const keyOf = (round: number, turn: Turn, number: number) => `round-${round}/${turn}/debater-${number}`;

const before = ({ court, earlier }: Debate): string[] => (earlier.length === 0 ? [] : [court.text('earlierHeading'), ...earlier]);

const opening = (debate: Debate, number: number, assigned: Position): Prompt =>
  promptOf(
    'opinion',
    debate,
    before(debate),
    introduction(debate, number, assigned),
    ...instruction(debate, 'opinion', assigned === null),
  );

/** a_k: the opinions of a round, none of which knows of the others. */
export async function giveOpinions(debate: Debate, round: number, positions: readonly Position[]): Promise<Statements> {
  const spoken = await settled(
    positions.map((assigned, index) => {
      const number = index + 1;
      const prompt = opening(debate, number, assigned);
      return speak(debate, keyOf(round, 'opinion', number), 'opinion', number, assigned, prompt);
    }),
  );
  return spoken.map((turn) => record(debate, 'opinion', turn));
}

type Heading = 'opinionHeading' | 'answerHeading';

function statementText({ court }: Debate, heading: Heading, statement: Statement | null, number: number): string[] {
  const name = { number: String(number) };
  return statement === null ? [court.text('nothingSaid', name)] : [court.text(heading, name), statement.text];
}

/** The same of every debater, in the order in which others read it. */
export const statementTexts = (debate: Debate, heading: Heading, statements: Statements): string[] =>
  inTurn(
    debate.court,
    // Of those that are not to be heard not even that they were silent is said.
    statements.map((statement, index) =>
      statement === null && debate.terms.passing === 'each' ? [] : statementText(debate, heading, statement, index + 1),
    ),
  ).flat();

/** e_k: each continues its own conversation, which has x and its own opinion, and answers the others' opinions. */
export async function giveAnswers(
  debate: Debate,
  round: number,
  positions: readonly Position[],
  opinions: Statements,
): Promise<Statements> {
  const { court } = debate;
  const texts = opinions.map((opinion, index) => statementText(debate, 'opinionHeading', opinion, index + 1));
  const spoken = await settled(
    positions.map((assigned, index) => {
      const number = index + 1;
      const own = opinions[index] ?? null;
      const others = inTurn(court, texts.toSpliced(index, 1)).flat();
      const heard = [court.text('othersHeading'), ...others];
      const task = instruction(debate, 'answer', assigned === null);
      const prompt: Prompt =
        own === null
          ? promptOf('reply', debate, [...before(debate), ...heard], introduction(debate, number, assigned), ...task)
          : [
              ...opening(debate, number, assigned),
              { role: 'assistant', parts: [own.answer] },
              ...court.prompt('reply-after-opinion', { record: heard, task }),
            ];
      return speak(debate, keyOf(round, 'answer', number), 'answer', number, assigned, prompt);
    }),
  );
  return spoken.map((turn) => record(debate, 'answer', turn));
}
