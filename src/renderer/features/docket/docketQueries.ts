import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { CasePage, DocketEntry } from '../../../shared/api/docket.ts';
import type { DraftInput } from '../../../shared/api/experiments.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { toExperiment } from '../../app/routes.ts';
import { tell } from '../../ui/Toasts.tsx';

export const docketKey = ['docket', 'list'] as const;

export function useDocket() {
  const api = useApi();
  // Experiments that were made meanwhile stand in the entries.
  return useQuery({ queryKey: docketKey, queryFn: ({ signal }) => api.docket.list({}, { signal }), refetchOnMount: 'always' });
}

export function useTakeDocketEntry(): (entry: DocketEntry) => void {
  const queries = useQueryClient();
  return (entry) => {
    queries.setQueryData<DocketEntry[]>(docketKey, (before) =>
      before?.some(({ id }) => id === entry.id)
        ? before.map((other) => (other.id === entry.id ? entry : other))
        : [...(before ?? []), entry],
    );
    void queries.invalidateQueries({ queryKey: docketKey });
  };
}

/** Takes an entry off the docket at once, and offers to bring it back. */
export function useRemoveEntry(): (entry: DocketEntry) => Promise<void> {
  const api = useApi();
  const queries = useQueryClient();
  const reread = () => queries.invalidateQueries({ queryKey: docketKey });
  return async ({ id, name }) => {
    try {
      await api.docket.remove({ entry: id });
      tell(`“${name}” is off the docket.`, () => {
        api.docket.restore({ entry: id }).then(reread, (error: unknown) => tell(failureOf(error).message));
      });
    } catch (error) {
      tell(failureOf(error).message);
    }
    await reread();
  };
}

export type LabelCounts = CasePage['byLabel'];

/** How the labels are distributed over all cases of an entry. */
export function useLabelCounts(entry: DocketEntry) {
  const api = useApi();
  return useQuery({
    queryKey: ['docket', 'counts', entry.id],
    queryFn: async ({ signal }): Promise<LabelCounts> =>
      (await api.docket.cases({ entry: entry.id, limit: 1 }, { signal })).byLabel,
  });
}

/** Starts an experiment and goes to see it live. */
export function useStartExperiment(onStarted?: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (draft: DraftInput) => api.experiments.start(draft),
    onSuccess: ({ experiment }) => {
      onStarted?.();
      void queries.invalidateQueries({ queryKey: ['experiments'] });
      void queries.invalidateQueries({ queryKey: docketKey });
      navigate(toExperiment(experiment));
    },
  });
}
