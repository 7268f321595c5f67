import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTheme } from '../../app/theme.tsx';
import { usePrinting } from '../../ui/useMedia.ts';
import { type ECharts, init } from './echarts.ts';
import styles from './Figure.module.css';
import type { DrawnMark, Paint, Plot, TrialsBehind } from './figure.ts';
import { drawnInSteps, type LinkedMark, linkedMarks, marksIn, mostSvgMarks } from './linkedMarks.ts';
import { paintOf } from './paint.ts';
import type { Theme } from './palette.ts';
import { behindMark, heightAt, optionOf } from './plot.ts';

function pagePaint(theme: Theme): Paint {
  const style = getComputedStyle(document.documentElement);
  return paintOf(theme, (token) => style.getPropertyValue(`--${token}`).trim());
}

export interface ChartProperties {
  readonly plot: Plot;
  /** What it shows, for who cannot see it. */
  readonly label: string;
  /** Opens the trials behind a mark, or with a modifier key narrows the dashboard to the trials of the mark. */
  onMark(behind: TrialsBehind, narrow: boolean): void;
  /** A name of the legend was pressed with a modifier key. */
  onLegend(name: string): void;
}

interface Drawn {
  readonly chart: ECharts;
  readonly marks: readonly LinkedMark[];
}

/** Width of a figure on A4 and Letter. Pixels. */
const paperWidth = 600;

const isClick = (
  event: unknown,
): event is DrawnMark & { componentType: string; seriesId?: string; event?: { event?: MouseEvent } } =>
  typeof event === 'object' && event !== null && 'dataIndex' in event && 'seriesIndex' in event;

/** What ECharts hears of the pointer, in Edge by other names. */
const heardEvents = ['down', 'move', 'up', 'out']
  .flatMap((what) => [`mouse${what}`, `pointer${what}`])
  .concat('click', 'dblclick', 'wheel', 'mousewheel', 'contextmenu');

/** ECharts reads `offsetX` as pixels of its drawing, but it grows with the size of the text. */
function placeInDrawing(event: Event) {
  if (!(event instanceof MouseEvent && event.currentTarget instanceof HTMLElement)) return;
  const { left, top, width } = event.currentTarget.getBoundingClientRect();
  const scale = event.currentTarget.clientWidth / width;
  Object.defineProperty(event, 'offsetX', { value: (event.clientX - left) * scale });
  Object.defineProperty(event, 'offsetY', { value: (event.clientY - top) * scale });
}

/** Steps by which the keys move from mark to mark. */
const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A figure drawn: SVG, or a canvas where there are many marks. By keyboard the arrows go from mark to mark. */
export default function Chart({ plot, label, onMark, onLegend }: ChartProperties) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const actions = useRef({ onMark, onLegend });
  actions.current = { onMark, onLegend };
  const [focused, setFocused] = useState<number | null>(null);
  const theme = useTheme();
  const isPrinting = usePrinting();

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const paint = pagePaint(theme);
    let height = 0;
    const draw = () => {
      const width = isPrinting ? paperWidth : element.clientWidth || 640;
      height = heightAt(plot, width);
      element.style.height = `${height}px`;
      return optionOf(plot, paint, { width, height });
    };
    const first = draw();
    const many = marksIn(first) > mostSvgMarks;
    const chart = init(element, null, { renderer: many ? 'canvas' : 'svg', ...(isPrinting ? { width: paperWidth } : {}) });
    // For tests and for who inspects the page: the chart itself says what it has drawn.
    Reflect.set(element, 'chart', chart);
    const show = (option: typeof first) => {
      chart.setOption({ ...(many ? drawnInSteps(option) : option), animation: false }, { notMerge: true });
      drawn.current = { chart, marks: many ? [] : linkedMarks(plot, option) };
    };
    show(first);
    let narrow = false;
    const notePointer = (event: PointerEvent) => {
      narrow = event.ctrlKey || event.metaKey || event.shiftKey;
    };
    element.addEventListener('pointerdown', notePointer, { capture: true });
    for (const name of heardEvents) element.addEventListener(name, placeInDrawing, { capture: true });
    chart.on('click', (event) => {
      if (!isClick(event) || event.componentType !== 'series') return;
      const { seriesIndex, seriesId, dataIndex } = event;
      const behind = behindMark(plot, { seriesIndex, seriesId: seriesId ?? null, dataIndex });
      if (behind !== null) actions.current.onMark(behind, narrow);
    });
    // Words that are drawn over a mark, or over its neighbours, must not take the clicks that are meant for these.
    chart.on('showtip', () => {
      for (const root of chart.getZr().storage.getRoots()) if (root.type === 'text') root.silent = true;
    });
    chart.on('legendselectchanged', (event) => {
      if (!narrow || !('name' in (event as object))) return;
      const { name } = event as { name: string };
      chart.dispatchAction({ type: 'legendSelect', name });
      actions.current.onLegend(name);
    });
    let width = element.clientWidth;
    let asked = 0;
    const adapt = () => {
      const option = draw();
      chart.resize({ height });
      show(option);
    };
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width || element.clientWidth === 0) return;
      width = element.clientWidth;
      // Browsers report an error if the observer itself changes the height.
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(adapt);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(asked);
      element.removeEventListener('pointerdown', notePointer, { capture: true });
      for (const name of heardEvents) element.removeEventListener(name, placeInDrawing, { capture: true });
      drawn.current = null;
      Reflect.deleteProperty(element, 'chart');
      chart.dispose();
    };
  }, [plot, theme, isPrinting]);

  const marks = drawn.current?.marks ?? [];
  const at = focused === null ? undefined : marks[focused];

  function moveTo(index: number) {
    const now = drawn.current;
    const mark = now?.marks[index]?.mark;
    if (now === null || mark === undefined) return;
    setFocused(index);
    const { seriesIndex, dataIndex } = mark;
    now.chart.dispatchAction({ type: 'downplay' });
    now.chart.dispatchAction({ type: 'highlight', seriesIndex, dataIndex });
    now.chart.dispatchAction({ type: 'showTip', seriesIndex, dataIndex });
  }

  function onKeyDown(event: KeyboardEvent) {
    const count = drawn.current?.marks.length ?? 0;
    const step = steps[event.key];
    if (count === 0 || event.altKey) return;
    if (step !== undefined) {
      event.preventDefault();
      moveTo(focused === null ? (step > 0 ? 0 : count - 1) : (focused + step + count) % count);
    } else if ((event.key === 'Enter' || event.key === ' ') && at !== undefined) {
      event.preventDefault();
      onMark(at.behind, event.ctrlKey || event.metaKey || event.shiftKey);
    }
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: an image that the keys go through is no img element */}
      <div
        ref={place}
        className={styles.chart}
        style={{ minHeight: plot.height }}
        role="group"
        aria-roledescription="chart"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys go from mark to mark
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setFocused(null);
          drawn.current?.chart.dispatchAction({ type: 'hideTip' });
          drawn.current?.chart.dispatchAction({ type: 'downplay' });
        }}
      />
      <p className="visually-hidden" role="status">
        {at === undefined || focused === null
          ? ''
          : `${at.words === '' ? 'Mark' : at.words}, ${focused + 1} of ${marks.length}. Enter opens its trials.`}
      </p>
    </>
  );
}
