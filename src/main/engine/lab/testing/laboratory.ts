import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callSeed } from '../../../../core/record/identity.ts';
import type { BackendDefinition, Runtime } from '../../../../shared/experiment.ts';
import type { TrialLine } from '../../../../shared/trialLine.ts';
import { readDataset } from '../../datasets/dataset.ts';
import { createDispatcher } from '../../models/dispatcher.ts';
import { trialLines } from '../../report/trialLines.ts';
import { parseChain } from '../../store/parseChain.ts';
import { openStore } from '../../store/store.ts';
import { connectBackends, neededModels, readyBackends } from '../backends.ts';
import { readExperiment } from '../experimentFile.ts';
import { freezeExperiment } from '../freeze.ts';
import type { PlannedTrial } from '../frozen.ts';
import { poolsIn } from '../lanes.ts';
import type { RunProgress } from '../progressMeter.ts';
import { type RunOptions, runExperiment } from '../runner.ts';

export interface Plan {
  /** The demo model's own, for both interfaces. */
  readonly url: string;
  readonly kind?: BackendDefinition['kind'];
  /** Further servers; the arm of a server's name is tried there. */
  readonly servers?: Readonly<Record<string, BackendDefinition>>;
  readonly cases: number;
  readonly turns?: number;
  /** Arm name -> model, or models by role. */
  readonly arms?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Of every arm; agentic-sim where absent. */
  readonly protocol?: { readonly name: string; readonly params: Readonly<Record<string, unknown>> };
  readonly runtime?: Partial<Runtime>;
  /** `primary` and `stop`; nothing where absent. */
  readonly decided?: Readonly<Record<string, unknown>>;
}

const csv = (cases: number) =>
  [
    'id,age,offence,again',
    ...Array.from({ length: cases }, (_, index) => `c${index},${20 + index},theft,${index % 2 === 0 ? 'YES' : 'NO'}`),
  ].join('\n');

/** A small experiment with its own store, to be run as often as a test likes. */
export type Laboratory = Awaited<ReturnType<typeof openLaboratory>>;

export async function openLaboratory({
  url,
  kind = 'ollama',
  servers = {},
  cases,
  turns = 1,
  arms = { court: 'm:1' },
  protocol = { name: 'agentic-sim', params: { turns } },
  runtime = {},
  decided = {},
}: Plan) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-laboratory-'));
  writeFileSync(join(folder, 'cases.csv'), csv(cases));
  const path = join(folder, 'experiment.json');
  const definition = {
    version: 1,
    name: 'laboratory',
    dataset: {
      path: 'cases.csv',
      id: 'id',
      label: { column: 'again' },
      labels: ['NO', 'YES'],
      positive: 'YES',
      question: 'Again?',
    },
    backends: { default: { kind, url: kind === 'openai' ? `${url}/v1` : url }, ...servers },
    runtime,
    ...decided,
    arms: Object.entries(arms).map(([name, cast]) => ({
      name,
      protocol: protocol.name,
      params: protocol.params,
      cast: Object.fromEntries(
        Object.entries(typeof cast === 'string' ? { '*': cast } : cast).map(([role, model]) => [
          role,
          { model, backend: name in servers ? name : 'default' },
        ]),
      ),
    })),
  };
  writeFileSync(path, JSON.stringify(definition));
  const prepared = readExperiment(path);
  const { experiment } = prepared;
  const store = openStore(join(folder, 'store.db'), { create: true });
  const frozen = freezeExperiment(
    store,
    prepared,
    await readDataset(prepared.dataPath, experiment.dataset, { seed: experiment.seed }),
  );
  const dispatcher = createDispatcher({ allowedHosts: [] });
  const progress: RunProgress[] = [];
  const chain = (trial: string) => parseChain(store.events.chain(trial));
  return {
    progress,
    trials: [...frozen.trials()],
    store,
    chain,
    async run(options: Partial<RunOptions> = {}) {
      const backends = await readyBackends(
        connectBackends(dispatcher, experiment.backends, experiment.runtime),
        neededModels(experiment),
        [],
        poolsIn(experiment),
      );
      const signal = new AbortController().signal;
      const onProgress = (report: RunProgress) => progress.push(report);
      return runExperiment(store, frozen, backends, {
        concurrency: 1,
        maxTrials: null,
        retry: [],
        retryPauseMs: 1,
        signal,
        onProgress,
        ...options,
      });
    },
    lines: () => [...trialLines(store, frozen)],
    /** Names of what the run log holds, in order. */
    log: () => store.runLog.of('laboratory').map(({ event }) => event),
    async close() {
      await dispatcher.close();
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const timeless = ({ model_ms: _model, wall_ms: _wall, head_hash: _head, ...line }: TrialLine) => line;

/** Finds out by its seed which call of a trial a request is. */
export function callFinder(trials: readonly PlannedTrial[], keys: readonly string[], attempts: number) {
  const calls = new Map<number, { trial: PlannedTrial; key: string; attempt: number }>();
  for (const trial of trials) {
    for (const key of keys) {
      for (let attempt = 1; attempt <= attempts; attempt++)
        calls.set(callSeed(trial.seed, 1, `${key}/attempt-${attempt}`), { trial, key, attempt });
    }
  }
  return (seed: number | null) => (seed === null ? undefined : calls.get(seed));
}

export async function until(condition: () => boolean): Promise<void> {
  for (const startedAt = performance.now(); !condition(); await sleep(2)) {
    if (performance.now() - startedAt > 60_000) throw new Error('what the test waits for does not come');
  }
}
