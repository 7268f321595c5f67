import { failureOutcomes } from '../../shared/domain.ts';
import type { EventPayload } from '../../shared/events.ts';
import type { AnswerCounts } from '../../shared/statistics.ts';
import { answerFlags, parseMethods } from '../answers/answer.ts';

/** What is counted about one request to a model. */
export type CountedAnswer = Pick<EventPayload<'call-answer'>, 'key' | 'done' | 'method' | 'rejected' | 'flags'> &
  Partial<Pick<EventPayload<'call-answer'>, 'reused' | 'modelMs'>>;

/** How often each name occurs, in a given order; names that are not in it come last. */
function tally(counted: readonly (readonly [string, number])[], order: readonly string[]): Record<string, number> {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const counts = new Map<string, number>();
  for (const [name, times] of counted) counts.set(name, (counts.get(name) ?? 0) + times);
  return Object.fromEntries([...counts].toSorted(([one], [other]) => place(one) - place(other)));
}

function reusedOf(all: readonly NonNullable<AnswerCounts['reused']>[]): Pick<AnswerCounts, 'reused'> {
  if (all.length === 0) return {};
  const sum = (of: 'requests' | 'model_ms') => all.reduce((total, each) => total + each[of], 0);
  return { reused: { requests: sum('requests'), model_ms: sum('model_ms') } };
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
    ...reusedOf(answers.flatMap(({ reused, modelMs = 0 }) => (reused === undefined ? [] : [{ requests: 1, model_ms: modelMs }]))),
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
    ...reusedOf(all.flatMap(({ reused }) => reused ?? [])),
  };
}
