import type { Subtopic } from '../../../shared/moderation.ts';
import { prompts as crit } from '../../crit/prompts.ts';
import { orFailure, orForfeit, settled } from '../bench.ts';
import { panelRoles } from '../cast.ts';
import { prompts as manners } from '../contentiousness/prompts.ts';
import { TurnFailure } from '../court.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { withoutRepeats } from '../repeats.ts';
import { labelsReversed } from '../swaps.ts';
import { balanceSpec, mostItems, type Proposal, proposalSpec, type Side, subtopicsIn, subtopicsSpec } from './answers.ts';
import { agreed, checkExhausted, concluded, inTurn, open } from './arguments.ts';
import { askPlainly, compareWithAnswer, comparisonCalls } from './comparison.ts';
import { contract } from './contract.ts';
import { critique, critiqueCalls } from './critique.ts';
import {
  assignedLabels,
  contentiousText,
  type Debate,
  openDebate,
  promptOf,
  promptWithRecord,
  sides,
  speakerName,
  subtopicTexts,
  topicText,
} from './debate.ts';
import { holdPanel } from './panel.ts';
import { paramsSchema, type SocrasynthParams, subtopicsOf } from './params.ts';
import { prompts } from './prompts.ts';
import { conciliationOf, mostRounds, nextRound } from './schedule.ts';
import { socrasynthTelling } from './tell.ts';
import { verdictOf } from './verdict.ts';

/**
 * SocraSynth: two agents debate a question at falling contentiousness, a critic scores the debate, a panel its sides.
 *
 * Source: "SocraSynth: Adversarial Multi-LLM Reasoning", sections 6.2 and 6.3, tables 6.1 to 6.6, appendices 6.A to
 * 6.G. Where the chapter is silent or contradicts itself: `contract.ts`. Open questions are its own subject (study 1);
 * labelled cases follow study 2.
 */

/** Rounds of refutation until contentiousness, quality, their number or agreement ends them. @returns D where they ended */
async function refute(debate: Debate): Promise<number> {
  const { court, params } = debate;
  const scores: number[] = [];
  for (let held = 0; ; held++) {
    const test = nextRound(params, held, scores);
    const reason = agreed(debate) ? 'agreement' : test.stopped;
    if (reason !== null) {
      const { contentiousness } = test;
      const conceded = concluded(debate) && debate.moved !== null ? { conceded: debate.moved } : {};
      court.record('debate-stop', 'debate/stop', { rounds: held, contentiousness, reason, ...conceded });
      if (held === 0 && !concluded(debate)) await hearRemark(debate);
      return contentiousness;
    }
    const name = `round-${test.rounds}`;
    await inTurn(debate, name, 'refutation', test.contentiousness);
    if (concluded(debate)) continue;
    const score = await critique(debate, name, false);
    if (score !== null) scores.push(score);
    if (held === 0) await hearRemark(debate);
  }
}

const nothing = { utterances: false, ownNotes: false, examples: false } as const;

const isFree = ({ labels }: { labels: readonly string[] }, { stances }: SocrasynthParams) =>
  labels.length > 0 && stances === 'free';

export const socrasynth: Protocol<SocrasynthParams> = {
  id: 'socrasynth',
  version: 3,
  earlier: {
    2: {
      subtopics: 5,
      schedule: 'decay',
      critSides: 'proponent',
      feedback: false,
      onAgreement: 'panel',
      comparison: 'named',
      knowledge: 'unsaid',
      topK: 0,
    },
  },
  title: 'SocraSynth',
  paper: 'SocraSynth: Adversarial Multi-LLM Reasoning',
  roles: ['agentA', 'agentB', 'critic', 'judge'],
  params: paramsSchema,
  preset: {
    maxRounds: 4,
    contentiousness: 0.9,
    schedule: 'decay',
    style: 'number',
    decay: 1.2,
    critSides: 'proponent',
    feedback: false,
    critDepth: 0,
    opening: 'independent',
    panelReads: 'closing',
    stances: 'free',
    onAgreement: 'recommend',
    moderated: true,
    compareWithAnswer: true,
    comparison: 'blinded',
    knowledge: 'general',
    topK: 5,
    temperature: 0.7,
  },
  unused: ({ compareWithAnswer: isCompared, schedule }) => [
    ...(isCompared ? [] : (['comparison'] as const)),
    ...(schedule === 'decay' ? [] : (['decay'] as const)),
  ],
  contract,
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections', 'open'], labels: [2, 1000], multiLabel: false, open: true },
  prompts: { ...blocks, ...manners, ...crit, ...prompts },
  sees: {
    agentA: { utterances: true, ownNotes: true, examples: false },
    agentB: { utterances: true, ownNotes: true, examples: false },
    critic: { utterances: true, some: 'what both agents have said, without its own feedback', ownNotes: true, examples: false },
    judge: {
      ...nothing,
      utterances: true,
      some: 'the closing statements; with `panelReads: all` the whole debate; of a comparison two answers, not where they come from',
    },
  },
  players: (cast) => ['agentA', 'agentB', 'critic', ...panelRoles(cast)],
  refuses: ({ labels }, { stances }) =>
    stances === 'assigned' && labels.length > 2
      ? `protocol socrasynth assigns exactly 2 labels to its agents and the data set has ${labels.length}; use stances "free"`
      : null,
  claims: (kase, { stances }, swap) =>
    stances === 'assigned' && kase.labels.length > 0 ? assignedLabels(kase, swap === 'sides') : {},
  swaps: ({ stances }) => ({
    ...(stances === 'assigned' ? { sides: { does: 'The two agents exchange the labels that they defend.' } } : {}),
    order: { does: 'Agent B speaks first in each turn, and Agent A has the last word.' },
    labels: labelsReversed,
  }),
  telling: socrasynthTelling,
  plannedCalls: (kase, params, cast) => {
    const judges = panelRoles(cast).length;
    const crit = critiqueCalls(params);
    // Proposals, merging, settling, balance; openings; the joint proposal.
    const fixed = (subtopicsOf(kase, params) === 0 ? 0 : 5) + 2 + 2 + comparisonCalls(params, judges);
    // Whether all is said; closings; the panel.
    const end = 2 + 2 + 2 * judges;
    const most = mostRounds(params);
    const isFreeCase = isFree(kase, params);
    const least = isFreeCase ? 0 : Math.min(1, most);
    const isEnded = isFreeCase && params.onAgreement === 'recommend';
    return {
      min: fixed + least * (2 + crit.min) + (isEnded ? 0 : end + crit.min),
      max: fixed + most * (2 + crit.max) + end + crit.max,
    };
  },
  plannedBeliefs: (kase, params) => (isFree(kase, params) ? { min: 2, max: 2 + 2 * mostRounds(params) } : { min: 0, max: 0 }),

  async run(court, kase, params, cast) {
    const debate = openDebate(court, kase, params);
    const judges = panelRoles(cast);

    await settleSubtopics(debate);
    const plain = params.compareWithAnswer ? await askPlainly(debate) : null;

    await open(debate);
    const level = await refute(debate);
    const isConcluded = concluded(debate);
    if (!isConcluded) {
      const remaining = await checkExhausted(debate);
      await inTurn(debate, 'closing', 'closing', level, remaining);
      await critique(debate, 'closing', true);
    }
    await proposeJointly(debate);

    const panel = isConcluded ? { sheets: [], failures: [] } : await holdPanel(debate, judges);
    if (plain !== null) await compareWithAnswer(debate, judges, plain);
    if (kase.labels.length > 0) court.rule('ruling', verdictOf(debate, panel));
  },
};

const asIs = (text: string): string => text;

async function write(debate: Debate, side: Side, task: string, shown: readonly string[]): Promise<Proposal | null> {
  const { court, params } = debate;
  const key = `proposal/${side}`;
  const manner = contentiousText(debate, conciliationOf(params));
  const prompt = promptWithRecord('proposal', debate, [...shown, court.text(side), manner, task, court.text('proposalFields')]);
  const answer = await orForfeit(court, key, side, court.ask(key, side, prompt, proposalSpec, params));
  if (answer === null) return null;
  const { proposal, open_questions, next_steps } = answer.value;
  return { proposal, open_questions: withoutRepeats(open_questions, asIs), next_steps: withoutRepeats(next_steps, asIs) };
}

/** A draft as separate texts of a prompt, so that its content is kept apart from its layout. */
const draftTexts = ({ proposal, open_questions, next_steps }: Proposal): string[] => [proposal, ...open_questions, ...next_steps];

/** Agent A drafts a joint proposal and agent B revises it. One that fails leaves it to the other. */
async function proposeJointly(debate: Debate): Promise<void> {
  const { court, kase, params, subtopics } = debate;
  court.measure('proposal/contentiousness', 'contentiousness', conciliationOf(params));
  const isRecommending = kase.labels.length > 0 && subtopics.length === 0;
  const proposing = court.text(isRecommending ? 'recommendation' : 'proposal', { most: String(mostItems) });
  const draft = await write(debate, 'agentA', proposing, []);
  if (draft !== null) court.record('proposal-make', 'proposal/draft', { role: 'agentA', stage: 'draft', proposal: draft });
  const shown = draft === null ? [] : [court.text('draftHeading'), ...draftTexts(draft)];
  const joint = await write(debate, 'agentB', draft === null ? proposing : court.text('reviseProposal'), shown);
  if (joint !== null) court.record('proposal-make', 'proposal/joint', { role: 'agentB', stage: 'joint', proposal: joint });
}

/** Asks for a list of subtopics; a side that gives none gives up its turn. */
async function askForSubtopics(debate: Debate, key: string, side: Side, template: string, shown: readonly string[]) {
  const { court, kase, params } = debate;
  const count = subtopicsOf(kase, params);
  const fields = court.text('subtopicFields', { fields: topicText(court, 'subtopicField', count) });
  const prompt = promptOf('subtopics', debate, shown, [court.text(side), court.text(template, { count: String(count) }), fields]);
  const answer = await orFailure(court.ask(key, side, prompt, subtopicsSpec(count), params));
  if (!(answer instanceof TurnFailure)) return subtopicsIn(count, answer.value);
  court.forfeit(`${key}/forfeit`, side, answer);
  return answer;
}

const listOf = (proposed: Subtopic[] | TurnFailure) => (proposed instanceof TurnFailure ? null : proposed);

type Proposals = Readonly<Awaited<ReturnType<typeof propose>>>;

/** Both sides propose, neither knowing what the other does. Throws where neither proposes anything. */
async function propose(debate: Debate) {
  const [agentA, agentB] = await settled(
    sides.map((side) => askForSubtopics(debate, `subtopics/${side}`, side, 'proposeSubtopics', [])),
  );
  if (agentA instanceof TurnFailure && agentB instanceof TurnFailure) throw agentA;
  return { agentA: listOf(agentA ?? []), agentB: listOf(agentB ?? []) };
}

/** Agent A merges both lists, agent B settles. A step that fails leaves what the one before it gave. */
async function merge(debate: Debate, proposals: Proposals) {
  const { court } = debate;
  const proposed = sides.flatMap((side) => {
    const list = proposals[side];
    return list === null ? [] : [court.text('proposedBy', { speaker: speakerName[side] }), ...subtopicTexts(court, list)];
  });
  const merged = listOf(await askForSubtopics(debate, 'subtopics/merge', 'agentA', 'draftSubtopics', proposed));
  const draft = merged ?? proposals.agentA ?? proposals.agentB ?? [];
  const shown = [...proposed, court.text('subtopicHeading'), ...subtopicTexts(court, draft)];
  const final = listOf(await askForSubtopics(debate, 'subtopics/settle', 'agentB', 'settleSubtopics', shown));
  return { merged, final: final ?? draft };
}

/** The critic's judgement on the subject as it is divided; it changes nothing. */
async function checkBalance(debate: Debate, subtopics: readonly Subtopic[]) {
  const { court, params } = debate;
  const topics = [court.text('subtopicHeading'), ...subtopicTexts(court, subtopics)];
  const prompt = promptOf('balance', debate, topics, [court.text('balance')]);
  const key = 'subtopics/balance';
  const answer = await orForfeit(court, key, 'critic', court.ask(key, 'critic', prompt, balanceSpec, params));
  return answer?.value ?? null;
}

const same = (one: readonly Subtopic[], other: readonly Subtopic[]) => JSON.stringify(one) === JSON.stringify(other);

/** Settles what is argued about; where the trial is moderated, as the moderator leaves it. Without subtopics it is the question. */
async function settleSubtopics(debate: Debate): Promise<void> {
  const { court, kase, params } = debate;
  if (subtopicsOf(kase, params) === 0) return;
  const proposals = await propose(debate);
  const { merged, final } = await merge(debate, proposals);
  const balance = await checkBalance(debate, final);
  const found = { balanced: balance?.balanced ?? null, balance: balance?.justification ?? null };
  const about = { proposals: { ...proposals, merged }, ...found };
  court.record('subtopics-settle', 'subtopics/settled', { settledBy: 'agents', subtopics: final, ...about });
  debate.subtopics = final;
  if (!params.moderated) return;
  const moderation = await court.moderate('subtopics/moderation', { kind: 'subtopics', subtopics: final });
  if (moderation.action !== 'subtopics' || same(moderation.subtopics, final)) return;
  court.record('subtopics-settle', 'subtopics/moderated', {
    settledBy: 'moderator',
    subtopics: moderation.subtopics,
    ...about,
  });
  debate.subtopics = moderation.subtopics;
}

async function hearRemark(debate: Debate): Promise<void> {
  const { court, params, subtopics, remarks } = debate;
  if (!params.moderated) return;
  const moderation = await court.moderate('remark/moderation', { kind: 'remark', subtopics });
  if (moderation.action !== 'remark') return;
  for (const side of sides) if (moderation.to === side || moderation.to === 'both') remarks[side] = moderation.text;
}
