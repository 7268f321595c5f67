// Looks for the answer that the same request had in another arm.
import { z } from 'zod';
import type { Effects, PreparedCall, ReusedAnswer } from '../../../core/record/effects.ts';
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

/** A call that others with the same request wait for. */
interface UnderWay {
  readonly trial: string;
  readonly request: string;
  readonly settled: Promise<void>;
  readonly settle: () => void;
}

/** Finds or awaits the answers of other arms, for the trials of one run. */
export interface AnswerReuse {
  /** @param onWait called when the trial begins to wait for a call of another one, and when it no longer does */
  effects(trial: PlannedTrial, onWait: (waits: boolean) => void): Pick<Effects, 'reuse'>;
  /** To be called after each commit of a trial. Its calls whose result is on the record are waited for no longer. */
  grew(trial: string): void;
  /** To be called when nothing more is asked for a trial, however it ended. */
  ended(trial: string): void;
}

/**
 * Where the experiment asks for it: a request that another arm has made for the same case and replicate takes the answer from the
 * record. Seeds are the same in all arms, so arms that differ late make the same requests until then. While such a request is
 * under way, others wait for it, once: if it brings no answer, each makes its own.
 */
export function answersToReuse(
  store: Store,
  frozen: FrozenExperiment,
  seen: (backend: string) => ReadyBackend | undefined,
): AnswerReuse {
  const nothing = () => undefined;
  if (frozen.definition.runtime.reuseAnswers !== true) return { effects: () => ({}), grew: nothing, ended: nothing };
  const underWay = new Map<string, UnderWay>();
  const settle = (which: (call: UnderWay) => boolean) => {
    for (const [name, call] of underWay) {
      if (!which(call)) continue;
      underWay.delete(name);
      call.settle();
    }
  };
  /** A text that was changed or erased is nothing to build on. */
  const isWhole = (ref: string) => {
    const text = store.blobs.get(ref);
    return text !== undefined && refOf(frozen.dataset.salt, text) === ref;
  };
  const recorded = (others: readonly string[], call: PreparedCall, request: string): ReusedAnswer | null => {
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
  };
  return {
    effects({ id, arm, caseId, replicate }, onWait) {
      const others = frozen.arms.flatMap(({ name }) =>
        name === arm ? [] : [trialId({ experiment: frozen.name, arm: name, case: caseId, replicate })],
      );
      let waiting = 0;
      const waitFor = async ({ settled }: UnderWay) => {
        if (waiting++ === 0) onWait(true);
        await settled;
        if (--waiting === 0) onWait(false);
      };
      return {
        async reuse(call, request) {
          const found = recorded(others, call, request);
          if (found !== null) return found;
          const name = JSON.stringify([caseId, replicate, call.backend, request]);
          const first = underWay.get(name);
          if (first === undefined) {
            const { promise, resolve } = Promise.withResolvers<void>();
            underWay.set(name, { trial: id, request, settled: promise, settle: resolve });
            return null;
          }
          if (first.trial === id) return null;
          await waitFor(first);
          return recorded(others, call, request);
        },
      };
    },
    grew: (trial) => settle((call) => call.trial === trial && store.events.naming(trial, 'call-answer', call.request).length > 0),
    ended: (trial) => settle((call) => call.trial === trial),
  };
}
