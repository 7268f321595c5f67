import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/ApiContext.tsx';
import { toExperiment, toTrial } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { shownAs, titleOf } from './shownExperiments.ts';

/** The experiments that are neither archived nor removed, the newest first: what each is called, and where it is. */
export function useListedExperiments() {
  const api = useApi();
  const shown = useSettings().data?.experiments ?? [];
  const {
    data = [],
    isPending,
    error,
  } = useQuery({
    queryKey: ['experiments', 'list'],
    queryFn: ({ signal }) => api.experiments.list({}, { signal }),
  });
  const listed = data.flatMap(({ name, single, trial }) =>
    shownAs(shown, name).place === 'listed'
      ? [{ name, title: titleOf(shown, name), to: single && trial !== null ? toTrial(trial) : toExperiment(name) }]
      : [],
  );
  return { listed, isPending, error };
}
