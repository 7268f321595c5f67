// Query: everything about one call.
import { z } from 'zod';
import { preparationChain } from '../../../core/record/identity.ts';
import { separator } from '../../../core/record/trialCourt.ts';
import type { CallView } from '../../../shared/api/trials.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { parseChain, parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { findTrial } from './findTrial.ts';
import type { Query } from './query.ts';
import { attemptIn, textOf } from './trial.ts';

const setupSchema = z.record(z.string(), z.unknown());
const erased = '[erased]';

/** An attempt at a question that the trial shares with others, from the chain of what was made once. */
function sharedCall(store: Store, experiment: string, events: readonly RecordEvent[], key: string) {
  const [, step = '', attempt = ''] = /^(.*)\/(attempt-\d+)$/.exec(key) ?? [];
  const share = events.find((event) => event.kind === 'answer-share' && event.payload.key === step);
  if (share?.kind !== 'answer-share') return undefined;
  const made = share.payload.call.key.replace(/attempt-\d+$/, attempt);
  return parseChain(store.events.chain(preparationChain(experiment))).flatMap((event) =>
    event.kind === 'call-answer' && event.payload.key === made ? [event.payload] : [],
  )[0];
}

/**
 * Everything about one call of a trial's last attempt, also of one that was made once for several trials: such a one is
 * named by its step in this trial. Throws not-found.
 */
export const call: Query<{ trial: string; key: string }, CallView> = {
  run(store, { trial, key }) {
    const { frozen, row } = findTrial(store, trial);
    const events = row === undefined ? [] : attemptIn(parseReadable(store.events.chain(trial)));
    const own = events.find((event) => event.kind === 'call-answer' && event.payload.key === key);
    const payload = own?.kind === 'call-answer' ? own.payload : sharedCall(store, frozen.name, events, key);
    if (payload === undefined) {
      throw new AssizeError('not-found', `trial ${trial} has no call ${JSON.stringify(key)}`, { field: 'key' });
    }
    const text = textOf(store);
    const setup = text(payload.setup);
    return {
      key,
      role: payload.role,
      at: payload.at,
      seed: payload.seed,
      messages: payload.messages.map(([role, parts]) => ({
        role,
        content: parts.map((part) => store.blobs.part(part, frozen.dataset.id) ?? erased).join(separator),
      })),
      setup: setup === null ? {} : setupSchema.parse(JSON.parse(setup)),
      answer: payload.answer === null ? null : text(payload.answer),
      thinking: payload.thinking === undefined ? null : text(payload.thinking),
      done: payload.done,
      failure: payload.failure === undefined ? null : { ...payload.failure, message: text(payload.failure.message) },
      rejected: payload.rejected ?? null,
      method: payload.method ?? null,
      flags: payload.flags ?? [],
      promptTokens: payload.promptTokens,
      completionTokens: payload.completionTokens,
      modelMs: payload.modelMs,
      loadMs: payload.loadMs,
      wallMs: payload.wallMs,
      request: payload.request,
      shared: own === undefined,
      reused: payload.reused === undefined ? null : { trial: payload.reused.trial, key: payload.reused.key },
    };
  },
};
