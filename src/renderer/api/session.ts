import { createORPCClient, DynamicLink } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { contract } from '../../shared/api/contract.ts';
import { failureOf } from './failure.ts';
import { givenRecord, showOwnRecord } from './givenRecord.ts';
import { ConnectionLost, type Host } from './host.ts';

export type Api = ContractRouterClient<typeof contract>;

/** `lost`: it connects again by itself. `closed`: only the user can do something, as `reason` says. */
export interface SessionState {
  readonly state: 'connecting' | 'ready' | 'lost' | 'closed';
  readonly reason: string | null;
  /** Connections so far; a change means that streams have to be opened again. */
  readonly connection: number;
}

export interface Session {
  readonly api: Api;
  readonly state: StoreApi<SessionState>;
  /** Resolves when there is a connection; rejects when it is closed for good or the signal fires. */
  ready(signal?: AbortSignal): Promise<void>;
  reconnect(): void;
}

const firstPauseMs = 150;
const longestPauseMs = 5_000;
const longestWaitMs = 20_000;

/** Keeps one connection to the engine: when it breaks, a new one is made, and requests wait for it. */
export function openSession(host: Host): Session {
  const state = createStore<SessionState>(() => ({ state: 'connecting', reason: null, connection: 0 }));
  let link: RPCLink<Record<never, never>> | null = null;
  let wake: () => void = () => undefined;

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const ready = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = () => {
        const now = state.getState();
        if (now.state === 'ready') done(resolve);
        else if (now.state === 'closed') done(() => reject(new ConnectionLost(now.reason ?? 'There is no connection.', false)));
      };
      const done = (action: () => void) => {
        clearTimeout(timer);
        stop();
        signal?.removeEventListener('abort', onAbort);
        action();
      };
      const onAbort = () => done(() => reject(signal?.reason));
      const timer = setTimeout(() => done(() => reject(new ConnectionLost('The engine does not answer.', true))), longestWaitMs);
      const stop = state.subscribe(settle);
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      else settle();
    });

  /** Holds one connection from its opening to its end. Throws `ConnectionLost`. */
  const hold = async (): Promise<never> => {
    const port = await host.connect(new AbortController().signal);
    const ended = new Promise<never>((_resolve, reject) => {
      port.addEventListener('close', () => reject(new ConnectionLost('The engine is starting again.', true)));
    });
    const closed: unknown = 'closed' in port ? port.closed : null;
    ended.catch(() => undefined);
    const candidate = new RPCLink<Record<never, never>>({ port });
    const probe = createORPCClient<Api>(candidate);
    try {
      const record = givenRecord();
      if (record !== null) {
        const entered = probe.record.enter({ record }).catch((error: unknown) => {
          if (failureOf(error).code !== 'not-found') throw error;
          // An engine that was started since has closed it, and the page starts again.
          showOwnRecord();
          return ended;
        });
        await Promise.race([entered, ended]);
      }
      await Promise.race([probe.engine.status({}), ended]);
      link = candidate;
      state.setState((before) => ({ state: 'ready', reason: null, connection: before.connection + 1 }));
      return await ended;
    } catch (error) {
      // The loopback host says with a code why it closed.
      throw closed instanceof Promise && error instanceof ConnectionLost ? await closed : error;
    } finally {
      link = null;
      port.close();
    }
  };

  const keep = async () => {
    for (let round = 0; ; round++) {
      const before = state.getState().connection;
      try {
        await hold();
      } catch (error) {
        const { again, message } =
          error instanceof ConnectionLost ? error : { again: true, message: 'The engine does not answer as it should.' };
        state.setState({ state: again ? 'lost' : 'closed', reason: message });
        if (state.getState().connection > before) round = 0;
        if (again) await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** round));
        else await new Promise<void>((resolve) => (wake = resolve));
      }
      state.setState({ state: 'connecting' });
    }
  };
  void keep();

  const api = createORPCClient<Api>(
    new DynamicLink(async () => {
      await ready();
      if (link === null) throw new ConnectionLost('The engine is starting again.', true);
      return link;
    }),
  );
  return { api, state, ready, reconnect: () => wake() };
}
