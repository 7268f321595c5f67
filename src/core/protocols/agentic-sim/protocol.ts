import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import type { Swap } from '../../../shared/swaps.ts';
import type { Prompt } from '../../prompts/wording.ts';
import { casePrompt, quoted, verdictAsText } from '../casePrompt.ts';
import { type Court, TurnFailure } from '../court.ts';
import { knowledgeRule, knowledgeSchema, outsideOf, outsideText, type WithKnowledge } from '../knowledge.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { inTurn, labelsReversed, usualOrder } from '../swaps.ts';
import { advocateSpec, rulingSpec, type Side, updateSpec } from './answers.ts';
import { contract } from './contract.ts';
import { prompts } from './prompts.ts';

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
  knowledge: knowledgeSchema,
  temperature: z.number().min(0).max(2).default(0.7),
  /** The two labels in dispute, for cases with more than two. */
  contested: z
    .tuple([z.string(), z.string()])
    .refine(([first, second]) => first !== second, { message: 'the two labels in dispute must be different' })
    .optional(),
});
export type AgenticSimParams = WithKnowledge<z.infer<typeof paramsSchema>>;

const sides: readonly Side[] = ['prosecutor', 'defense'];
const speakerName: Record<Side, string> = { prosecutor: 'Prosecution', defense: 'Defense' };

function turnName(turn: number, turns: number): 'opening' | 'rebuttal' | 'closing' {
  if (turn === 1) return 'opening';
  return turn === turns ? 'closing' : 'rebuttal';
}

const contestedLabels = (labels: readonly string[], params: AgenticSimParams) => params.contested ?? labels;

type Claims = { accusation: string; denial: string };

interface Hearing {
  readonly court: Court;
  readonly params: AgenticSimParams;
  /** The case with the two labels in dispute, in the order in which prompts list them. */
  readonly kase: Case;
  /** Those labels in their usual order. */
  readonly labels: readonly string[];
  /** Quoted, as template slots. */
  readonly claims: Claims;
  /** Public: every speech so far, in order, with its heading and the key it was recorded under. */
  readonly speeches: { side: Side; key: string; heading: string; text: string }[];
  /** Private to the judge: its own answers so far, each with its heading. */
  readonly notes: { heading: string; text: string }[];
}

const together = (...texts: readonly string[]) => texts.filter((text) => text !== '').join('\n\n');

/** Rules, case and public record first and alike for every role, so that calls share the longest prefix. */
function promptOf(id: string, { court, params, kase, claims, speeches }: Hearing, ...task: readonly string[]): Prompt {
  const { text } = court;
  return casePrompt(court, id, kase, {
    rules: [text('rules', { turns: String(params.turns), knowledge: knowledgeRule(text, params.knowledge), ...claims })],
    record: speeches.length === 0 ? [] : [text('record'), ...speeches.flatMap((speech) => [speech.heading, speech.text])],
    task,
  });
}

const asSlots = ({ accusation, denial }: Claims): Claims => ({ accusation: quoted(accusation), denial: quoted(denial) });
const exchanged = ({ accusation, denial }: Claims): Claims => ({ accusation: denial, denial: accusation });

/** The prosecution argues for the positive label, or for the last one where none is. */
function claimsOf(labels: readonly string[], positive: string | null): Claims {
  const accusation = labels.find((label) => label === positive) ?? labels.at(-1) ?? '';
  return { accusation, denial: labels.find((label) => label !== accusation) ?? '' };
}

function openHearing(court: Court, kase: Case, params: AgenticSimParams): Hearing {
  const labels = contestedLabels(usualOrder(court, kase.labels), params);
  const usual = claimsOf(labels, kase.positive);
  return {
    court,
    params,
    kase: { ...kase, labels: court.swapped('labels') ? labels.toReversed() : [...labels] },
    labels,
    claims: asSlots(court.swapped('sides') ? exchanged(usual) : usual),
    speeches: [],
    notes: [],
  };
}

async function speak(hearing: Hearing, side: Side, turn: number): Promise<void> {
  const { court, params, claims, speeches } = hearing;
  const name = turnName(turn, params.turns);
  const key = `turn-${turn}/${side}`;
  const form = court.text('advocateAnswer', { outside: outsideText(court.text, params.knowledge) });
  const own = together(court.text(side, claims), court.text(name), form);
  try {
    const answer = await court.ask(key, side, promptOf('speech', hearing, own), advocateSpec(params.knowledge), params);
    const { utterance } = answer.value;
    const speech = { role: side, turn: name, text: utterance, plan: answer.text, ...outsideOf(answer.value) };
    court.utter(`${key}/utterance`, speech);
    const heading = court.text('heading', { speaker: speakerName[side], turn: name });
    speeches.push({ side, key: `${key}/utterance`, heading, text: utterance });
  } catch (error) {
    forfeitOrThrow(hearing, `${key}/forfeit`, side, error);
  }
}

function forfeitOrThrow(hearing: Hearing, key: string, role: string, error: unknown): void {
  if (!(error instanceof TurnFailure)) throw error;
  hearing.court.forfeit(key, role, error);
}

/** The judge's private part of a prompt: who it is, its own earlier answers, and what to do now. */
function judgePrompt(id: string, hearing: Hearing, ...task: readonly string[]): Prompt {
  const { court, notes } = hearing;
  if (notes.length === 0) return promptOf(id, hearing, together(court.text('judge'), ...task));
  const own = notes.flatMap(({ heading, text }) => [heading, text]);
  return promptOf(id, hearing, together(court.text('judge'), court.text('ownNotes')), ...own, together(...task));
}

async function updateBelief(hearing: Hearing, key: string, moment: string): Promise<void> {
  const { court, params, kase, labels, speeches, notes } = hearing;
  const heard = new Set(speeches.map(({ side }) => side));
  const critiques = [
    ...(heard.has('prosecutor') ? [court.text('critiqueOfProsecution')] : []),
    ...(heard.has('defense') ? [court.text('critiqueOfDefense')] : []),
  ];
  const fields = [...critiques, verdictAsText(court.text, kase)].join(', ');
  const prompt = judgePrompt('update', hearing, court.text('update'), court.text('updateAnswer', { fields }));
  try {
    const answer = await court.ask(key, 'judge', prompt, updateSpec(kase.labels, [...heard]), params);
    const isPrior = key === 'prior/judge';
    court.believe(`${key}/belief`, {
      role: 'judge',
      ...(await court.belief(answer, labels)),
      moment: isPrior ? 'prior' : 'live',
      after: isPrior ? null : (speeches.at(-1)?.key ?? null),
      notes: answer.text,
    });
    notes.push({ heading: court.text('note', { moment }), text: answer.text });
  } catch (error) {
    forfeitOrThrow(hearing, `${key}/forfeit`, 'judge', error);
  }
}

async function rule(hearing: Hearing): Promise<void> {
  const { court, params, kase, labels, speeches } = hearing;
  const recalled = params.beliefUpdates === 'retrospective' ? speeches.length : 0;
  const verdict = verdictAsText(court.text, kase);
  const form =
    recalled === 0
      ? court.text('rulingAnswer', { verdict })
      : court.text('recallAnswer', { verdict, speeches: String(recalled) });
  const prompt = judgePrompt('ruling', hearing, court.text('ruling'), form);
  const answer = await court.ask('ruling/judge', 'judge', prompt, rulingSpec(kase.labels, recalled), params);
  for (const index of answer.value.belief_updates?.keys() ?? []) {
    court.believe(`ruling/judge/recalled-${index + 1}`, {
      role: 'judge',
      ...(await court.belief(answer, labels, ['belief_updates', index])),
      moment: 'retrospective',
      after: speeches[index]?.key ?? null,
    });
  }
  court.rule('ruling', { role: 'judge', ...(await court.belief(answer, labels)), opinion: answer.text });
}

export const agenticSim: Protocol<AgenticSimParams> = {
  id: 'agentic-sim',
  version: 3,
  earlier: { 2: { knowledge: 'unsaid' } },
  title: 'AgenticSimLLM',
  paper: 'Linguistic Reasoning: How Multi-Agent Debate Courtroom Simulations Can Improve Recidivism Predictions',
  roles: ['prosecutor', 'defense', 'judge'],
  params: paramsSchema,
  preset: { beliefUpdates: 'live', priorBelief: false, turns: 3, knowledge: 'general', temperature: 0.7 },
  contract,
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 2], multiLabel: false, open: false },
  prompts: { ...blocks, ...prompts },
  sees: {
    prosecutor: { utterances: true, ownNotes: false, examples: false },
    defense: { utterances: true, ownNotes: false, examples: false },
    judge: { utterances: true, ownNotes: true, examples: false },
  },
  contested: contestedLabels,
  firstAnswer: ({ priorBelief, beliefUpdates }) => {
    if (priorBelief)
      return 'In agentic-sim the first answer is what the judge believes from the facts alone, before anyone speaks.';
    if (beliefUpdates !== 'live') return null;
    return 'In agentic-sim the first answer is the judge’s belief after the opening of the prosecution, or of the defense where that speaks first; with “Ask the judge before anyone speaks” it would be the belief from the facts alone.';
  },
  claims: (kase, params, swap: Swap | null) => {
    const usual = claimsOf(contestedLabels(kase.labels, params), kase.positive);
    const { accusation, denial } = swap === 'sides' ? exchanged(usual) : usual;
    return { prosecutor: accusation, defense: denial };
  },
  swaps: () => ({
    sides: { does: 'Prosecution and defense exchange their labels.' },
    order: { does: 'The defense speaks first in each turn, and the prosecution has the last word.' },
    labels: labelsReversed,
  }),
  plannedCalls: (_case, { beliefUpdates, priorBelief, turns }) => {
    const calls = 2 * turns * (beliefUpdates === 'live' ? 2 : 1) + (priorBelief ? 1 : 0) + 1;
    return { min: calls, max: calls };
  },
  plannedBeliefs: (_case, { beliefUpdates, priorBelief, turns }) => {
    const answers = (beliefUpdates === 'live' ? 2 * turns : 0) + (priorBelief ? 1 : 0) + 1;
    return { min: answers, max: answers };
  },

  async run(court, kase, params) {
    const hearing = openHearing(court, kase, params);
    if (params.priorBelief) await updateBelief(hearing, 'prior/judge', 'reading the facts');
    for (let turn = 1; turn <= params.turns; turn++) {
      for (const side of inTurn(court, sides)) {
        await speak(hearing, side, turn);
        if (params.beliefUpdates === 'live') {
          await updateBelief(
            hearing,
            `turn-${turn}/after-${side}`,
            `the ${turnName(turn, params.turns)} of the ${speakerName[side].toLowerCase()}`,
          );
        }
      }
    }
    await rule(hearing);
  },
};
