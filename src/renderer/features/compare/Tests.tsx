import type { Compared } from '../../../shared/api/compared.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { Fold } from '../../ui/Fold.tsx';
import tables from '../experiments/Experiment.module.css';
import { chanceWords, measureWords, written } from '../experiments/estimateWords.ts';
import styles from './Compare.module.css';
import { familyWords, paperStyleLabel, paperStyleWhy } from './compareWords.ts';

const ranked = { brier: 'Brier losses', correctness: 'how often each case was right' } as const;

function Rows({ comparison }: { comparison: Comparison }) {
  const { mcnemar, wilcoxon, cliffs_delta: delta } = comparison;
  return (
    <tbody>
      <tr>
        <th scope="row">McNemar, exact</th>
        <td>cases on which one is right and the other is not</td>
        <td className={tables.number}>{mcnemar.a_only + mcnemar.b_only}</td>
        <td className={tables.number}>{chanceWords(mcnemar.p)}</td>
        <td className={tables.number}>{chanceWords(mcnemar.p_adjusted)}</td>
      </tr>
      {wilcoxon === null ? null : (
        <tr>
          <th scope="row">Wilcoxon signed ranks, {wilcoxon.method}</th>
          <td>
            {ranked[wilcoxon.of]} of {wilcoxon.cases} cases; statistic {wilcoxon.statistic}
          </td>
          <td className={tables.number}>{wilcoxon.n}</td>
          <td className={tables.number}>{chanceWords(wilcoxon.p)}</td>
          <td className={tables.number}>{chanceWords(wilcoxon.p_adjusted)}</td>
        </tr>
      )}
      {delta === null ? null : (
        <tr>
          <th scope="row">Cliff’s delta</th>
          <td>{written(delta, 'number')}; above 0 where the first is better, between −1 and 1</td>
          <td className={tables.number}>–</td>
          <td className={tables.number}>–</td>
          <td className={tables.number}>–</td>
        </tr>
      )}
    </tbody>
  );
}

/** The tests of a pair, and apart from them the papers' own, which is none. */
export function Tests({
  comparison,
  report,
  isInReport,
  paperStyle,
}: {
  comparison: Comparison;
  report: StatsReport | null;
  isInReport: boolean;
  paperStyle: Compared['paper_style'];
}) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too */}
      <section className={tables.tableFrame} aria-label="Tests of this pair" tabIndex={0}>
        <table className={tables.table}>
          <caption className="visually-hidden">Tests of this pair</caption>
          <thead>
            <tr>
              <th scope="col">test</th>
              <th scope="col">of</th>
              <th scope="col" className={tables.number}>
                that differ
              </th>
              <th scope="col" className={tables.number}>
                p
              </th>
              <th scope="col" className={tables.number}>
                p adjusted
              </th>
            </tr>
          </thead>
          <Rows comparison={comparison} />
        </table>
      </section>
      <p className={tables.note}>p-values are {familyWords(report, isInReport)}.</p>
      {paperStyle.length === 0 ? null : (
        <Fold title="Wilcoxon over 20 bootstrap replicates" aside={paperStyleLabel} level={3}>
          <div className={styles.paper}>
            <p>
              <strong>{paperStyleLabel}</strong>. {paperStyleWhy}
            </p>
            <ul>
              {paperStyle.map(({ measure, mean_difference, replicates, statistic, p, seed }) => (
                <li key={measure}>
                  {measure === 'accuracy' ? 'Accuracy' : measureWords({ name: measure, label: null, side: null, turn: null })}:
                  mean difference {written(mean_difference, 'points')} points over {replicates} replicates
                  {statistic === null ? ', none of which differs' : `, statistic ${statistic}, p ${chanceWords(p)}`}; seed {seed}.
                </li>
              ))}
            </ul>
          </div>
        </Fold>
      )}
    </>
  );
}
