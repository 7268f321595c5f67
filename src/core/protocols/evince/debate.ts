// What all steps of an EVINCE debate share.
import type { Case } from '../../../shared/domain.ts';
import { evaluate } from '../../crit/evaluate.ts';
import type { Prompt } from '../../prompts/wording.ts';
import { orForfeit, verbalOf } from '../bench.ts';
import { casePrompt, earlierCases, quoted, verdictAsText } from '../casePrompt.ts';
import { contentiousnessAsText, contentiousnessNumber } from '../contentiousness/words.ts';
import type { Court, Precedent } from '../court.ts';
import { type Knowledge, knowledgeRule, outsideOf, outsideText } from '../knowledge.ts';
import { rankingPlaces, rawSumIn } from '../labelBelief.ts';
import { usualOrder } from '../swaps.ts';
import { statementSpec } from './answers.ts';
import { certainOf, type Side, type Stance } from './exchange.ts';
import { probabilityText } from './words.ts';

export const letters: Record<Side, 'A' | 'B'> = { agentA: 'A', agentB: 'B' };
const others: Record<Side, Side> = { agentA: 'agentB', agentB: 'agentA' };

export interface DebateTerms {
  readonly topK: number;
  /** Least CRIT / 10 with which arguments reach the other agent. */
  readonly gate: number;
  readonly knowledge: Knowledge;
  readonly temperature: number;
}

/** A part of the record, and how each reader finds it. */
interface Entry {
  partsFor(reader: Side | 'critic'): readonly string[];
}

export interface Debate {
  readonly court: Court;
  readonly kase: Case;
  /** Its labels in their usual order, in which answers are stored and measured. */
  readonly labels: readonly string[];
  readonly terms: DebateTerms;
  /** Cases with known labels. */
  readonly earlier: string[];
  /** In the order in which it was said. */
  readonly entries: Entry[];
}

export function openDebate(court: Court, kase: Case, terms: DebateTerms): Debate {
  return {
    court,
    kase,
    labels: usualOrder(court, kase.labels),
    terms,
    earlier: [],
    entries: [],
  };
}

/** Rules, facts and record first and nearly alike for every reader, so that calls share the longest prefix. */
export function promptOf(
  id: string,
  { court, kase, terms, earlier, entries }: Debate,
  reader: Side | 'critic',
  task: readonly string[],
): Prompt {
  const said = entries.flatMap((entry) => entry.partsFor(reader));
  const record = said.length === 0 ? [] : [court.text('recordHeading'), ...said];
  const rules = [court.text('rules', { knowledge: knowledgeRule(court.text, terms.knowledge) })];
  return casePrompt(court, id, kase, { rules, earlier, record, task });
}

export function addPrecedents({ court, kase, earlier }: Debate, precedents: readonly Precedent[]): void {
  earlier.push(...earlierCases(court.text, precedents, kase));
}

function verdictText({ court, kase, terms: { topK } }: Debate): string {
  if (topK >= kase.labels.length) return verdictAsText(court.text, kase);
  const places = rankingPlaces(topK).map((place) => court.text('placeOfTop', { place }));
  return court.text('verdictOfTop', { places: places.join(', ') });
}

export const contentiousnessText = (court: Court, level: number): string =>
  court.text('contentiousness', {
    contentiousness: contentiousnessNumber(level),
    manner: contentiousnessAsText(court.text, level),
  });

export interface Statement {
  readonly side: Side;
  readonly round: number;
  readonly text: string;
  readonly outside?: readonly string[];
  readonly stance: Stance;
}

/** Asks an agent for arguments and probabilities. Throws `TurnFailure`. @param contentiousness null: a first statement */
export async function state(
  debate: Debate,
  side: Side,
  round: number,
  contentiousness: number | null,
  explores = false,
): Promise<Statement> {
  const { court, kase, labels, terms } = debate;
  const key = `round-${round}/${side}`;
  const task =
    contentiousness === null
      ? [court.text('opening')]
      : [
          contentiousnessText(court, contentiousness),
          court.text('answer', { other: letters[others[side]] }),
          ...(explores ? [court.text('explore', { other: letters[others[side]] })] : []),
        ];
  const fields = court.text('statementFields', {
    verdict: verdictText(debate),
    outside: outsideText(court.text, terms.knowledge),
  });
  const prompt = promptOf('statement', debate, side, [court.text('agent', { agent: letters[side] }), ...task, fields]);
  const answer = await court.ask(key, side, prompt, statementSpec(kase.labels, terms.topK, terms.knowledge), terms);
  const belief = await court.belief(answer, labels);
  const { arguments: text, prediction } = answer.value;
  const stated = verbalOf(belief) ?? certainOf(labels, prediction);
  const rawSum = rawSumIn(labels, answer.value);
  return {
    side,
    round,
    text,
    ...outsideOf(answer.value),
    stance: { prediction, belief, stated, rawSum, crit: null, admitted: true, answered: true },
  };
}

/** Puts a statement on the record. Only the other agent does not see withheld arguments. */
export function hear(debate: Debate, { side, round, stance, ...said }: Statement, isAdmitted: () => boolean): void {
  const { court, kase, entries } = debate;
  const key = `round-${round}/${side}`;
  const agent = letters[side];
  court.utter(`${key}/utterance`, { role: side, turn: round === 1 ? 'opening' : 'answer', ...said });
  court.believe(`${key}/belief`, { role: side, ...stance.belief, moment: 'live', after: `${key}/utterance` });
  const heading = court.text('answerOf', { agent, round: String(round) });
  const probabilities =
    stance.rawSum === 0
      ? court.text('predictedBy', { agent, label: quoted(stance.prediction) })
      : court.text('statedBy', { agent, probabilities: probabilityText(kase.labels, stance.stated) });
  const withheld = court.text('withheld');
  entries.push({
    partsFor: (reader) => [heading, reader === others[side] && !isAdmitted() ? withheld : said.text, probabilities],
  });
}

/** CRIT of an agent's current arguments, divided by 10; null if it failed. */
export async function criticise(debate: Debate, side: Side, round: number): Promise<number | null> {
  const { court, terms } = debate;
  const key = `round-${round}/critic-${letters[side].toLowerCase()}`;
  const document = {
    subject: `Agent ${letters[side]}`,
    promptOf: (task: readonly string[]) => promptOf('crit', debate, 'critic', task),
  };
  const examined = evaluate(court, key, 'critic', document, { depth: 0, temperature: terms.temperature });
  const found = await orForfeit(court, key, 'critic', examined);
  return found === null ? null : found.score / 10;
}

/** One agent's turn of a debate: states, is recorded, is criticised, passes the gate or does not. Throws `TurnFailure`. */
export async function takeTurn(
  debate: Debate,
  side: Side,
  round: number,
  contentiousness: number | null,
  before: Stance | null,
  explores = false,
): Promise<Stance> {
  const statement = await state(debate, side, round, contentiousness, explores);
  let isAdmitted = true;
  hear(debate, statement, () => isAdmitted);
  const found = await criticise(debate, side, round);
  // An argument that was not examined cannot be found too weak.
  isAdmitted = found === null || found >= debate.terms.gate;
  return { ...statement.stance, crit: found ?? before?.crit ?? null, admitted: isAdmitted };
}

/** After a failed turn the agent's last stance holds. Throws where there is none. */
export async function takeTurnOrStay(
  debate: Debate,
  side: Side,
  round: number,
  contentiousness: number,
  before: Stance,
): Promise<Stance> {
  const turn = takeTurn(debate, side, round, contentiousness, before);
  return (await orForfeit(debate.court, `round-${round}/${side}`, side, turn)) ?? { ...before, answered: false };
}
