import type { EventPayload, RecordEvent } from '../../shared/events.ts';

/** The events of the last attempt, `trial-open` first. Throws where a chain does not begin with one. */
export function lastAttempt(events: readonly RecordEvent[]): readonly RecordEvent[] {
  const start = events.findLastIndex((event) => event.kind === 'trial-open');
  if (start < 0) throw new Error('a trial begins with trial-open');
  return events.slice(start);
}

const askKey = (callKey: string) => callKey.replace(/\/attempt-\d+$/, '');

function setupOf(event: RecordEvent): string[] {
  switch (event.kind) {
    case 'call-answer':
    case 'answer-share':
      return [event.payload.setup];
    case 'precedent-retrieve':
      return event.payload.setup === null ? [] : [event.payload.setup];
    case 'opinion-rate':
      return event.payload.trained === undefined ? [] : [event.payload.trained.setup];
    default:
      return [];
  }
}

/** What the events of a trial, in order, add up to. Counts and times cover the current attempt. */
export function foldTrial(events: readonly RecordEvent[]) {
  const attempt = lastAttempt(events);
  const [first] = attempt;
  if (first?.kind !== 'trial-open') throw new Error('a trial begins with trial-open');
  const answers = attempt.flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
  const ruling = attempt.findLast((event) => event.kind === 'ruling-give')?.payload;
  const imported = attempt.findLast((event) => event.kind === 'prediction-import')?.payload;
  const close = attempt.findLast((event) => event.kind === 'trial-close')?.payload;
  const decided = close?.outcome === 'decided';
  const sum = (value: (answer: EventPayload<'call-answer'>) => number) =>
    answers.reduce((total, answer) => total + value(answer), 0);
  return {
    open: first.payload,
    status: close === undefined ? ('running' as const) : ('done' as const),
    outcome: close?.outcome ?? null,
    incomplete: close?.incomplete ?? false,
    inconsistent: decided && (ruling?.inconsistent ?? false),
    prediction: decided ? ((imported ?? ruling)?.prediction ?? null) : null,
    confidence: decided ? ((imported ?? ruling)?.confidence ?? null) : null,
    belief: decided ? ((imported ?? ruling)?.belief ?? null) : null,
    beliefSource: decided ? ((imported ?? ruling)?.source ?? null) : null,
    /** Calls of the protocol; retries of one call count once. */
    calls: new Set(answers.map(({ key }) => askKey(key))).size,
    /** Requests made, retries included. */
    attempts: answers.length,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    modelMs: sum(({ modelMs }) => modelMs),
    wallMs: sum(({ wallMs }) => wallMs),
    /** Refs of the setups of its calls, and of those that made what it shares with others, in order of first use. */
    setups: [...new Set(attempt.flatMap(setupOf))],
    /** The system whose prediction was imported; null where models were asked. */
    system: imported?.system ?? null,
    /** Whether fresh hearings of the case disagree; null if it was not asked or is unknown. */
    ambiguous: attempt.findLast((event) => event.kind === 'ambiguity-find')?.payload.ambiguous ?? null,
  };
}
