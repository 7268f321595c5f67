import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { unlabelled } from '../../answers/answer.ts';
import { narrate } from '../../cases/narrative.ts';
import { fittingWeights, orForfeit, verdictOfLast, verdictOfMajority, weightsSchema } from '../bench.ts';
import { type CasePromptParts, casePrompt, quoted } from '../casePrompt.ts';
import type { Court, Precedent } from '../court.ts';
import { knowledgeSchema, type WithKnowledge } from '../knowledge.ts';
import { mostNumbered, topKSchema } from '../labelBelief.ts';
import { findPrecedents } from '../precedents.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { labelsReversed, usualOrder } from '../swaps.ts';
import { reasonSchema } from '../verdict.ts';
import { assignSides, hearArguments, type PromptMaker } from './arguments.ts';
import { contract } from './contract.ts';
import { freshHearings, holdHearing, measureAmbiguity, rulesOf } from './hearing.ts';
import { judgeInParallel, judgeInTurn } from './judges.ts';
import { prompts } from './prompts.ts';
import { courtroomTelling } from './tell.ts';

// The precedents as the judges read them, each with a reason for its label.

const reasonSpec = unlabelled('reason of a precedent', z.object({ reason: reasonSchema }));

/** The precedents as judges read them, each with the clerk's reason, which is the same for every trial; none if none is valid. */
async function reasonedPrecedents(
  court: Court,
  kase: Case,
  precedents: readonly Precedent[],
  temperature: number,
): Promise<string[]> {
  if (precedents.length === 0) return [];
  const texts = [court.text('earlierCases')];
  for (const [index, { facts, label, seed }] of precedents.entries()) {
    const key = `precedents/reason-${index + 1}`;
    const asked = court.askOnce(key, 'clerk', {
      facts: [...facts, { name: 'question', value: kase.question }],
      prompt: (wording) =>
        casePrompt(
          wording,
          'precedent-reason',
          { ...kase, facts: [...facts] },
          { task: [wording.text('precedentReason', { label: quoted(label) })] },
        ),
      answer: reasonSpec,
      temperature,
      seed,
    });
    const answer = await orForfeit(court, key, 'clerk', asked);
    const slots = { number: String(index + 1), facts: narrate(facts, kase.kind), label: quoted(label) };
    texts.push(
      answer === null
        ? court.text('earlierCase', slots)
        : court.text('reasonedPrecedent', { ...slots, reason: answer.value.reason }),
    );
  }
  return texts;
}

/**
 * Courtroom-LLM: a clerk narrows a case to two labels, prosecutor and attorney argue for one each, judges decide with
 * precedents before them.
 *
 * Source: "Courtroom-LLM: A Legal-Inspired Multi-LLM Framework for Resolving Ambiguous Text Classifications",
 * section 3, section 4.2.3 and appendices A to C. Where the paper is silent or contradicts itself: `contract.ts`.
 */
const paramsSchema = z
  .strictObject({
    judges: z.literal([1, 3, 5]).default(3),
    deliberation: z.enum(['sequential', 'parallel']).default('sequential'),
    /** Of the judges before it, what a sequential judge reads: all, or the one just before. */
    judgesSee: z.enum(['all', 'previous']).default('all'),
    /** What the vote of each judge counts, where they judge in parallel; how strong each is, where that gives their order. */
    weights: weightsSchema,
    /** Order of sequential judges: as they are seated, by the seed of the trial, or the strongest last. */
    judgeOrder: z.enum(['seats', 'shuffled', 'strength']).default('seats'),
    /** Precedents of each label. */
    shots: z.literal([0, 1, 2]).default(1),
    retriever: z.enum(['similar', 'random']).default('similar'),
    /** Labels whose precedents the judges see: all, the two in dispute, or `auto`: all as long as they are 12 at most. */
    precedents: z.enum(['auto', 'all', 'contested']).default('auto'),
    sides: z.enum(['random', 'fixed']).default('random'),
    argumentOrder: z.enum(['prosecutor-first', 'random']).default('prosecutor-first'),
    argumentWords: z.int().min(20).max(1000).default(150),
    /** Fresh hearings that show whether a case is ambiguous; 0: it is not asked. */
    ambiguity: z.literal([0, freshHearings]).default(0),
    knowledge: knowledgeSchema,
    topK: topKSchema,
    temperature: z.number().min(0).max(2).default(0.5),
  })
  .check(
    fittingWeights(({ judges, deliberation, judgeOrder }) =>
      deliberation === 'parallel' || judgeOrder === 'strength' ? judges : 0,
    ),
  );
export type CourtroomParams = WithKnowledge<z.infer<typeof paramsSchema>>;

const showsAll = (labels: readonly string[], { precedents }: Pick<CourtroomParams, 'precedents'>): boolean =>
  precedents === 'all' || (precedents === 'auto' && labels.length <= mostNumbered);

const nothing = { utterances: false, ownNotes: false, examples: false } as const;

export const courtroom: Protocol<CourtroomParams> = {
  id: 'courtroom',
  version: 3,
  earlier: { 2: { knowledge: 'unsaid', topK: 0, precedents: 'all' } },
  title: 'Courtroom-LLM',
  paper: 'Courtroom-LLM: A Legal-Inspired Multi-LLM Framework for Resolving Ambiguous Text Classifications',
  roles: ['clerk', 'prosecutor', 'attorney', 'judge'],
  optionalRoles: ['retriever'],
  seats: ({ judges }) => ({ judge: judges }),
  params: paramsSchema,
  preset: {
    judges: 5,
    deliberation: 'sequential',
    judgesSee: 'all',
    weights: [],
    judgeOrder: 'seats',
    shots: 1,
    retriever: 'similar',
    precedents: 'all',
    sides: 'random',
    argumentOrder: 'prosecutor-first',
    argumentWords: 150,
    ambiguity: freshHearings,
    knowledge: 'general',
    topK: 5,
    temperature: 0.5,
  },
  unused: ({ judges, deliberation, shots }) => [
    ...(judges === 1 ? (['deliberation'] as const) : []),
    ...(judges === 1 || deliberation === 'parallel' ? (['judgesSee', 'judgeOrder'] as const) : []),
    ...(shots === 0 ? (['retriever', 'precedents'] as const) : []),
  ],
  contract,
  firstAnswer: () => 'In courtroom the first answer is the clerk’s, in the preliminary hearing.',
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 1000], multiLabel: false, open: false },
  prompts: { ...blocks, ...prompts },
  sees: {
    clerk: nothing,
    prosecutor: nothing,
    attorney: nothing,
    judge: {
      utterances: true,
      some: 'the arguments and, of sequential judges, the opinions before it, or with `judgesSee: previous` the last one',
      ownNotes: false,
      examples: true,
    },
  },
  swaps: () => ({
    sides: { does: 'Prosecutor and attorney exchange their labels.' },
    order: { does: 'The judges read the two arguments in the other order.' },
    labels: labelsReversed,
  }),
  telling: courtroomTelling,
  precedents: ({ shots, retriever }) => (shots === 0 ? null : { perLabel: shots, retriever }),
  sharedCalls: ({ labels }, params) => params.ambiguity + params.shots * (showsAll(labels, params) ? labels.length : 2),
  // The hearing, two arguments, the judges.
  plannedCalls: (_case, { judges }) => ({ min: 3 + judges, max: 3 + judges }),
  plannedBeliefs: (_case, { judges }) => ({ min: 1 + judges, max: 1 + judges }),

  async run(court, kase, params) {
    const { temperature } = params;
    const rules = rulesOf(court.text, params.knowledge);
    const labels = usualOrder(court, kase.labels);
    const promptWith = (id: string, parts: Omit<CasePromptParts, 'task' | 'rules'>): PromptMaker => {
      return (...task) => casePrompt(court, id, kase, { ...parts, rules, task });
    };

    const dispute = await holdHearing(court, kase, params);
    if (params.ambiguity > 0) await measureAmbiguity(court, kase, params);

    const assignment = assignSides(court, dispute, params);
    const spoken = await hearArguments(court, promptWith('argument', {}), assignment, params);

    const disputed = [dispute.prediction, dispute.alternative];
    const found = await findPrecedents(court, {
      labels: showsAll(labels, params) ? labels : labels.filter((label) => disputed.includes(label)),
      perLabel: params.shots,
      retriever: params.retriever,
    });
    const earlier = await reasonedPrecedents(court, kase, found, temperature);
    const promptOfJudges = promptWith('judgement', { earlier, record: spoken.texts });
    const alone = params.judges === 1;
    const judge = alone || params.deliberation === 'parallel' ? judgeInParallel : judgeInTurn;
    const { opinions, failures } = await judge(court, kase, disputed, promptOfJudges, {
      ...params,
      weighs: spoken.speakers === 2,
    });

    const byVote = !alone && params.deliberation === 'parallel';
    court.rule(
      'ruling',
      byVote ? verdictOfMajority(labels, 'judge', opinions, failures, params.weights) : verdictOfLast(labels, opinions, failures),
    );
  },
};
