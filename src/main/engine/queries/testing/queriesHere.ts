import type { MessagePort } from 'node:worker_threads';
import { outputOf } from '../../threads/answer.ts';
import type { QueryPool } from '../pool.ts';
import answerQuery from '../worker.ts';

/** Answers queries in the thread of the test: others take longer to start than most tests to run. Of threads is `pool.test.ts`. */
export const queriesHere = (store: string): QueryPool => ({
  async run(name, input, signal, onProgress = () => undefined) {
    signal?.throwIfAborted();
    const progress = { postMessage: (sent: never) => onProgress(sent) } as unknown as MessagePort;
    // As between threads, where what cannot be copied does not arrive.
    const answer = await answerQuery({ store, name, input: structuredClone(input), progress });
    return outputOf(structuredClone(answer)) as never;
  },
  close: () => Promise.resolve(),
});
