import type { ReactNode } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import type { TranscriptEntry, TrialView } from '../../../shared/api/trials.ts';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import { CaseColumn } from './CaseColumn.tsx';
import styles from './ImportedPrediction.module.css';

type ImportEntry = Extract<TranscriptEntry, { kind: 'import' }>;

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Origin({ entry }: { entry: ImportEntry }) {
  const { system, line, mapping, value, stated, prediction, confidence } = entry;
  const map = mapping?.map ?? [];
  return (
    <dl className={`stack gap-8 ${styles.origin}`}>
      <Named name="System">
        <Isolated text={system} />
      </Named>
      <Named name="File">{mapping === null ? 'erased from the record' : <Isolated text={mapping.file} />}</Named>
      <Named name="Line">{line.toLocaleString('en-GB')}</Named>
      {mapping === null ? null : (
        <Named name="Column">
          <Isolated text={mapping.columns.prediction} />
        </Named>
      )}
      <Named name="In the file">
        {value === null ? (
          'erased from the record'
        ) : value === '' ? (
          'an empty cell'
        ) : (
          <Outside className={styles.cell} text={value} />
        )}
      </Named>
      <Named name="Read as">
        {prediction === null ? 'no label of this experiment: undecided' : <Isolated text={prediction} />}
      </Named>
      {map.length === 0 ? null : (
        <Named name="Mapped">
          {map.map(([from, to], index) => (
            <span key={from}>
              {index === 0 ? '' : ', '}
              <Isolated text={from} /> stands for <Isolated text={to} />
            </span>
          ))}
        </Named>
      )}
      {mapping?.positiveIf == null ? null : <Named name="Positive where the number is">{mapping.positiveIf}</Named>}
      <Named name="Confidence">
        {confidence === null ? (
          stated === null || stated === '' ? (
            'not stated'
          ) : (
            <>
              not counted: <Isolated text={stated} />
            </>
          )
        ) : (
          percent(confidence)
        )}
      </Named>
    </dl>
  );
}

/** A trial that nobody held: where its prediction stood, beside what the data set says of the case. */
export function ImportedPrediction({ view, entry }: { view: TrialView; entry: ImportEntry }) {
  return (
    <div className={styles.room}>
      <div className={styles.side}>
        <CaseColumn view={view} entries={view.entries} running={false} current={null} />
      </div>
      <section className={styles.middle} aria-labelledby="imported">
        <h2 id="imported">Imported, not tried</h2>
        <p className={styles.note}>
          Nobody was asked here and nothing was said: the prediction was read from a file. It stands beside the trials of the same
          case. The record keeps the cell as it stood and how it was read, so that the label can be derived again.
        </p>
        <Origin entry={entry} />
      </section>
    </div>
  );
}
