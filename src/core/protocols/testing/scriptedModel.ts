import { z } from 'zod';
import type { DoneReason, TokenReport } from '../../../shared/model.ts';
import { type RandomSource, randomSource } from '../../cases/shuffle.ts';
import type { CallReport, Effects, PreparedCall } from '../../record/effects.ts';
import { memoryPreparation } from '../../record/memoryPreparation.ts';
import { answerShared } from '../../record/sharedAnswer.ts';
import { scriptedVector } from './scriptedAssistant.ts';
import { trainingRef } from './training.ts';

/**
 * A model that answers any schema at random and marks every text it writes with where it came from, so
 * that a text found in a prompt can be traced to its speaker.
 */

const nodeSchema = z.object({
  type: z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean']).optional(),
  enum: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
});

/** Mark of a text: role, call and field. */
export const mark = (role: string, key: string, path: string) => `«${role}|${key}|${path}»`;
const markPattern = /«([^|»]+)\|([^|»]+)\|([^|»]+)»/g;

export interface Marked {
  readonly mark: string;
  readonly role: string;
  readonly key: string;
}

export function marksIn(text: string): Marked[] {
  return [...text.matchAll(markPattern)].map(([found, role = '', key = '']) => ({ mark: found, role, key }));
}

function sample(schema: unknown, path: string, call: PreparedCall, random: RandomSource): unknown {
  const node = nodeSchema.parse(schema);
  if (node.enum !== undefined) return node.enum[random.below(node.enum.length)];
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(node.properties ?? {}).map(([name, part]) => [
          name,
          sample(part, path === '' ? name : `${path}.${name}`, call, random),
        ]),
      );
    case 'array': {
      const length = Math.min(node.maxItems ?? 3, Math.max(node.minItems ?? 0, 1 + random.below(2)));
      return Array.from({ length }, (_, index) => sample(node.items, `${path}[${index}]`, call, random));
    }
    case 'number':
    case 'integer': {
      const most = Math.floor(node.maximum ?? 100);
      // 1 of 100 could be 1 of 1, and is no answer.
      const low = Math.min(most, Math.ceil(Math.max(2, node.minimum ?? 0)));
      return low + random.below(most - low + 1);
    }
    case 'boolean':
      return random.below(2) === 1;
    default:
      return mark(call.role, call.key, path);
  }
}

export function scriptedAnswer(call: PreparedCall): string {
  return JSON.stringify(sample(call.request.schema, '', call, randomSource(call.request.options.seed, call.key)));
}

export function answered(text: string, doneReason: DoneReason = 'stop'): CallReport {
  return {
    result: { text, thinking: null, doneReason, promptTokens: 10, completionTokens: 5, modelMs: 1, loadMs: 0, standin: false },
    failure: null,
    wallMs: 1,
    sentTo: { url: 'http://127.0.0.1:1', version: '1', digest: null },
    at: '2026-01-01T00:00:00.000Z',
  };
}

/** An answer with these fields, and with nothing from outside the facts where it is asked for that. */
export function answeredAs({ request: { schema } }: PreparedCall, fields: object): CallReport {
  const { outside } = nodeSchema.parse(schema).properties ?? {};
  return answered(JSON.stringify(outside === undefined ? fields : { outside: [], ...fields }));
}

export function failed(kind: 'overflow' | 'timeout' | 'backend_error' | 'cancelled', permanent: boolean): CallReport {
  return { ...answered(''), result: null, failure: { kind, message: `scripted ${kind}`, permanent } };
}

/** What a server reports of an answer's tokens, one for each character: sure of all but the digits. */
function reportsOf(text: string): TokenReport[] {
  return [...text].map((token) => {
    if (!/\d/.test(token)) return { token, logprob: 0, top: [{ token, logprob: 0 }] };
    const top = [...'0123456789'].map((digit) => ({ token: digit, logprob: Math.log(digit === token ? 0.73 : 0.03) }));
    return { token, logprob: Math.log(0.73), top };
  });
}

/** The answer with its tokens, where the call asks for them. */
function withTokens(call: PreparedCall, report: CallReport): CallReport {
  if (call.request.options.topLogprobs === undefined || report.result === null) return report;
  return { ...report, result: { ...report.result, logprobs: reportsOf(report.result.text) } };
}

/**
 * Effects that keep every call and answer it with `answer`, or with a valid one where that returns null. Shared
 * questions are kept apart and answered with `shared` likewise; precedents are the first ones of each label.
 */
export function scriptedEffects(
  answer: (call: PreparedCall) => CallReport | null = () => null,
  shared: (call: PreparedCall) => CallReport | null = () => null,
): Effects & { calls: PreparedCall[]; sharedCalls: PreparedCall[] } {
  const calls: PreparedCall[] = [];
  const sharedCalls: PreparedCall[] = [];
  const ledger = memoryPreparation();
  return {
    calls,
    sharedCalls,
    askOnce: (asked) =>
      answerShared(asked, ledger, (call) => {
        sharedCalls.push(call);
        return Promise.resolve(shared(call) ?? answered(scriptedAnswer(call)));
      }),
    retrieve: ({ labels, perLabel, retriever }) =>
      Promise.resolve({
        method: retriever === 'random' ? 'random' : 'tf-idf',
        setup: null,
        precedents: labels.flatMap((label, place) =>
          Array.from({ length: perLabel }, (_, index) => ({
            case: trainingRef(label, place * perLabel + index + 1),
            label,
            similarity: retriever === 'random' ? null : 1 / (index + 2),
          })),
        ),
        failure: null,
      }),
    rate: (text) =>
      Promise.resolve({ setup: '{"model":"vectors","standin":false}', vector: scriptedVector(text), failure: null }),
    // A moderator who edits what can be edited, and says something to both.
    moderate: (key, { kind, subtopics }) => ({
      at: '2026-01-01T00:00:00.000Z',
      moderation:
        kind === 'remark'
          ? { action: 'remark', to: 'both', text: mark('moderator', key, 'text') }
          : {
              action: 'subtopics',
              subtopics: [...subtopics.slice(1), { title: mark('moderator', key, 'title'), scope: 'All.' }],
            },
    }),
    perform(call) {
      calls.push(call);
      return Promise.resolve(withTokens(call, answer(call) ?? answered(scriptedAnswer(call))));
    },
  };
}
