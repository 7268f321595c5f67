// Debate-Feedback: debaters argue about a case, an assistant rates their answers, and a judge moves its first opinion after
// reliable debates. Source: "Debate-Feedback: A Multi-Agent Framework for Efficient Legal Judgment Prediction", algorithm 1,
// section 3 and tables 1, 4 and 5. Where the paper is silent or contradicts itself: `contract.ts`.
import type { EventPayload } from '../../../shared/events.ts';
import { prompts as blocks } from '../prompts.ts';
import type { Protocol } from '../protocol.ts';
import { labelsReversed } from '../swaps.ts';
import { contract } from './contract.ts';
import { type Debate, type DebateFeedbackParams, openDebate, paramsSchema } from './debate.ts';
import { answerAgain, answerFirst, type JudgeAnswer, type Round } from './judge.ts';
import { assignPositions } from './positions.ts';
import { prompts } from './prompts.ts';
import { bestRating, heardOf, meanRating, type Ratings, rateAnswers, reaches } from './reliability.ts';
import { movedBy, type Opinion, opinionAsBelief, smoothed } from './smoothing.ts';
import { giveAnswers, giveOpinions, statementTexts } from './statements.ts';
import { debateFeedbackTelling } from './tell.ts';

const hasUnheardRounds = ({ assistant, passing }: DebateFeedbackParams) => assistant !== 'none' && passing === 'each';

/** Rounds after which a debate that passes can end. */
const fewestRounds = ({ rounds, tolerance }: DebateFeedbackParams) => (tolerance > 0 ? 1 : rounds);

const spoken = { utterances: true, examples: false } as const;

export const debateFeedback: Protocol<DebateFeedbackParams> = {
  id: 'debate-feedback',
  version: 4,
  earlier: {
    2: { passing: 'mean', concessions: false, knowledge: 'unsaid', topK: 0 },
    3: { concessions: false, knowledge: 'unsaid', topK: 0 },
  },
  title: 'Debate-Feedback',
  paper: 'Debate-Feedback: A Multi-Agent Framework for Efficient Legal Judgment Prediction',
  roles: ['judge', 'debater', 'assistant'],
  optionalRoles: ['embedder'],
  seats: ({ debaters }) => ({ debater: debaters }),
  castRoles: ({ assistant }) => (assistant === 'model' ? ['judge', 'debater', 'assistant'] : ['judge', 'debater']),
  trainedAssistant: ({ assistant, assistantVersion, learntThreshold }) =>
    assistant === 'trained' ? { version: assistantVersion ?? null, learntThreshold } : null,
  params: paramsSchema,
  preset: {
    debaters: 2,
    rounds: 2,
    tolerance: 0,
    smoothing: 0.5,
    assistant: 'trained',
    passing: 'max',
    threshold: 0.5,
    learntThreshold: false,
    concessions: true,
    onUnreliable: 'initial',
    memory: 'none',
    words: 200,
    knowledge: 'general',
    topK: 5,
    temperature: 0.7,
  },
  unused: ({ assistant, learntThreshold }) => [
    ...(assistant === 'trained' ? [] : (['assistantVersion', 'learntThreshold'] as const)),
    ...(assistant === 'none' ? (['passing', 'onUnreliable'] as const) : []),
    ...(assistant === 'none' || learntThreshold ? (['threshold'] as const) : []),
  ],
  contract,
  firstAnswer: () => 'In debate-feedback the first answer is the judge’s opinion before the debate.',
  accepts: { kinds: ['tabular', 'text', 'pair', 'sections'], labels: [2, 1000], multiLabel: true, open: false },
  prompts: { ...blocks, ...prompts },
  sees: {
    judge: {
      ...spoken,
      some: "the summary, which a separate call writes from the round's opinions and answers",
      ownNotes: true,
    },
    debater: {
      ...spoken,
      some: 'the opinions of the round when it answers; with `transcript` all earlier rounds',
      ownNotes: false,
    },
    assistant: { ...spoken, some: 'the one answer that it rates', ownNotes: false },
  },
  // With more than two the others take no side that could be exchanged.
  swaps: ({ debaters }) => ({
    ...(debaters === 2 ? { sides: { does: 'The two debaters exchange their positions.' } } : {}),
    order: { does: 'The judge and the debaters read the texts of the debaters in the other order.' },
    labels: labelsReversed,
  }),
  refuses: (_cases, { assistant, learntThreshold }) =>
    learntThreshold && assistant !== 'trained' ? 'learntThreshold needs assistant "trained": no other has learnt one' : null,
  telling: debateFeedbackTelling,
  plannedCalls: (_case, params) => {
    const { debaters, rounds, assistant } = params;
    // The first opinion; in each round opinions and answers, their ratings, the summary and the judge.
    const spoken = 2 * debaters + (assistant === 'model' ? debaters : 0);
    // Of a round in which nothing is reliable there is nothing to summarise or to answer; a round that passes can be the last.
    const fewest = Math.min(
      hasUnheardRounds(params) ? rounds * spoken : rounds * (spoken + 2),
      fewestRounds(params) * (spoken + 2),
    );
    return { min: 1 + fewest, max: 1 + rounds * (spoken + 2) };
  },
  plannedBeliefs: (_case, params) => ({
    min: hasUnheardRounds(params) ? 1 : 1 + fewestRounds(params),
    max: 1 + params.rounds,
  }),

  async run(court, kase, params) {
    const threshold = params.learntThreshold ? court.learntThreshold() : params.threshold;
    const debate = openDebate(court, kase, { ...params, threshold });
    const { stated: initial } = await answerFirst(debate);
    const positions = assignPositions(debate, initial);
    let current: Opinion = initial;
    for (let number = 1; number <= params.rounds; number++) {
      const opinions = await giveOpinions(debate, number, positions);
      const answers = await giveAnswers(debate, number, positions, opinions);
      const ratings = await rateAnswers(debate, number, answers);
      const round = { number, ...heardOf(debate, { opinions, answers, ratings }), ratings };
      const answer = await answerAgain(debate, round);
      const before = current;
      const { opinion, result } = settle(debate, round, answer, { initial, current });
      current = opinion;
      if (params.tolerance > 0) {
        const isStill = result === 'passed' && movedBy(before, current) < params.tolerance;
        if (isStill || number === params.rounds) {
          court.record('debate-stop', 'stop', { rounds: number, reason: isStill ? 'tolerance' : 'rounds' });
          break;
        }
      }
      if (params.memory === 'transcript') {
        debate.earlier.push(
          ...statementTexts(debate, 'opinionHeading', opinions),
          ...statementTexts(debate, 'answerHeading', answers),
        );
      }
    }
    court.rule('ruling', { role: 'judge', ...opinionAsBelief(debate.labels, current) });
  },
};

/** O_0 and O_(i-1). */
interface Standing {
  readonly initial: Opinion;
  readonly current: Opinion;
}

type Settlement = Pick<EventPayload<'round-settle'>, 'result' | 'kept' | 'tie'> & { readonly opinion: Opinion };

/** Threshold(v): by the mean or by the best rating; without an assistant all pass. */
function passes(debate: Debate, ratings: Ratings): boolean {
  const { assistant, passing } = debate.terms;
  return assistant === 'none' || reaches(debate, passing === 'mean' ? meanRating(ratings) : bestRating(ratings));
}

/** O_i by algorithm 1: smoothed where the round passes, else O_0 or, with `keep`, O_(i-1). */
function opinionAfter(debate: Debate, ratings: Ratings, answer: JudgeAnswer | null, { initial, current }: Standing): Settlement {
  const { kase, labels, terms } = debate;
  if (!passes(debate, ratings)) {
    const before = { result: 'unreliable', tie: false } as const;
    return terms.onUnreliable === 'initial'
      ? { ...before, kept: 'initial', opinion: initial }
      : { ...before, kept: 'previous', opinion: current };
  }
  if (answer === null) return { result: 'unheard', kept: 'previous', tie: false, opinion: current };
  const { tie, ...opinion } = smoothed({ labels, multiLabel: kase.multiLabel }, current, answer.stated, terms.smoothing);
  return { result: 'passed', kept: 'smoothed', tie, opinion };
}

/** Settles what the judge holds after a round, and puts on the record how that came about. */
function settle(
  debate: Debate,
  round: Round,
  answer: JudgeAnswer | null,
  standing: Standing,
): Pick<Settlement, 'opinion' | 'result'> {
  const { court, labels, terms } = debate;
  const { opinion, ...settlement } = opinionAfter(debate, round.ratings, answer, standing);
  court.record('round-settle', `round-${round.number}/settlement`, {
    round: round.number,
    assistant: terms.assistant,
    ratings: round.ratings.map((value, index) => ({ role: `debater${index + 1}`, value })),
    mean: meanRating(round.ratings),
    ...(terms.passing === 'mean' ? {} : { passing: terms.passing }),
    threshold: terms.threshold,
    ...settlement,
    weight: terms.smoothing,
    judge: answer?.stated ?? null,
    notes: answer?.text ?? null,
  });
  const after = answer === null ? null : `round-${round.number}/summary/utterance`;
  const held = { role: 'judge', ...opinionAsBelief(labels, opinion), moment: 'live', after } as const;
  court.believe(`round-${round.number}/belief`, answer === null ? held : { ...held, notes: answer.text });
  return { opinion, result: settlement.result };
}
