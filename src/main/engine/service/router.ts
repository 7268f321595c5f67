import { RPCHandler } from '@orpc/server/message-port';
import { toldFailure } from './failures.ts';
import { assistants } from './handlers/assistants.ts';
import { backends } from './handlers/backends.ts';
import { daemon } from './handlers/daemon.ts';
import { dataFiles } from './handlers/dataFiles.ts';
import { drafts } from './handlers/drafts.ts';
import { engine, record, settings } from './handlers/engine.ts';
import { experiments } from './handlers/experiments.ts';
import { exports } from './handlers/exports.ts';
import { hardware } from './handlers/hardware.ts';
import { imports } from './handlers/imports.ts';
import { models } from './handlers/models.ts';
import { prompts } from './handlers/prompts.ts';
import { reviews } from './handlers/reviews.ts';
import { runs } from './handlers/runs.ts';
import { search } from './handlers/search.ts';
import { live, trials } from './handlers/trials.ts';
import { tries } from './handlers/tries.ts';
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

/**
 * Answers requests. Any error, before an answer or in the middle of a stream, becomes a failure of the
 * contract.
 * @param keepError stores the details of unexpected errors
 */
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
