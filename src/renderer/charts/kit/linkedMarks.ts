import type { EChartsCoreOption } from 'echarts/core';
import type { DrawnMark, Plot, TrialsBehind } from './figure.ts';
import { behindMark } from './plot.ts';

interface Series {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly data?: readonly unknown[];
}

export interface LinkedMark {
  readonly mark: DrawnMark;
  readonly behind: TrialsBehind;
  /** The series' name, for who cannot see the mark. */
  readonly words: string;
}

export const seriesIn = (option: EChartsCoreOption): readonly Series[] => {
  const { series } = option as { series?: Series | readonly Series[] };
  if (series === undefined) return [];
  return Array.isArray(series) ? series : [series as Series];
};

export const marksIn = (option: EChartsCoreOption): number =>
  seriesIn(option).reduce((sum, { data }) => sum + (data?.length ?? 0), 0);

/** Above so many marks a chart is a canvas, and marks are reached by pointer and table alone. */
export const mostSvgMarks = 2000;

const isDrawn = (item: unknown): boolean => {
  const value = typeof item === 'object' && item !== null && 'value' in item ? item.value : item;
  const numbers: unknown[] = Array.isArray(value) ? value : [value];
  return numbers.every((each) => each !== '-' && each !== null && each !== undefined && !Number.isNaN(each));
};

/** Marks that lead to trials, in the order in which they are drawn; intervals are left to the marks that they are of. */
export function linkedMarks(plot: Plot, option: EChartsCoreOption): LinkedMark[] {
  return seriesIn(option).flatMap(({ id, name, type, data: items }, seriesIndex) =>
    (type === 'custom' && id?.endsWith('-interval') ? [] : (items ?? [])).flatMap((item, dataIndex) => {
      const mark = { seriesIndex, seriesId: id ?? null, dataIndex };
      const behind = isDrawn(item) ? behindMark(plot, mark) : null;
      return behind === null ? [] : [{ mark, behind, words: name ?? '' }];
    }),
  );
}

/** A chart of many marks, drawn some hundred a frame: while it is panned, the page keeps responding. */
export const drawnInSteps = (option: EChartsCoreOption): EChartsCoreOption => ({
  ...option,
  series: seriesIn(option).map((series) => ({ ...series, progressive: 200, progressiveThreshold: 300 })),
});
