import { failureOutcomes } from '../../shared/domain.ts';
import type { EventPayload } from '../../shared/events.ts';
import type { AnswerCounts } from '../../shared/statistics.ts';
import { answerFlags, parseMethods } from '../answers/answer.ts';

/** What is counted about one request to a model. */
export type CountedAnswer = Pick<EventPayload<'call-answer'>, 'key' | 'done' | 'method' | 'rejected' | 'flags'> &
  Partial<Pick<EventPayload<'call-answer'>, 'reused' | 'modelMs' | 'promptTokens' | 'cachedTokens' | 'completionTokens'>>;

/** How often each name occurs, in a given order; names that are not in it come last. */
function tally(counted: readonly (readonly [string, number])[], order: readonly string[]): Record<string, number> {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const counts = new Map<string, number>();
  for (const [name, times] of counted) counts.set(name, (counts.get(name) ?? 0) + times);
  return Object.fromEntries([...counts].toSorted(([one], [other]) => place(one) - place(other)));
}

/** Adds up counts of one form; undefined for none. */
function sumOf<Counts extends Readonly<Record<string, number>>>(all: readonly Counts[]): Counts | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const names = Object.keys(first) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, all.reduce((total, each) => total + (each[name] ?? 0), 0)])) as Counts;
}

/** What trials were spared; see `AnswerCounts`. */
function sparing(all: readonly Pick<AnswerCounts, Sparing>[]): Pick<AnswerCounts, Sparing> {
  const [reused, cache, samples, early] = [
    sumOf(all.flatMap((each) => each.reused ?? [])),
    sumOf(all.flatMap((each) => each.prompt_cache ?? [])),
    sumOf(all.flatMap((each) => each.samples ?? [])),
    sumOf(all.flatMap((each) => each.ended_early ?? [])),
  ];
  return {
    ...(reused === undefined ? {} : { reused }),
    ...(cache === undefined ? {} : { prompt_cache: cache }),
    ...(samples === undefined ? {} : { samples }),
    ...(early === undefined ? {} : { ended_early: early }),
  };
}
type Sparing = 'reused' | 'prompt_cache' | 'samples' | 'ended_early';

function sparedBy(answer: CountedAnswer): Pick<AnswerCounts, Sparing> {
  const { key, reused, modelMs = 0, promptTokens = 0, completionTokens = 0, cachedTokens } = answer;
  if (reused !== undefined)
    return { reused: { requests: 1, model_ms: modelMs, prompt_tokens: promptTokens, completion_tokens: completionTokens } };
  const isReported = cachedTokens !== undefined;
  const cache = isReported
    ? { reported: 1, prompt_tokens: promptTokens, cached_tokens: cachedTokens }
    : { reported: 0, prompt_tokens: 0, cached_tokens: 0 };
  return {
    ...(isReported ? { prompt_cache: cache } : {}),
    ...(/\/sample-\d+\/attempt-\d+$/.test(key) ? { samples: { requests: 1, ...cache } } : {}),
  };
}

const once = (names: readonly string[]) => names.map((name) => [name, 1] as const);

/** How a trial's answers were read: methods and oddities of those taken, reasons of those refused. After AgenticSimLaw. */
export function countAnswers(answers: readonly CountedAnswer[]): AnswerCounts {
  const first = answers.filter(({ key }) => key.endsWith('/attempt-1'));
  return {
    requests: answers.length,
    first: first.length,
    first_usable: first.filter(({ method }) => method !== undefined).length,
    methods: tally(once(answers.flatMap(({ method }) => method ?? [])), parseMethods),
    rejected: tally(once(answers.flatMap(({ rejected }) => rejected ?? [])), failureOutcomes),
    looped: answers.filter(({ done }) => done === 'loop').length,
    flags: tally(once(answers.flatMap(({ flags }) => flags ?? [])), answerFlags),
    ...sparing(answers.map(sparedBy)),
  };
}

export function sumCounts(all: readonly AnswerCounts[]): AnswerCounts {
  const sum = (of: (counts: AnswerCounts) => number) => all.reduce((total, counts) => total + of(counts), 0);
  return {
    requests: sum(({ requests }) => requests),
    first: sum(({ first }) => first),
    first_usable: sum(({ first_usable }) => first_usable),
    methods: tally(
      all.flatMap(({ methods }) => Object.entries(methods)),
      parseMethods,
    ),
    rejected: tally(
      all.flatMap(({ rejected }) => Object.entries(rejected)),
      failureOutcomes,
    ),
    looped: sum(({ looped }) => looped),
    flags: tally(
      all.flatMap(({ flags }) => Object.entries(flags)),
      answerFlags,
    ),
    ...sparing(all),
  };
}
