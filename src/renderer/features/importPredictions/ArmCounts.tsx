import type { ImportReport } from '../../../shared/imported.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import importing from '../importing/Importing.module.css';
import styles from './ImportPredictions.module.css';

const grouped = (count: number) => count.toLocaleString('en-GB');

/** The arms of an import with their counts, and what the reader has to know besides. */
export function ArmCounts({ report }: { report: ImportReport }) {
  const { arms, cases, not_on_trial: off, repeats } = report;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too */}
      <section className={styles.tableFrame} aria-label="Imported arms" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">arm</th>
              <th scope="col" className={styles.number}>
                predictions
              </th>
              <th scope="col" className={styles.number}>
                new
              </th>
              <th scope="col" className={styles.number}>
                cases
              </th>
              <th scope="col" className={styles.number}>
                decided
              </th>
              <th scope="col" className={styles.number}>
                undecided
              </th>
            </tr>
          </thead>
          <tbody>
            {arms.map((arm) => (
              <tr key={arm.arm}>
                <th scope="row">
                  <Isolated text={arm.arm} />
                </th>
                <td className={styles.number}>{grouped(arm.trials)}</td>
                <td className={styles.number}>{grouped(arm.imported_now)}</td>
                <td className={styles.number}>
                  {grouped(arm.cases)}
                  <span className={importing.quiet}>/{grouped(cases.on_trial)}</span>
                </td>
                <td className={styles.number}>{grouped(arm.decided)}</td>
                <td className={`${styles.number} ${arm.undecided_trials === 0 ? '' : styles.undecided}`}>
                  {grouped(arm.undecided_trials)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {repeats.length < 2 ? null : (
        <p className={importing.quiet}>
          {repeats.length} replicates, by the repeats <Isolated text={repeats.slice(0, 20).join(', ')} />.
        </p>
      )}
      {off === 0 ? null : (
        <p className={importing.quiet}>
          {quantity(off, 'row')} of cases of the data set that are not on trial {off === 1 ? 'is' : 'are'} left out. Import the
          file again when the sample has grown.
        </p>
      )}
    </>
  );
}
