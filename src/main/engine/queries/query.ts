import type { Store } from '../store/store.ts';

/**
 * A question that is answered in a worker thread, from a store opened for reading. What goes in and comes out is
 * copied between threads: plain data only.
 */
export interface Query<Input, Output> {
  /** @param report tells whoever waits how far it has come; absent where nobody wants to know */
  run(store: Store, input: Input, report?: (progress: unknown) => void): Output | Promise<Output>;
  /** The answer where there is no store yet; without it, the question fails with not-found. */
  readonly withoutStore?: (input: Input) => Output;
}

/** A question that needs no store: what is in a file, for example. */
export interface FileQuery<Input, Output> {
  readonly needs: 'no store';
  run(input: Input): Output | Promise<Output>;
}
