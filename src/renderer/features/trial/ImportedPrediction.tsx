import type { ReactNode } from 'react';
import { importBlock } from '../../../core/telling/imported.ts';
import type { TranscriptEntry, TrialView } from '../../../shared/api/trials.ts';
import { CaseColumn } from './CaseColumn.tsx';
import styles from './Trial.module.css';
import { Blocks } from './telling/Blocks.tsx';

/** A trial that nobody held: where its prediction stood, beside what the data set says of the case. */
export function ImportedPrediction({
  view,
  entry,
  heading,
}: {
  view: TrialView;
  entry: Extract<TranscriptEntry, { kind: 'import' }>;
  heading: ReactNode;
}) {
  return (
    <div className={styles.room}>
      <div className={styles.side}>
        <CaseColumn view={view} entries={view.entries} running={false} current={null} />
      </div>
      <section className={styles.imported} aria-labelledby="imported">
        {heading}
        <h2 id="imported">Imported, not tried</h2>
        <p className={styles.importedNote}>
          No model was asked here. The prediction was read from a file and stands beside the trials of the same case. The record
          keeps the cell as it stood and how it was read, so that the label can be derived again.
        </p>
        <Blocks blocks={[importBlock(entry)]} level={2} name="import" />
      </section>
    </div>
  );
}
