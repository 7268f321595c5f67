import { percent } from '../../../core/figures/shares.ts';
import type { ImportPreview } from '../../../shared/api/imports.ts';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import importing from '../importing/Importing.module.css';
import { ArmCounts } from './ArmCounts.tsx';
import styles from './ImportPredictions.module.css';

function FirstRows({ first }: Pick<ImportPreview, 'first'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too
    <section className={styles.tableFrame} aria-label="The first predictions" tabIndex={0}>
      <table className={styles.table}>
        <caption>The first {first.length === 1 ? 'prediction' : `${first.length} predictions`}</caption>
        <thead>
          <tr>
            <th scope="col" className={styles.number}>
              line
            </th>
            <th scope="col">case</th>
            <th scope="col">in the file</th>
            <th scope="col">read as</th>
            <th scope="col" className={styles.number}>
              confidence
            </th>
          </tr>
        </thead>
        <tbody>
          {first.map(({ line, case: id, value, prediction, confidence }) => (
            <tr key={line}>
              <td className={styles.number}>{line}</td>
              <th scope="row" dir="auto">
                <HiddenText text={id} />
              </th>
              <td className={styles.mono} dir="auto">
                <HiddenText text={value} />
              </td>
              <td>
                {prediction === null ? <span className={styles.undecided}>undecided</span> : <Isolated text={prediction} />}
              </td>
              <td className={styles.number}>
                {confidence === null ? <span className={importing.quiet}>–</span> : percent(confidence)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What the import would come to: arms with their counts, and the first rows as they would be read. */
export function PreviewPane({
  preview,
  reading,
  failure,
  waitsFor,
}: {
  preview: ImportPreview | undefined;
  reading: boolean;
  /** A failure that belongs to no field of the form. */
  failure: unknown;
  /** What is still to be filled in, where there can be no preview yet. */
  waitsFor: string | null;
}) {
  const found = preview === undefined ? 'Nothing yet.' : `${quantity(preview.report.trials, 'prediction')} for cases on trial`;
  return (
    <Section title="What would be imported" lead={waitsFor ?? (reading ? 'Reading the file…' : found)}>
      <FailureNotice error={failure} />
      {preview === undefined ? null : (
        <>
          <ArmCounts report={preview.report} />
          <FirstRows first={preview.first} />
        </>
      )}
    </Section>
  );
}
