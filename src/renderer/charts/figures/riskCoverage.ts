import { percent } from '../../../core/figures/shares.ts';
import { accuracyAtName, coverages } from '../../../core/statistics/riskCoverage.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import type { Declining } from '../../../shared/statistics.ts';
import { shareAxis, shownName, smallN } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import type { TrialsBehind } from '../kit/figure.ts';
import { armPanels, inPanels, mostPanels, panelText } from '../kit/layout.ts';
import { line } from '../kit/marks.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { countedTrials, estimate, type Point, plainArms } from '../kit/points.ts';

/** What is answered from a confidence on. */
interface Step {
  readonly arm: string;
  readonly least: number;
  readonly n: number;
  readonly coverage: number;
  readonly risk: number;
  readonly behind: TrialsBehind;
}

interface Row {
  readonly arm: string;
  readonly steps: readonly Step[];
  /** Risk at the shares of which the report has an interval. */
  readonly chosen: readonly (Point & { readonly coverage: number })[];
  readonly area: number | null;
  readonly finished: number;
}

function rowOf({ arm, measures }: ArmStatistics, { curve, finished }: Declining): Row {
  const steps = curve.map(({ least_confidence: least, n, coverage, risk }): Step => {
    const behind = { ...countedTrials('stated', arm, { n }), confidence: { from: least, to: 1 } };
    return { arm, least, n, coverage, risk, behind };
  });
  const chosen = coverages.flatMap((coverage) => {
    const found = measures.find(({ name }) => name === accuracyAtName(coverage));
    if (found === undefined || found.value === null) return [];
    const { value, low, high, n, cases, interval_method: method } = found;
    const behind = steps.find((step) => step.n === n)?.behind ?? null;
    const ends = { low: high === null ? null : 1 - high, high: low === null ? null : 1 - low };
    return [{ value: 1 - value, ...ends, n, cases, method, behind, coverage: n / finished }];
  });
  const area = measures.find(({ name }) => name === 'area_under_risk_coverage')?.value ?? null;
  return { arm, steps, chosen, area, finished };
}

export const riskCoverageFigure = figure({
  id: 'risk-coverage',
  title: 'How often wrong, if only the surest are answered',
  requires: 'decided trials of known truth with at least two different stated confidences',
  plot({ report }) {
    const rows = plainArms(report).flatMap((arm) =>
      arm.declining === undefined || arm.declining.curve.length < 2 ? [] : [rowOf(arm, arm.declining)],
    );
    if (rows.length === 0) return null;
    const shown = rows.slice(0, mostPanels);
    const panels = armPanels({
      titles: shown.map(({ arm }) => arm),
      notes: shown.map(({ area }) => (area === null ? '' : ` (area ${area.toFixed(2)})`)),
      around: { left: 46, right: 18, top: 24, bottom: 48 },
      head: 8,
      high: 250,
    });
    const most = Math.max(
      ...shown.flatMap(({ steps, chosen }) => [...steps.map(({ risk }) => risk), ...chosen.map(({ high }) => high ?? 0)]),
    );
    const top = Math.min(1, Math.ceil(most * 10) / 10 + 0.1);
    const counts = countsAsText(rows, ({ finished }) => finished, {
      noun: 'finished trial',
      about: retitled('with a known truth', report),
    });
    return {
      caption: `${counts}. From left to right the threshold of confidence falls and more is answered; failures and trials without a confidence are never answered. Large marks are at the first threshold that answers 50%, 80%, 90% and 95% of the trials, with ${percent(report.interval.level)} bootstrap intervals over cases.${panelText(rows.length)}${smallN(Math.min(...rows.map(({ chosen, finished }) => chosen[0]?.cases ?? finished)))}`,
      ...inPanels(panels, shown, (_row, paint, { place }) => ({
        x: { ...shareAxis(paint, { name: 'answered', nameGap: 24 }), splitNumber: 2 },
        y: {
          ...shareAxis(paint, place % 2 === 0 ? { name: retitled('wrong of these', report), nameGap: 34 } : {}),
          max: top,
          interval: top / 2,
        },
      })),
      marks: shown.flatMap(({ arm, steps, chosen }, panel) => [
        line<Step>({
          id: `curve-${panel}`,
          panel,
          rows: steps,
          x: ({ coverage }) => coverage,
          y: ({ risk }) => risk,
          symbol: 'circle',
          size: 4,
          colour: 0,
          tip: ({ least, coverage, risk, n }) =>
            `${shownName(arm)}\nfrom a confidence of ${percent(least)} on\nanswered ${percent(coverage)}, ${retitled('wrong', report)} ${percent(risk)}, n = ${n}`,
          behind: ({ behind }) => behind,
        }),
        ...estimate<Row['chosen'][number]>({
          id: `chosen-${panel}`,
          panel,
          rows: chosen,
          of: (point) => point,
          at: ({ coverage }) => coverage,
          along: 'y',
          colour: 0,
          width: 1,
          tip: ({ coverage, value, n }) =>
            `${shownName(arm)}\nanswered ${percent(coverage)}, ${retitled('wrong', report)} ${percent(value)}, n = ${n}`,
        }),
      ]),
      table: table(
        rows.flatMap(({ steps, area }) => steps.map((step) => ({ ...step, area }))),
        [
          text('arm', ({ arm }: Step & { area: number | null }) => arm),
          share('confidence from', ({ least }) => least),
          share('answered', ({ coverage }) => coverage),
          share(retitled('wrong of these', report), ({ risk }) => risk),
          count('n', ({ n }) => n),
          number('area of the arm', ({ area }) => area),
        ],
        ({ behind }) => behind,
      ),
    };
  },
});
