import { BarChart } from 'echarts/charts';
import { AriaComponent, GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { init, use as register } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import type { ConfidenceFigure } from '../../../shared/api/experiments.ts';
import { useTheme } from '../../app/theme.tsx';
import styles from './ConfidenceChart.module.css';
import { confidenceOption, seriesOf } from './confidenceOption.ts';

register([BarChart, GridComponent, LegendComponent, TooltipComponent, AriaComponent, SVGRenderer]);

/** Decided trials over the stated confidence, correct and wrong ones told apart by place, pattern and colour. */
export function ConfidenceChart({ bins }: { bins: ConfidenceFigure['bins'] }) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page, which the theme changes
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const chart = init(element, null, { renderer: 'svg' });
    const style = getComputedStyle(document.documentElement);
    chart.setOption(confidenceOption(bins, (token) => style.getPropertyValue(`--${token}`).trim()));
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [bins, theme]);
  return (
    <figure className={styles.figure}>
      <div
        ref={place}
        className={styles.chart}
        role="img"
        aria-label="Bars: trials by stated confidence; the table below has the numbers"
      />
      <figcaption>
        <details>
          <summary>The numbers</summary>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">stated confidence</th>
                {seriesOf(bins).map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bins.map((bin) => (
                <tr key={bin.from}>
                  <th scope="row">
                    {Math.round(bin.from * 100)} to {Math.round(bin.to * 100)} %
                  </th>
                  {seriesOf(bins).map(({ name, kind }) => (
                    <td key={name}>{bin[kind]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  );
}
