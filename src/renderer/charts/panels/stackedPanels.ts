import { shownName, textStyle } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';

/** Panels of named steps, one under the other, each as high as the others. */
export interface StackedPanels {
  readonly panels: readonly { readonly title: string; readonly steps: readonly string[] }[];
  /** Pixels above all panels, left of a panel's area, and of a panel around it from above to below. */
  readonly top: number;
  readonly left: number;
  readonly around: number;
  /** Steps that stay free at both ends of an axis. */
  readonly margin: number;
}

const titleRoom = 22;

/** Titles, areas and axes of steps; marks stand at the place of their step from 0, or beside it. */
export function stackedPanels({ panels, top, left, around, margin }: StackedPanels, paint: Paint, { height }: FigureSize) {
  const each = (height - top) / panels.length;
  return {
    title: panels.map(({ title }, index) => ({
      text: title,
      left: left - 6,
      top: top + index * each - 4,
      textStyle: { ...textStyle(paint), color: paint.colour('ink'), fontWeight: 600 as const },
    })),
    grid: panels.map((_panel, index) => ({ left, right: 14, top: top + index * each + titleRoom, height: each - around })),
    xAxis: panels.map(({ steps }, index) => ({
      type: 'value' as const,
      gridIndex: index,
      min: -margin,
      max: steps.length - 1 + margin,
      axisLabel: {
        ...textStyle(paint),
        color: paint.colour('ink'),
        hideOverlap: true,
        customValues: [...steps.keys()],
        formatter: (x: number) => shownName(steps[x] ?? ''),
      },
      axisLine: { show: true, onZero: false, lineStyle: { color: paint.colour('line-strong') } },
      axisTick: { show: false },
      splitLine: { show: false },
    })),
  };
}
