import type { Case } from '../../../shared/domain.ts';
import { shuffled } from '../../cases/shuffle.ts';
import type { Prompt } from '../../prompts/wording.ts';
import { answeredTurns, type Opinion, orFailure, settled } from '../bench.ts';
import { quoted, verdictAsText } from '../casePrompt.ts';
import { type Answered, type Court, TurnFailure } from '../court.ts';
import { usualOrder } from '../swaps.ts';
import { type Verdict, verdictSpec } from '../verdict.ts';
import type { PromptMaker } from './arguments.ts';
import type { CourtroomParams } from './params.ts';

/** A judge's answer on the way to the record. */
interface Judgement {
  readonly number: number;
  readonly answer: Answered<Verdict>;
}

interface Bench {
  readonly opinions: Opinion[];
  readonly failures: TurnFailure[];
}

/** `weighs`: both sides have spoken, so that there is something to weigh. */
type BenchTerms = CourtroomParams & { readonly weighs: boolean };

const roleOf = (number: number) => `judge${number}`;
const keyOf = (number: number) => `judgement/judge-${number}`;
const numbersTo = (judges: number) => Array.from({ length: judges }, (_, index) => index + 1);

async function recordOpinion(
  court: Court,
  kase: Case,
  disputed: readonly string[],
  { number, answer }: Judgement,
): Promise<Opinion> {
  const [key, role] = [keyOf(number), roleOf(number)];
  const { prediction, reason } = answer.value;
  const stated = await court.belief(answer, usualOrder(court, kase.labels));
  court.believe(`${key}/belief`, { role, ...stated, moment: 'live', after: null, notes: answer.text });
  if (!disputed.includes(prediction)) court.measure(`${key}/outside`, 'outside-dispute', 1);
  court.utter(`${key}/utterance`, { role, turn: 'opinion', text: reason });
  return { role, prediction, stated };
}

function ask(
  court: Court,
  kase: Case,
  number: number,
  prompt: Prompt,
  { temperature, topK }: BenchTerms,
): Promise<Answered<Verdict>> {
  return court.ask(keyOf(number), roleOf(number), prompt, verdictSpec('judgement', kase.labels, { topK }), { temperature });
}

const judgementText = (court: Court, kase: Case, { weighs, topK }: BenchTerms) =>
  [...(weighs ? [court.text('weighing')] : []), court.text('judgement', { verdict: verdictAsText(court.text, kase, topK) })].join(
    '\n',
  );

/** Every judge by itself. Throws the first failure where no judge has answered. */
export async function judgeInParallel(
  court: Court,
  kase: Case,
  disputed: readonly string[],
  promptOf: PromptMaker,
  terms: BenchTerms,
): Promise<Bench> {
  const prompt = promptOf(`${court.text('judge')}\n\n${judgementText(court, kase, terms)}`);
  const turns = await settled(
    numbersTo(terms.judges).map(async (number) => {
      const asked = ask(court, kase, number, prompt, terms).then((answer): Judgement => ({ number, answer }));
      return { key: keyOf(number), role: roleOf(number), result: await orFailure(asked) };
    }),
  );
  const { answers, failures } = answeredTurns(court, turns);
  const opinions: Opinion[] = [];
  for (const judgement of answers) opinions.push(await recordOpinion(court, kase, disputed, judgement));
  return { opinions, failures };
}

/** Numbers of sequential judges in the order in which they speak; of equally strong ones the one with the lower seat first. */
function inOrder(court: Court, { judges, judgeOrder, weights }: BenchTerms): number[] {
  const seats = numbersTo(judges);
  if (judgeOrder === 'shuffled') return shuffled(seats, court.random);
  const strength = (number: number) => weights[number - 1] ?? 0;
  return judgeOrder === 'strength' ? seats.toSorted((one, other) => strength(one) - strength(other)) : seats;
}

/** One judge after the other, each knowing label and reason of those before it, or of the last of them. Throws as `judgeInParallel`. */
export async function judgeInTurn(
  court: Court,
  kase: Case,
  disputed: readonly string[],
  promptOf: PromptMaker,
  terms: BenchTerms,
): Promise<Bench> {
  const opinions: Opinion[] = [];
  const failures: TurnFailure[] = [];
  let heard: string[] = [];
  for (const number of inOrder(court, terms)) {
    const seat = court.text('judgeInTurn', { number: String(number), judges: String(terms.judges) });
    const before = heard.length === 0 ? [] : [court.text('opinions'), ...heard];
    const prompt = promptOf(...before, `${seat}\n\n${judgementText(court, kase, terms)}`);
    const answer = await orFailure(ask(court, kase, number, prompt, terms));
    if (answer instanceof TurnFailure) {
      court.forfeit(`${keyOf(number)}/forfeit`, roleOf(number), answer);
      failures.push(answer);
      continue;
    }
    opinions.push(await recordOpinion(court, kase, disputed, { number, answer }));
    const { prediction, reason } = answer.value;
    const own = [court.text('opinionOf', { number: String(number), label: quoted(prediction) }), reason];
    heard = terms.judgesSee === 'previous' ? own : [...heard, ...own];
  }
  const [first] = failures;
  if (opinions.length === 0 && first !== undefined) throw first;
  return { opinions, failures };
}
