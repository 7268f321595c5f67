import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, LockKeyhole, LockKeyholeOpen, Play } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Button as AriaButton, ToggleButton } from 'react-aria-components';
import { useLocation, useRoute } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { z } from 'zod';
import { theSpeaker } from '../../../core/figures/speakers.ts';
import type { TimelineRow } from '../../../core/figures/timeline.ts';
import { linesOf } from '../../../core/telling/blocks.ts';
import { moversOf } from '../../../core/telling/movers.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { useTrialWaits } from '../../app/engineStatus.ts';
import { routes, saidAt, toTrialPlay } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { TimelineScale } from '../../charts/beliefTimeline/BeliefTimeline.tsx';
import { Button } from '../../ui/Button.tsx';
import { KeyHint, keyed } from '../../ui/KeyNames.tsx';
import { readSessionState, saveSessionState } from '../../ui/sessionState.ts';
import { usePrinting } from '../../ui/useMedia.ts';
import { BeliefNote, InLabel } from './CertaintyNotes.tsx';
import { CourtRow } from './CourtRow.tsx';
import { type CourtItem, lastSteps, tailOf } from './courtItems.ts';
import { FindBar, type FindingOpen, useFinding } from './Finding.tsx';
import { heardIn, recordedIn, rowTelling, shownFor } from './finding.ts';
import { begins } from './Playback.tsx';
import styles from './Transcript.module.css';
import { TrialSummary } from './TrialSummary.tsx';
import { Blocks } from './telling/Blocks.tsx';
import { DrawingContext, useTrialDrawing } from './telling/drawing.ts';
import type { TrialState } from './trialState.ts';
import type { Court } from './useCourt.ts';
import { useFollowing } from './useFollowing.ts';
import { usePlayOrigin } from './usePlayOrigin.ts';

/** What a row without a belief draws after the last one: nothing. */
const emptyRow: TimelineRow = { piece: { top: null, dot: null, bottom: null }, step: null, others: [] };

/** Changes of the judge's belief that are shown; the timeline has all. */
const mostMoved = 6;

const playing = 'Play the trial back from its start';

function Movers({ moved }: { moved: ReturnType<typeof moversOf> }) {
  return moved === null ? null : (
    <div className={`stack gap-8 pt-8 ${styles.movers}`}>
      <h4 className="eyebrow">{moved.title}</h4>
      <Blocks blocks={moved.blocks} level={4} name="movers" />
    </div>
  );
}

/** About how high a row will be, before it is drawn. */
function guessedHeight(item: CourtItem | undefined): number {
  if (item === undefined || item.kind !== 'turn') return 120;
  const lines = [...item.steps, ...item.scores].flatMap(({ blocks }) => linesOf(blocks));
  const characters = lines.reduce(
    (sum, { length }) => sum + length,
    [heardIn(item), item.heardInstead === undefined ? '' : recordedIn(item)].join('').length,
  );
  return 110 + Math.ceil(characters / 62) * 26;
}

const nameOf = (item: CourtItem): string => {
  if (item.kind === 'turn') return `${item.who}, ${item.what}`;
  if (item.kind === 'steps') return 'Settled at the end';
  return item.kind === 'end' ? 'End of the trial' : 'In progress';
};

/** Announces the newest entry of the record to screen readers. */
export const Announcement = ({ running, latest }: { running: boolean; latest: CourtItem | undefined }) => (
  <p className="visually-hidden" aria-live="polite">
    {running && latest !== undefined ? `${nameOf(latest)} is on record.` : ''}
  </p>
);

/** What was said, planned, believed and ruled, with the belief next to it. Only the rows in view are in the page, unless it is printed. */
export function Transcript({
  view,
  state,
  court,
  heading,
  findingOpen,
  allOpen,
  onAllOpen,
  onInspect,
  onCurrent,
}: {
  view: TrialView;
  state: TrialState;
  court: Court;
  /** Content above the summary that scrolls away with it. */
  heading: ReactNode;
  findingOpen: FindingOpen;
  /** Sealed plans and private notes are all unfolded. */
  allOpen: boolean;
  onAllOpen: (open: boolean) => void;
  onInspect: (key: string) => void;
  onCurrent: (item: CourtItem | null) => void;
}) {
  const scroller = useRef<HTMLElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const scale = useRef<HTMLDivElement>(null);
  const [headHeight, setHeadHeight] = useState(0);
  // Long names of the timeline's ends take several lines.
  const [scaleHeight, setScaleHeight] = useState(0);
  const { line, entries, writing } = state;
  const running = line.status === 'running';
  const waits = useTrialWaits(line.experiment, view.cast);
  const { around, turns, beliefs, timeline } = court;
  const items = useMemo(
    () => [...turns, ...lastSteps(around, turns), ...tailOf({ entries, line, writing }, waits)],
    [around, turns, entries, line, writing, waits],
  );
  const positionKey = `trial/${line.trial}/row`;
  const [picked, setPicked] = useState<number | null>(null);
  const [top, setTop] = useState(0);
  const [inView, setInView] = useState(0);
  const { drawing, counts } = useTrialDrawing(view, entries, { allOpen, onInspect });
  const focusNext = useRef<number | null>(null);

  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback((index: number) => guessedHeight(items[index]), [items]),
    getItemKey: useCallback((index: number) => items[index]?.id ?? index, [items]),
    overscan: 4,
    scrollMargin: headHeight + scaleHeight,
    scrollPaddingStart: scaleHeight + 8,
    scrollPaddingEnd: 24,
  });
  // The rows begin below the heading and the summary, however high they are.
  useLayoutEffect(() => {
    const [above, ends] = [head.current, scale.current];
    if (above === null || ends === null) return undefined;
    const measure = () => {
      setHeadHeight(above.offsetHeight);
      setScaleHeight(ends.offsetHeight);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(above);
    observer.observe(ends);
    measure();
    return () => observer.disconnect();
  }, []);
  const isPrinting = usePrinting();
  const shownRows = isPrinting ? items.map(({ id }, index) => ({ key: id, index, start: null })) : virtual.getVirtualItems();
  const following = useFollowing(scroller, running, `${virtual.getTotalSize()} ${items.length}`);

  const goTo = (index: number, align: 'start' | 'center') => {
    following.leave();
    setPicked(index);
    // In a very low window the whole screen scrolls.
    scroller.current?.scrollIntoView({ block: 'end' });
    virtual.scrollToIndex(index, { align });
  };
  const sought = saidAt(useHashLocation()[0]);
  const finding = useFinding(items, findingOpen, (index) => goTo(index, 'center'));

  const callOfSought = sought === null ? undefined : drawing.callsOf(sought.seq).at(-1);

  const [, navigate] = useLocation();
  const [isPlayed, played] = useRoute(routes.trialPlay);
  // biome-ignore lint/correctness/useExhaustiveDependencies: to the newest row whenever the play-back moves
  useEffect(() => {
    if (isPlayed) goTo(turns.length - 1, 'start');
  }, [played?.place]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only at first, afterwards the reader decides
  useEffect(() => {
    if (isPlayed) return;
    if (sought !== null) {
      const shown = shownFor(entries, sought.seq);
      if (sought.words === '') goTo(rowTelling(items, shown), 'center');
      else finding.arriveAt(sought.words, shown);
      return;
    }
    const saved = readSessionState(positionKey, z.int().min(0), sessionStorage);
    if (saved !== null && saved > 0 && saved < items.length && !running) virtual.scrollToIndex(saved, { align: 'start' });
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => saveSessionState(positionKey, top), 300);
    return () => clearTimeout(timer);
  }, [positionKey, top]);

  const current = Math.min(picked ?? inView, items.length - 1);
  const currentItem = items[current] ?? null;
  useEffect(() => onCurrent(currentItem), [currentItem, onCurrent]);

  // Rows that were out of view cannot take the focus before they are drawn.
  useEffect(() => {
    if (focusNext.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${focusNext.current}"]`);
    if (row === null || row === undefined) return;
    row.focus({ preventScroll: true });
    focusNext.current = null;
  });
  useEffect(() => {
    if (finding.here === null) return undefined;
    const frame = requestAnimationFrame(() =>
      scroller.current?.querySelector('[data-here]')?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [finding.here]);

  const toRow = (row: number) => {
    focusNext.current = row;
    goTo(row, 'start');
  };
  const playButton = useRef<HTMLButtonElement>(null);
  const leave = usePlayOrigin(isPlayed, playButton, toRow);
  const startPlaying = () => {
    leave();
    navigate(toTrialPlay(line.trial, 1), { state: begins });
  };
  const play = isPlayed || line.status !== 'done' || turns.length < 2 ? null : startPlaying;
  const step = (by: 1 | -1) => toRow(Math.max(0, Math.min(items.length - 1, current + by)));
  useShortcuts([
    { keys: ['j'], does: 'Next utterance', run: () => step(1) },
    { keys: ['k'], does: 'Previous utterance', run: () => step(-1) },
    { keys: ['/'], does: 'Find in the transcript (also Ctrl+F)', run: finding.show },
    { keys: ['f'], does: 'Follow the trial to its end', run: following.follow },
    ...(play === null ? [] : [{ keys: ['b'], does: playing, run: play }]),
  ]);

  /** The row at a third of the height, where the eye rests. */
  const rowInView = ({ scrollTop, clientHeight }: HTMLElement) =>
    virtual.getVirtualItemForOffset(scrollTop + clientHeight / 3)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when rows come or move
  useEffect(() => {
    if (scroller.current !== null) setInView(rowInView(scroller.current));
  }, [items.length, headHeight]);
  const onScroll = () => {
    following.onScroll();
    const element = scroller.current;
    if (element === null) return;
    setTop(virtual.getVirtualItemForOffset(element.scrollTop + scaleHeight)?.index ?? 0);
    setInView(rowInView(element));
  };

  return (
    <div className={`relative stack min-w-0 ${styles.transcript}`}>
      <h2 className="visually-hidden">Transcript</h2>
      {finding.open ? (
        <FindBar
          key={String(finding.takesFocus)}
          finding={finding}
          onCall={callOfSought === undefined ? null : () => onInspect(callOfSought.key)}
          onClose={() => {
            focusNext.current = current;
            finding.close();
          }}
        />
      ) : null}
      <section
        ref={scroller}
        className={styles.scroller}
        onScroll={onScroll}
        onWheel={() => setPicked(null)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        tabIndex={0}
        aria-label="Transcript"
      >
        <div ref={head}>
          {heading}
          {line.outcome === 'decided' ? (
            <DrawingContext value={drawing}>
              <TrialSummary
                line={line}
                court={court}
                unfounded={counts}
                view={view}
                onGo={(turn) => goTo(items.indexOf(turn), 'start')}
              />
            </DrawingContext>
          ) : null}
        </div>
        <div ref={scale} className={styles.scale}>
          <div className="flex items-center gap-6 min-w-0">
            <ToggleButton
              className={`off-paper ${styles.tool}`}
              render={keyed('p', 'Open or fold all plans and private notes')}
              isSelected={allOpen}
              onChange={onAllOpen}
            >
              {allOpen ? <LockKeyholeOpen size={14} aria-hidden="true" /> : <LockKeyhole size={14} aria-hidden="true" />}
              <span className="cut">Plans and notes</span> <KeyHint keys="p" />
            </ToggleButton>
            {play === null ? null : (
              <AriaButton ref={playButton} className={`off-paper ${styles.tool}`} render={keyed('b', playing)} onPress={play}>
                <Play size={14} aria-hidden="true" /> <span className="cut">Play</span> <KeyHint keys="b" />
              </AriaButton>
            )}
            {timeline.role === null ? null : (
              <span className={`flex items-center gap-4 min-w-0 muted text-12-5 ${styles.scaleText}`}>
                <span className="cut">
                  Belief of {theSpeaker(timeline.role)}
                  <InLabel of={timeline} />
                  {running || !timeline.isOnce ? null : ', stated once'}
                </span>
                <BeliefNote timeline={timeline} />
              </span>
            )}
          </div>
          {timeline.role === null ? null : <TimelineScale timeline={timeline} />}
        </div>
        <div role="feed" aria-busy={running} className="relative" style={isPrinting ? {} : { height: virtual.getTotalSize() }}>
          {shownRows.map(({ key, index, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            return (
              <article
                key={key}
                ref={start === null ? null : virtual.measureElement}
                data-index={index}
                aria-label={nameOf(item)}
                aria-posinset={index + 1}
                aria-setsize={items.length}
                tabIndex={-1}
                className={`${start === null ? '' : styles.place} ${index === current && picked !== null ? styles.current : ''}`}
                style={start === null ? {} : { transform: `translateY(${start - headHeight - scaleHeight}px)` }}
                onFocus={() => setPicked(index)}
              >
                <DrawingContext value={drawing}>
                  <CourtRow
                    item={item}
                    timeline={timeline}
                    timelineRow={timeline.rows[index] ?? emptyRow}
                    found={finding.inItem(index)}
                    here={finding.here?.item === index ? finding.here : null}
                  />
                </DrawingContext>
                {item.kind === 'turn' && item.form === 'ruling' ? (
                  <Movers moved={moversOf(beliefs, turns, { role: timeline.role, most: mostMoved, protocol: line.protocol })} />
                ) : null}
              </article>
            );
          })}
        </div>
      </section>
      {running && !following.following ? (
        <div className={styles.follow}>
          <Button icon={ArrowDown} look="primary" onPress={following.follow}>
            Follow
          </Button>
        </div>
      ) : null}
      <Announcement running={running} latest={turns.at(-1)} />
    </div>
  );
}
