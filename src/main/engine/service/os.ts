import { implement } from '@orpc/server';
import { contract } from '../../../shared/api/contract.ts';
import type { QueryInput, QueryName } from '../queries/queries.ts';
import type { Service } from './service.ts';

/** The contract, to be implemented procedure by procedure; every handler is given the service. */
export const os = implement(contract).$context<Service>();

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
