import type { EventKind, EventPayload, RecordEvent } from '../../shared/events.ts';
import { lastAttempt } from './fold.ts';

/** The steps of one attempt that are in the record, found by kind and key. */
export interface RecordedSteps {
  find<K extends EventKind>(kind: K, key: string): EventPayload<K> | undefined;
  /** Steps that were never asked for: a complete replay leaves none. */
  unused(): string[];
}

/** Indexes the last attempt of a trial. Throws where a key occurs twice. */
export function indexSteps(events: readonly RecordEvent[]): RecordedSteps {
  const steps = new Map<string, RecordEvent>();
  for (const event of lastAttempt(events)) {
    if (!('key' in event.payload)) continue;
    const name = `${event.kind} ${event.payload.key}`;
    if (steps.has(name)) throw new Error(`${name} stands twice in the record`);
    steps.set(name, event);
  }
  const used = new Set<string>();
  return {
    find<K extends EventKind>(kind: K, key: string) {
      const name = `${kind} ${key}`;
      const step = steps.get(name);
      if (step === undefined) return undefined;
      used.add(name);
      return step.payload as EventPayload<K>;
    },
    unused: () => [...steps.keys()].filter((name) => !used.has(name)),
  };
}
