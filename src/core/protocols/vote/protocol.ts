import { z } from 'zod';
import { benchOf } from '../../figures/bench.ts';
import type { Telling } from '../../telling/blocks.ts';
import { benchBlock, precedentsSection, verdictSection } from '../../telling/sections.ts';
import { answeredTurns, fittingWeights, orFailure, settled, verdictOfMajority, weightsSchema } from '../bench.ts';
import type { WithKnowledge } from '../knowledge.ts';
import { findPrecedents } from '../precedents.ts';
import type { PaperContractEntry, Protocol } from '../protocol.ts';
import { classify } from '../single/classify.ts';
import { baselineContract } from '../single/contract.ts';
import { baseline, baselineParams } from '../single/protocol.ts';
import { inTurn, usualOrder } from '../swaps.ts';

// Tells a trial by plain vote from its events.

const voteTelling: Telling<{ readonly voters: number }> = {
  title: 'Votes',
  tell: (trial, { voters }) => {
    const bench = benchBlock(trial, benchOf(trial.entries), {
      roles: Array.from({ length: voters }, (_none, index) => `voter${index + 1}`),
      stepOf: (role) => `vote/${role}`,
      inTurn: false,
      advocates: new Map(),
    });
    return [
      ...precedentsSection(trial, 'Examples'),
      { id: 'bench', title: 'The voters', aside: 'each alone, none knowing the others', blocks: [bench] },
      verdictSection(trial),
    ];
  },
};

// How we read the papers where they leave the plain vote open.

const contract: readonly PaperContractEntry[] = [
  {
    subject: 'voters',
    paper: 'N independent models and a majority vote (appendix B); lists of five answers (tables 8, 10, 12)',
    gap: 'does not give N for tables 3 to 5',
    decision: '5, as in the worked examples',
  },
  {
    subject: 'tie',
    paper: 'majority vote',
    gap: 'does not say what breaks a tie',
    decision: 'the higher sum of stated confidences, then the label named first',
  },
  {
    subject: 'weights',
    paper: 'majority vote (appendix B)',
    gap: 'leaves judges of different ability to later work (limitations)',
    decision:
      'equal by default; with `weights` the label with the largest sum of weights is the verdict, and belief and confidence are shares of the weights. `assize weights` learns them on the validation split: the log-odds of being right, corrected for the number of labels, at least 0',
  },
  ...baselineContract,
];

/**
 * The plain vote that Courtroom-LLM is compared with: independent classifications in the same words, and their
 * majority.
 *
 * Source: "Courtroom-LLM: A Legal-Inspired Multi-LLM Framework for Resolving Ambiguous Text Classifications",
 * section 4 and appendix B ("Multiple"). The readings are in `contract.ts`.
 */
const paramsSchema = z
  .strictObject({
    /** Independent classifications. */
    voters: z.int().min(1).max(99).default(5),
    /** What each voter's answer counts. */
    weights: weightsSchema,
    ...baselineParams,
  })
  .check(fittingWeights(({ voters }) => voters));
export type VoteParams = WithKnowledge<z.infer<typeof paramsSchema>>;

export const vote: Protocol<VoteParams> = {
  ...baseline,
  id: 'vote',
  title: 'Majority vote',
  roles: ['voter'],
  seats: ({ voters }) => ({ voter: voters }),
  params: paramsSchema,
  preset: { voters: 5, weights: [], shots: 1, knowledge: 'general', topK: 5, temperature: 0.5 },
  contract,
  sees: { voter: { utterances: false, ownNotes: false, examples: true } },
  telling: voteTelling,
  plannedCalls: (_case, { voters }) => ({ min: voters, max: voters }),
  plannedBeliefs: (_case, { voters }) => ({ min: voters, max: voters }),

  async run(court, kase, params) {
    const labels = usualOrder(court, kase.labels);
    const precedents = await findPrecedents(court, { labels, perLabel: params.shots, retriever: 'similar' });
    const shown = inTurn(court, precedents);
    const roles = Array.from({ length: params.voters }, (_, index) => `voter${index + 1}`);
    const ballots = await settled(
      roles.map(async (role) => {
        const answered = classify(court, kase, shown, `vote/${role}`, role, params).then((answer) => ({ role, answer }));
        return { key: `vote/${role}`, role, result: await orFailure(answered) };
      }),
    );
    const { answers, failures } = answeredTurns(court, ballots);
    const opinions = [];
    for (const { role, answer } of answers) {
      const stated = await court.belief(answer, labels);
      court.believe(`vote/${role}/belief`, { role, ...stated, moment: 'live', after: null, notes: answer.text });
      opinions.push({ role, prediction: answer.value.prediction, stated });
    }
    court.rule('ruling', verdictOfMajority(labels, 'voter', opinions, failures, params.weights));
  },
};
