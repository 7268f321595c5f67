import { z } from 'zod';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { datasetCaseSchema } from '../../../shared/domain.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { importMappingSchema } from '../../../shared/imported.ts';
import { readableAnswer } from './readable.ts';
import { debateEntry } from './socrasynthEntries.ts';

/** Text behind a ref; null where it is no longer there. */
export type TextReader = (ref: string) => string | null;

const planSchema = z.object({ private_strategy: z.record(z.string(), z.string()) });

/** The plan alone, of the answer that holds plan and speech; the whole answer where it has another form. */
function planOf(answer: string): string {
  try {
    return readableAnswer(JSON.stringify(planSchema.parse(JSON.parse(answer)).private_strategy));
  } catch {
    return readableAnswer(answer);
  }
}

function readable(text: string | null, how: (text: string) => string = readableAnswer): string | null {
  return text === null ? null : how(text);
}

const attemptOf = (key: string) => Number(/\/attempt-(\d+)$/.exec(key)?.[1] ?? 1);

const setupSchema = z.object({ model: z.string() });

const modelOf = (setup: string | null): string | null => (setup === null ? null : setupSchema.parse(JSON.parse(setup)).model);

const factsOf = (stored: string | null) =>
  stored === null ? null : datasetCaseSchema.parse(JSON.parse(stored)).facts.map(({ name, value }) => ({ name, value }));

/** An event of a trial as its transcript tells it; null for one that has no place there. */
export function transcriptEntry(event: RecordEvent, read: TextReader): TranscriptEntry | null {
  const text = (ref: string | null) => (ref === null ? null : read(ref));
  const { seq } = event;
  switch (event.kind) {
    case 'utterance-make': {
      const { key, role, turn, text: speech, plan, subtopic, shortened, position } = event.payload;
      return {
        kind: 'utterance',
        seq,
        key,
        role,
        turn,
        text: text(speech),
        planned: plan !== null,
        plan: readable(text(plan), planOf),
        ...(subtopic === undefined ? {} : { subtopic }),
        ...(shortened === undefined ? {} : { shortened }),
        ...(position === undefined ? {} : { position }),
      };
    }
    case 'side-assign': {
      const { v: _version, ...assignment } = event.payload;
      return { kind: 'sides', seq, role: '', ...assignment };
    }
    case 'position-assign': {
      const { v: _version, ...assignment } = event.payload;
      return { kind: 'positions', seq, role: '', ...assignment };
    }
    case 'opinion-rate': {
      const { key, role, of, value, trained } = event.payload;
      const { assistant, failure } = trained ?? {};
      return { kind: 'rating', seq, key, role, of, value, version: assistant?.version ?? null, failure: failure?.kind ?? null };
    }
    case 'round-settle': {
      const { v: _version, notes: _notes, ...settlement } = event.payload;
      return { kind: 'round', seq, role: 'judge', ...settlement };
    }
    case 'precedent-retrieve': {
      const { key, method, setup, precedents, withoutVector, failure } = event.payload;
      return {
        kind: 'precedents',
        seq,
        key,
        role: 'retriever',
        method,
        model: modelOf(text(setup)),
        precedents: precedents.map(({ case: ref, label, similarity }) => ({ label, similarity, facts: factsOf(read(ref)) })),
        ...(withoutVector === undefined ? {} : { withoutVector }),
        failure: failure?.kind ?? null,
      };
    }
    case 'answer-share': {
      const { key, role, call, setup, answer, failure, rejected } = event.payload;
      const attempts = attemptOf(call.key);
      return {
        kind: 'share',
        seq,
        key,
        role,
        model: modelOf(read(setup)),
        text: readable(text(answer)),
        failure: failure?.kind ?? null,
        rejected: rejected ?? null,
        ...(attempts > 1 ? { attempts } : {}),
      };
    }
    case 'ambiguity-find': {
      const { v: _version, ...found } = event.payload;
      return { kind: 'ambiguity', seq, ...found };
    }
    case 'exchange-measure': {
      const { v: _version, ...measured } = event.payload;
      return { kind: 'exchange', seq, role: '', ...measured };
    }
    case 'recommendation-make': {
      const { key, role, contentiousness, recommendations } = event.payload;
      const told = recommendations.map((one) => ({ kind: one.kind, text: read(one.text), reason: read(one.reason) }));
      return { kind: 'recommendations', seq, key, role, contentiousness, recommendations: told };
    }
    case 'belief-update': {
      const { v: _version, notes, ...belief } = event.payload;
      return { kind: 'belief', seq, ...belief, notes: readable(text(notes)) };
    }
    case 'turn-forfeit': {
      const { key, role, failure } = event.payload;
      return { kind: 'forfeit', seq, key, role, failure };
    }
    case 'measure-take': {
      const { key, name, value } = event.payload;
      return { kind: 'measure', seq, key, role: '', name, value };
    }
    case 'ruling-give': {
      const { v: _version, opinion, ...ruling } = event.payload;
      return { kind: 'ruling', seq, ...ruling, opinion: opinion === null ? '' : readable(text(opinion)) };
    }
    case 'prediction-import': {
      const { v: _version, file: _file, mapping, value, stated, ...about } = event.payload;
      const mappingText = text(mapping);
      return {
        kind: 'import',
        seq,
        key: 'import',
        role: '',
        ...about,
        mapping: mappingText === null ? null : importMappingSchema.parse(JSON.parse(mappingText)),
        value: text(value),
        stated: text(stated),
      };
    }
    case 'call-answer': {
      const { key, role, failure, rejected, method, promptTokens, completionTokens, wallMs } = event.payload;
      return {
        kind: 'call',
        seq,
        key,
        role,
        failure: failure?.kind ?? null,
        rejected: rejected ?? null,
        method: method ?? null,
        promptTokens,
        completionTokens,
        wallMs,
      };
    }
    case 'trial-close': {
      const { outcome, incomplete } = event.payload;
      return { kind: 'close', seq, key: 'close', role: '', outcome, incomplete };
    }
    default:
      return debateEntry(event, read);
  }
}
