import { type EventKind, type EventPayload, eventSchemas, isEventKind, type RecordEvent } from '../../shared/events.ts';

/** A stored event as text, from any version of the program. */
export interface RawEvent {
  readonly seq: number;
  readonly kind: string;
  readonly payload: string;
  /** Hexadecimal. */
  readonly hash: string;
}

function fitted<K extends EventKind>(kind: K, payload: unknown): EventPayload<K> {
  // The table's schemas and its payload types share one key; the compiler cannot follow that through the index.
  return eventSchemas[kind].parse(payload) as EventPayload<K>;
}

/**
 * Parses a stored event. Payloads of older schema versions are brought up to the present one here;
 * the stored bytes never change. Throws on an unknown kind or a payload that does not fit it.
 * @param canonical whether it must also be written as the program writes it. A key that is there twice, a space or another
 * spelling of a number would be read by one program and not by another
 */
export function parseEvent({ seq, kind, payload, hash }: RawEvent, { canonical } = { canonical: false }): RecordEvent {
  const parsed: unknown = JSON.parse(payload);
  if (canonical && JSON.stringify(parsed) !== payload) throw new Error('its payload is not written as the program writes it');
  if (!isEventKind(kind)) throw new Error(`unknown kind of event ${JSON.stringify(kind)}`);
  return { seq, kind, payload: fitted(kind, parsed), hash } as RecordEvent;
}
