import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { isEverything, subsetKey, withoutTruths } from '../../../core/figures/subset.ts';
import {
  armToCome,
  primaryToCome,
  toCome,
  toComeLater,
  withoutResults,
} from '../../../core/statistics/measures/intervalsToCome.ts';
import { forReaders } from '../../../core/telling/forReaders.ts';
import type { StatsFrame } from '../../../shared/api/statistics.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { fresh, useApi, useRead, useStream } from '../../api/ApiContext.tsx';
import { ConnectionLost } from '../../api/host.ts';
import { fullStatsKey, statsKey } from './experimentQueries.ts';

type Progress = StatsFrame['progress'];

/** How long what is below the finding waits for it, in milliseconds: most come in that time, and then nothing moves. */
const briefMs = 1_000;

/** The request, and what distinguishes it from other parts of the same experiment. */
const askedOf = (experiment: string, subset: Subset) => ({ experiment, ...(isEverything(subset) ? {} : { subset }) });

const finishedIn = (report: StatsReport | undefined): number => (report?.arms ?? []).reduce((sum, { n }) => sum + n, 0);

/** Counts and accuracies, which come at once. */
export const useCounts = (experiment: string, subset: Subset = {}) =>
  useRead(
    [...statsKey(experiment), subsetKey(subset)],
    (api, given) => api.experiments.stats({ ...askedOf(experiment, subset), quick: true }, given),
    { select: forReaders, ...fresh },
  );

/**
 * The statistics of an experiment: counts and accuracies at once and while trials end; intervals, baselines and
 * comparisons where no run is under way, or when they are asked for. Of a subset the same, over its trials.
 * @param hasPrimary whether a comparison was decided beforehand, so that results are hidden before it is known that the end was reached
 */
export function useStatistics(experiment: string, underWay: boolean, asked: Subset = {}, hasPrimary = false) {
  const api = useApi();
  const queries = useQueryClient();
  const [stopped, setStopped] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [progress, setProgress] = useState<Progress>(null);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), briefMs);
    return () => clearTimeout(timer);
  }, []);
  const whole = useCounts(experiment).data;
  // Each look before the planned end is counted, so that nobody looks without wanting to.
  const isHidden = !wanted && (whole === undefined ? hasPrimary : whole.primary?.final === false);
  // Of the trials of one true label, the counts of verdicts are results.
  const subset = isHidden ? withoutTruths(asked) : asked;
  const quick = useCounts(experiment, subset);
  const key = [...fullStatsKey(experiment), subsetKey(subset)];
  const [sofar, setSofar] = useState<{ readonly of: string; readonly report: StatsReport } | null>(null);
  const full = useQuery({
    queryKey: key,
    async queryFn({ signal }) {
      setSofar(null);
      for await (const { kind, report } of await api.experiments.stagedStats(askedOf(experiment, subset), { signal })) {
        if (kind === 'whole') return report;
        setSofar({ of: JSON.stringify(key), report: forReaders(report) });
      }
      throw new ConnectionLost('The engine is starting again.', true);
    },
    select: forReaders,
    enabled: !stopped && (wanted || (!underWay && whole !== undefined && !isHidden)),
    refetchOnMount: 'always',
  });
  useStream<StatsFrame>(
    full.isFetching ? `statistics ${experiment}` : null,
    (follow, signal) => follow.experiments.watchStats({ experiment }, { signal }),
    (frame) => setProgress(frame.progress),
    // The figures themselves say what is wrong.
    () => setProgress(null),
  );
  // Figures from before further trials are not shown as those of all.
  const isOutdated = full.isFetching && quick.data !== undefined && finishedIn(full.data) !== finishedIn(quick.data);
  const current = (underWay && !wanted) || isHidden || isOutdated ? undefined : full.data;
  const partial = full.isFetching && sofar?.of === JSON.stringify(key) ? sofar.report : undefined;
  // What is on the screen has the room of its intervals before they come.
  const counts = useMemo(
    () =>
      quick.data && {
        ...(isHidden ? withoutResults(quick.data) : quick.data),
        ...((full.isFetching || underWay) &&
          !isHidden && { arms: quick.data.arms.map((arm) => armToCome(arm, full.isFetching ? toCome : toComeLater)) }),
        ...((full.isFetching || underWay) &&
          !isHidden &&
          quick.data.primary && { primary: primaryToCome(quick.data.primary, full.data?.primary, full.isFetching) }),
      },
    [quick.data, full.data, full.isFetching, underWay, isHidden],
  );
  return {
    /** The newest figures, with or without intervals. */
    report: current ?? partial ?? counts,
    /** Whether only counts are there, since all else would be a look at an unfinished primary comparison. */
    isHidden,
    /** The trials that all of this is of: while results are hidden, of any true label. */
    subset,
    /** Whether the finding, or the counts of a part, come in a moment, and what is below waits. */
    isAwaited:
      (!isEverything(subset) && quick.isPending && !quick.isError) ||
      (!isLate && current === undefined && partial === undefined && (quick.isPending || full.isFetching)),
    /** Whether the finding and the comparisons are there; intervals of further measures may be missing. */
    isFound: current !== undefined || partial !== undefined,
    isWhole: current !== undefined,
    /** What is enough to draw figures from: all of it, or what there is where no more is to come. Null until then. */
    drawable: current ?? (!isHidden && ((underWay && !wanted) || stopped) ? (quick.data ?? null) : null),
    /** Why there are no figures; that those which are there are older is said above the screen. */
    error: [full, quick].find(({ data, isError }) => isError && data === undefined)?.error ?? null,
    retry: () => [full, quick].filter(({ isError }) => isError).map(({ refetch }) => refetch()),
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
