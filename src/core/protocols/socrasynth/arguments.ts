// The arguments of both sides: openings, refutations and closings.
import { orFailure, orForfeited, settled } from '../bench.ts';
import { verdictAsText } from '../casePrompt.ts';
import { TurnFailure } from '../court.ts';
import { outsideOf, outsideText } from '../knowledge.ts';
import { argumentSpec, argumentsIn, exhaustedSpec, type Side, topicFields } from './answers.ts';
import { contentiousText, type Debate, promptWithRecord, sides, speakerName, speakers, topicText } from './debate.ts';

export type TurnName = 'opening' | 'refutation' | 'closing';

const taskOf = {
  topics: { opening: 'openingTask', refutation: 'refutationTask', closing: 'closingTask' },
  all: { opening: 'openingOfAll', refutation: 'refutationOfAll', closing: 'closingOfAll' },
} as const;

/** Labels that a side predicts in this turn. A closing statement sums up and predicts nothing new. */
const labelsIn = ({ predicted }: Debate, turn: TurnName) => (turn === 'closing' ? [] : predicted);

type Speech = Readonly<Awaited<ReturnType<typeof ask>>>;

async function ask(debate: Debate, key: string, side: Side, turn: TurnName, level: number, own: readonly string[]) {
  const { court, kase, params, subtopics, remarks } = debate;
  const labels = labelsIn(debate, turn);
  const isOfAll = subtopics.length === 0;
  const task = court.text(taskOf[isOfAll ? 'all' : 'topics'][turn]);
  const predicting = court.text(isOfAll && turn === 'refutation' ? 'concedingTask' : 'predictingTask');
  const topics = topicText(court, isOfAll ? 'argumentOfAll' : 'argumentField', subtopics.length);
  const fields = `${topics}${outsideText(court.text, params.knowledge)}`;
  const isPredicting = labels.length > 0;
  const remark = remarks[side] === undefined ? [] : [court.text('remark', { remark: remarks[side] })];
  const prompt = promptWithRecord('argument', debate, [
    ...remark,
    ...own,
    court.text(side),
    contentiousText(debate, level),
    isPredicting ? `${task} ${predicting}` : task,
    court.text('argumentFields', {
      fields: isPredicting ? `${fields}, ${verdictAsText(court.text, kase, params.topK)}` : fields,
    }),
  ]);
  const answer = await orFailure(
    court.ask(key, side, prompt, argumentSpec(subtopics.length, labels, params.topK, params.knowledge), params),
  );
  return { key, side, turn, answer };
}

async function utter(debate: Debate, { key, side, turn, answer }: Speech): Promise<void> {
  const { court, subtopics, turns } = debate;
  const closing = turn === 'closing';
  const speaker = speakerName[side];
  if (answer instanceof TurnFailure) {
    court.forfeit(`${key}/forfeit`, side, answer);
    debate.silent[side] = answer;
    turns.push({ side, closing, texts: [court.text('noSpeech', { speaker, turn })] });
    return;
  }
  const said = argumentsIn(subtopics.length, answer.value);
  const texts = topicFields(subtopics.length).flatMap((field, index) => {
    const text = said[index] ?? '';
    const speech = `${key}/${field}`;
    const number = index + 1;
    court.utter(speech, {
      role: side,
      turn,
      text,
      ...(subtopics.length === 0 ? {} : { subtopic: number }),
      // Of the whole turn: the last of its arguments has it.
      ...(index === said.length - 1 ? outsideOf(answer.value) : {}),
    });
    debate.lastSpeech = speech;
    const heading = subtopics.length === 0 ? 'speechOnAll' : 'speech';
    return [court.text(heading, { speaker, turn, number: String(number) }), text];
  });
  turns.push({ side, closing, texts });
  const labels = labelsIn(debate, turn);
  if (labels.length === 0) return;
  const stated = await court.belief(answer, debate.labels);
  const before = debate.stated[side];
  if (before !== undefined && before.prediction !== stated.prediction) debate.moved = side;
  debate.stated[side] = stated;
  court.believe(`${key}/belief`, { role: side, ...stated, moment: 'live', after: debate.lastSpeech });
}

/** Opening arguments, independent of each other or in turn. Throws where neither side makes any. */
export async function open(debate: Debate): Promise<void> {
  const { court, params } = debate;
  const level = params.contentiousness;
  court.measure('opening/contentiousness', 'contentiousness', level);
  const speeches: Speech[] = [];
  if (params.opening === 'independent') {
    speeches.push(...(await settled(speakers(debate).map((side) => ask(debate, `opening/${side}`, side, 'opening', level, [])))));
    for (const speech of speeches) await utter(debate, speech);
  } else {
    for (const side of speakers(debate)) {
      const speech = await ask(debate, `opening/${side}`, side, 'opening', level, []);
      await utter(debate, speech);
      speeches.push(speech);
    }
  }
  const [first] = speeches;
  if (first?.answer instanceof TurnFailure && speeches.every(({ answer }) => answer instanceof TurnFailure)) throw first.answer;
}

/** One side after the other, the second knowing what the first has just said; who is agreed with has nothing to refute. */
export async function inTurn(
  debate: Debate,
  name: string,
  turn: TurnName,
  level: number,
  own: Partial<Record<Side, readonly string[]>> = {},
): Promise<void> {
  debate.court.measure(`${name}/contentiousness`, 'contentiousness', level);
  for (const side of speakers(debate)) {
    await utter(debate, await ask(debate, `${name}/${side}`, side, turn, level, own[side] ?? []));
    if (concluded(debate)) return;
  }
}

export function agreed({ stated }: Debate): boolean {
  const { agentA, agentB } = stated;
  return agentA !== undefined && agentB !== undefined && agentA.prediction === agentB.prediction;
}

/** Whether agreement has ended the debate, so that nothing but joint recommendations follows. */
export const concluded = (debate: Debate): boolean => debate.params.onAgreement === 'recommend' && agreed(debate);

/** Asks both whether they have said all; what is left is a note for the closing statement. @returns the notes by side */
export async function checkExhausted(debate: Debate): Promise<Partial<Record<Side, readonly string[]>>> {
  const { court, params } = debate;
  const notes: Partial<Record<Side, readonly string[]>> = {};
  const answers = await settled(
    sides.map((side) => {
      const prompt = promptWithRecord('exhausted', debate, [court.text(side), court.text('exhausted')]);
      return orFailure(court.ask(`exhausted/${side}`, side, prompt, exhaustedSpec, params));
    }),
  );
  for (const [index, side] of sides.entries()) {
    const answer = orForfeited(court, `exhausted/${side}`, side, answers[index] ?? null);
    if (answer === null) continue;
    const { exhausted, remaining } = answer.value;
    court.measure(`exhausted/${side}/measure`, 'exhausted', exhausted ? 1 : 0);
    if (!exhausted) notes[side] = [court.text('ownRemaining'), remaining];
  }
  return notes;
}
