import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/ApiContext.tsx';

export const backendsKey = ['backends'] as const;

/** What servers there are and which models they have, as of a moment ago; asked anew by `refetch`. */
export function useBackends({ enabled = true }: { enabled?: boolean } = {}) {
  const api = useApi();
  return useQuery({
    queryKey: backendsKey,
    queryFn: ({ signal }) => api.backends.look({}, { signal }),
    staleTime: 15_000,
    enabled,
  });
}
