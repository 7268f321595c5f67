import { implement } from '@orpc/server';
import { contract } from '../../../shared/api/contract.ts';
import type { QueryInput, QueryName } from '../queries/queries.ts';
import type { Service } from './service.ts';

/** One connection of a page. */
export interface Connection {
  /** What answers it while it reads the user's own record. */
  readonly own: Service;
  /** Handle of the given record that it reads instead, or null. */
  record: string | null;
  /** The upload that was found intact here last, and is kept for reading; null where there is none. */
  checked: string | null;
}

export const newConnection = (own: Service): Connection => ({ own, record: null, checked: null });

export const os = implement(contract)
  .$context<{ readonly connection: Connection }>()
  .use(({ context: { connection }, next }) => {
    const { own, record } = connection;
    // Asked each time: what is closed answers nothing more.
    return next({ context: record === null ? own : own.given.service(record) });
  });

interface Asked<Input> {
  readonly context: Service;
  readonly input: Input;
  readonly signal?: AbortSignal | undefined;
}

export const answeredBy =
  <Name extends QueryName>(name: Name) =>
  ({ context: { queries }, input, signal }: Asked<QueryInput<Name>>) =>
    queries.run(name, input, signal);
