import type { z } from 'zod';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { evaluationSchema } from '../../../shared/crit.ts';
import { panelOpinionSchema, proposalSchema } from '../../../shared/events/socrasynth.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { moderationSchema, subtopicsSchema } from '../../../shared/moderation.ts';

/**
 * An event of a debate as its transcript tells it; null for one that has no place there.
 * @param read gives the text behind a ref; null where it is no longer there
 */
export function debateEntry(event: RecordEvent, read: (ref: string) => string | null): TranscriptEntry | null {
  const { seq } = event;
  const parsed = <T>(schema: z.ZodType<T>, ref: string): T | null => {
    const text = read(ref);
    return text === null ? null : schema.parse(JSON.parse(text));
  };
  switch (event.kind) {
    case 'subtopics-settle': {
      const { key, settledBy, subtopics, balanced, balance } = event.payload;
      const why = balance === null ? null : read(balance);
      return {
        kind: 'subtopics',
        seq,
        key,
        role: 'critic',
        settledBy,
        subtopics: parsed(subtopicsSchema, subtopics),
        balanced,
        balance: why,
      };
    }
    case 'argument-evaluate': {
      const { key, role, subject, score, evaluation } = event.payload;
      return { kind: 'evaluation', seq, key, role, subject, score, evaluation: parsed(evaluationSchema, evaluation) };
    }
    case 'debate-stop': {
      const { v: _version, ...stop } = event.payload;
      return { kind: 'stop', seq, role: '', ...stop };
    }
    case 'proposal-make': {
      const { key, role, stage, proposal } = event.payload;
      return { kind: 'proposal', seq, key, role, stage, proposal: parsed(proposalSchema, proposal) };
    }
    case 'panel-score': {
      const { key, role, order, scores, winner, declared, opinion } = event.payload;
      const about = { scores, winner, declared, opinion: parsed(panelOpinionSchema, opinion) };
      return { kind: 'panel', seq, key, role, first: order[0], ...about };
    }
    case 'answer-give': {
      const { key, role, answer } = event.payload;
      return { kind: 'answer', seq, key, role, answer: read(answer) };
    }
    case 'answer-compare': {
      const { key, role, scores, better, justification } = event.payload;
      return { kind: 'comparison', seq, key, role, scores, better, justification: read(justification) };
    }
    case 'moderation-ask': {
      const { key, kind, subtopics } = event.payload;
      return { kind: 'moderation', seq, key, role: 'moderator', asks: kind, subtopics: parsed(subtopicsSchema, subtopics) };
    }
    case 'moderation-give': {
      const { key, moderation } = event.payload;
      return { kind: 'moderated', seq, key, role: 'moderator', moderation: parsed(moderationSchema, moderation) };
    }
    default:
      return null;
  }
}
