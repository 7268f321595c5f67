import type { Subset } from '../../../shared/api/subset.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Store } from '../store/store.ts';

/** How far an answer is that takes its time: the share that is done, 0-1, and what is being done. */
export interface QueryProgress {
  readonly share: number;
  readonly what: string;
  /** In its own units, where it counts. */
  readonly counted?: { readonly done: number; readonly of: number };
  /** The statistics as far as they are known. */
  readonly report?: StatsReport;
}
export type TellProgress = (progress: QueryProgress) => void;

/** A question answered in a worker thread, from a store opened for reading. Input and output are copied: plain data only. */
export interface Query<Input, Output> {
  run(store: Store, input: Input, tell: TellProgress): Output | Promise<Output>;
  /** The answer where there is no store yet; without it, the question fails with not-found. */
  readonly withoutStore?: (input: Input) => Output | Promise<Output>;
}

export interface FiguresInput {
  readonly experiment: string;
  readonly subset?: Subset | undefined;
  /** Folder of the answers that were made before; null or absent: neither look nor keep. */
  readonly cache?: string | null | undefined;
}

/** A question that needs no store: what is in a file, for example. */
export interface FileQuery<Input, Output> {
  readonly needs: 'no store';
  run(input: Input, tell: TellProgress): Output | Promise<Output>;
}
