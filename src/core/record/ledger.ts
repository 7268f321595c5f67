import type { EventKind, EventPayload, RecordEvent } from '../../shared/events.ts';
import { lastAttempt } from './fold.ts';

/** The steps of a trial's last attempt, found by kind and key. Throws where a key occurs twice. */
export function indexSteps(events: readonly RecordEvent[]) {
  const steps = new Map<string, RecordEvent>();
  for (const event of lastAttempt(events)) {
    if (!('key' in event.payload)) continue;
    const name = `${event.kind} ${event.payload.key}`;
    if (steps.has(name)) throw new Error(`${name} occurs twice in the record`);
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
    /** Steps that were never asked for: a complete replay leaves none. */
    unused: () => [...steps.keys()].filter((name) => !used.has(name)),
  };
}
