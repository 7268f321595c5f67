import { z } from 'zod';
import type { Belief } from '../../../shared/domain.ts';
import type { AnswerSpec } from '../../answers/answer.ts';
import { isInconsistent } from '../../beliefs/verbalBelief.ts';
import { prompts as crit } from '../../crit/prompts.ts';
import type { Prompt } from '../../prompts/wording.ts';
import { orFailure, orForfeit, settled } from '../bench.ts';
import { prompts as manners } from '../contentiousness/prompts.ts';
import { type Ruling, TurnFailure } from '../court.ts';
import { knowledgeSchema, type WithKnowledge } from '../knowledge.ts';
import { findPrecedents } from '../precedents.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { withoutRepeats } from '../repeats.ts';
import { inTurn, labelsReversed } from '../swaps.ts';
import { mostRecommendations, proposalSpec, recommendationsSpec } from './answers.ts';
import { contract } from './contract.ts';
import {
  addPrecedents,
  contentiousnessText,
  type Debate,
  hear,
  letters,
  openDebate,
  promptOf,
  state,
  takeTurn,
  takeTurnOrStay,
} from './debate.ts';
import {
  isSettled,
  type Measured,
  measureExchange,
  mixtureOf,
  type Side,
  type Stances,
  sides,
  statedMixture,
  weightsOf,
} from './exchange.ts';
import { prompts } from './prompts.ts';
import { evinceTelling } from './tell.ts';
import { likeliest, probabilityText } from './words.ts';

/** How contentiousness goes from round to round; `mixture`: there is no debate. */
const modulations = ['exponential', 'linear', 'fixed', 'mixture', 'metric', 'metric-rising'] as const;
type Modulation = (typeof modulations)[number];

/** Natural decay by which 0.9 of the first round has become 0.5 in the third. */
const decay = Math.log(9 / 5) / 2;

/** Fall from round to round of the linear form. */
const step = 0.2;

const closingContentiousness = 0.3;

/** 0.3 where the agents agree in all, 0.9 where they have nothing in common. */
const fromMetrics = ({ jsd, wd }: { readonly jsd: number; readonly wd: number }) =>
  closingContentiousness + 0.6 * ((jsd / Math.LN2 + wd) / 2);

/**
 * The contentiousness of the next round.
 *
 * Source: "SocraSynth and EVINCE", section 7.4.5: k0 - l t and k0 e^(-l t). Its tables 7.2 and 7.3 have 0.9, 0.7, 0.5 in
 * the first three rounds, from which both rates are taken; the paper gives neither. `metric` is our function Update of
 * figure 7.1, which the paper leaves open: k follows how far the agents are apart, and never rises; with `metric-rising`
 * it rises again where they move apart.
 *
 * @param start k of the first round, 0-1
 * @param round of the exchange that has just ended, from 1
 * @param now its k, 0-1
 * @param apart Jensen-Shannon divergence, 0 to ln 2, and Wasserstein distance, 0-1
 */
function nextContentiousness(
  modulation: Modulation,
  start: number,
  round: number,
  now: number,
  apart: { readonly jsd: number; readonly wd: number },
): number {
  switch (modulation) {
    case 'exponential':
      return start * Math.exp(-decay * round);
    case 'linear':
      return Math.max(0, start - step * round);
    case 'metric':
      return Math.min(now, fromMetrics(apart));
    case 'metric-rising':
      return fromMetrics(apart);
    case 'fixed':
    case 'mixture':
      return now;
  }
}

/** What would make the result surer: A proposes, B writes the list of both. Without that list there are no recommendations. */
async function recommend(debate: Debate, probabilities: string): Promise<void> {
  const { court, terms, entries } = debate;
  const outcome = court.text('outcome', { probabilities });
  const manner = contentiousnessText(court, closingContentiousness);
  const promptFor = (id: string, side: Side, ...task: readonly string[]) =>
    promptOf(id, debate, side, [outcome, court.text('agent', { agent: letters[side] }), manner, ...task]);

  const give = <T>(side: Side, prompt: Prompt, spec: AnswerSpec<T>) =>
    orForfeit(court, `recommendation/${side}`, side, court.ask(`recommendation/${side}`, side, prompt, spec, terms));

  const proposed = await give('agentA', promptFor('proposal', 'agentA', court.text('propose')), proposalSpec);
  if (proposed !== null) {
    const { proposal } = proposed.value;
    court.utter('recommendation/agentA/utterance', { role: 'agentA', turn: 'proposal', text: proposal });
    const parts = [court.text('proposalOf', { agent: 'A' }), proposal];
    entries.push({ partsFor: () => parts });
  }

  const listing = court.text('agree', { most: String(mostRecommendations) });
  const taking = proposed === null ? [] : [court.text('agreeWith', { other: 'A' })];
  const agree = promptFor('recommendations', 'agentB', listing, ...taking, court.text('agreeFields'));
  const agreed = await give('agentB', agree, recommendationsSpec);
  if (agreed !== null) {
    court.record('recommendation-make', 'recommendation', {
      role: 'agentB',
      contentiousness: closingContentiousness,
      recommendations: withoutRepeats(agreed.value.recommendations, ({ text }) => text),
    });
  }
}

/**
 * EVINCE: two agents move their distributions over the labels in a debate whose contentiousness falls, watched by
 * measures of information; the verdict is the likeliest label of the mixture of both, weighted by how well they argue.
 *
 * Source: "SocraSynth and EVINCE", chapter 7: figure 7.1, section 7.4.5, appendices 7.A, 7.C to 7.E. Where the paper is
 * silent or contradicts itself: `contract.ts`.
 */
const paramsSchema = z.strictObject({
  /** Labels that each statement names; all where there are no more. */
  topK: z.int().min(1).max(10).default(3),
  /** Whether the agent that answers first is asked to explore: to spread its probabilities over all that the facts allow. */
  explorer: z.boolean().default(true),
  /** How much each agent counts in the mixture: by CRIT of its arguments, or by how sure it is, 1 less its normalised entropy. */
  weights: z.enum(['crit', 'entropy']).default('crit'),
  /** Exchanges, the first included. */
  maxRounds: z.int().min(1).max(12).default(5),
  /** Of the first answer, 0-1. */
  contentiousness: z.number().min(0).max(1).default(0.9),
  modulation: z.enum(modulations).default('exponential'),
  /** The debate ends where all measures have moved by less. */
  tolerance: z.number().min(0).max(1).default(0.01),
  /** Arguments with a lower CRIT / 10 do not reach the other agent; 0: all do. */
  gate: z.number().min(0).max(1).default(0),
  /** Normalised entropy of the mixture above which precedents are looked up; 1: never. */
  retrieveAbove: z.number().min(0).max(1).default(1),
  wdOrder: z.enum(['nominal', 'labels']).default('nominal'),
  knowledge: knowledgeSchema,
  temperature: z.number().min(0).max(2).default(0.7),
  /** Name of a label -> the label that it is another name of, for the measures alone. */
  aliases: z.record(z.string(), z.string()).default({}),
});
export type EvinceParams = WithKnowledge<z.infer<typeof paramsSchema>>;

/** Precedents of each label that is looked up. */
const perLabel = 1;

async function holdDebate(debate: Debate, params: EvinceParams): Promise<Stances> {
  const { court, labels } = debate;
  const [first = 'agentA', second = 'agentB'] = inTurn(court, sides);
  let k = params.contentiousness;
  let round = 1;
  const opening = await takeTurn(debate, first, 1, null, null);
  const reply = await takeTurn(debate, second, 1, k, null, params.explorer);
  let stances: Stances = first === 'agentA' ? { agentA: opening, agentB: reply } : { agentA: reply, agentB: opening };
  let before: Measured | null = null;
  let isLookedUp = false;
  while (true) {
    const measured: Measured = measureExchange(labels, round, stances, before, params);
    const stop = isSettled(measured, params.tolerance) ? 'tolerance' : round >= params.maxRounds ? 'rounds' : null;
    court.record('exchange-measure', `round-${round}/exchange`, { ...measured, contentiousness: k, stop });
    if (stop !== null) return stances;
    if (!isLookedUp && measured.normalisedEntropy > params.retrieveAbove) {
      isLookedUp = true;
      const unsure = likeliest(labels, measured.mixture, params.topK);
      addPrecedents(debate, await findPrecedents(court, { labels: unsure, perLabel, retriever: 'similar' }));
    }
    k = nextContentiousness(params.modulation, params.contentiousness, round, k, measured);
    before = measured;
    round += 1;
    for (const side of [first, second]) {
      stances = { ...stances, [side]: await takeTurnOrStay(debate, side, round, k, stances[side]) };
    }
  }
}

async function stateApart(debate: Debate, params: EvinceParams): Promise<Stances> {
  const { court, labels } = debate;
  const found = await settled(sides.map((side) => orFailure(state(debate, side, 1, null))));
  const statements = found.map((statement) => {
    if (statement instanceof TurnFailure) throw statement;
    hear(debate, statement, () => true);
    return statement.stance;
  });
  const [agentA, agentB] = statements;
  if (agentA === undefined || agentB === undefined) throw new Error('there are two agents');
  const stances = { agentA, agentB };
  const measured = measureExchange(labels, 1, stances, null, params);
  court.record('exchange-measure', 'round-1/exchange', { ...measured, contentiousness: null, stop: 'mixture' });
  return stances;
}

/** The likeliest label of the stated mixture, with the mixture of the beliefs from the arm's source. */
function rulingOf(labels: readonly string[], stances: Stances, stated: Belief, { weights }: EvinceParams): Ruling {
  const belief = mixtureOf(labels, stances, weights, (stance) => stance.belief.belief);
  const [prediction] = likeliest(labels, stated, 1);
  if (prediction === undefined) throw new Error('a case has labels');
  // An agent that gave every label 0 has said nothing of how sure it is.
  const isSaid = sides.every((side) => stances[side].rawSum !== 0);
  return {
    role: 'mixture',
    prediction,
    confidence: isSaid ? (stated[prediction] ?? null) : null,
    belief,
    source: 'mixture',
    inconsistent: belief !== null && isInconsistent(belief, prediction),
    grounds: { verbal: isSaid ? stated : null, mixture: { weights: weightsOf(stances, weights) } },
  };
}

export const evince: Protocol<EvinceParams> = {
  id: 'evince',
  version: 4,
  earlier: { 2: { topK: 5, explorer: false, weights: 'crit', knowledge: 'unsaid' }, 3: { knowledge: 'unsaid' } },
  title: 'EVINCE',
  paper:
    'SocraSynth and EVINCE, chapter 7: Optimizing Adversarial LLM Dialogues via Conditional Statistics and Information Theory',
  roles: ['agentA', 'agentB', 'critic'],
  optionalRoles: ['retriever'],
  params: paramsSchema,
  preset: {
    topK: 3,
    explorer: true,
    weights: 'crit',
    maxRounds: 5,
    contentiousness: 0.9,
    modulation: 'exponential',
    tolerance: 0.01,
    gate: 0,
    retrieveAbove: 1,
    wdOrder: 'nominal',
    knowledge: 'general',
    temperature: 0.7,
    aliases: {},
  },
  contract,
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 1000], multiLabel: false, open: false },
  prompts: { ...blocks, ...manners, ...crit, ...prompts },
  sees: {
    agentA: { utterances: true, ownNotes: false, examples: true },
    agentB: { utterances: true, ownNotes: false, examples: true },
    critic: { utterances: true, ownNotes: false, examples: true },
  },
  swaps: ({ modulation }) => ({
    // If both state their positions apart, neither answers the other.
    ...(modulation === 'mixture' ? {} : { order: { does: 'Agent B states its probabilities first, and Agent A answers it.' } }),
    labels: labelsReversed,
  }),
  telling: evinceTelling,
  precedents: ({ retrieveAbove, modulation, maxRounds }) =>
    retrieveAbove >= 1 || modulation === 'mixture' || maxRounds < 2 ? null : { perLabel, retriever: 'similar' },
  // A round is two statements and their two evaluations; before the second one nothing can have settled.
  plannedCalls: (_case, { modulation, maxRounds }) =>
    modulation === 'mixture' ? { min: 4, max: 4 } : { min: 4 * Math.min(2, maxRounds) + 2, max: 4 * maxRounds + 2 },
  plannedBeliefs: (_case, { modulation, maxRounds }) =>
    modulation === 'mixture' ? { min: 2, max: 2 } : { min: 2 * Math.min(2, maxRounds), max: 2 * maxRounds },

  async run(court, kase, params) {
    const debate = openDebate(court, kase, params);
    const stances = await (params.modulation === 'mixture' ? stateApart : holdDebate)(debate, params);
    const stated = statedMixture(debate.labels, stances, params.weights);
    await recommend(debate, probabilityText(kase.labels, stated));
    court.rule('ruling', rulingOf(debate.labels, stances, stated, params));
  },
};
