import { useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone } from 'react-aria-components';
import type { Upload } from '../../../shared/api/docket.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { readKept, useKept } from '../../ui/kept.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import styles from './Import.module.css';
import { ImportFormPart } from './ImportFormPart.tsx';
import { type FileReading, fileReadingSchema, forgetForm, importKeys, keptUploadSchema } from './importForm.ts';
import { ReadingFields } from './ReadingFields.tsx';
import { useFile } from './useFile.ts';

/** From a file to an entry of the docket: choose it, say what its columns mean, see the cases, add it. */
export default function ImportScreen() {
  const [upload, setUpload] = useState<Upload | null>(() => readKept(importKeys.upload, keptUploadSchema, sessionStorage));
  const file = useFile(setUpload);
  return <ImportOf key={upload?.upload ?? 'none'} upload={upload} file={file} />;
}

function ImportOf({ upload, file }: { upload: Upload | null; file: ReturnType<typeof useFile> }) {
  const api = useApi();
  const [reading, setReading] = useKept<FileReading>(importKeys.reading(upload?.upload ?? ''), fileReadingSchema, () => ({}));
  const inspection = useQuery({
    queryKey: ['docket', 'inspect', upload?.upload, reading],
    queryFn: ({ signal }) => api.docket.inspect({ upload: upload?.upload ?? '', ...reading }, { signal }),
    enabled: upload !== null,
    retry: false,
  });
  const fields = (
    <ReadingFields
      inspection={inspection.data ?? null}
      reading={reading}
      onChange={(changed) => {
        if (upload !== null) forgetForm(upload.upload);
        setReading(changed);
      }}
    />
  );
  const chooseAnother = (
    <Button onPress={file.choose} isDisabled={file.taking}>
      <FileUp size={15} aria-hidden="true" />
      {file.taking ? 'Taking the file…' : upload === null ? 'Choose a file' : 'Choose another file'}
    </Button>
  );
  return (
    <Screen
      crumbs={[{ label: 'Docket', to: routes.docket }]}
      title="Import"
      {...(upload === null ? {} : { subtitle: <HiddenText text={upload.fileName} /> })}
      actions={upload === null ? undefined : chooseAnother}
    >
      {file.error === null ? null : <FailureNotice error={file.error} />}
      {upload === null ? (
        <DropZone className={styles.choose ?? ''} aria-label="Drop a data file" onDrop={(event) => void file.drop(event)}>
          <h2>Which cases are to be put on trial?</h2>
          <p className={styles.quiet}>
            Drop a CSV, TSV or JSON Lines file here: one case in each row. It stays on this machine, and nothing is added before
            you have seen what becomes of it.
          </p>
          {chooseAnother}
        </DropZone>
      ) : inspection.isError ? (
        <Section title="The file cannot be read so">
          <FailureNotice error={inspection.error}>
            {chooseAnother}
            <Button size="small" onPress={() => void inspection.refetch()}>
              Try again
            </Button>
          </FailureNotice>
          {fields}
        </Section>
      ) : inspection.data === undefined ? (
        <Notice>Looking through the file…</Notice>
      ) : (
        <ImportFormPart key={JSON.stringify(reading)} upload={upload} inspection={inspection.data}>
          {fields}
        </ImportFormPart>
      )}
    </Screen>
  );
}
