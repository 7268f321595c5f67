import { textStyle } from '../kit/axes.ts';
import type { Paint } from '../kit/figure.ts';
import { told } from './told.ts';

/** Tables whose fields are darker where a number is higher, with the number in words on each. */

export interface HeatField {
  readonly column: number;
  readonly row: number;
  readonly value: number;
  readonly words: string;
  /** What it is of, as the tooltip tells it. */
  readonly title: string;
}

/** From hardly told from the page to the first colour of the palette. */
export const heatScale = (paint: Paint, min: number, max: number) => ({
  type: 'continuous' as const,
  show: false,
  min,
  max,
  dimension: 2,
  seriesIndex: 0,
  inRange: { color: [paint.colour('sunken'), paint.series(0).colour] },
});

/** @param room pixels of the words across */
export const heatFields = (
  paint: Paint,
  { id, fields, room }: { readonly id: string; readonly fields: readonly HeatField[]; readonly room: number },
) => [
  {
    type: 'heatmap' as const,
    id,
    ...told(2, 3, (value) => String(Number(value.toFixed(4)))),
    data: fields.map(({ column, row, value, title }) => [column, row, value, title]),
    itemStyle: { borderColor: paint.colour('paper'), borderWidth: 2 },
    emphasis: { disabled: true },
    label: { show: false },
  },
  {
    // On a ground of their own, since a field can be of any darkness.
    type: 'scatter' as const,
    id: `${id}/words`,
    silent: true,
    symbol: 'roundRect',
    symbolSize: [room, 20],
    itemStyle: { color: paint.colour('paper'), opacity: 1 },
    tooltip: { show: false },
    z: 5,
    data: fields.map(({ column, row, words }) => ({
      value: [column, row],
      label: { show: true, formatter: words, ...textStyle(paint), color: paint.colour('ink') },
    })),
  },
];
