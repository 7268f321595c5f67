import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { isEverything, subsetKey, subsetText } from '../../../core/figures/subset.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import { isImported } from '../../../shared/imported.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { cards, type FigureCard, figuresOf } from '../../charts/figures.ts';
import { FigureFrame, useDrawn } from '../../charts/kit/FigureFrame.tsx';
import type { Figure, FigureSources, TrialsBehind } from '../../charts/kit/figure.ts';
import { Fold } from '../../ui/Fold.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { useWholeScreen } from '../../ui/useMedia.ts';
import { useArmNames } from '../experiments/ArmNames.tsx';
import { figuresKey } from '../experiments/experimentQueries.ts';
import styles from './Dashboard.module.css';
import { subsetBehind } from './filter.ts';
import { recordedNames, recordedTrials, shownSources } from './shownSources.ts';

export const groupTitles: Readonly<Record<FigureCard['group'], string>> = {
  performance: 'How well',
  calibration: 'Calibration: how sure, and how rightly',
  cost: 'At what cost',
  deliberation: 'What deliberation does',
  ablations: 'What each setting does',
  protocols: 'Inside the protocols',
  fairness: 'For whom',
};

/** Cards that come first, in this order: what most experiments are read for. */
const featured: readonly string[] = [
  'changes',
  'comparisons-forest',
  'reliability',
  'hearing-to-verdict',
  'persuasion-by-turn',
  'belief-timelines',
  'confusion',
  'group-rates',
];

const firstCards = featured.flatMap((id) => cards.filter((card) => card.ids[0] === id));
const topics = Map.groupBy(
  cards.filter((card) => !firstCards.includes(card)),
  ({ group }) => group,
);

/** Whether it is or was in view, or on paper. */
function useIsSeen(element: HTMLElement | null): boolean {
  const [isSeen, setIsSeen] = useState(false);
  if (useWholeScreen() && !isSeen) setIsSeen(true);
  useEffect(() => {
    if (element === null || isSeen) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [element, isSeen]);
  return isSeen;
}

/** What a figure is drawn from; null while it is read. */
function useSources({
  experiment,
  subset,
  figures,
  view,
  report,
}: Pick<Properties, 'experiment' | 'subset' | 'view' | 'report'> & { figures: readonly Figure[] }) {
  const needs = figures.flatMap((figure) => figure.needs);
  const asked = { experiment, ...(isEverything(subset) ? {} : { subset }) };
  const key = [...figuresKey(experiment), subsetKey(subset)];
  const deliberation = useRead([...key, 'deliberation'], (api, given) => api.experiments.deliberation(asked, given), {
    enabled: needs.includes('deliberation'),
  });
  const protocols = useRead([...key, 'protocols'], (api, given) => api.experiments.protocols(asked, given), {
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
  readonly back: string | null;
  onTrials(behind: TrialsBehind, figure: Figure): void;
  onNarrow(subset: Subset): void;
  onLegend(name: string): void;
}

const unread: readonly Figure[] = [];

interface CardTerms {
  /** False while it is folded away. */
  readonly isShown: boolean;
  onFound(card: FigureCard, absent: readonly Figure[] | null): void;
}

/** Has a place, and is read when it comes into view; nothing else is in it until its figure is there. */
function LazyCard({ card, back, isShown, onFound, ...rest }: Properties & CardTerms & { card: FigureCard }) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  const isSeen = useIsSeen(place);
  const by = rest.view.definition.dataset.label?.decidedBy;
  const isFromFile = rest.view.arms.every(isImported);
  const [figures, setFigures] = useState(unread);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!isShown) return undefined;
    const of = { decided_by: by };
    let isGone = false;
    figuresOf(card).then(
      (loaded) => {
        if (!isGone)
          setFigures(
            loaded.map(({ paper, ...each }) => ({
              ...each,
              ...(isFromFile ? {} : { paper }),
              title: retitled(each.title, of),
              requires: retitled(each.requires, of),
            })),
          );
      },
      () => {
        if (!isGone) setFailed(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [card, isShown, by, isFromFile]);
  const { sources, error } = useSources({ ...rest, figures: isSeen ? figures : unread });
  const names = useArmNames();
  const failure = error ?? rest.reportError;
  const drawn = useDrawn(figures, isSeen ? sources : null);
  // Under another filter it keeps its place, unseen, until it is drawn again.
  const before = useRef<typeof drawn>(null);
  if (drawn !== null) before.current = drawn;
  const shown = drawn ?? before.current ?? [];
  const isAbsent = figures.length > 0 && drawn?.length === 0 && failure === null;
  const isWaiting = isShown && isSeen && !failed && failure === null && (figures.length === 0 || drawn === null);
  const hasFrame = figures.length > 0 && (shown.length > 0 || failure !== null);
  const isFound = isAbsent || hasFrame || failed;
  useEffect(() => onFound(card, isAbsent ? figures : isFound ? unread : null), [card, figures, isAbsent, isFound, onFound]);
  return (
    <div
      ref={setPlace}
      id={`figure-${card.ids[0]}`}
      className={styles.cell}
      // Else the keyboard would pass it by.
      {...(isShown && !isSeen && !isFound
        ? { tabIndex: 0, role: 'group', 'aria-label': 'A figure not read yet' }
        : { tabIndex: -1 })}
      aria-busy={isWaiting}
      style={isAbsent ? { display: 'none' } : undefined}
    >
      {failed ? <Notice tone="bad">The code of this figure did not come. Reload the page.</Notice> : null}
      {isWaiting ? <p className="quiet">Reading the record…</p> : null}
      {!hasFrame ? null : (
        <FigureFrame
          experiment={rest.experiment}
          title={figures[0]?.title ?? ''}
          drawn={shown}
          first={back}
          standin={rest.report?.standin ?? false}
          error={failure}
          part={isEverything(rest.subset) ? null : subsetText(rest.subset)}
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

/** The figures of each card that was seen which have nothing to show; none where it is drawn. */
type Found = ReadonlyMap<FigureCard, readonly Figure[]>;

/** Whether predictions made elsewhere can have it: of other figures nobody is to look for what they need. */
const isOfPredictions = ({ group, ids }: FigureCard) =>
  group === 'performance' || group === 'calibration' || ids.includes('group-rates');

function LeftOut({ own, found, areImported }: { own: readonly FigureCard[]; found: Found; areImported: boolean }) {
  const figures = own.flatMap((card) => (areImported && !isOfPredictions(card) ? [] : (found.get(card)?.slice(0, 1) ?? [])));
  if (figures.length === 0) return null;
  return (
    <Fold title={`${quantity(figures.length, 'figure')} not drawn, as there is nothing to show`}>
      <ul>
        {figures.map(({ title, requires }) => (
          <li key={title}>
            {title} (needs {requires})
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** How many figures a topic has, at most until all were seen, since some can have nothing to show; empty before it was opened. */
function figuresText(own: readonly FigureCard[], found: Found, isOpen: boolean): string {
  const left = own.filter((card) => (found.get(card) ?? unread).length === 0).length;
  if (left === 0) return firstCards.some(({ group }) => group === own[0]?.group) ? 'nothing more than above' : 'nothing to draw';
  const most = own.every((card) => found.has(card)) ? '' : 'up to ';
  return isOpen || left < own.length ? `${most}${quantity(left, 'figure')}` : '';
}

/** Cards side by side, and in a line which of them are left out. */
function Cards({ own, found, ...properties }: Properties & CardTerms & { own: readonly FigureCard[]; found: Found }) {
  return (
    <>
      <div className={`stack gap-16 ${styles.grid}`}>
        {own.map((card) => (
          <LazyCard key={card.ids[0]} card={card} {...properties} />
        ))}
      </div>
      <LeftOut own={own} found={found} areImported={properties.view.arms.every(isImported)} />
    </>
  );
}

/** The figures most read, then all others by topic, folded; each drawn when it comes into view. Those that then have nothing to show are named. */
export default function FiguresPart(properties: Properties) {
  const { back } = properties;
  const backCard = cards.find(({ ids }) => back !== null && ids.includes(back));
  const [found, setFound] = useState<Found>(new Map());
  const [open, setOpen] = useState<ReadonlySet<string>>(
    new Set(backCard === undefined || firstCards.includes(backCard) ? [] : [backCard.group]),
  );
  useEffect(() => {
    const target = backCard && document.getElementById(`figure-${backCard.ids[0]}`);
    return target ? returnTo(target, [...(target.closest('section')?.parentElement?.children ?? [])]) : undefined;
  }, [backCard]);
  const onFound = useCallback(
    (card: FigureCard, absent: readonly Figure[] | null) =>
      setFound((before) => {
        if ((before.get(card) ?? null) === absent) return before;
        const next = new Map(before);
        if (absent === null) next.delete(card);
        else next.set(card, absent);
        return next;
      }),
    [],
  );
  return (
    <>
      <section className={`stack gap-12 ${styles.group}`} aria-label="The main figures">
        <Cards own={firstCards} found={found} isShown onFound={onFound} {...properties} />
      </section>
      {[...topics].map(([group, own]) => (
        <section key={group} className={`stack gap-12 ${styles.group}`} data-topic={group}>
          <Fold
            level={2}
            title={groupTitles[group]}
            aside={figuresText(own, found, open.has(group))}
            isExpanded={open.has(group)}
            onExpandedChange={() => setOpen((before) => before.symmetricDifference(new Set([group])))}
          >
            <div className="stack gap-12">
              <Cards own={own} found={found} isShown={open.has(group)} onFound={onFound} {...properties} />
            </div>
          </Fold>
        </section>
      ))}
    </>
  );
}

/** What a person does who moves on. */
const moves = ['wheel', 'pointerdown', 'touchmove', 'keydown'] as const;
/** So long nothing may change its size, and nothing be read, until the page counts as drawn. */
const quietMs = 1000;
/** So long the figure is held in view at most. */
const mostMs = 20_000;

const isInView = (target: HTMLElement): boolean => {
  const { top, bottom } = target.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
};

/**
 * Shows an element and gives it the focus. What is drawn above it would push it away: until the sections are drawn it is brought
 * back when it is pushed out of sight, for `mostMs` at most. It ends at once if the user moves on, by a key, a pointer, the
 * focus, or a scroll without any of these, as assistive technology does.
 * @param sections whose sizes change while they are drawn; one that is read has a part with `aria-busy`
 * @returns ends it
 */
function returnTo(target: HTMLElement, sections: readonly Element[]): () => void {
  let quiet: number | undefined;
  const observer = new ResizeObserver(() => {
    if (!isInView(target)) target.scrollIntoView({ block: 'center' });
    wait();
  });
  const limit = window.setTimeout(stop, mostMs);
  const endIfDrawn = () => (sections.some((section) => section.querySelector('[aria-busy="true"]') !== null) ? wait() : stop());
  function wait() {
    window.clearTimeout(quiet);
    quiet = window.setTimeout(endIfDrawn, quietMs);
  }
  const onFocus = ({ target: focused }: FocusEvent) => {
    if (!(focused instanceof Node && target.contains(focused))) stop();
  };
  // A scroll of ours leaves it in sight, and so does the browser's own, which keeps in place what is read.
  const onScroll = () => {
    if (!isInView(target)) stop();
  };
  function stop() {
    window.clearTimeout(quiet);
    window.clearTimeout(limit);
    observer.disconnect();
    for (const move of moves) window.removeEventListener(move, stop);
    window.removeEventListener('focusin', onFocus);
    window.removeEventListener('scroll', onScroll, true);
  }
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: 'center' });
  for (const section of sections) observer.observe(section);
  for (const move of moves) window.addEventListener(move, stop, { passive: true });
  window.addEventListener('focusin', onFocus);
  window.addEventListener('scroll', onScroll, { capture: true, passive: true });
  wait();
  return stop;
}
