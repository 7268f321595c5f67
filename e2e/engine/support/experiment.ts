import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunProgress, replay, run, verify } from '../../../src/main/engine/engine.ts';
import type { BackendDefinition } from '../../../src/shared/experiment.ts';
import type { ReplayReport, RunReportJson, VerifyReport } from '../../../src/shared/outputs.ts';
import type { RealEngine } from './engine.ts';

/** An experiment on a real engine, with a store of its own. */
export interface RealExperiment {
  run(onProgress?: (progress: RunProgress) => void): Promise<RunReportJson>;
  verify(): Promise<VerifyReport>;
  replay(): Promise<ReplayReport>;
  close(): void;
}

export interface RealPlan {
  readonly protocol: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly cases: number;
  readonly concurrency?: number;
  /** Where to ask, if not the engine itself. */
  readonly backend?: BackendDefinition;
}

const labels = ['NO', 'YES'];

/** Half of the cases are tried, the others are there to learn from. */
const csv = (cases: number) =>
  [
    'id,age,offence,again',
    ...Array.from({ length: 2 * cases }, (_, index) => `c${index},${20 + index},theft,${labels[index % 2]}`),
  ].join('\n');

export function openExperiment(
  engine: RealEngine,
  { protocol, params = {}, cases, concurrency = 1, backend }: RealPlan,
): RealExperiment {
  const folder = mkdtempSync(join(tmpdir(), 'assize-engine-run-'));
  const store = join(folder, 'store.db');
  const file = join(folder, 'experiment.json');
  writeFileSync(join(folder, 'cases.csv'), csv(cases));
  const definition = {
    version: 1,
    name: 'engine',
    dataset: {
      path: 'cases.csv',
      id: 'id',
      label: { column: 'again' },
      labels,
      positive: 'YES',
      question: 'Again?',
      split: { test: 0.5, train: 0.5 },
      sample: { from: 'test' },
    },
    backends: { default: backend ?? engine.backend },
    runtime: { waitMinutes: 1 },
    arms: [{ name: 'arm', protocol, params, cast: { '*': { model: engine.model } } }],
  };
  writeFileSync(file, JSON.stringify(definition));
  return {
    run: (onProgress = () => undefined) =>
      run(file, {
        store,
        url: undefined,
        allowedHosts: [],
        concurrency,
        maxTrials: null,
        retry: [],
        signal: new AbortController().signal,
        onProgress,
      }),
    verify: () => verify(store, {}),
    replay: () => replay(store, undefined, () => undefined),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
