import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { isEverything, subsetKey } from '../../../core/figures/subset.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { type FigureEntry, figures } from '../../charts/figures.ts';
import { FigureFrame } from '../../charts/kit/FigureFrame.tsx';
import type { Figure, FigureSources, TrialsBehind } from '../../charts/kit/figure.ts';
import { Notice } from '../../ui/Notice.tsx';
import { figuresKey } from '../experiments/experimentQueries.ts';
import styles from './Dashboard.module.css';
import { subsetBehind } from './filter.ts';
import { returnTo } from './returnTo.ts';

export const groupTitles: Readonly<Record<Figure['group'], string>> = {
  performance: 'How well',
  calibration: 'How sure, and how rightly',
  cost: 'At what cost',
  deliberation: 'What deliberation does',
  ablations: 'What each setting does',
  protocols: 'Inside the protocols',
  fairness: 'For whom',
};

/** How far below the window a figure is when it is fetched. */
const near = '500px';

function useIsNear(place: RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null || isNear) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsNear(true);
      },
      { rootMargin: near },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [place, isNear]);
  return isNear;
}

/** What a figure is drawn from; null while it is read. */
function useSources({
  experiment,
  subset,
  figure,
  view,
  report,
}: Pick<Properties, 'experiment' | 'subset' | 'view' | 'report'> & { figure: Figure<unknown> | undefined }) {
  const api = useApi();
  const needs = figure?.needs ?? [];
  const asked = { experiment, ...(isEverything(subset) ? {} : { subset }) };
  const key = [...figuresKey(experiment), subsetKey(subset)];
  const deliberation = useQuery({
    queryKey: [...key, 'deliberation'],
    queryFn: ({ signal }) => api.experiments.deliberation(asked, { signal }),
    enabled: needs.includes('deliberation'),
  });
  const protocols = useQuery({
    queryKey: [...key, 'protocols'],
    queryFn: ({ signal }) => api.experiments.protocols(asked, { signal }),
    enabled: needs.includes('protocols'),
  });
  const [ways, inside] = [deliberation.data ?? null, protocols.data ?? null];
  const complete = (!needs.includes('deliberation') || ways !== null) && (!needs.includes('protocols') || inside !== null);
  const sources = useMemo(
    (): FigureSources | null => (report === null || !complete ? null : { view, report, deliberation: ways, protocols: inside }),
    [view, report, complete, ways, inside],
  );
  return { sources, error: deliberation.error ?? protocols.error };
}

interface Properties {
  readonly experiment: string;
  readonly view: ExperimentView;
  /** Null while it is computed. */
  readonly report: StatsReport | null;
  readonly reportError: unknown;
  readonly subset: Subset;
  readonly soFar: boolean;
  onTrials(behind: TrialsBehind, figure: Figure<unknown>): void;
  onNarrow(subset: Subset): void;
  onLegend(name: string): void;
}

function LazyFigure({ entry, ...rest }: Properties & { entry: FigureEntry }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(place);
  const [figure, setFigure] = useState<Figure<unknown>>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!isNear) return undefined;
    let isGone = false;
    entry.load().then(
      (loaded) => {
        if (!isGone) setFigure(loaded);
      },
      () => {
        if (!isGone) setFailed(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [entry, isNear]);
  const { sources, error } = useSources({ ...rest, figure });
  const failure = error ?? rest.reportError;
  const isRead = !isNear || failed || failure !== null || sources !== null;
  return (
    <div ref={place} id={`figure-${entry.id}`} className={styles.cell} tabIndex={-1} aria-busy={!isRead}>
      {failed ? <Notice tone="bad">The code of this figure did not come. Reload the page.</Notice> : null}
      {figure === undefined ? null : (
        <FigureFrame
          experiment={rest.experiment}
          figure={figure}
          sources={sources}
          error={failure}
          isPart={!isEverything(rest.subset)}
          soFar={rest.soFar}
          onTrials={rest.onTrials}
          narrows={(behind) => subsetBehind(behind) !== null}
          onNarrow={(behind) => {
            const subset = subsetBehind(behind);
            if (subset !== null) rest.onNarrow(subset);
          }}
          onLegend={rest.onLegend}
        />
      )}
    </div>
  );
}

/** Every figure of the registry, group by group; each is fetched and drawn when it is scrolled near. */
export default function FiguresPart({ back, ...rest }: Properties & { back: string | null }) {
  useEffect(() => {
    const target = back === null ? null : document.getElementById(`figure-${back}`);
    return target === null ? undefined : returnTo(target, [...(target.closest('section')?.parentElement?.children ?? [])]);
  }, [back]);
  const groups = [...Map.groupBy(figures, ({ group }) => group)];
  return groups.map(([group, entries]) => (
    <section key={group} className={`stack gap-12 ${styles.group}`} aria-labelledby={`figures-${group}`}>
      <h2 id={`figures-${group}`}>{groupTitles[group]}</h2>
      <div className={`stack gap-16 ${styles.grid}`}>
        {entries.map((entry) => (
          <LazyFigure key={entry.id} entry={entry} {...rest} />
        ))}
      </div>
    </section>
  ));
}
