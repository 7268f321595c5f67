import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TrainReport } from '../../../../../shared/assistants.ts';
import type { RunReportJson } from '../../../../../shared/commandOutputs.ts';
import type { EventKind, EventPayload } from '../../../../../shared/events.ts';
import { type RunProgress, run, train } from '../../../engine.ts';
import { parseChain } from '../../../store/parseChain.ts';
import { openStore, openStoreReadOnly, type Store } from '../../../store/store.ts';
import type { TrainingProgress } from '../train.ts';

/** Experiments of debates over one data file, in their own store. */
export interface Debates {
  readonly store: string;
  /** A copy in another folder, as they are now. */
  copy(): Debates;
  /** Runs an experiment with its own arms; the sample is from a split. */
  run(
    name: string,
    plan: { from: string; arms: readonly object[]; n?: number; change?: object },
    options?: { signal?: AbortSignal; onProgress?: (progress: RunProgress) => void },
  ): Promise<RunReportJson>;
  train(
    experiment: string,
    options?: { signal?: AbortSignal; embedder?: string; onProgress?: (progress: TrainingProgress) => void },
  ): Promise<TrainReport>;
  look<T>(action: (store: Store) => T): T;
  change<T>(action: (store: Store) => T): T;
  all<K extends EventKind>(kind: K): EventPayload<K>[];
  close(): void;
}

export const debaters = { '*': { model: 'm:1' }, embedder: { model: 'embed:1' } };

/** An arm of two debaters and one round, whose judge decides without an assistant; every statement is one to learn from. */
export const unassisted = {
  name: 'alone',
  protocol: 'debate-feedback',
  params: { rounds: 1, concessions: false },
  cast: debaters,
};

export const trained = {
  name: 'rated',
  protocol: 'debate-feedback',
  params: { rounds: 1, assistant: 'trained' },
  cast: debaters,
};

const csv = (cases: number) =>
  [
    'id,age,offence,again',
    ...Array.from(
      { length: cases },
      (_, index) => `c${index},${18 + index},${index % 3 === 0 ? 'theft' : 'fraud'},${index % 2 === 0 ? 'YES' : 'NO'}`,
    ),
  ].join('\n');

/** Each case twice, the second one with another spelling of the same facts. */
export const spelledTwice = (cases: number) =>
  [
    'id,age,share,again',
    ...Array.from({ length: cases }, (_, index) => {
      const share = `0.${(index >> 1) + 10}`;
      return `c${index},${18 + (index >> 1)},${index % 2 === 0 ? `${share}0` : ` ${share}`},${index % 4 < 2 ? 'YES' : 'NO'}`;
    }),
  ].join('\n');

const newFolder = () => mkdtempSync(join(tmpdir(), 'assize-debates-'));

export function openDebates(url: string, cases = 40, rows: (cases: number) => string = csv): Debates {
  const folder = newFolder();
  writeFileSync(join(folder, 'cases.csv'), rows(cases));
  return debatesIn(folder, url);
}

function debatesIn(folder: string, url: string): Debates {
  const store = join(folder, 'store.db');
  const opened = <T>(open: () => Store, action: (store: Store) => T): T => {
    const found = open();
    try {
      return action(found);
    } finally {
      found.close();
    }
  };
  const look: Debates['look'] = (action) => opened(() => openStoreReadOnly(store), action);
  return {
    store,
    look,
    copy() {
      const other = newFolder();
      cpSync(folder, other, { recursive: true });
      return debatesIn(other, url);
    },
    change: (action) => opened(() => openStore(store, { create: false }), action),
    run(name, { from, arms, n, change = {} }, { signal = new AbortController().signal, onProgress = () => undefined } = {}) {
      const file = join(folder, `${name}.json`);
      const definition = {
        version: 1,
        name,
        dataset: {
          path: 'cases.csv',
          id: 'id',
          label: { column: 'again' },
          labels: ['NO', 'YES'],
          positive: 'YES',
          question: 'Will this person be arrested again?',
          split: { test: 0.5, train: 0.5 },
          sample: { from, ...(n === undefined ? {} : { n }) },
        },
        backends: { default: { kind: 'ollama', url } },
        arms,
        ...change,
      };
      writeFileSync(file, JSON.stringify(definition));
      return run(file, { store, concurrency: 4, signal, onProgress });
    },
    train: (experiment, { signal = new AbortController().signal, embedder, onProgress = () => undefined } = {}) =>
      train(store, { experiment, embedder, url: undefined, allowedHosts: [], signal, onProgress }),
    all: <K extends EventKind>(kind: K) =>
      look((reader) =>
        reader.events
          .heads()
          .flatMap(({ chain }) =>
            parseChain(reader.events.chain(chain)).flatMap((event) =>
              event.kind === kind ? [event.payload as EventPayload<K>] : [],
            ),
          ),
      ),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
