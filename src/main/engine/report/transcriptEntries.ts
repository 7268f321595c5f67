import { z } from 'zod';
import { isRecord } from '../../../core/answers/fields.ts';
import { type Read, readEvent } from '../../../core/record/texts.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { demoMark } from '../../../shared/demoModel.ts';
import { datasetCaseSchema } from '../../../shared/domain.ts';
import type { EventKind, EventPayload, RecordEvent } from '../../../shared/events.ts';
import { attempt } from '../attempt.ts';

/** `own_strengths` as words. */
const words = (name: string) => (name === 'outside' ? 'from outside the facts' : name.replaceAll('_', ' '));

/** Fields that are next to the text already. */
const shownElsewhere = new Set(['prediction', 'alternative', 'confidence', 'distribution', 'ranking', 'belief_updates']);

/** Fields that are the text itself and need no name before it. */
const plain = new Set(['opinion', 'reason']);

const isEmpty = (value: unknown) => value === null || value === '';

/** `weight: low`; nothing where nothing was written. */
const scalarText = ([name, value]: [string, unknown]): string[] =>
  isEmpty(value) ? [] : [plain.has(name) ? String(value) : `${words(name)}: ${value}`];

function lines(value: unknown, name: string | null): string[] {
  if (Array.isArray(value)) {
    // Next to reasons, text from elsewhere would read as one of them.
    const each = name === 'outside' ? name : null;
    return value.flatMap((part) => lines(part, each).map((line) => `- ${line}`));
  }
  if (isRecord(value)) {
    const entries = Object.entries(value).filter(([key]) => !shownElsewhere.has(key));
    const scalar = entries.every(([, part]) => typeof part !== 'object');
    if (name === null && scalar) return [entries.flatMap(scalarText).join('; ')];
    return entries.flatMap(([key, part]) => lines(part, key));
  }
  if (isEmpty(value)) return [];
  const text = String(value);
  return [name === null || plain.has(name) ? text : `${words(name)}: ${text}`];
}

/** A model's JSON answer as lines that a person can read; any other text as it is. */
export function readableAnswer(text: string): string {
  return attempt(() => {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? lines(value, 'answer').join('\n') : text;
  }, text);
}

/** Text behind a ref; null where it is no longer there. */
export type TextReader = (ref: string) => string | null;

const planSchema = z.object({ private_strategy: z.record(z.string(), z.string()) });

/** Only the plan, of the answer that holds plan and speech; the whole answer where it has another form. */
const planOf = (answer: string): string =>
  readableAnswer(attempt(() => JSON.stringify(planSchema.parse(JSON.parse(answer)).private_strategy), answer));

function readable(text: string | null, how: (text: string) => string = readableAnswer): string | null {
  return text === null ? null : how(text);
}

/** Which attempt at its question a call is, by its key; from 1. */
export const attemptOf = (key: string) => Number(/\/attempt-(\d+)$/.exec(key)?.[1] ?? 1);

const setupSchema = z.object({ model: z.string(), standin: z.boolean().nullish() });

function modelOf(setup: string | null): string | null {
  if (setup === null) return null;
  const { model, standin } = setupSchema.parse(JSON.parse(setup));
  return `${model}${demoMark(standin === true)}`;
}

function precedentOf(stored: string | null) {
  if (stored === null) return { case: null, facts: null };
  const { id, facts } = datasetCaseSchema.parse(JSON.parse(stored));
  return { case: id, facts: facts.map(({ name, value }) => ({ name, value })) };
}

type Teller<K extends EventKind> = (said: Read<K>, seq: number, payload: EventPayload<K>) => TranscriptEntry;

/** How each kind of event is written in a transcript; null for one that has no place there. */
const tellers: { readonly [K in EventKind]: Teller<K> | null } = {
  ...{ 'experiment-freeze': null, 'experiment-extend': null, 'trial-open': null, 'embedding-make': null },
  ...{ 'statement-embed': null, 'assistant-train': null, 'text-erase': null },
  ...{ 'review-give': null, 'comment-give': null, 'review-adjudicate': null, 'record-sign': null },
  // Its texts are many, and none of them is here: see `callEntry`.
  'call-answer': null,
  'utterance-make': ({ plan, ...said }, seq, payload) => ({
    ...{ kind: 'utterance', seq, planned: payload.plan !== null, plan: readable(plan, planOf) },
    ...said,
  }),
  'side-assign': (said, seq) => ({ kind: 'sides', seq, role: '', ...said }),
  'position-assign': (said, seq) => ({ kind: 'positions', seq, role: '', ...said }),
  'opinion-rate': ({ trained, ...said }, seq) => {
    const { assistant, failure } = trained ?? {};
    return { kind: 'rating', seq, ...said, version: assistant?.version ?? null, failure: failure?.kind ?? null };
  },
  'round-settle': ({ notes: _notes, ...said }, seq) => ({ kind: 'round', seq, role: 'judge', ...said }),
  'precedent-retrieve': ({ request: _request, setup, precedents, failure, ...said }, seq) => ({
    ...{ kind: 'precedents', seq, role: 'retriever', model: modelOf(setup), failure: failure?.kind ?? null },
    ...said,
    precedents: precedents.map(({ case: stored, ...about }) => ({ ...about, ...precedentOf(stored) })),
  }),
  'answer-share': ({ key, role, call, setup, answer, failure, rejected }, seq) => {
    const attempts = attemptOf(call.key);
    return {
      ...{ kind: 'share', seq, key, role, model: modelOf(setup), text: readable(answer) },
      ...{ failure: failure?.kind ?? null, rejected: rejected ?? null },
      ...(attempts > 1 ? { attempts } : {}),
    };
  },
  'ambiguity-find': (said, seq) => ({ kind: 'ambiguity', seq, ...said }),
  'argument-evaluate': (said, seq) => ({ kind: 'evaluation', seq, ...said }),
  'exchange-measure': (said, seq) => ({ kind: 'exchange', seq, role: '', ...said }),
  'recommendation-make': (said, seq) => ({ kind: 'recommendations', seq, ...said }),
  'subtopics-settle': ({ proposals: _proposals, ...said }, seq) => ({ kind: 'subtopics', seq, role: 'critic', ...said }),
  'debate-stop': (said, seq) => ({ kind: 'stop', seq, role: '', ...said }),
  'proposal-make': (said, seq) => ({ kind: 'proposal', seq, ...said }),
  'panel-score': ({ order, ...said }, seq) => ({ kind: 'panel', seq, first: order[0], ...said }),
  'answer-give': (said, seq) => ({ kind: 'answer', seq, ...said }),
  'answer-compare': (said, seq) => ({ kind: 'comparison', seq, ...said }),
  'moderation-ask': ({ kind: asks, ...said }, seq) => ({ kind: 'moderation', seq, role: 'moderator', asks, ...said }),
  'moderation-give': ({ at: _at, ...said }, seq) => ({ kind: 'moderated', seq, role: 'moderator', ...said }),
  'belief-update': ({ notes, ...said }, seq) => ({ kind: 'belief', seq, ...said, notes: readable(notes) }),
  'turn-forfeit': (said, seq) => ({ kind: 'forfeit', seq, ...said }),
  'step-take': (said, seq) => ({ kind: 'step', seq, ...said }),
  'measure-take': (said, seq) => ({ kind: 'measure', seq, role: '', ...said }),
  'ruling-give': ({ opinion, ...said }, seq, payload) => ({
    ...{ kind: 'ruling', seq, opinion: payload.opinion === null ? '' : readable(opinion) },
    ...said,
  }),
  'prediction-import': ({ file: _file, ...said }, seq) => ({ kind: 'import', seq, key: 'import', role: '', ...said }),
  'trial-close': ({ at: _at, ...said }, seq) => ({ kind: 'close', seq, key: 'close', role: '', ...said }),
};

function callEntry(seq: number, payload: EventPayload<'call-answer'>): TranscriptEntry {
  const { key, role, failure, rejected, method, promptTokens, completionTokens, wallMs } = payload;
  return {
    ...{ kind: 'call', seq, key, role, promptTokens, completionTokens, wallMs },
    ...{ failure: failure?.kind ?? null, rejected: rejected ?? null, method: method ?? null },
  };
}

/** An event of a trial as its transcript shows it; null for one that has no place there. */
export function transcriptEntry(event: RecordEvent, read: TextReader): TranscriptEntry | null {
  if (event.kind === 'call-answer') return callEntry(event.seq, event.payload);
  const teller = tellers[event.kind] as Teller<EventKind> | null;
  return teller === null ? null : teller(readEvent<EventKind>(event, read), event.seq, event.payload);
}
