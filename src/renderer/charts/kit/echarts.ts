import './cacheKeys.ts';
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
