import type { ImportPreview } from '../../../shared/api/imports.ts';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import importing from '../importing/Importing.module.css';
import styles from './ImportPredictions.module.css';
import type { PredictionForm } from './predictionForm.ts';

const asItIs = '';

/** The values of the file, how often each stands there, and the label that it stands for. */
export function ValueTable({
  preview,
  form,
  onMap,
}: {
  preview: ImportPreview;
  form: PredictionForm;
  onMap: (value: string, label: string) => void;
}) {
  const { labels } = preview.report;
  const asIs = (value: string) => {
    if (form.reading === 'scores') return 'by the limit';
    return labels.includes(value) ? 'itself' : 'no label';
  };
  return (
    <>
      <div className={styles.tableFrame}>
        <table className={styles.table}>
          <caption className="visually-hidden">Values of the file and the labels that they stand for</caption>
          <thead>
            <tr>
              <th scope="col">value in the file</th>
              <th scope="col" className={styles.number}>
                predictions
              </th>
              <th scope="col">stands for</th>
              <th scope="col">read as</th>
            </tr>
          </thead>
          <tbody>
            {preview.values.map(({ value, trials, label }) => (
              <tr key={value}>
                <th scope="row" className={styles.mono} dir="auto">
                  {value === '' ? <span className={importing.quiet}>empty</span> : <HiddenText text={value} />}
                </th>
                <td className={styles.number}>{trials.toLocaleString('en-GB')}</td>
                <td>
                  <Select
                    label={`Label for ${value === '' ? 'the empty cell' : value}`}
                    labelHidden
                    value={form.map[value] ?? asItIs}
                    choices={[{ id: asItIs, label: asIs(value) }, ...labels.map((id) => ({ id, label: id }))]}
                    onChange={(chosen) => onMap(value, chosen)}
                  />
                </td>
                <td>{label === null ? <span className={styles.undecided}>undecided</span> : <Isolated text={label} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {preview.more_values === 0 ? null : (
        <p className={importing.quiet}>
          {quantity(preview.more_values, 'further different value')}: each is read by its own spelling
          {form.reading === 'scores' ? ' or the comparison' : ''}.
        </p>
      )}
    </>
  );
}
