import { type EventKind, type EventPayload, eventSchemas } from '../../shared/events.ts';
import type { PreparationLedger } from './sharedAnswer.ts';

/** A preparation ledger that is not stored, for what is only tried. Its events have no hashes. */
export function memoryPreparation(): PreparationLedger {
  const answers = new Map<string, EventPayload<'call-answer'>>();
  const texts = new Map<string, string>();
  return {
    find: <K extends EventKind>(kind: K, key: string) =>
      kind === 'call-answer' ? (answers.get(key) as EventPayload<K> | undefined) : undefined,
    text(ref) {
      const text = texts.get(ref);
      if (text === undefined) throw new Error(`no text ${ref}`);
      return text;
    },
    append(kind, payload, kept) {
      if (kind !== 'call-answer') throw new Error(`a shared question makes no ${kind}`);
      const answer = eventSchemas['call-answer'].parse(payload);
      for (const [ref, text] of kept) texts.set(ref, text);
      answers.set(answer.key, answer);
    },
    hashOf: () => '',
  };
}
