import { failureOutcomes } from '../../shared/domain.ts';
import type { EventPayload } from '../../shared/events.ts';
import type { AnswerCounts } from '../../shared/statistics.ts';
import { answerFlags, parseMethods } from '../answers/answer.ts';

/** What is counted about one request to a model. */
export type CountedAnswer = Pick<EventPayload<'call-answer'>, 'key' | 'done' | 'method' | 'rejected' | 'flags'>;

/** How often each name occurs, in a given order; names that are not in it come last. */
function tally(names: readonly string[], order: readonly string[]): Record<string, number> {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length] as const);
  return Object.fromEntries(counts.toSorted(([one], [other]) => place(one) - place(other)));
}

/**
 * How the answers of one trial or of many were read: of those that were taken, the method and what was odd about them; of
 * the others, why they were refused. Source: AgenticSimLaw counts its parsing methods so; flags and loops are ours.
 */
export function countAnswers(answers: readonly CountedAnswer[]): AnswerCounts {
  const first = answers.filter(({ key }) => key.endsWith('/attempt-1'));
  return {
    requests: answers.length,
    first: first.length,
    first_usable: first.filter(({ method }) => method !== undefined).length,
    methods: tally(
      answers.flatMap(({ method }) => method ?? []),
      parseMethods,
    ),
    rejected: tally(
      answers.flatMap(({ rejected }) => rejected ?? []),
      failureOutcomes,
    ),
    looped: answers.filter(({ done }) => done === 'loop').length,
    flags: tally(
      answers.flatMap(({ flags }) => flags ?? []),
      answerFlags,
    ),
  };
}
