import { z } from 'zod';
import { lastAttempt } from '../../../core/record/fold.ts';
import { separator } from '../../../core/record/trialCourt.ts';
import type { CallView } from '../../../shared/api/trials.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { parseChain } from '../store/parseChain.ts';
import { findTrial } from './findTrial.ts';
import type { Query } from './query.ts';
import { textOf } from './trial.ts';

const setupSchema = z.record(z.string(), z.unknown());
const erased = '[erased]';

/** Everything about one call of a trial's last attempt. Throws not-found. */
export const call: Query<{ trial: string; key: string }, CallView> = {
  run(store, { trial, key }) {
    const { frozen, row } = findTrial(store, trial);
    const events = row === undefined ? [] : lastAttempt(parseChain(store.events.chain(trial)));
    const found = events.find((event) => event.kind === 'call-answer' && event.payload.key === key);
    if (found?.kind !== 'call-answer') {
      throw new AssizeError('not-found', `trial ${trial} has no call ${JSON.stringify(key)}`, { field: 'key' });
    }
    const { payload } = found;
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
      promptTokens: payload.promptTokens,
      completionTokens: payload.completionTokens,
      modelMs: payload.modelMs,
      loadMs: payload.loadMs,
      wallMs: payload.wallMs,
      request: payload.request,
    };
  },
};
