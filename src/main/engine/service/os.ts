import { implement } from '@orpc/server';
import { contract } from '../../../shared/api/contract.ts';
import type { Service } from './service.ts';
import type { StreamRegistry } from './streams.ts';

/** What every handler is given. */
export interface HandlerContext {
  readonly service: Service;
  readonly streams: StreamRegistry;
}

/** The contract, to be implemented procedure by procedure. */
export const os = implement(contract).$context<HandlerContext>();
