import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StatsFrame } from '../../../shared/api/statistics.ts';
import { useApi, useStream } from '../../api/ApiContext.tsx';
import { fullStatsKey, statsKey } from './experimentQueries.ts';

type Progress = Extract<StatsFrame['body'], { kind: 'progress' }>['progress'];

/**
 * The statistics of an experiment: counts and accuracies at once and while trials end; intervals, baselines and
 * comparisons where no run is under way, or when they are asked for.
 */
export function useStatistics(experiment: string, underWay: boolean) {
  const api = useApi();
  const queries = useQueryClient();
  const [stopped, setStopped] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [progress, setProgress] = useState<Progress>(null);
  const quick = useQuery({
    queryKey: statsKey(experiment),
    queryFn: ({ signal }) => api.experiments.stats({ experiment, quick: true }, { signal }),
    refetchOnMount: 'always',
  });
  const full = useQuery({
    queryKey: fullStatsKey(experiment),
    queryFn: ({ signal }) => api.experiments.stats({ experiment }, { signal }),
    enabled: !stopped && (!underWay || wanted),
    refetchOnMount: 'always',
  });
  useStream<StatsFrame['body']>(
    full.isFetching ? `statistics ${experiment}` : null,
    (follow, signal) => follow.experiments.watchStats({ experiment }, { signal }),
    (body) => (body.kind === 'progress' ? setProgress(body.progress) : undefined),
    // The figures themselves say what is wrong.
    () => setProgress(null),
  );
  const current = underWay && !wanted ? undefined : full.data;
  return {
    /** The newest figures, with or without intervals. */
    report: current ?? quick.data,
    isWhole: current !== undefined,
    error: full.error ?? quick.error,
    isComputing: full.isFetching,
    progress,
    stop() {
      setStopped(true);
      setWanted(false);
      void queries.cancelQueries({ queryKey: fullStatsKey(experiment) });
    },
    compute() {
      setStopped(false);
      setWanted(true);
      if (!stopped && wanted) void full.refetch();
    },
  };
}

export type Statistics = ReturnType<typeof useStatistics>;
