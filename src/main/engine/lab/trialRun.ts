import { conductTrial } from '../../../core/record/conduct.ts';
import { Divergence } from '../../../core/record/divergence.ts';
import type { Effects, TrialLedger } from '../../../core/record/effects.ts';
import { foldTrial } from '../../../core/record/fold.ts';
import { indexSteps } from '../../../core/record/ledger.ts';
import { AwaitsModerator } from '../../../core/record/moderation.ts';
import { openCourt } from '../../../core/record/trialCourt.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { EventPayload, FrozenArm, RecordEvent } from '../../../shared/events.ts';
import { checkRecord } from '../commandText.ts';
import type { NewEvent } from '../store/events.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import type { FrozenExperiment, PlannedTrial } from './frozen.ts';

/** Opens a trial, or a further attempt at a finished one; a begun trial is not changed. Returns its events. */
async function openTrial(
  store: Store,
  frozen: FrozenExperiment,
  arm: FrozenArm,
  trial: PlannedTrial,
  caseRef: string,
): Promise<readonly RecordEvent[]> {
  const chain = parseChain(store.events.chain(trial.id));
  const before = chain.length === 0 ? null : foldTrial(chain);
  if (before?.status === 'running') return chain;
  const payload: EventPayload<'trial-open'> = {
    v: 1,
    at: new Date().toISOString(),
    arm: arm.name,
    case: caseRef,
    replicate: trial.replicate,
    attempt: (before?.open.attempt ?? 0) + 1,
    seed: trial.seed,
    protocol: arm.protocol,
    protocolVersion: arm.protocolVersion,
    freeze: frozen.freeze,
  };
  return store.writeSoon(() => {
    const opened = [...chain, ...store.events.appendAll(trial.id, [{ kind: 'trial-open', payload }])];
    store.trials.projectChain(trial.id, opened);
    return opened;
  });
}

interface Step {
  readonly texts: ReadonlyMap<string, string>;
  readonly event: NewEvent;
}

interface StoreLedger extends TrialLedger {
  /** Steps of the record that were never asked for. */
  unused(): string[];
  /** Resolves when all that was appended is committed; rejects, from then on always, where something could not be. */
  committed(): Promise<void>;
  /** All that is committed. */
  events(): readonly RecordEvent[];
}

/** The ledger of a trial on the store; new events are committed soon. @param chain what is there @param onGrowth after commits */
export function storeLedger(
  store: Store,
  trial: string,
  chain: readonly RecordEvent[],
  dataset: number,
  onGrowth?: () => void,
): StoreLedger {
  const steps = indexSteps(chain);
  const events = [...chain];
  let waiting: Step[] = [];
  let committed = Promise.resolve();
  let failed = false;
  const commit = async (before: Promise<void>, own: readonly Step[]) => {
    try {
      const appended = await store.writeSoon(() => {
        waiting = [];
        // What follows from a step that is not on the record must not be on it either.
        if (failed) throw new Error(`an earlier step of trial ${trial} is not on the record`);
        for (const { texts } of own) for (const [ref, text] of texts) store.blobs.put(ref, dataset, text);
        return store.events.appendAll(
          trial,
          own.map(({ event }) => event),
        );
      });
      events.push(...appended);
    } catch (error) {
      failed = true;
      await before;
      throw error;
    }
    onGrowth?.();
  };
  return {
    find: (kind, key) => steps.find(kind, key),
    unused: () => steps.unused(),
    text: (ref) => store.blobs.need(ref),
    append(kind, payload, texts) {
      waiting.push({ texts, event: { kind, payload } as NewEvent });
      if (waiting.length > 1) return;
      committed = commit(committed, waiting);
      // Callers that wait for it get its failure.
      committed.catch(() => undefined);
    },
    committed: () => committed,
    events: () => events,
  };
}

/** Effects that begin when all that led to them is on the record, so that no answer is asked for twice. */
function afterCommit(effects: Effects, committed: () => Promise<void>): Effects {
  const after =
    <A extends unknown[], T>(effect: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await committed();
      return effect(...args);
    };
  const { perform, askOnce, retrieve, rate } = effects;
  return { ...effects, perform: after(perform), askOnce: after(askOnce), retrieve: after(retrieve), rate: after(rate) };
}

/** `line`: the trial began an attempt, or ended. `events`: its chain grew. */
export type TrialChange = 'line' | 'events';

/**
 * Runs one trial to the end, from where the record ends; null where it now waits for its moderator. Resolves when nothing more
 * is asked for it, so that its place at the server is free; `closed` resolves when its end is on the disk. Throws what
 * is no part of a trial: an outage that lasted, an interruption, a record that does not fit the protocol.
 */
export async function runTrial(
  store: Store,
  frozen: FrozenExperiment,
  trial: PlannedTrial,
  effects: Effects,
  onChange?: (what: TrialChange) => void,
): Promise<{ readonly closed: Promise<TrialRow> } | null> {
  const arm = frozen.arms.find(({ name }) => name === trial.arm);
  const stored = store.datasets.caseOfId(frozen.dataset.id, trial.caseId);
  if (arm === undefined || stored === undefined) throw new Error(`trial ${trial.id} has no arm or no case`);
  const protocol = frozen.protocol(arm);
  if (protocol === undefined) throw new Error(`${arm.protocol} ${arm.protocolVersion} is not in this program`);
  const chain = await openTrial(store, frozen, arm, trial, stored.ref);
  const { attempt } = foldTrial(chain).open;
  onChange?.('line');
  const ledger = storeLedger(store, trial.id, chain, frozen.dataset.id, () => onChange?.('events'));
  const court = openCourt(
    frozen.trialTerms(arm, trial.caseId, trial.seed, attempt),
    ledger,
    afterCommit(effects, ledger.committed),
  );
  const kase = frozen.case(store.datasets.read(stored.ref));
  const close = async (end: Awaited<ReturnType<typeof conductTrial>>) => {
    const row = await store.writeSoon(
      () => {
        const payload: EventPayload<'trial-close'> = { v: 1, at: new Date().toISOString(), ...end };
        const closed = store.events.appendAll(trial.id, [{ kind: 'trial-close', payload }]);
        return store.trials.projectChain(trial.id, [...ledger.events(), ...closed]);
      },
      { durable: true },
    );
    onChange?.('line');
    return row;
  };
  try {
    const end = await conductTrial(protocol, court, kase);
    await ledger.committed();
    return { closed: close(end) };
  } catch (error) {
    // What was answered is kept, however the trial ends.
    await ledger.committed();
    if (error instanceof AwaitsModerator) {
      onChange?.('line');
      return null;
    }
    if (!(error instanceof Divergence)) throw error;
    throw new AssizeError('internal', `trial ${trial.id} cannot be continued: ${error.message}`, {
      file: store.path,
      remedy: checkRecord('to see whether the record is intact'),
    });
  }
}
