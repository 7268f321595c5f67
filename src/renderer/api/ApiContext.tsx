import { ORPCError } from '@orpc/client';
import {
  QueryClient,
  QueryClientProvider,
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useRef } from 'react';
import type { DropZoneProps } from 'react-aria-components';
import { useStore } from 'zustand';
import type { Upload } from '../../shared/api/dataFiles.ts';
import { ConnectionLost, type Host } from './host.ts';
import type { Api, Session, SessionState } from './session.ts';

const pauseMs = 500;

/** Follows a stream until the signal fires, reopening it where it breaks; `open` says from where. @param onFailure ends it */
async function follow<Frame>(
  session: Session,
  open: (signal: AbortSignal) => Promise<AsyncIterable<Frame>>,
  onFrame: (frame: Frame) => void,
  { signal, onFailure }: { signal: AbortSignal; onFailure: (error: unknown) => void },
): Promise<void> {
  while (!signal.aborted) {
    try {
      await session.ready(signal);
      for await (const frame of await open(signal)) {
        if (signal.aborted) return;
        onFrame(frame);
      }
    } catch (error) {
      // Anything else is a broken connection, which the session repairs.
      if (error instanceof ORPCError && !signal.aborted) return onFailure(error);
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

interface Surroundings {
  readonly host: Host;
  readonly session: Session;
}

const SurroundingsContext = createContext<Surroundings | null>(null);

/** Whether the connection broke, so that another attempt may be answered. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error && (error instanceof ConnectionLost ? error.again : error.name === 'AbortError');

/** Reads a stream, again from its start after each broken connection: of requests that change nothing. */
export async function* readAgain<Frame>(
  open: () => Promise<AsyncIterable<Frame>>,
  signal: AbortSignal,
): AsyncGenerator<Frame, void> {
  for (;;) {
    try {
      yield* await open();
      return;
    } catch (error) {
      if (signal.aborted || !isBroken(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Answers are read again when an event says that they changed, not by the clock. A lost connection is tried again. */
export function openQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (count, error) => count < 5 && isBroken(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

export function ApiProvider({ host, session, queries, children }: Surroundings & { queries: QueryClient; children: ReactNode }) {
  return (
    <SurroundingsContext value={{ host, session }}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </SurroundingsContext>
  );
}

function useSurroundings(): Surroundings {
  const found = use(SurroundingsContext);
  if (found === null) throw new Error('a screen is outside of ApiProvider');
  return found;
}

export const useHost = (): Host => useSurroundings().host;
export const useApi = (): Api => useSurroundings().session.api;

/** The answer of a request, read again after every event that changes it. @param more of the query, such as `fresh` */
export function useRead<Data, Part = Data>(
  queryKey: QueryKey,
  read: (api: Api, given: { signal: AbortSignal }) => Promise<Data>,
  more: Omit<UseQueryOptions<Data, Error, Part>, 'queryKey' | 'queryFn'> = {},
) {
  const api = useApi();
  return useQuery({ queryKey, queryFn: ({ signal }) => read(api, { signal }), ...more });
}

/** Has the answers under these keys read again. */
export function useReread(): (...keys: readonly QueryKey[]) => Promise<unknown> {
  const queries = useQueryClient();
  return (...keys) => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

/** Of what nothing says when it changes: it is read whenever it comes into view. */
export const fresh = { refetchOnMount: 'always' } as const;

export const useSession = (): Session => useSurroundings().session;

export function useConnection(): SessionState {
  return useStore(useSurroundings().session.state);
}

/** Follows a stream while mounted with this `key`, over broken connections. @param open at every (re)opening says from where */
export function useStream<Frame>(
  key: string | null,
  open: (api: Api, signal: AbortSignal) => Promise<AsyncIterable<Frame>>,
  onFrame: (frame: Frame) => void,
  onFailure: (error: unknown) => void,
): void {
  const session = useSession();
  const latest = useRef({ open, onFrame, onFailure });
  latest.current = { open, onFrame, onFailure };
  useEffect(() => {
    if (key === null) return undefined;
    const controller = new AbortController();
    void follow<Frame>(
      session,
      (signal) => latest.current.open(session.api, signal),
      (frame) => latest.current.onFrame(frame),
      { signal: controller.signal, onFailure: (error) => latest.current.onFailure(error) },
    );
    return () => controller.abort();
  }, [key, session]);
}

type DropEvent = Parameters<NonNullable<DropZoneProps['onDrop']>>[0];

/** Takes a file from the user, by the system's dialog or dropped onto the page. */
export function useTakeFile(onTaken: (upload: Upload) => void) {
  const host = useHost();
  const taking = useMutation({
    mutationFn: (source: 'dialog' | File) => (source === 'dialog' ? host.chooseFile() : host.takeFile(source)),
    onSuccess: (upload) => {
      if (upload !== null) onTaken(upload);
    },
  });
  return {
    choose: () => taking.mutate('dialog'),
    drop: async (event: DropEvent) => {
      const item = event.items.find(({ kind }) => kind === 'file');
      if (item?.kind === 'file') taking.mutate(await item.getFile());
    },
    taking: taking.isPending,
    error: taking.error,
  };
}
