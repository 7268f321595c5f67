import { useRead } from '../../api/ApiContext.tsx';
import type { Found } from './backends.ts';

/** Of all that is asked of servers: what is made stale here is made stale everywhere. */
export const backendsKey = ['backends'] as const;

/** Whether Ollama and the demo model are there and which models they have, as of a moment ago; asked again by `refetch`. */
export const useBackends = ({ enabled = true }: { enabled?: boolean } = {}) =>
  useRead([...backendsKey, 'look'], (api, given) => api.backends.look({}, given), { staleTime: 15_000, enabled });

/** The servers of the settings apart from Ollama, in their order. */
export const useServers = () =>
  useRead([...backendsKey, 'servers'], (api, given) => api.backends.servers({}, given), { staleTime: 15_000 });

export function useFound(): Found & {
  readonly isPending: boolean;
  readonly isFetching: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
} {
  const look = useBackends();
  const servers = useServers();
  return {
    reports: look.data ?? [],
    servers: servers.data ?? [],
    isPending: look.isPending || servers.isPending,
    isFetching: look.isFetching || servers.isFetching,
    error: look.error ?? servers.error,
    refetch: () => {
      void look.refetch();
      void servers.refetch();
    },
  };
}
