// Looks for the answer that the same request had in another arm.
import { z } from 'zod';
import type { Effects, PreparedCall } from '../../../core/record/effects.ts';
import { eventHash, refOf } from '../../../core/record/hash.ts';
import { trialId } from '../../../core/record/identity.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { ReadyBackend } from './backends.ts';
import type { FrozenExperiment, PlannedTrial } from './frozen.ts';

const setupSchema = z.object({
  backend: z.string(),
  kind: z.string(),
  url: z.string(),
  version: z.string().nullable(),
  digest: z.string().nullable(),
  standin: z.boolean().nullable(),
});

const isUnchanged = ({ prevHash, seq, kind, payload, hash }: StoredEvent) => hash.equals(eventHash(prevHash, seq, kind, payload));

/** Whether a call would go to the server and the model that gave the recorded answer, as far as servers say. */
function isAsBefore(setup: string, { backend, request }: PreparedCall, ready: ReadyBackend | undefined): boolean {
  const before = setupSchema.safeParse(JSON.parse(setup)).data;
  if (before === undefined || ready === undefined || before.backend !== backend) return false;
  const digest = ready.digests.get(request.model) ?? null;
  const now = { kind: ready.model.kind, version: ready.version, digest, standin: ready.standin };
  return (
    before.kind === now.kind &&
    before.version === now.version &&
    before.digest === now.digest &&
    before.standin === now.standin &&
    (digest !== null || before.url === ready.model.url)
  );
}

/**
 * Where the experiment asks for it: a request that another arm has made for the same case and replicate takes the answer from the
 * record. Seeds are the same in all arms, so arms that differ late make the same requests until then. Two that are under way at the
 * same time are both made.
 */
export function answersToReuse(
  store: Store,
  frozen: FrozenExperiment,
  seen: (backend: string) => ReadyBackend | undefined,
): (trial: PlannedTrial) => Pick<Effects, 'reuse'> {
  if (frozen.definition.runtime.reuseAnswers !== true) return () => ({});
  /** A text that was changed or erased is nothing to build on. */
  const isWhole = (ref: string) => {
    const text = store.blobs.get(ref);
    return text !== undefined && refOf(frozen.dataset.salt, text) === ref;
  };
  return ({ arm, caseId, replicate }) => {
    const others = frozen.arms.flatMap(({ name }) =>
      name === arm ? [] : [trialId({ experiment: frozen.name, arm: name, case: caseId, replicate })],
    );
    return {
      reuse(call, request) {
        for (const trial of others) {
          for (const event of parseReadable(store.events.naming(trial, 'call-answer', request).filter(isUnchanged))) {
            if (event.kind !== 'call-answer' || event.payload.request !== request) continue;
            const { answer, setup, logprobs, thinking, key } = event.payload;
            const refs = [answer, setup, ...[logprobs, thinking].filter((ref) => ref !== undefined)];
            if (!refs.every((ref) => ref !== null && isWhole(ref))) continue;
            if (!isAsBefore(store.blobs.need(setup), call, seen(call.backend))) continue;
            const from = event.payload.reused ?? { trial, key, hash: event.hash };
            return { at: new Date().toISOString(), from, answer: event.payload };
          }
        }
        return null;
      },
    };
  };
}
