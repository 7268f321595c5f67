import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportToStream, type RunProgress, replay, run, verify } from '../../../src/main/engine/engine.ts';
import type { BeliefChoice } from '../../../src/shared/experiment.ts';
import { trialLineSchema } from '../../../src/shared/trialLine.ts';
import type { EmbeddingServer, RealEngine } from './engine.ts';

export interface RealPlan {
  readonly protocol: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly belief?: BeliefChoice;
  readonly cases: number;
  readonly concurrency?: number;
  /** The model behind precedents. */
  readonly retriever?: EmbeddingServer;
}

const labels = ['NO', 'YES'];

/** Half of the cases are tried, the others are there to learn from. */
const csv = (cases: number) =>
  [
    'id,age,offence,again',
    ...Array.from({ length: 2 * cases }, (_, index) => `c${index},${20 + index},theft,${labels[index % 2]}`),
  ].join('\n');

/** An experiment on a real engine, with its own store. */
export function openExperiment(
  engine: RealEngine,
  { protocol, params = {}, belief = 'verbal', cases, concurrency = 1, retriever }: RealPlan,
) {
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
    backends: { default: engine.backend, ...(retriever === undefined ? {} : { vectors: retriever.backend }) },
    runtime: { waitMinutes: 15 },
    arms: [
      {
        name: 'arm',
        protocol,
        params,
        belief,
        cast: {
          '*': { model: engine.model },
          ...(retriever === undefined ? {} : { retriever: { model: retriever.model, backend: 'vectors' } }),
        },
      },
    ],
  };
  writeFileSync(file, JSON.stringify(definition));
  return {
    run: (onProgress: (progress: RunProgress) => void = () => undefined) => run(file, { store, concurrency, onProgress }),
    verify: () => verify(store, {}),
    replay: () => replay(store, undefined, () => undefined),
    async lines() {
      let text = '';
      await exportToStream(store, 'engine', { format: 'trials-jsonl' }, (piece) => {
        text += piece;
      });
      return text
        .trim()
        .split('\n')
        .map((line) => trialLineSchema.parse(JSON.parse(line)));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
