// How an answer was read, in words.
import type { AnswerCounts } from '../../shared/statistics.ts';
import type { AnswerFlag, ParseMethod } from '../answers/answer.ts';

const methodNames: Readonly<Record<ParseMethod, string>> = {
  json: 'whole JSON object',
  'embedded-json': 'embedded JSON object',
  'tolerant-json': 'repaired JSON object',
  'labelled-fields': 'labelled lines',
};

const flagSentences: Readonly<Record<AnswerFlag, string>> = {
  embedded: 'The object stood in a fence of backticks.',
  'dropped-key': 'It held a field that nobody asked for. The field was dropped.',
  repeated: 'A list in it names something twice.',
  'no-mass': 'All its numbers are 0, so that it states no belief.',
  short: 'A speech in it is very short.',
};

/** What a method of reading found; a name that is none of ours stays as it is. */
export const methodText = (method: string): string =>
  Object.hasOwn(methodNames, method) ? methodNames[method as ParseMethod] : method;

export const flagText = (flag: string): string => (Object.hasOwn(flagSentences, flag) ? flagSentences[flag as AnswerFlag] : flag);

/** Why requests have no usable answer: outcome -> how many. `looped` are the truncated ones that repeated themselves. */
export function refusals({ rejected, looped }: AnswerCounts): Record<string, number> {
  const { truncated = 0, ...others } = rejected;
  const counts = { ...others, truncated: truncated - looped, looped };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
