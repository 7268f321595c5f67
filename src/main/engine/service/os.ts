import { implement } from '@orpc/server';
import { contract } from '../../../shared/api/contract.ts';
import type { QueryInput, QueryName } from '../queries/queries.ts';
import type { Service } from './service.ts';

/** What the requests of one connection are answered from. */
export interface Connection {
  /** Of the user's own record, or of one that the user was given and that this page reads. */
  service: Service;
}

/** The contract, to be implemented procedure by procedure; every handler is given the service. */
export const os = implement(contract)
  .$context<{ readonly connection: Connection }>()
  .use(({ context: { connection }, next }) => next({ context: connection.service }));

interface Asked<Input> {
  readonly context: Service;
  readonly input: Input;
  readonly signal?: AbortSignal | undefined;
}

/** A handler for a request that one query answers. */
export const answeredBy =
  <Name extends QueryName>(name: Name) =>
  ({ context: { queries }, input, signal }: Asked<QueryInput<Name>>) =>
    queries.run(name, input, signal);
