import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { narrate } from '../../cases/narrative.ts';
import { type Court, type Prompt, TurnFailure } from '../court.ts';
import { statedBelief } from '../labelBelief.ts';
import type { Protocol } from '../protocol.ts';
import { advocateSpec, type JudgeNote, rulingSpec, updateSpec } from './answers.ts';
import { contract } from './contract.ts';
import { templates } from './prompts.ts';

/**
 * AgenticSimLLM: two advocates speak in turn before a judge who keeps a private belief throughout.
 *
 * Source: "Linguistic Reasoning: How Multi-Agent Debate Courtroom Simulations Can Improve Recidivism
 * Predictions", section 3, figure 1 and appendix B. Where the paper is silent or contradicts itself, see
 * `contract.ts`. Two labels: the prosecution argues for the positive one, the defense for the other.
 */
const paramsSchema = z.strictObject({
  /** `live`: a call after every speech; `retrospective`: recalled in the ruling; `none`. */
  beliefUpdates: z.enum(['live', 'retrospective', 'none']).default('live'),
  /** One more call of the judge before anyone speaks. */
  priorBelief: z.boolean().default(false),
  /** Speeches of each side. */
  turns: z.int().min(1).max(8).default(3),
  temperature: z.number().min(0).max(2).default(0.7),
  /** The two labels in dispute, for cases with more than two. */
  contested: z.tuple([z.string(), z.string()]).optional(),
});
export type AgenticSimParams = z.infer<typeof paramsSchema>;

type Side = 'prosecutor' | 'defense';
const sides: readonly Side[] = ['prosecutor', 'defense'];
const speakerName: Record<Side, string> = { prosecutor: 'Prosecution', defense: 'Defense' };

/** Opening first, closing last, rebuttals between. */
function turnName(turn: number, turns: number): 'opening' | 'rebuttal' | 'closing' {
  if (turn === 1) return 'opening';
  return turn === turns ? 'closing' : 'rebuttal';
}

const contestedLabels = (labels: readonly string[], params: AgenticSimParams) => params.contested ?? labels;

interface Hearing {
  readonly court: Court;
  readonly params: AgenticSimParams;
  readonly labels: readonly string[];
  /** Label that each side argues for, as template slots. */
  readonly claims: { accusation: string; denial: string };
  readonly rules: string;
  readonly facts: string;
  /** Public: every speech so far, in order, with the key it was recorded under. */
  readonly speeches: { key: string; text: string }[];
  /** Private to the judge. */
  readonly notes: string[];
}

/** Rules, facts and public record first and alike for every role, so that calls share the longest prefix. */
function promptOf(hearing: Hearing, own: readonly string[]): Prompt {
  const { court, rules, facts, speeches } = hearing;
  const spoken = speeches.length === 0 ? [court.text('silence')] : speeches.map(({ text }) => text);
  return [
    { role: 'system', parts: [rules] },
    { role: 'user', parts: [facts, court.text('record'), ...spoken, ...own] },
  ];
}

function openHearing(court: Court, kase: Case, params: AgenticSimParams): Hearing {
  const labels = contestedLabels(kase.labels, params);
  const accusation = labels.find((label) => label === kase.positive) ?? labels.at(-1) ?? '';
  const denial = labels.find((label) => label !== accusation) ?? '';
  const claims = { accusation, denial };
  return {
    court,
    params,
    labels,
    claims,
    rules: court.text('rules', { question: kase.question, turns: String(params.turns), ...claims }),
    facts: court.text('facts', { facts: narrate(kase.facts, kase.kind) }),
    speeches: [],
    notes: [],
  };
}

async function speak(hearing: Hearing, side: Side, turn: number): Promise<void> {
  const { court, params, claims, speeches } = hearing;
  const name = turnName(turn, params.turns);
  const key = `turn-${turn}/${side}`;
  const own = [court.text(side, claims), court.text(name), court.text('advocateAnswer')];
  try {
    const answer = await court.ask(key, side, promptOf(hearing, own), advocateSpec, params);
    court.utter(`${key}/utterance`, {
      role: side,
      turn: name,
      text: answer.utterance,
      plan: JSON.stringify(answer.private_strategy),
    });
    const speaker = speakerName[side];
    speeches.push({ key: `${key}/utterance`, text: court.text('utterance', { speaker, turn: name, text: answer.utterance }) });
  } catch (error) {
    forfeitOrThrow(hearing, `${key}/forfeit`, side, error);
  }
}

/** A turn that failed is given up; anything else ends the trial. */
function forfeitOrThrow(hearing: Hearing, key: string, role: string, error: unknown): void {
  if (!(error instanceof TurnFailure)) throw error;
  hearing.court.forfeit(key, role, error);
}

function noteOf({ court, labels }: Hearing, moment: string, answer: JudgeNote): string {
  const stated = statedBelief(labels, answer);
  return court.text('note', {
    moment,
    prediction: answer.prediction,
    confidence: String(Math.round((stated.confidence ?? 0) * 100)),
    reasoning: answer.reasoning,
    critiqueProsecution: answer.critique_prosecution,
    critiqueDefense: answer.critique_defense,
  });
}

async function updateBelief(hearing: Hearing, key: string, moment: string): Promise<void> {
  const { court, params, labels, claims, speeches, notes } = hearing;
  const prior = key === 'prior/judge';
  const own = [
    court.text('judge'),
    ...(notes.length === 0 ? [] : [court.text('ownNotes'), ...notes]),
    court.text(prior ? 'prior' : 'update'),
    court.text('updateAnswer', claims),
  ];
  try {
    const answer = await court.ask(key, 'judge', promptOf(hearing, own), updateSpec(labels), params);
    court.believe(`${key}/belief`, {
      role: 'judge',
      ...statedBelief(labels, answer),
      moment: prior ? 'prior' : 'live',
      after: prior ? null : (speeches.at(-1)?.key ?? null),
      notes: JSON.stringify(answer),
    });
    notes.push(noteOf(hearing, moment, answer));
  } catch (error) {
    forfeitOrThrow(hearing, `${key}/forfeit`, 'judge', error);
  }
}

async function rule(hearing: Hearing): Promise<void> {
  const { court, params, labels, claims, speeches, notes } = hearing;
  const recalled = params.beliefUpdates === 'retrospective' ? speeches.length : 0;
  const own = [
    court.text('judge'),
    ...(notes.length === 0 ? [] : [court.text('ownNotes'), ...notes]),
    court.text('ruling'),
    ...(recalled === 0 ? [] : [court.text('recall', { speeches: String(recalled) })]),
    court.text(recalled === 0 ? 'rulingAnswer' : 'recallAnswer', claims),
  ];
  const answer = await court.ask('ruling/judge', 'judge', promptOf(hearing, own), rulingSpec(labels, recalled), params);
  answer.belief_updates?.forEach((update, index) => {
    court.believe(`ruling/judge/recalled-${index + 1}`, {
      role: 'judge',
      ...statedBelief(labels, update),
      moment: 'retrospective',
      after: speeches[index]?.key ?? null,
    });
  });
  court.rule('ruling', { role: 'judge', ...statedBelief(labels, answer), opinion: JSON.stringify(answer) });
}

export const agenticSim: Protocol<AgenticSimParams> = {
  id: 'agentic-sim',
  version: 1,
  title: 'AgenticSimLLM',
  paper: 'Linguistic Reasoning: How Multi-Agent Debate Courtroom Simulations Can Improve Recidivism Predictions',
  roles: ['prosecutor', 'defense', 'judge'],
  params: paramsSchema,
  preset: { beliefUpdates: 'live', priorBelief: false, turns: 3, temperature: 0.7 },
  contract,
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 2], multiLabel: false, open: false },
  templates,
  sees: {
    prosecutor: { utterances: true, ownNotes: false, examples: false },
    defense: { utterances: true, ownNotes: false, examples: false },
    judge: { utterances: true, ownNotes: true, examples: false },
  },
  contested: contestedLabels,
  shots: () => 0,
  plannedCalls: (_case, { beliefUpdates, priorBelief, turns }) => {
    const calls = 2 * turns * (beliefUpdates === 'live' ? 2 : 1) + (priorBelief ? 1 : 0) + 1;
    return { min: calls, max: calls };
  },

  async run(court, kase, params) {
    const hearing = openHearing(court, kase, params);
    if (params.priorBelief) await updateBelief(hearing, 'prior/judge', 'reading the facts');
    for (let turn = 1; turn <= params.turns; turn++) {
      for (const side of sides) {
        await speak(hearing, side, turn);
        if (params.beliefUpdates === 'live') {
          await updateBelief(hearing, `turn-${turn}/after-${side}`, `${speakerName[side]}, ${turnName(turn, params.turns)}`);
        }
      }
    }
    await rule(hearing);
  },
};
