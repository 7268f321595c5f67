import { totalPoints, winnerByPoints } from '../../figures/panel.ts';
import { orFailure, settled } from '../bench.ts';
import { TurnFailure } from '../court.ts';
import { panelAnswer, panelSpec, type Side, sideField } from './answers.ts';
import { type Debate, otherSide, panelTexts, promptOf, sides, topicText } from './debate.ts';

/** One judge's sheet for one order of the sides. */
export interface Sheet {
  readonly role: string;
  readonly points: Readonly<Record<Side, number>>;
  /** By points; null is a tie. */
  readonly winner: Side | null;
  /** As the judge says; null is a tie. */
  readonly declared: Side | null;
}

const orderName: Record<Side, string> = { agentA: 'a-first', agentB: 'b-first' };
const declaredSide = { agent_a: 'agentA', agent_b: 'agentB', tie: null } as const;

const pairOf = (first: Side): [Side, Side] => [first, otherSide(first)];

async function askJudge(debate: Debate, role: string, first: Side) {
  const { court, params, subtopics } = debate;
  const key = `panel/${role}/${orderName[first]}`;
  const order = pairOf(first);
  const [firstName, secondName] = [sideField[first], sideField[otherSide(first)]];
  const names = { firstName, secondName };
  const fields = topicText(court, 'panelField', subtopics.length, names);
  const template = subtopics.length === 0 ? 'panelTaskOnAll' : 'panelTask';
  const task = [court.text('judge'), court.text(template, { ...names, fields })];
  const prompt = promptOf('panel', debate, panelTexts(debate, first), task);
  return { key, role, order, answer: await orFailure(court.ask(key, role, prompt, panelSpec(subtopics.length, order), params)) };
}

export type Panel = Readonly<Awaited<ReturnType<typeof holdPanel>>>;

/** Every judge scores both sides on every subtopic, once in each order. A sheet that fails is a forfeited turn. */
export async function holdPanel(debate: Debate, judges: readonly string[]) {
  const { court, subtopics } = debate;
  const sheets: Sheet[] = [];
  const failures: TurnFailure[] = [];
  const turns = await settled(judges.flatMap((role) => sides.map((first) => askJudge(debate, role, first))));
  for (const { key, role, order, answer } of turns) {
    if (answer instanceof TurnFailure) {
      court.forfeit(`${key}/forfeit`, role, answer);
      failures.push(answer);
      continue;
    }
    const { claims, scores, declared: named, justification } = panelAnswer(subtopics.length, answer.value);
    const points = totalPoints(scores);
    const [winner, declared] = [winnerByPoints(points), declaredSide[named]];
    court.record('panel-score', `${key}/sheet`, { role, order, scores, winner, declared, opinion: { claims, justification } });
    sheets.push({ role, points, winner, declared });
  }
  return { sheets, failures };
}
