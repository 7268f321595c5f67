import { expect, test } from 'vitest';
import { chartSvg } from './draw.ts';
import type { EChartsCoreOption } from './echarts.ts';

const size = { width: 600, height: 300 };
const names = Object.getOwnPropertyNames(Object.prototype);

const optionOf = (data: readonly string[]): EChartsCoreOption => ({
  grid: { left: 150 },
  yAxis: { type: 'category', data, axisLabel: { interval: 0, width: 120, overflow: 'truncate' } },
  xAxis: { type: 'value' },
  series: [{ type: 'bar', data: data.map((_name, index) => index) }],
});

test('names that every object has are names like others: they are drawn, and leave the page’s objects alone', () => {
  expect(names).toContain('__proto__');
  const before = Object.getOwnPropertyNames(Object);
  const svg = chartSvg(optionOf(names), size);
  expect(svg).not.toContain('NaN');
  for (const name of names) expect(svg).toContain(`>${name}</text>`);
  const seen: string[] = [];
  for (const key in {}) seen.push(key);
  expect(seen).toEqual([]);
  expect(Object.getOwnPropertyNames(Object)).toEqual(before);
  expect(names.flatMap((name) => Object.keys(Object(Reflect.get(Object.prototype, name))))).toEqual([]);
});
