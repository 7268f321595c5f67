import type { MemoryRecord } from './memoryTrial.ts';

/** Texts that every role may be shown: speeches, and what was settled, proposed, answered and moderated in the open. */
export function publicTexts({ events, texts }: MemoryRecord): string[] {
  const text = (ref: string | null) => (ref === null ? '' : (texts.get(ref) ?? ''));
  return events.flatMap((event) => {
    switch (event.kind) {
      case 'utterance-make':
        return [event.payload.text, ...(event.payload.outside ?? [])].map(text);
      case 'subtopics-settle':
        return [event.payload.subtopics, ...Object.values(event.payload.proposals)].map(text);
      case 'proposal-make':
        return [text(event.payload.proposal)];
      case 'answer-give':
        return [text(event.payload.answer)];
      case 'moderation-give':
        return [text(event.payload.moderation)];
      default:
        return [];
    }
  });
}
