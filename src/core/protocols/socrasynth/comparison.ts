// Compares the debate with an answer to the same question by a model that knows of no debate.

import type { Prompt } from '../../prompts/wording.ts';
import { shortened } from '../../text/shorten.ts';
import { capitalized } from '../../text/visible.ts';
import { wordsIn } from '../../text/words.ts';
import { orFailure, orForfeit, orForfeited, settled } from '../bench.ts';
import { casePrompt } from '../casePrompt.ts';
import { knowledgeRule } from '../knowledge.ts';
import { blindedSpec, namedAnswer, namedSpec, plainSpec } from './answers.ts';
import { type Debate, panelTexts, promptOf, promptWithRecord, speakers, topicText } from './debate.ts';
import type { SocrasynthParams } from './params.ts';

/** Rules for who must not know of a debate. */
const plainRules = ({ court, params }: Debate): string[] => [
  court.text('plainRules', { knowledge: knowledgeRule(court.text, params.knowledge) }),
];

/** An answer by the model of agent A, put on the record. A failure leaves nothing to compare. */
async function giveAnswer({ court, params }: Debate, key: string, prompt: Prompt, given: string, about: { from?: 'debate' }) {
  const answered = await orForfeit(court, key, 'agentA', court.ask(key, 'agentA', prompt, plainSpec, params));
  if (answered === null) return null;
  const { answer } = answered.value;
  court.record('answer-give', given, { role: 'agentA', answer, ...about });
  return answer;
}

/** The same question put once to a model that knows of no debate. */
export function askPlainly(debate: Debate): Promise<string | null> {
  const { court, kase } = debate;
  const prompt = casePrompt(court, 'plain-answer', kase, { rules: plainRules(debate), task: [court.text('plainTask')] });
  return giveAnswer(debate, 'answer/agentA', prompt, 'answer/given', {});
}

function answerFromDebate(debate: Debate): Promise<string | null> {
  const task = [debate.court.text('debatedTask'), debate.court.text('plainTask')];
  const prompt = promptWithRecord('debated-answer', debate, task);
  return giveAnswer(debate, 'answer/debated', prompt, 'answer/debated/given', { from: 'debate' });
}

const origins = ['debate', 'answer'] as const;
type Origin = (typeof origins)[number];
type Pair = Readonly<Record<Origin, string>>;

const sideWords = { a: 'one side', b: 'the other side' } as const;

/** Names of the agents would give away where an answer comes from. */
const withoutNames = (text: string): string =>
  text.replaceAll(/([.!?…\n]\s*|)\bagent (?:(a)|b)\b/gi, (_name, before: string, a: string | undefined, place: number) => {
    const words = sideWords[a === undefined ? 'b' : 'a'];
    const isFirst = before !== '' || place === 0;
    return isFirst ? `${before}${capitalized(words)}` : words;
  });

/** Cuts behind the end of a sentence that is nearest to so many words, or behind the last word where no sentence ends before. */
function cutNear(text: string, words: number): string {
  const within = shortened(text, words);
  for (let most = words + 1; most - words < words - within.kept; most++) {
    const beyond = shortened(text, most);
    if (beyond.kept > words) return beyond.text;
  }
  return within.text;
}

/** Two answers as a judge reads them: without the names of the agents, the longer one cut to the length of the other. */
export function evened({ debate, answer }: Pair): Pair {
  const [one, other] = [withoutNames(debate), withoutNames(answer)];
  const words = Math.min(wordsIn(one).length, wordsIn(other).length);
  return { debate: cutNear(one, words), answer: cutNear(other, words) };
}

async function askBlinded(debate: Debate, role: string, order: readonly [Origin, Origin], shown: Pair) {
  const { court, kase, params } = debate;
  const key = `comparison/${role}/${order[0]}-first`;
  const record = order.flatMap((origin, index) => [court.text('answerHeading', { number: String(index + 1) }), shown[origin]]);
  const parts = { rules: plainRules(debate), record, task: [court.text('blindedTask')] };
  const prompt = casePrompt(court, 'blinded-comparison', kase, parts);
  return { key, role, order, result: await orFailure(court.ask(key, role, prompt, blindedSpec, params)) };
}

/** Every judge compares both answers, once in each order, without knowing where they come from. */
async function compareBlinded(debate: Debate, judges: readonly string[], plain: string): Promise<void> {
  const { court } = debate;
  const own = await answerFromDebate(debate);
  if (own === null) return;
  const shown = evened({ debate: own, answer: plain });
  const words = { debate: wordsIn(shown.debate).length, answer: wordsIn(shown.answer).length };
  const orders = [origins, ['answer', 'debate']] as const;
  const turns = await settled(judges.flatMap((role) => orders.map((order) => askBlinded(debate, role, order, shown))));
  for (const { key, role, order, result } of turns) {
    const answer = orForfeited(court, key, role, result);
    if (answer === null) continue;
    const { answer_1_depth, answer_1_quality, answer_2_depth, answer_2_quality, better: named, justification } = answer.value;
    const [one, other] = [
      { depth: answer_1_depth, quality: answer_1_quality },
      { depth: answer_2_depth, quality: answer_2_quality },
    ];
    const scores = [order[0] === 'debate' ? { debate: one, answer: other } : { debate: other, answer: one }];
    const better = named === 'tie' ? named : order[named === 'answer_1' ? 0 : 1];
    court.record('answer-compare', `${key}/sheet`, { role, order: [...order], words, scores, better, justification });
  }
}

async function compareNamed(debate: Debate, judges: readonly string[], plain: string): Promise<void> {
  const { court, params, subtopics } = debate;
  const fields = topicText(court, 'comparisonField', subtopics.length);
  const task = [court.text('judge'), court.text('comparisonTask', { fields })];
  const [first = 'agentA'] = speakers(debate);
  const prompt = promptOf('comparison', debate, [...panelTexts(debate, first), court.text('plainHeading'), plain], task);
  const turns = await settled(
    judges.map(async (role) => {
      const key = `comparison/${role}`;
      return { key, role, result: await orFailure(court.ask(key, role, prompt, namedSpec(subtopics.length), params)) };
    }),
  );
  for (const { key, role, result } of turns) {
    const answer = orForfeited(court, key, role, result);
    if (answer !== null) court.record('answer-compare', `${key}/sheet`, { role, ...namedAnswer(subtopics.length, answer.value) });
  }
}

export const compareWithAnswer = (debate: Debate, judges: readonly string[], plain: string): Promise<void> =>
  debate.params.comparison === 'blinded' ? compareBlinded(debate, judges, plain) : compareNamed(debate, judges, plain);

export const comparisonCalls = ({ compareWithAnswer: isCompared, comparison }: SocrasynthParams, judges: number): number => {
  if (!isCompared) return 0;
  return comparison === 'blinded' ? 2 + 2 * judges : 1 + judges;
};
