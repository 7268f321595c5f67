import { percent } from '../../../core/figures/shares.ts';
import { type BenchSplit, benchSplits, benchText } from '../../../shared/api/deliberation.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { smallN } from '../kit/axes.ts';
import { idsOf, measureOf, rowsByArm } from '../kit/beliefLines.ts';
import { countsAsText } from '../kit/counts.ts';
import { dotRows } from '../kit/dotRows.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { endColumns, namedTrials, type Point, pointIn, shareText } from '../kit/points.ts';

interface Row {
  readonly arm: string;
  readonly split: BenchSplit;
  readonly share: Measure;
  readonly accuracy: Measure;
  readonly trials: readonly string[];
}

/** A mark is of the trials with a known truth, a row of the table of all. */
const pointOf = ({ accuracy, trials }: Row): Point | null =>
  pointIn(accuracy, { ...namedTrials(trials, { n: accuracy.n, of: 'trials' }), subset: { known: ['truth'] } });

/** How right the verdict is where judges or voters were of one mind, and where they were not. */
export const dissentFigure = figure({
  id: 'dissent',
  title: 'Accuracy by how the bench split',
  requires:
    'trials of cases of known truth that several judges or voters decided: arms of courtroom with several judges and of vote have a bench',
  needs: ['deliberation'],
  plot({ deliberation: source, report }) {
    const byArm = rowsByArm(source);
    const rows = source.arms.flatMap(({ name }, arm) =>
      benchSplits.flatMap((split, place): Row[] => {
        const [portion, accuracy] = [measureOf(source, arm, 'split', split), measureOf(source, arm, 'accuracy', split)];
        const mine = (byArm.get(arm) ?? []).filter((row) => source.rows.split[row] === place);
        if (portion === undefined || accuracy === undefined || mine.length === 0) return [];
        return [{ arm: name, split, share: portion, accuracy, trials: idsOf(source, mine) }];
      }),
    );
    if (rows.every(({ accuracy }) => accuracy.value === null)) return null;
    const agreed = source.arms.flatMap(({ name }, arm) => {
      const measure = measureOf(source, arm, 'bench_agreement');
      return measure === undefined ? [] : [`${name} ${shareText(measure)}`];
    });
    const counts = countsAsText(rows, ({ accuracy }) => accuracy.n, {
      noun: 'decided trial',
      about: retitled('with a known truth', report),
      each: 'behind each mark',
    });
    return {
      caption: `${counts}. Lines are ${percent(report.interval.level)} intervals over cases. Unanimous: all valid answers name one label; bench majority: more than half; divided: no more than half. Share of the pairs of judges that agree: ${agreed.join('; ')}. Judges who speak in turn know what the others said.${smallN(Math.min(...rows.map(({ accuracy }) => accuracy.cases)))}`,
      ...dotRows({
        rows,
        name: ({ split, accuracy: { n } }) => `${benchText[split]}, n = ${n}`,
        group: ({ arm }) => arm,
        legend: false,
        panels: [{ id: 'bench', scale: 'share', channels: [{ id: 'accuracy', name: rightWords(report).accuracy, of: pointOf }] }],
      }),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Row) => arm),
          text('bench', ({ split }) => benchText[split]),
          count('trials', ({ trials }) => trials.length),
          ...endColumns(['share of trials', 'share, low', 'share, high'], share, (row: Row) => row.share),
          ...endColumns(
            [retitled('accuracy', report), retitled('accuracy, low', report), retitled('accuracy, high', report)],
            share,
            (row: Row) => row.accuracy,
          ),
          count(retitled('accuracy, n', report), ({ accuracy }) => accuracy.n),
        ],
        ({ trials }) => namedTrials(trials),
      ),
    };
  },
});
