import { z } from 'zod';
import type { Case } from '../../../shared/domain.ts';
import { unlabelled } from '../../answers/answer.ts';
import { narrate } from '../../cases/narrative.ts';
import { orForfeit, verdictOfLast, verdictOfMajority } from '../bench.ts';
import { type CasePromptParts, casePrompt, quoted } from '../casePrompt.ts';
import type { Court, Precedent } from '../court.ts';
import { mostNumbered } from '../labelBelief.ts';
import { findPrecedents } from '../precedents.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { labelsReversed, usualOrder } from '../swaps.ts';
import { reasonSchema } from '../verdict.ts';
import { assignSides, hearArguments, type PromptMaker } from './arguments.ts';
import { contract } from './contract.ts';
import { holdHearing, measureAmbiguity, rulesOf } from './hearing.ts';
import { judgeInParallel, judgeInTurn } from './judges.ts';
import { type CourtroomParams, freshHearings, paramsSchema } from './params.ts';
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

const showsAll = (labels: readonly string[], { precedents }: Pick<CourtroomParams, 'precedents'>): boolean =>
  precedents === 'all' || (precedents === 'auto' && labels.length <= mostNumbered);

const nothing = { utterances: false, ownNotes: false, examples: false } as const;

/**
 * Courtroom-LLM: a clerk narrows a case to two labels, prosecutor and attorney argue for one each, judges decide with
 * precedents before them.
 *
 * Source: "Courtroom-LLM: A Legal-Inspired Multi-LLM Framework for Resolving Ambiguous Text Classifications",
 * section 3, section 4.2.3 and appendices A to C. Where the paper is silent or contradicts itself: `contract.ts`.
 */
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
