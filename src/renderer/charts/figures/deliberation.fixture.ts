import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { Measure } from '../../../shared/statistics.ts';
import type { FigureSources } from '../kit/figure.ts';

/** A measure of the report with an interval of 0.1 to both sides. */
export const measure = (name: string, value: number, change: Partial<Measure> = {}): Measure => ({
  name,
  label: null,
  side: null,
  turn: null,
  over: 'decided',
  n: 4,
  cases: 4,
  value,
  low: value - 0.1,
  high: value + 0.1,
  level: 0.95,
  interval_method: 'bca',
  resamples: 2000,
  undefined_resamples: 0,
  seed: 7,
  why_null: null,
  ...change,
});

/** Sources of a figure: arms with some measures, and what the ways are. */
export const sourcesOf = (
  deliberation: DeliberationFigures | null,
  arms: readonly { arm: string; measures: readonly Measure[] }[] = [],
  change: Partial<FigureSources['report']> = {},
): FigureSources =>
  ({
    view: {},
    report: { arms: arms.map((arm) => ({ swap: null, base_arm: null, ...arm })), interval: { level: 0.95 }, ...change },
    deliberation,
    protocols: null,
  }) as unknown as FigureSources;
