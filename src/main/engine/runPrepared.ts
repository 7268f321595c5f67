// Runs what is left of a prepared experiment, whichever command or screen asks for it.

import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { sentenceOf, warning } from '../../shared/checks.ts';
import type { RunReportJson } from '../../shared/commandOutputs.ts';
import type { Outcome } from '../../shared/domain.ts';
import { type Part, partWords } from '../../shared/part.ts';
import { attempt } from './attempt.ts';
import { checkpointAfterRun } from './checkpoint/checkpoints.ts';
import { ownCall } from './commandText.ts';
import type { Dataset } from './datasets/dataset.ts';
import { refuseMissingAssistants } from './lab/assistant/need.ts';
import { connectBackends, overrideUrl, readyBackends, retrieversOf } from './lab/backends.ts';
import { runChecks } from './lab/checks.ts';
import { askedOf } from './lab/experimentFile.ts';
import { checkAgainstRecord, freezeExperiment, saysTheSame } from './lab/freeze.ts';
import { loadFrozen } from './lab/frozen.ts';
import { poolsIn } from './lab/lanes.ts';
import { type OwnOllama, withOllama } from './lab/ollamaForRun.ts';
import { partOf, refuseOtherSpeeches, refuseUnfitPart, refuseUnfrozenPart } from './lab/part.ts';
import { divideWaiting, pendingTrials } from './lab/pendingTrials.ts';
import type { PreparedExperiment } from './lab/preparedArm.ts';
import type { RunProgress } from './lab/progressMeter.ts';
import { dataWith } from './lab/recordedData.ts';
import { lastStart, openArms } from './lab/recordedProgress.ts';
import type { RunOptions } from './lab/runner.ts';
import { type HardwareWatch, keepAwake, runWatched, withHardware } from './lab/watchedRun.ts';
import { createDispatcher, type NetworkDispatcher } from './models/dispatcher.ts';
import { interrupted } from './models/modelServer.ts';
import { hoursGate } from './service/gate.ts';
import { keptFaults, signingKey } from './service/knownFaults.ts';
import { withAnswerer } from './service/notReady.ts';
import { openStore, type Store } from './store/store.ts';
import { type WritingWatch, withStore, withWritable } from './store/withStore.ts';

export interface RunRequest extends HardwareWatch, WritingWatch, Pick<RunOptions, 'retryPauseMs' | 'onBegin' | 'whyEnded'> {
  readonly store: string;
  readonly url: string | undefined;
  readonly allowedHosts: readonly string[];
  /** Trials at a time; null: as many as the server has slots. */
  readonly concurrency: number | null;
  readonly maxTrials: number | null;
  /** The part of the trials that this machine runs; all of them where absent. */
  readonly part?: Part | undefined;
  readonly retry: readonly Outcome[];
  readonly signal: AbortSignal;
  readonly onProgress: (progress: RunProgress) => void;
  readonly onCall?: NonNullable<RunOptions['onCall']>;
  readonly startOllama?: OwnOllama | undefined;
  /** The hours of every day in which it may ask, as `betweenSchema` has them; absent: all. */
  readonly between?: string | undefined;
  /** Called when it waits for its hours, with when they begin in ISO 8601, and with null when they have begun. */
  readonly onHours?: (until: string | null) => void;
}

export async function withDispatcher<T>(
  allowedHosts: readonly string[],
  action: (dispatcher: NetworkDispatcher) => Promise<T>,
): Promise<T> {
  const dispatcher = createDispatcher({ allowedHosts });
  try {
    return await action(dispatcher);
  } finally {
    await dispatcher.close();
  }
}

/** Whether a run would ask anybody anything: not where the record has all that the file asks for. */
function hasWork(store: Store, prepared: PreparedExperiment, data: Dataset, { maxTrials, retry, part }: RunRequest): boolean {
  const { name } = prepared.experiment;
  if (store.experiments.get(name) === undefined) return true;
  const frozen = partOf(loadFrozen(store, name), part);
  if (!saysTheSame(frozen, prepared, data)) return true;
  return maxTrials !== 0 && divideWaiting(store, name, pendingTrials(store, frozen, { retry })).open.length > 0;
}

/** What to know before trials run that are not of the part that the store ran last; null where they are. */
function beyondPart(store: Store, experiment: string, part: Part | undefined): string | null {
  const last = lastStart(store, experiment).part;
  if (last === undefined || isDeepStrictEqual(part, last)) return null;
  const now = part === undefined ? 'takes all trials' : `takes ${partWords(part)}`;
  const option = `--part ${last.number}/${last.of}`;
  return `the last run in this store took ${partWords(last)}, and this one ${now}. Two stores that have tried the same trial cannot be joined; ${option} continues only ${partWords(last)}`;
}

/** Runs what is left. What the record forbids comes before any server is asked; a new store is made once servers answered. */
export async function runPrepared(prepared: PreparedExperiment, request: RunRequest): Promise<RunReportJson> {
  const { experiment } = prepared;
  // What is known of the store counts for as long as nothing is written to it.
  const openKey = signingKey(keptFaults(request.store));
  const data = await dataWith(prepared, request.store);
  await refuseOtherSpeeches(prepared, data);
  if (request.part !== undefined) await refuseUnfitPart(prepared, data);
  const { between } = request;
  let opened: Store | null = null;
  const logHours = (until: string | null) => {
    const detail = { ...(until === null ? {} : { until }), between };
    const event = until === null ? 'run-continue' : 'run-hold';
    // A store that takes nothing more ends the run with its own words.
    attempt(() => opened?.write(() => opened?.runLog.add(experiment.name, event, detail)), undefined);
  };
  const hours =
    between === undefined
      ? null
      : hoursGate(between, request.signal, (until) => {
          request.onHours?.(until);
          logHours(until);
        });
  const options = { create: true, durability: experiment.runtime.durability };
  const proceed = async (open: Store | null): Promise<RunReportJson> =>
    withDispatcher(request.allowedHosts, async (dispatcher) => {
      if (open !== null) checkAgainstRecord(open, prepared, data);
      if (request.part !== undefined) refuseUnfrozenPart(open, prepared, data);
      refuseMissingAssistants(open, prepared, data);
      const idle = open !== null && !hasWork(open, prepared, data, request);
      const beyond = open === null || idle ? null : beyondPart(open, experiment.name, request.part);
      if (beyond !== null) request.onWarning?.(beyond);
      const { played, needed } = askedOf(prepared);
      const retrievers = retrieversOf(played, open === null ? undefined : openArms(open, prepared, data, request.retry));
      const asked = overrideUrl(experiment.backends, request.url);
      const wanted = { ...request, reproducible: experiment.runtime.reproducible };
      return withOllama(dispatcher, asked, idle ? new Map() : needed, wanted, async (reached, answerer, own) => {
        const models = connectBackends(dispatcher, reached, experiment.runtime, process.env, own?.moving);
        const backends = idle ? new Map() : await readyBackends(models, needed, retrievers, poolsIn(played));
        const work = async (store: Store) => {
          const frozen = partOf(freezeExperiment(store, prepared, data), request.part);
          opened = store;
          if (between !== undefined && !idle) logHours(null);
          const running = { ...request, isFileGone: data.fileRef !== undefined, ...(hours === null ? {} : { hold: hours.gate }) };
          const report = await withHardware(dispatcher, request, own, (watch) =>
            runWatched(store, frozen, backends, running, watch),
          );
          const unsigned = checkpointAfterRun(store, openKey);
          const checks = runChecks(prepared, data, idle ? null : answerer);
          const warnings = unsigned === null ? checks : [...checks, warning(unsigned, `make one with ${ownCall} checkpoint`)];
          const notes = warnings.map(sentenceOf);
          return { experiment: experiment.name, store: request.store, ...report, checks: warnings, notes };
        };
        return open === null ? withStore(openStore(request.store, options), work) : work(open);
      });
    }).catch((error: unknown) => {
      throw open === null ? error : withAnswerer(open, experiment.name, error);
    });
  const letSleep = keepAwake(
    () => opened,
    experiment.name,
    (sentence) => request.onWarning?.(sentence),
  );
  try {
    await hours?.gate.passed();
    if (hours !== null && request.signal.aborted) throw interrupted();
    return await (existsSync(request.store) ? withWritable(request.store, options, request, proceed) : proceed(null));
  } finally {
    hours?.end();
    letSleep();
  }
}
