import { parseEvent } from '../../../core/record/parse.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { attempt } from '../attempt.ts';
import type { StoredEvent } from './events.ts';

/** Several readers of a chain parse its events once. */
interface ReadEvent extends StoredEvent {
  parsed?: RecordEvent;
}

/** The event parsed. Throws on an unknown kind, a payload that does not fit it, and JSON that could mean two things. */
export function parseStored(event: ReadEvent): RecordEvent {
  const { seq, kind, payload, hash } = event;
  event.parsed ??= parseEvent({ seq, kind, payload: payload.toString(), hash: hash.toString('hex') }, { canonical: true });
  return event.parsed;
}

/** The events of a chain that can be read: for those who say that the record is damaged where others cannot. */
export const parseReadable = (chain: readonly ReadEvent[]): RecordEvent[] =>
  chain.flatMap((event) => event.parsed ?? attempt(() => parseChain([event]), []));

/** Parses the stored events of a chain. Throws on an unknown kind or a payload that does not fit it. */
export function parseChain(chain: readonly StoredEvent[]): RecordEvent[] {
  return chain.map(({ seq, kind, payload, hash }) =>
    parseEvent({ seq, kind, payload: payload.toString('utf8'), hash: hash.toString('hex') }),
  );
}
