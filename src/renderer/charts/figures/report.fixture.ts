import type { Baseline } from '../../../core/baselines/baseline.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { type CountedAnswer, countAnswers } from '../../../core/statistics/answerCounts.ts';
import { statisticsReport } from '../../../core/statistics/measures/statisticsReport.ts';
import { answered, drawing, line } from '../../../core/statistics/measures/trials.fixture.ts';
import type { MeasuredTrial } from '../../../core/statistics/measures/trials.ts';
import type { VerdictPath } from '../../../core/trajectory/verdictPath.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { statsReportSchema } from '../../../shared/outputs.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { init } from '../kit/echarts.ts';
import type { Figure, FigureSources, Plot } from '../kit/figure.ts';
import { paintOf } from '../kit/paint.ts';
import { optionOf } from '../kit/plot.ts';

type Pairs = Parameters<typeof answered>[0];

/** Lines of an arm of trials by truth and prediction as single words, `-` for a failed one. */
export const armOf = (name: string, pairs: Pairs, change: Partial<TrialLine> = {}): TrialLine[] =>
  answered(pairs).map((each) => line(name, each, change));

export const linesOf = (name: string, trials: readonly MeasuredTrial[], change: Partial<TrialLine> = {}): TrialLine[] =>
  trials.map((each) => line(name, each, change));

interface Terms {
  readonly labels?: readonly string[];
  readonly positive?: string | null;
  readonly groups?: readonly string[];
  readonly resamples?: number;
  readonly baselines?: readonly Baseline[];
  readonly paths?: ReadonlyMap<string, VerdictPath>;
  /** Requests by arm. */
  readonly answers?: ReadonlyMap<string, readonly CountedAnswer[]>;
  /** Parameters by arm. */
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Who plays, by arm. */
  readonly casts?: Readonly<Record<string, Readonly<Record<string, { readonly model: string }>>>>;
}

/** A report of these lines as the engine would make it, and the experiment that they are of. */
export function sourcesOf(
  lines: readonly TrialLine[],
  {
    labels = ['NO', 'YES'],
    positive = 'YES',
    groups = [],
    resamples = 0,
    baselines = [],
    paths = new Map(),
    answers = new Map(),
    params = {},
    casts = {},
  }: Terms = {},
): FigureSources {
  const arms = [...new Set(lines.map(({ arm }) => arm))];
  const made = statisticsReport(
    {
      experiment: 'e',
      lines,
      arms,
      paths,
      answers: new Map([...answers].map(([arm, all]) => [arm, countAnswers(all)])),
      terms: { labels, positive, multiLabel: false, groups },
      baselines: { baselines, missing: [] },
      resampling: drawing(resamples),
    },
    () => undefined,
  );
  const protocolOf = (name: string) => lines.find(({ arm }) => arm === name)?.protocol ?? '';
  const view = {
    definition: {
      arms: arms.map((name) => ({ name, protocol: protocolOf(name), params: params[name] ?? {}, cast: casts[name] ?? {} })),
    },
    arms: arms.map((name) => ({ name, protocol_version: findProtocol(protocolOf(name))?.version ?? 1 })),
  } as unknown as ExperimentView;
  return { report: statsReportSchema.parse({ ...made, store: 's' }), view, deliberation: null, protocols: null };
}

/** A baseline that says the same of every case. */
export const constant = (name: string, prediction: string, cases: number): Baseline => ({
  name: name as Baseline['name'],
  predictions: Array.from({ length: cases }, (_none, place) => ({ case: `c${place}`, prediction, belief: null })),
  about: { trained_on: 0, columns: [], dropped: [], library: 'Assize', seed: null, parameters: {}, notes: [] },
});

export function dataOf(figure: Figure, sources: FigureSources): Plot {
  const data = figure.plot(sources);
  if (data === null) throw new Error('There is nothing to draw.');
  return data;
}

export const paint = paintOf('light', (token) => (token === 'sans' ? 'sans-serif' : token));
export const size = { width: 600, height: 300 };

interface DrawnSeries {
  readonly id: string;
  readonly name?: string;
  readonly data: readonly unknown[];
  readonly markLine?: { readonly data: readonly object[] };
}

export const seriesOf = (data: Plot): Record<string, DrawnSeries> =>
  Object.fromEntries((optionOf(data, paint, size) as { series: DrawnSeries[] }).series.map((each) => [each.id, each]));

export const drawnIn = (data: Plot): Record<string, readonly unknown[]> =>
  Object.fromEntries(Object.entries(seriesOf(data)).map(([id, series]) => [id, series.data]));

export function pointsOf(series: ReturnType<typeof seriesOf>, id: string): number[][] {
  const found = series[id];
  if (found === undefined) throw new Error(`no series ${id}`);
  return found.data as number[][];
}

export const mark = (seriesId: string, dataIndex: number) => ({ seriesIndex: 0, seriesId, dataIndex });

export function pictureOf(data: Plot, width: number): string {
  const whole = { width, height: data.height };
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...whole });
  chart.setOption(optionOf(data, paint, whole));
  const picture = chart.renderToSVGString();
  chart.dispose();
  return picture;
}
