import { type EventKind, type EventPayload, eventSchemas, isEventKind, type RecordEvent } from '../../shared/events.ts';

/** A stored event as text, whatever wrote it. */
export interface RawEvent {
  readonly seq: number;
  readonly kind: string;
  readonly payload: string;
  /** Hexadecimal. */
  readonly hash: string;
}

function parsePayload<K extends EventKind>(kind: K, text: string): EventPayload<K> {
  const parsed: unknown = JSON.parse(text);
  // The table's schemas and its payload types share one key; the compiler cannot follow that through the index.
  return eventSchemas[kind].parse(parsed) as EventPayload<K>;
}

/**
 * Parses a stored event. Payloads of older schema versions are brought up to the present one here;
 * the stored bytes never change. Throws on an unknown kind or a payload that does not fit it.
 */
export function parseEvent({ seq, kind, payload, hash }: RawEvent): RecordEvent {
  if (!isEventKind(kind)) throw new Error(`unknown kind of event ${JSON.stringify(kind)}`);
  return { seq, kind, payload: parsePayload(kind, payload), hash } as RecordEvent;
}
