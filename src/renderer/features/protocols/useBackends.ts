import { useEffect } from 'react';
import { z } from 'zod';
import { useRead } from '../../api/ApiContext.tsx';
import { readSessionState, saveSessionState } from '../../ui/sessionState.ts';
import { type Answered, type Found, foundAt, preferredBackend } from './backends.ts';

const lastKey = 'answered';
const answeredSchema: z.ZodType<Answered> = z.object({ server: z.string(), url: z.string(), model: z.string() });

/** Of all that is asked of servers: what is made stale here is made stale everywhere. */
export const backendsKey = ['backends'] as const;

/** Whether Ollama and the demo model are there and which models they have, as of a moment ago; asked again by `refetch`. */
export const useBackends = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useRead([...backendsKey, 'look'], (api, given) => api.backends.look({}, given), { staleTime: 5_000, enabled });

/** The servers of the settings apart from Ollama, in their order. */
export const useServers = () =>
  useRead([...backendsKey, 'servers'], (api, given) => api.backends.servers({}, given), { staleTime: 5_000 });

export function useFound(): Found & {
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
} {
  const look = useBackends();
  const servers = useServers();
  const found = { reports: look.data ?? [], servers: servers.data ?? [] };
  const { backend, server, model } = preferredBackend(found);
  const url = backend === 'standin' ? undefined : foundAt(found, server)?.url;
  useEffect(() => {
    if (url !== undefined) saveSessionState(lastKey, { server, url, model });
  }, [server, url, model]);
  return {
    ...found,
    last: readSessionState(lastKey, answeredSchema, sessionStorage),
    isPending: look.isPending || servers.isPending,
    isFetching: look.isFetching || servers.isFetching,
    error: look.error ?? servers.error,
    refetch: () => {
      void look.refetch();
      void servers.refetch();
    },
  };
}
