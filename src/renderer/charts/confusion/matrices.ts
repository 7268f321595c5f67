import type { EChartsCoreOption } from 'echarts/core';
import { percent } from '../../../core/figures/shares.ts';
import { mostPanels, type PanelGrid, panelGrid } from '../estimates/panelGrid.ts';
import { nameAxis, shownName, textStyle, tooltip } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';
import type { ConfusionData } from './confusionData.ts';

interface RenderApi {
  value(dimension: number): number;
  coord(point: [number, number]): [number, number];
  size(span: [number, number]): [number, number];
}

/** Pixels of an average letter. */
const letter = 7;

/** Shade of a cell that holds all trials of its truth: the text on it has to stay readable. */
const strongest = 0.5;

export function matrices({ labels, arms }: ConfusionData, panels: PanelGrid, paint: Paint, size: FigureSize): EChartsCoreOption {
  const { grids, titles } = panelGrid(panels, paint, size);
  const shown = arms.slice(0, mostPanels);
  const wide = (grids[0]?.width ?? 0) / labels.length;
  const slanted = labels.some((label) => shownName(label).length * letter > wide);
  const names = (room: number, upright: boolean) => {
    const axis = nameAxis(paint, labels, { room, upright });
    return { ...axis, axisLine: { show: false }, splitArea: { show: false } };
  };
  return {
    animation: false,
    title: titles,
    grid: grids,
    tooltip: {
      ...tooltip(paint),
      trigger: 'item',
      formatter: ({ seriesIndex = 0, dataIndex = 0 }: { seriesIndex?: number; dataIndex?: number }) => {
        const cell = shown[seriesIndex]?.cells[dataIndex];
        if (cell === undefined) return '';
        const share = cell.share === null ? '' : `, ${percent(cell.share)} of this truth`;
        return `${shownName(shown[seriesIndex]?.arm ?? '')}\ntruth ${shownName(cell.truth)}, verdict ${shownName(cell.prediction)}: ${cell.n}${share}`;
      },
    },
    xAxis: shown.map((_arm, place) => {
      const axis = names(Math.max(20, wide - 4), false);
      return {
        ...axis,
        gridIndex: place,
        name: 'verdict',
        nameLocation: 'middle' as const,
        nameGap: slanted ? 42 : 24,
        nameTextStyle: textStyle(paint),
        axisLabel: { ...axis.axisLabel, ...(slanted ? { rotate: wide < 26 ? 75 : 40, width: 56 } : {}) },
      };
    }),
    yAxis: shown.map((_arm, place) => ({ ...names(panels.around.left - 14, true), gridIndex: place })),
    series: shown.map(({ cells }, place) => ({
      type: 'custom' as const,
      id: `cells-${place}`,
      xAxisIndex: place,
      yAxisIndex: place,
      encode: { x: 0, y: 1 },
      data: cells.map(({ truth, prediction, n, share }) => [labels.indexOf(prediction), labels.indexOf(truth), n, share ?? 0]),
      renderItem: (_params: unknown, api: RenderApi) => {
        const [column, row, n, share] = [api.value(0), api.value(1), api.value(2), api.value(3)];
        const [x, y] = api.coord([column, row]);
        const [width, height] = api.size([1, 1]);
        const right = column === row;
        return {
          type: 'group' as const,
          children: [
            {
              type: 'rect' as const,
              shape: { x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2 },
              style: { fill: paint.colour(right ? 'good' : 'bad'), opacity: share * strongest },
            },
            {
              type: 'rect' as const,
              shape: { x: x - width / 2 + 1, y: y - height / 2 + 1, width: width - 2, height: height - 2 },
              style: { fill: 'transparent', stroke: paint.colour(right ? 'line-strong' : 'line'), lineWidth: 1 },
            },
            {
              type: 'text' as const,
              style: {
                text: String(n),
                x,
                y,
                align: 'center' as const,
                verticalAlign: 'middle' as const,
                fill: paint.colour(n === 0 ? 'muted' : 'ink'),
                font: `${right ? 600 : 400} 12px ${paint.colour('sans')}`,
              },
            },
          ],
        };
      },
    })),
  };
}
