import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import type { CasePage, DataFile } from '../../../shared/api/dataFiles.ts';
import type { DraftInput } from '../../../shared/api/experiments.ts';
import { fresh, useApi, useRead, useReread } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { toExperiment } from '../../app/routes.ts';
import { notify } from '../../ui/Toasts.tsx';

export const datasetsKey = ['datasets', 'list'] as const;

export function useDatasets() {
  // Entries include experiments that were made meanwhile.
  return useRead(datasetsKey, (api, given) => api.dataFiles.list({}, given), fresh);
}

export function useTakeDataset(): (entry: DataFile) => void {
  const queries = useQueryClient();
  return (entry) => {
    queries.setQueryData<DataFile[]>(datasetsKey, (before) =>
      before?.some(({ id }) => id === entry.id)
        ? before.map((other) => (other.id === entry.id ? entry : other))
        : [...(before ?? []), entry],
    );
    void queries.invalidateQueries({ queryKey: datasetsKey });
  };
}

/** Takes an entry off the list of data sets at once, and offers to bring it back. */
export function useRemoveEntry(): (entry: DataFile) => Promise<void> {
  const api = useApi();
  const reread = useReread();
  return async ({ id, name }) => {
    try {
      await api.dataFiles.remove({ entry: id });
      notify(`“${name}” was removed from the list of data sets.`, () =>
        api.dataFiles.restore({ entry: id }).then(() => reread(datasetsKey)),
      );
    } catch (error) {
      notify(failureOf(error).message);
    }
    await reread(datasetsKey);
  };
}

export type LabelCounts = CasePage['byLabel'];

export const useLabelCounts = (entry: DataFile) =>
  useRead(
    ['datasets', 'counts', entry.id],
    async (api, given): Promise<LabelCounts> => (await api.dataFiles.cases({ entry: entry.id, limit: 1 }, given)).byLabel,
  );

interface Started {
  readonly experiment: string;
  readonly trial: string;
}

export function useStartExperiment(
  onStarted?: (started: Started) => void,
  to = ({ experiment }: Started) => toExperiment(experiment),
) {
  const api = useApi();
  const reread = useReread();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: (draft: DraftInput & { readonly until?: string | null }) => api.experiments.start(draft),
    onSuccess: (started) => {
      onStarted?.(started);
      void reread(['experiments'], datasetsKey);
      navigate(to(started));
    },
  });
}
