import { useQuery } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isEverything, subsetKey } from '../../../core/figures/subset.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { cards, type FigureCard, figuresOf } from '../../charts/figures.ts';
import { FigureFrame, useDrawn } from '../../charts/kit/FigureFrame.tsx';
import type { Figure, FigureSources, TrialsBehind } from '../../charts/kit/figure.ts';
import { Notice } from '../../ui/Notice.tsx';
import { useArmNames } from '../experiments/ArmNames.tsx';
import { figuresKey } from '../experiments/experimentQueries.ts';
import styles from './Dashboard.module.css';
import { subsetBehind } from './filter.ts';
import { returnTo } from './returnTo.ts';
import { recordedNames, recordedTrials, shownSources } from './shownSources.ts';

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
  figures,
  view,
  report,
}: Pick<Properties, 'experiment' | 'subset' | 'view' | 'report'> & { figures: readonly Figure[] }) {
  const api = useApi();
  const needs = figures.flatMap((figure) => figure.needs);
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
  const names = useArmNames();
  const sources = useMemo(
    (): FigureSources | null =>
      report === null || !complete ? null : shownSources({ view, report, deliberation: ways, protocols: inside }, names),
    [view, report, complete, ways, inside, names],
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
  /** The figure that was gone back to. */
  readonly back: string | null;
  onTrials(behind: TrialsBehind, figure: Figure): void;
  onNarrow(subset: Subset): void;
  onLegend(name: string): void;
}

const unread: readonly Figure[] = [];

function LazyCard({
  card,
  back,
  onAbsent,
  ...rest
}: Properties & { card: FigureCard; onAbsent(card: FigureCard, isAbsent: boolean): void }) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(place);
  const [figures, setFigures] = useState(unread);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!isNear) return undefined;
    let isGone = false;
    figuresOf(card).then(
      (loaded) => {
        if (!isGone) setFigures(loaded);
      },
      () => {
        if (!isGone) setFailed(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [card, isNear]);
  const { sources, error } = useSources({ ...rest, figures });
  const names = useArmNames();
  const failure = error ?? rest.reportError;
  const drawn = useDrawn(figures, sources);
  const isAbsent = figures.length > 0 && drawn?.length === 0 && failure === null;
  useEffect(() => onAbsent(card, isAbsent), [card, isAbsent, onAbsent]);
  const isRead = !isNear || failed || failure !== null || sources !== null;
  return (
    <div
      ref={place}
      id={`figure-${card.ids[0]}`}
      className={styles.cell}
      tabIndex={-1}
      aria-busy={!isRead}
      style={isAbsent ? { display: 'none' } : undefined}
    >
      {failed ? <Notice tone="bad">The code of this figure did not come. Reload the page.</Notice> : null}
      {figures.length === 0 || isAbsent ? null : (
        <FigureFrame
          experiment={rest.experiment}
          title={figures[0]?.title ?? ''}
          drawn={drawn}
          first={back}
          standin={rest.report?.standin ?? false}
          error={failure}
          isPart={!isEverything(rest.subset)}
          soFar={rest.soFar}
          onTrials={(behind, figure) => rest.onTrials(recordedTrials(behind, names), figure)}
          narrows={(behind) => subsetBehind(behind) !== null}
          onNarrow={(behind) => {
            const subset = subsetBehind(recordedTrials(behind, names));
            if (subset !== null) rest.onNarrow(subset);
          }}
          onLegend={(name) => rest.onLegend(recordedNames(names).get(name) ?? name)}
        />
      )}
    </div>
  );
}

/** Every figure that has something to show, group by group; each is fetched and drawn when it is scrolled near. */
export default function FiguresPart(properties: Properties) {
  const { back } = properties;
  const [absent, setAbsent] = useState<ReadonlySet<FigureCard>>(new Set());
  useEffect(() => {
    const card = cards.find(({ ids }) => back !== null && ids.includes(back));
    const target = card && document.getElementById(`figure-${card.ids[0]}`);
    return target ? returnTo(target, [...(target.closest('section')?.parentElement?.children ?? [])]) : undefined;
  }, [back]);
  const onAbsent = useCallback(
    (card: FigureCard, isAbsent: boolean) =>
      setAbsent((before) => (before.has(card) === isAbsent ? before : before.symmetricDifference(new Set([card])))),
    [],
  );
  return (
    <>
      {absent.size === cards.length ? <Notice>There is nothing to draw yet.</Notice> : null}
      {[...Map.groupBy(cards, ({ group }) => group)].map(([group, own]) => (
        <section
          key={group}
          className={`stack gap-12 ${styles.group}`}
          style={own.every((card) => absent.has(card)) ? { display: 'none' } : undefined}
          aria-labelledby={`figures-${group}`}
        >
          <h2 id={`figures-${group}`}>{groupTitles[group]}</h2>
          <div className={`stack gap-16 ${styles.grid}`}>
            {own.map((card) => (
              <LazyCard key={card.ids[0]} card={card} onAbsent={onAbsent} {...properties} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}
