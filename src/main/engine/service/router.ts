import { RPCHandler } from '@orpc/server/message-port';
import { toldFailure } from './failures.ts';
import { dataFiles, imports, prompts } from './handlers/dataFiles.ts';
import { drafts, tries } from './handlers/drafts.ts';
import { engine, record, settings } from './handlers/engine.ts';
import { assistants, experiments, reviews, search } from './handlers/experiments.ts';
import { exports } from './handlers/exports.ts';
import { backends, daemon, hardware, models } from './handlers/machine.ts';
import { live, runs, trials } from './handlers/trials.ts';
import { type Connection, os } from './os.ts';

/** Every procedure of the contract. */
export const router = os.router({
  engine,
  settings,
  backends,
  daemon,
  models,
  prompts,
  hardware,
  dataFiles,
  experiments: { ...experiments, ...drafts },
  imports,
  assistants,
  record,
  reviews,
  search,
  runs,
  trials,
  live,
  tries,
  exports,
});

export type Handler = RPCHandler<{ readonly connection: Connection }>;

const isStream = (output: unknown): output is AsyncIterable<unknown> =>
  typeof output === 'object' && output !== null && Symbol.asyncIterator in output;

/** Answers requests. Any error, in a stream too, becomes a failure of the contract. @param keepError stores unexpected ones */
export function createHandler(keepError: (error: unknown) => void): Handler {
  async function* guarded(stream: AsyncIterable<unknown>) {
    try {
      yield* stream;
    } catch (error) {
      throw toldFailure(error, keepError);
    }
  }
  return new RPCHandler(router, {
    clientInterceptors: [
      async ({ next }) => {
        try {
          const output = await next();
          return isStream(output) ? guarded(output) : output;
        } catch (error) {
          throw toldFailure(error, keepError);
        }
      },
    ],
  });
}
