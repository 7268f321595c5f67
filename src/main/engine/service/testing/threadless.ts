import type { MessagePort } from 'node:worker_threads';

interface Task {
  readonly progress?: MessagePort | null;
}

/** Does in the thread of the test what worker threads do, which take longer to start than most tests to run. */
export class Piscina {
  readonly #filename: string;

  constructor({ filename }: { filename: string }) {
    this.#filename = filename;
  }

  async run({ progress = null, ...task }: Task): Promise<unknown> {
    const { default: work } = (await import(this.#filename)) as { default: (task: Task) => Promise<unknown> };
    // As between threads, where what cannot be copied does not arrive.
    return structuredClone(await work({ ...structuredClone(task), progress }));
  }

  destroy(): Promise<void> {
    return Promise.resolve();
  }
}
