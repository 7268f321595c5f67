import { useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone } from 'react-aria-components';
import type { z } from 'zod';
import { type Upload, uploadSchema } from '../../../shared/api/docket.ts';
import type { ImportReport } from '../../../shared/imported.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useTakeFile } from '../../api/useTakeFile.ts';
import { routes, toExperiment } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { useKept } from '../../ui/kept.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { experimentKey } from '../experiments/experimentQueries.ts';
import styles from './ImportPredictions.module.css';
import { ImportResult } from './ImportResult.tsx';
import { PredictionFormPart } from './PredictionFormPart.tsx';

const keptUploadSchema: z.ZodType<Upload | null> = uploadSchema.nullable();

/** From a file of predictions to an arm of an experiment: choose it, say what its columns mean, see what comes out, import it. */
export default function ImportPredictionsScreen({ experiment }: { experiment: string }) {
  const api = useApi();
  const [upload, setUpload] = useKept<Upload | null>(`predictions/upload/${experiment}`, keptUploadSchema, () => null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const file = useTakeFile((taken) => {
    setReport(null);
    setUpload(taken);
  });
  const view = useQuery({
    queryKey: experimentKey(experiment),
    queryFn: ({ signal }) => api.experiments.read({ experiment }, { signal }),
  });
  const inspection = useQuery({
    queryKey: ['docket', 'inspect', upload?.upload],
    queryFn: ({ signal }) => api.docket.inspect({ upload: upload?.upload ?? '' }, { signal }),
    enabled: upload !== null,
    retry: false,
  });
  const choose = (
    <Button onPress={file.choose} isDisabled={file.taking}>
      <FileUp size={15} aria-hidden="true" />
      {file.taking ? 'Taking the file…' : upload === null && report === null ? 'Choose a file' : 'Choose another file'}
    </Button>
  );
  return (
    <Screen
      crumbs={[
        { label: 'Experiments', to: routes.experiments },
        { label: experiment, to: toExperiment(experiment) },
      ]}
      title="Import predictions"
      {...(upload === null ? {} : { subtitle: <HiddenText text={upload.fileName} /> })}
      actions={upload === null && report === null ? undefined : choose}
    >
      {file.error === null ? null : <FailureNotice error={file.error} />}
      {view.isError ? (
        <FailureNotice error={view.error} />
      ) : report !== null ? (
        <ImportResult report={report} />
      ) : upload === null ? (
        <DropZone
          className={styles.choose ?? ''}
          aria-label="Drop a file of predictions"
          onDrop={(event) => void file.drop(event)}
        >
          <h2>What did another system, or people, say of these cases?</h2>
          <p className={styles.quiet}>
            Drop a CSV, TSV or JSON Lines file here: one prediction in each row, with the id of its case. It becomes an arm beside
            the others, and nothing is imported before you have seen what comes out.
          </p>
          {choose}
        </DropZone>
      ) : inspection.isError ? (
        <FailureNotice error={inspection.error}>{choose}</FailureNotice>
      ) : view.data === undefined || inspection.data === undefined ? (
        <Notice>Looking through the file…</Notice>
      ) : (
        <PredictionFormPart
          key={upload.upload}
          upload={upload}
          inspection={inspection.data}
          view={view.data}
          onImported={(made) => {
            setUpload(null);
            setReport(made);
          }}
        />
      )}
    </Screen>
  );
}
