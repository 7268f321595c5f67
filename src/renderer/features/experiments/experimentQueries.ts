import {
  type QueryClient,
  queryOptions,
  type UseQueryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useRef, useState } from 'react';
import { subsetKey } from '../../../core/figures/subset.ts';
import type { FlippedQuery } from '../../../shared/api/compared.ts';
import { isUnderWay, type Run } from '../../../shared/api/engine.ts';
import type { ExperimentFrame, ExperimentList, ExperimentView, TrialPage } from '../../../shared/api/experiments.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { fresh, useApi, useRead, useReread, useStream } from '../../api/ApiContext.tsx';
import { useWrittenElsewhere } from '../../app/engineStatus.ts';
import { knownRecordKey } from '../recordCheck/knownRecord.ts';

/** A page's lines with changed ones replaced; lines of other pages are left out. */
export function linesMerged(lines: readonly TrialLine[], changed: readonly TrialLine[]): TrialLine[] {
  const news = new Map(changed.map((line) => [line.trial, line]));
  return lines.map((line) => news.get(line.trial) ?? line);
}

export const experimentsKey = ['experiments', 'list'] as const;
export const experimentKey = (name: string) => ['experiments', 'read', name] as const;
export const trialsKey = (name: string) => ['experiments', 'trials', name] as const;
/** Not under `trialsKey`, whose entries are all pages of trials. */
export const queuesKey = (name: string) => ['experiments', 'queues', name] as const;
export const statsKey = (name: string) => ['experiments', 'stats', name] as const;
/** Those with intervals, baselines and comparisons, which take their time. */
export const fullStatsKey = (name: string) => ['experiments', 'full-stats', name] as const;
/** Two arms against each other, and what a setting changed between two. */
export const comparedKey = (name: string) => ['experiments', 'compared', name] as const;
export const changedKey = (name: string) => ['experiments', 'changed', name] as const;
const pairsKey = (name: string) => ['experiments', 'flipped', name] as const;
export const flippedKey = ({ experiment, base, swapped, subset = {}, all = false }: FlippedQuery) =>
  [...pairsKey(experiment), base, swapped, subsetKey(subset), all] as const;
/** Not under `trialsKey` either. */
export const casesKey = (name: string) => ['experiments', 'cases', name] as const;
/** What the figures are drawn from, besides the statistics. */
export const figuresKey = (name: string) => ['experiments', 'figures', name] as const;

const damageQuery = (api: ReturnType<typeof useApi>, queries: QueryClient, experiment: string) =>
  queryOptions({
    queryKey: ['experiments', 'damage', experiment],
    queryFn: async ({ signal }) => {
      const damage = await api.experiments.damage({ experiment }, { signal });
      if (damage.damaged > 0) void queries.invalidateQueries({ queryKey: knownRecordKey });
      return damage;
    },
    ...fresh,
  });

/** Whether the record of an experiment passes its check; made again whenever the screen is opened. */
export function useDamage(experiment: string) {
  return useQuery(damageQuery(useApi(), useQueryClient(), experiment));
}

/** The first fault of each experiment that fails its check, in words. They are checked in turn: a large one takes long. */
export function useDamaged(experiments: readonly string[]): ReadonlyMap<string, string> {
  const api = useApi();
  const client = useQueryClient();
  const [checked, setChecked] = useState(0);
  const found = useQueries({
    queries: experiments.map((name, index) => ({ ...damageQuery(api, client, name), enabled: index <= checked })),
  });
  const first = found.findIndex(({ isFetchedAfterMount }) => !isFetchedAfterMount);
  useEffect(() => setChecked(first < 0 ? found.length : first), [first, found.length]);
  return new Map(
    experiments.flatMap((name, index) => {
      const { damaged = 0, first: [fault] = [] } = found[index]?.data ?? {};
      return damaged > 0 ? [[name, fault?.problem ?? ''] as const] : [];
    }),
  );
}

/** How often what another program is writing is read again: its changes are not reported here. */
const elsewhereEveryMs = 5_000;

function useList<Part>(select: (list: ExperimentList) => Part) {
  const refetchInterval = useWrittenElsewhere() && elsewhereEveryMs;
  return useRead(experimentsKey, (api, given) => api.experiments.list({}, given), {
    ...{ refetchInterval, select, ...fresh },
    // A short run of a command begins and ends between two looks at whether somebody writes.
    refetchOnWindowFocus: 'always',
  });
}

export const useExperiments = () => useList(({ experiments }) => experiments);
export const useUnreadable = () => useList(({ unreadable }) => unreadable).data ?? [];

/** An experiment as it was when it was read. @param more of the query */
export const useExperiment = (
  experiment: string,
  more: Pick<UseQueryOptions<ExperimentView>, 'enabled' | 'refetchOnMount'> = {},
) => useRead(experimentKey(experiment), (api, given) => api.experiments.read({ experiment }, given), more);

/** How often counts and statistics are read again while trials end. */
const countsEveryMs = 1_500;
const statisticsEveryMs = 5_000;

/** Calls an action at most once in an interval, and once more after the last asking. */
function useAtMostEvery(milliseconds: number, action: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const latest = useRef(action);
  latest.current = action;
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, milliseconds);
  }, [milliseconds]);
}

function takeLines(queries: QueryClient, name: string, lines: TrialPage['lines']): void {
  queries.setQueriesData<TrialPage>({ queryKey: trialsKey(name) }, (page) =>
    page === undefined ? page : { ...page, lines: linesMerged(page.lines, lines) },
  );
}

/** An experiment as it is now: read once, then followed. */
export function useLiveExperiment(name: string) {
  const queries = useQueryClient();
  const reread = useReread();
  const [run, setRun] = useState<Run | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const cursor = useRef<string | null>(null);
  const latestRun = useRef<Run | null | undefined>(undefined);
  const view = useExperiment(name, fresh);
  const writtenElsewhere = useWrittenElsewhere();
  const readCounts = () => {
    for (const key of [experimentKey, trialsKey, casesKey, queuesKey, pairsKey]) void reread(key(name));
  };
  const readStatistics = () => {
    const later = isUnderWay(latestRun.current ?? null) ? [] : [fullStatsKey, comparedKey, changedKey];
    for (const key of [statsKey, ...later, figuresKey]) void reread(key(name));
  };
  const rereadCounts = useAtMostEvery(countsEveryMs, readCounts);
  const rereadStatistics = useAtMostEvery(statisticsEveryMs, readStatistics);

  useEffect(() => {
    if (!writtenElsewhere) return;
    const reread = () => {
      rereadCounts();
      rereadStatistics();
    };
    const each = setInterval(reread, elsewhereEveryMs);
    return () => {
      clearInterval(each);
      // What that program wrote last.
      reread();
    };
  }, [writtenElsewhere, rereadCounts, rereadStatistics]);

  useStream<ExperimentFrame>(
    view.isSuccess ? `experiment ${name}` : null,
    (follow, signal) =>
      follow.experiments.watch({ experiment: name, cursor: cursor.current ?? view.data?.cursor ?? null }, { signal }),
    (body) => {
      setFailure(null);
      if (body.kind === 'run') {
        const before = latestRun.current;
        latestRun.current = body.run;
        // So often that drawing it must not hold up a frame.
        startTransition(() => setRun(body.run));
        // All screens hear of the state of every run; only a change of this one is worth reading again, and the first answer, which
        // says whether the demo model speaks.
        const isFirstAnswer = before?.calls === 0 && (body.run?.calls ?? 0) > 0;
        if (before === undefined || (before?.state === body.run?.state && !isFirstAnswer)) return;
        // What was computed of the trials before is no finding of those that have ended since.
        if (isUnderWay(before) !== isUnderWay(body.run)) void queries.resetQueries({ queryKey: fullStatsKey(name) });
        // A run that pauses or ends says at once how far it came, and so does all that is counted.
        readCounts();
        readStatistics();
      } else {
        cursor.current = body.cursor;
        if (body.kind === 'trials') takeLines(queries, name, body.lines);
      }
      rereadCounts();
      rereadStatistics();
    },
    setFailure,
  );
  return { view, run: run ?? view.data?.summary.run ?? null, failure };
}
