import { percent } from '../../../core/figures/shares.ts';
import { type BenchSplit, benchSplits } from '../../../shared/api/deliberation.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { type DotRow, dotRowsOption } from '../deliberation/dotRows.ts';
import { deliberationIn, idsOf, measureOf, rowsByArm } from '../deliberation/ways.ts';
import { smallN } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import { type Figure, type FigureSources, isAbsent, type TrialsBehind } from '../kit/figure.ts';
import { namedTrials } from '../kit/namedTrials.ts';

interface Row extends DotRow {
  readonly arm: string;
  readonly split: BenchSplit;
  readonly share: Measure;
  readonly trials: readonly string[];
}

interface Data {
  readonly rows: readonly Row[];
  readonly agreement: readonly { readonly arm: string; readonly measure: Measure }[];
  readonly level: number;
}

const splitWords: Readonly<Record<BenchSplit, string>> = {
  unanimous: 'unanimous',
  majority: 'majority',
  divided: 'divided',
};

/** How right the verdict is where judges or voters were of one mind, and where they were not. */
export const dissentFigure: Figure<Data> = {
  id: 'dissent',
  title: 'Accuracy by how the bench split',
  paper: null,
  group: 'deliberation',
  needs: ['deliberation'],
  data(sources: FigureSources) {
    const source = deliberationIn(sources);
    if (isAbsent(source)) return source;
    const byArm = rowsByArm(source);
    const rows = source.arms.flatMap(({ name }, arm) =>
      benchSplits.flatMap((split, place): Row[] => {
        const share = measureOf(source, arm, 'split', split);
        const accuracy = measureOf(source, arm, 'accuracy', split);
        const mine = (byArm.get(arm) ?? []).filter((row) => source.rows.split[row] === place);
        if (share === undefined || accuracy === undefined || mine.length === 0) return [];
        const { value, low, high, n, cases } = accuracy;
        const shown = { arm: name, split, share, trials: idsOf(source, mine) };
        return [{ ...shown, group: name, name: `${splitWords[split]}, n = ${n}`, dots: [{ value, low, high, n, cases }] }];
      }),
    );
    if (rows.every(({ dots }) => dots[0]?.value === null)) {
      return {
        absent:
          rows.length === 0
            ? 'No finished trial was decided by several judges or voters. Arms of courtroom with "judges": 3 and of vote have a bench.'
            : 'No case that a bench decided has a known truth. A data set with a label column has accuracies.',
      };
    }
    const agreement = source.arms.flatMap(({ name }, arm) => {
      const measure = measureOf(source, arm, 'bench_agreement');
      return measure === undefined ? [] : [{ arm: name, measure }];
    });
    return { rows, agreement, level: sources.report.interval.level };
  },
  caption({ rows, agreement, level }) {
    const agreed = agreement.map(({ arm, measure: { value, low, high } }) => {
      const interval = low === null || high === null ? '' : ` [${percent(low)}, ${percent(high)}]`;
      return `${arm} ${value === null ? '–' : percent(value)}${interval}`;
    });
    const counts = countsWords(
      rows.map(({ dots }) => dots[0]?.n ?? 0),
      { noun: 'decided trial', about: 'with a known truth', each: 'behind each mark' },
    );
    return `${counts}. Lines are ${percent(level)} intervals over cases. Unanimous: all valid answers name one label; majority: more than half; divided: no more than half. Share of the pairs of judges that agree: ${agreed.join('; ')}. Judges who speak in turn know what the others said.${smallN(Math.min(...rows.map(({ dots }) => dots[0]?.cases ?? 0)))}`;
  },
  height: ({ rows }) => 70 + rows.length * 30,
  option: ({ rows }, paint, size) => dotRowsOption({ rows, series: ['accuracy'], share: true }, paint, size),
  table: ({ rows }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'bench', as: 'text' },
      { name: 'trials', as: 'count' },
      { name: 'share of trials', as: 'share' },
      { name: 'share, low', as: 'share' },
      { name: 'share, high', as: 'share' },
      { name: 'accuracy', as: 'share' },
      { name: 'accuracy, low', as: 'share' },
      { name: 'accuracy, high', as: 'share' },
      { name: 'accuracy, n', as: 'count' },
    ],
    rows: rows.map(({ arm, split, trials, share, dots: [dot] }) => [
      arm,
      split,
      trials.length,
      share.value,
      share.low,
      share.high,
      dot?.value ?? null,
      dot?.low ?? null,
      dot?.high ?? null,
      dot?.n ?? 0,
    ]),
  }),
  behind: ({ rows }, { seriesId, dataIndex }) =>
    seriesId?.startsWith('dots') && rows[dataIndex] !== undefined ? withTruth(rows[dataIndex]) : null,
  behindRow: ({ rows }, row) => (rows[row] === undefined ? null : namedTrials(rows[row].trials)),
};

/** A mark is of the trials with a known truth, a row of the table of all. */
const withTruth = ({ trials, dots: [dot] }: Row): TrialsBehind => ({
  ...namedTrials(trials, { n: dot?.n ?? 0, of: 'trials' }),
  subset: { known: ['truth'] },
});
