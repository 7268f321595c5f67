// Tells servers apart that state no digest of their weights: by what they answer to a few fixed short requests.
import { CallFailure, type CompletionRequest, type TokenReport } from '../../../shared/model.ts';
import type { LanguageModel } from '../models/port.ts';

/** Open enough that other weights continue them otherwise, short enough to cost nothing. */
const questions = [
  'Continue this sentence: The court has heard both sides and now',
  'Name one animal, one colour and one town.',
  'Why does a judge explain a decision? Answer in one sentence.',
];
const schema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
  additionalProperties: false,
};
const options = { temperature: 0, seed: 1, numPredict: 16, topLogprobs: 5 };

export interface ProbeAnswer {
  readonly text: string;
  readonly tokens: readonly TokenReport[];
}

/** What a server answers to the fixed requests; null where it refuses one. Throws `BackendOutage`. */
export async function probeAnswers(
  server: LanguageModel,
  model: string,
  numCtx: number,
  signal: AbortSignal,
): Promise<readonly ProbeAnswer[] | null> {
  const answers: ProbeAnswer[] = [];
  for (const content of questions) {
    const request: CompletionRequest = { model, messages: [{ role: 'user', content }], schema, options: { ...options, numCtx } };
    try {
      const { text, logprobs = [] } = await server.complete(request, signal);
      answers.push({ text, tokens: logprobs });
    } catch (error) {
      if (error instanceof CallFailure) return null;
      throw error;
    }
  }
  return answers;
}

/** Likelier tokens than this are compared: of rare ones the probabilities differ most by rounding. */
const leastLogprob = Math.log(0.01);
/**
 * Mean difference of log-probabilities from which on weights are others. Seen of a model of 135 million parameters at llama.cpp:
 * 0.10 to 0.14 with other kernels, another cache or the same weights in 8 or 16 bits; 0.41 with 5 bits, 0.55 with other 4 bits.
 */
const mostApart = 0.25;
const fewestCompared = 10;

/** Differences of the log-probabilities that two answers give to the same tokens, up to the first place where they part. */
function distances(one: readonly TokenReport[], other: readonly TokenReport[]): number[] {
  const parted = one.findIndex(({ token }, index) => other[index]?.token !== token);
  return one.slice(0, parted < 0 ? one.length : parted + 1).flatMap(({ top }, index) => {
    const known = new Map(other[index]?.top.map(({ token, logprob }) => [token, logprob]));
    return top.flatMap(({ token, logprob }) => {
      const there = known.get(token);
      return there === undefined || Math.max(logprob, there) < leastLogprob ? [] : [Math.abs(logprob - there)];
    });
  });
}

export interface ProbeDifference {
  /** Whether the weights are others; else the words differ, and nothing shows why. */
  readonly isCertain: boolean;
  /** Both answers, and how far their probabilities are apart. */
  readonly words: string;
}

/** How the answers of a server differ from those of another one; null where they do not, or where one refused the requests. */
export function probeDifference(
  there: readonly ProbeAnswer[] | null,
  here: readonly ProbeAnswer[] | null,
): ProbeDifference | null {
  if (there === null || here === null) return null;
  const pairs = there.map((answer, index) => [answer, here[index] ?? answer] as const);
  const apart = pairs.flatMap(([one, other]) => distances(one.tokens, other.tokens));
  const mean = apart.reduce((sum, distance) => sum + distance, 0) / apart.length;
  const isMeasured = apart.length >= fewestCompared;
  const parted = pairs.find(([one, other]) => one.text !== other.text);
  const [one, other] = parted ?? pairs[0] ?? [];
  if (one === undefined || other === undefined || (isMeasured ? mean < mostApart : parted === undefined)) return null;
  const measured = isMeasured ? `; log-probabilities are ${mean.toFixed(2)} apart on average` : '';
  return { isCertain: isMeasured, words: `${JSON.stringify(one.text)} there and ${JSON.stringify(other.text)} here${measured}` };
}
