import { BarChart, CustomChart, HeatmapChart, LineChart, LinesChart, ScatterChart } from 'echarts/charts';
import {
  AriaComponent,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  LegendComponent,
  LegendScrollComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components';
import { use as register } from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import LRU from 'zrender/lib/core/LRU.js';

/** The parts of ECharts that figures may use; what is not here draws nothing. This file is the lazily loaded chunk. */
register([
  AriaComponent,
  BarChart,
  CanvasRenderer,
  CustomChart,
  DataZoomInsideComponent,
  DataZoomSliderComponent,
  GridComponent,
  HeatmapChart,
  LabelLayout,
  LegendComponent,
  LegendScrollComponent,
  LineChart,
  LinesChart,
  MarkAreaComponent,
  MarkLineComponent,
  ScatterChart,
  SVGRenderer,
  TitleComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
]);

export { type ECharts, type EChartsCoreOption, init } from 'echarts/core';

/**
 * The drawing library keeps widths of texts in plain objects under the text itself. A text such as `__proto__` or `constructor`,
 * which a data set may bring as a label, an arm or a group, would so lead it to write into the objects that the whole page
 * shares, after which nothing on it works. Such keys are kept apart from what every object has.
 */
const ownKey = (key: string | number): string | number =>
  typeof key === 'string' && key in Object.prototype ? `key ${key}` : key;

type Cache = Pick<LRU<unknown>, 'get' | 'put'>;
const cache: Cache = LRU.prototype;
const { get, put } = cache;

cache.get = function getOwn(this: LRU<unknown>, key) {
  return get.call(this, ownKey(key));
};
cache.put = function putOwn(this: LRU<unknown>, key, value) {
  return put.call(this, ownKey(key), value);
};
