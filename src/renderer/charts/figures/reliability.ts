import { percent } from '../../../core/figures/shares.ts';
import { binomialCdf } from '../../../core/statistics/binomialCdf.ts';
import { wilson } from '../../../core/statistics/wilson.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import { proportion } from '../../../shared/sizes.ts';
import { listedNames, shareAxis, shownName, smallN } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import { armPanels, inPanels, mostPanels, panelText } from '../kit/layout.ts';
import { line } from '../kit/marks.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { countedTrials, endColumns, endsText, estimate, type Point, plainArms } from '../kit/points.ts';

/** A bin as a mark: its Wilson interval takes the trials in it as independent. */
interface Bin extends Point {
  readonly arm: string;
  readonly from: number;
  readonly to: number;
  /** Mean of the bin. */
  readonly confidence: number;
}

type Arm = Readonly<ReturnType<typeof armOf>>;

function armOf({ arm, reliability, measures }: ArmStatistics, level: number) {
  const errorOf = (kind: string) => measures.find(({ name, label }) => name === `${kind}_calibration_error` && label === null);
  const error = errorOf('expected');
  const bins = reliability.map(({ from, to, n, confidence, accuracy: value }, index): Bin => {
    const interval = wilson(Math.round(value * n), n, level);
    const next = reliability[index + 1];
    // A list of trials takes confidences below its upper end, which is where the next bin begins; but 1 itself where 1 is the end.
    const end = next === undefined ? 1 : next.from < 1 ? next.from : (to + 1) / 2;
    const behind = { ...countedTrials('stated', arm, { n }), confidence: { from, to: end } };
    const [low, high] = [interval?.low ?? 0, interval?.high ?? 1];
    return { arm, from, to, n, cases: n, confidence, value, low, high, method: 'wilson', behind };
  });
  return {
    arm,
    bins,
    error: error?.value ?? null,
    debiased: errorOf('debiased')?.value ?? null,
    stated: error?.n ?? 0,
    cases: error?.cases ?? 0,
  };
}

const rule =
  'Suppose that each decided trial of known truth is right with a probability of the mean stated confidence. An arm is surer than it should be if so few right verdicts, or fewer, would then occur with a probability of at most ' +
  '2.5% divided by the number of arms (exact binomial). It is less sure than it could be if so many, or more, would. Arms that tried a case several times are not named, because their trials are not independent. ' +
  'If every stated confidence were true, at most one of twenty experiments would name an arm.';
const risk = 0.05;

/** Above 0: surer than right. Null where neither can be said. */
function leaning({ bins, stated, cases }: Arm, arms: number): -1 | 1 | null {
  if (stated === 0 || stated !== cases) return null;
  const right = bins.reduce((sum, { value, n }) => sum + Math.round(value * n), 0);
  const confidence = bins.reduce((sum, bin) => sum + bin.confidence * bin.n, 0) / stated;
  const rare = risk / 2 / arms;
  if (binomialCdf(right, stated, confidence) <= rare) return 1;
  return binomialCdf(stated - right, stated, 1 - confidence) <= rare ? -1 : null;
}

function findingOf(arms: readonly Arm[], of: Pick<StatsReport, 'decided_by'>) {
  const said = (words: string, way: -1 | 1) => {
    const names = arms.filter((arm) => leaning(arm, arms.length) === way).map(({ arm }) => arm);
    return names.length === 0 ? [] : [`${words}: ${listedNames(names)}`];
  };
  const ofTruth = of.decided_by === undefined;
  const sentence = [
    ...said(ofTruth ? 'surer than right' : `more often sure than in ${rightWords(of).accuracy}`, 1),
    ...said(ofTruth ? 'right more often than sure' : `more often in ${rightWords(of).accuracy} than sure`, -1),
  ].join('; ');
  return sentence === '' ? null : { sentence: `${capitalized(sentence)}.`, rule: retitled(rule, of) };
}

/** Stated confidence against the share that is right, arm by arm: a reliability diagram. */
export const reliabilityFigure = figure({
  id: 'reliability',
  title: 'Calibration: stated confidence against how often it was right',
  paper: 'EVINCE: expected calibration error',
  requires: 'decided trials of known truth with a stated confidence; cases of several labels have none as a whole',
  plot({ report }) {
    const { level } = report.interval;
    const arms = plainArms(report)
      .filter(({ reliability }) => reliability.length > 0)
      .map((arm) => armOf(arm, level));
    if (arms.length === 0) return null;
    const shown = arms.slice(0, mostPanels);
    const panels = armPanels({
      titles: shown.map(({ arm }) => arm),
      notes: shown.map(({ debiased }) => (debiased === null ? '' : ` (debiased error ${proportion(debiased)})`)),
      around: { left: 46, right: 18, top: 24, bottom: 48 },
      head: 8,
      high: 250,
    });
    const most = Math.max(...shown.flatMap(({ bins }) => bins.map(({ n }) => n)));
    const counts = countsAsText(arms, ({ stated }) => stated, { noun: 'decided trial', about: 'with a stated confidence' });
    const replicates = arms.some(({ stated, cases }) => stated !== cases)
      ? ' Trials of the same case count as independent in a bin, so its interval is too narrow.'
      : '';
    return {
      caption: `${counts}, in at most 15 bins of equal frequency, equal values never split; a larger mark has more trials. Lines are ${percent(level)} Wilson intervals of each bin. Dotted: where confidence and ${rightWords(report).accuracy} are equal. The debiased error next to a name is to be read first: the expected calibration error, which the table has too, is too large over few trials. A debiased error of 0 is no more than chance gives among so many trials, and no proof of calibration. Neither has an interval: errors of resamples are larger. The calibration slope and the intercept have an interval, in the measures.${replicates}${panelText(arms.length)}${smallN(Math.min(...arms.map(({ cases }) => cases)))}`,
      finding: findingOf(arms, report),
      ...inPanels(panels, shown, (_arm, paint, { place }) => ({
        x: { ...shareAxis(paint, { name: 'stated confidence', nameGap: 24 }), splitNumber: 2 },
        y: { ...shareAxis(paint, place % 2 === 0 ? { name: retitled('right', report), nameGap: 34 } : {}), splitNumber: 2 },
      })),
      marks: shown.flatMap(({ bins }, panel) => [
        ...estimate<Bin>({
          id: `bins-${panel}`,
          rows: bins,
          panel,
          of: (bin) => bin,
          at: ({ confidence }) => confidence,
          along: 'y',
          colour: 0,
          // The area of a mark grows with its trials.
          size: ({ n }) => 5 + 11 * Math.sqrt(n / most),
          width: 1,
          tip: ({ arm, confidence, n }, point) =>
            `${shownName(arm)}\nstated ${percent(confidence)} on average\n${retitled('right', report)} ${endsText(point)}, n = ${n}`,
        }),
        line({
          id: `diagonal-${panel}`,
          panel,
          rows: [0, 1],
          x: (end) => end,
          y: (end) => end,
          symbol: 'none',
          colour: 'line-strong',
          width: 1.5,
          dash: 'dotted',
          also: { silent: true },
        }),
      ]),
      table: table(
        arms.flatMap(({ bins, error, debiased }) => bins.map((bin) => ({ ...bin, error, debiased }))),
        [
          text('arm', ({ arm }: Bin & Pick<Arm, 'error' | 'debiased'>) => arm),
          share('lowest confidence', ({ from }) => from),
          share('highest confidence', ({ to }) => to),
          share('mean confidence', ({ confidence }) => confidence),
          ...endColumns(
            [retitled('right', report), retitled('right, low', report), retitled('right, high', report)],
            share,
            (bin: Bin) => bin,
          ),
          count('n', ({ n }) => n),
          text('interval', ({ method }) => method),
          number('debiased calibration error of the arm', ({ debiased }) => debiased),
          number('expected calibration error of the arm', ({ error }) => error),
        ],
        ({ behind }) => behind,
      ),
    };
  },
});
