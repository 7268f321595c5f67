import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preparationChain } from '../../../../../core/record/identity.ts';
import type { EventKind, EventPayload } from '../../../../../shared/events.ts';
import { exportToStream, type RunProgress, run } from '../../../engine.ts';
import { parseChain } from '../../../store/parseChain.ts';
import { openStoreReadOnly, type Store } from '../../../store/store.ts';

const labels = ['delay', 'damage', 'praise'];
const phrases = [
  ['the parcel came late', 'I waited for weeks', 'no word from the courier', 'it was due on Monday'],
  ['the vase was broken', 'the box was torn', 'a crack runs through it', 'the lid is bent'],
  ['a lovely vase', 'friendly people', 'just as in the picture', 'I would buy again'],
];

/** Texts of three labels, two of them alike under different ids. */
export function textCases(count: number): { id: string; text: string; label: string }[] {
  return Array.from({ length: count }, (_, index) => {
    const own = phrases[index % 3] ?? [];
    const pick = (step: number) => own[(index * step + (index >> 2)) % own.length];
    return { id: `c${index}`, text: `${pick(1)} and ${pick(3)}, order ${index >> 1}`, label: labels[index % 3] ?? '' };
  });
}

export interface HearingPlan {
  readonly url: string;
  readonly cases: readonly { id: string; label: string }[];
  readonly arms: readonly object[];
  readonly change?: Readonly<Record<string, unknown>>;
  readonly sample?: object;
  /** Replaces what the data set has, key by key. */
  readonly dataset?: object;
}

export type Hearings = ReturnType<typeof openHearings>;

export const everyone = (retriever = true): object => ({
  '*': { model: 'm:1' },
  ...(retriever ? { retriever: { model: 'embed:1' } } : {}),
});

/** An experiment over texts, with its own store. */
export function openHearings({ url, cases, arms, change = {}, sample = { from: 'test' }, dataset: own = {} }: HearingPlan) {
  const folder = mkdtempSync(join(tmpdir(), 'assize-hearings-'));
  const store = join(folder, 'store.db');
  const file = join(folder, 'experiment.json');
  writeFileSync(join(folder, 'cases.jsonl'), cases.map((kase) => JSON.stringify(kase)).join('\n'));
  const definition = {
    version: 1,
    name: 'hearings',
    dataset: {
      path: 'cases.jsonl',
      kind: 'text',
      id: 'id',
      label: { column: 'label' },
      labels,
      question: 'What is the letter about?',
      split: { test: 0.25, train: 0.75 },
      sample,
      ...own,
    },
    backends: { default: { kind: 'ollama', url } },
    arms,
    ...change,
  };
  /** Rewrites the experiment file: the given fields replace its own, in the data set key by key. */
  const extend = ({ dataset = {}, ...further }: Readonly<{ dataset?: object; arms?: readonly object[] }>) =>
    writeFileSync(file, JSON.stringify({ ...definition, ...further, dataset: { ...definition.dataset, ...dataset } }));
  extend({});
  const look = <T>(action: (store: Store) => T): T => {
    const opened = openStoreReadOnly(store);
    try {
      return action(opened);
    } finally {
      opened.close();
    }
  };
  return {
    store,
    look,
    extend,
    replaceStore(copy: string) {
      for (const end of ['', '-wal', '-shm']) rmSync(`${store}${end}`, { force: true });
      renameSync(copy, store);
    },
    run: (options: { signal?: AbortSignal; concurrency?: number; onProgress?: (progress: RunProgress) => void } = {}) =>
      run(file, { store, concurrency: 4, retryPauseMs: 1, ...options }),
    inTrials: <K extends EventKind>(kind: K) =>
      look((opened) =>
        opened.trials
          .all()
          .flatMap(({ trial }) =>
            parseChain(opened.events.chain(trial)).flatMap((event) =>
              event.kind === kind ? [{ trial, payload: event.payload as EventPayload<K> }] : [],
            ),
          ),
      ),
    prepared: () => look((opened) => parseChain(opened.events.chain(preparationChain('hearings')))),
    async lines(): Promise<Record<string, unknown>[]> {
      let text = '';
      await exportToStream(store, 'hearings', { format: 'trials-jsonl' }, (piece) => {
        text += piece;
      });
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
