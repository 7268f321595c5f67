import { useQuery } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { DropZone } from 'react-aria-components';
import {
  type FileReading,
  fileReadingSchema,
  type Inspection,
  type Upload,
  uploadSchema,
} from '../../../shared/api/dataFiles.ts';
import { useApi, useTakeFile } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { forget, useKept } from '../../ui/kept.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { byteSize, quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { formatText } from '../datasets/definition.ts';
import styles from './Importing.module.css';
import { ReadingFields } from './ReadingFields.tsx';

const keptUploadSchema = uploadSchema.nullable();

/** Where the wizard finds a file that was chosen on another screen, and where it is kept over a reload. */
export const uploadKey = (keptAs: string) => `${keptAs}/upload`;

/** A file that has been looked through, for the form that says what its columns mean. */
export interface InspectedFile {
  readonly upload: Upload;
  readonly inspection: Inspection;
  /** What the form is kept under. */
  readonly formKey: string;
  /** How the file is read, to be changed. */
  readonly fields: ReactNode;
  /** Forgets file and form, once they have been imported. */
  readonly finish: () => void;
}

/** From a file to what is made of it: choose it, see how it is read, say what its columns mean, see what comes out, import it. */
export function ImportWizard({
  keptAs,
  crumbs,
  title,
  invitation: { label, heading, text },
  failure = null,
  instead = null,
  onTaken,
  children,
}: {
  readonly keptAs: string;
  readonly crumbs: NonNullable<ComponentProps<typeof Screen>['crumbs']>;
  readonly title: string;
  readonly invitation: { readonly label: string; readonly heading: string; readonly text: string };
  /** Why nothing can be imported. */
  readonly failure?: unknown;
  /** In place of file and form; a further file can be chosen. */
  readonly instead?: ReactNode;
  readonly onTaken?: () => void;
  readonly children: (file: InspectedFile) => ReactNode;
}) {
  const [upload, setUpload] = useKept<Upload | null>(uploadKey(keptAs), keptUploadSchema, () => null);
  const file = useTakeFile((taken) => {
    onTaken?.();
    setUpload(taken);
  });
  const first = upload === null && instead === null;
  const choose = (
    <Button onPress={file.choose} isDisabled={file.taking}>
      <FileUp size={15} aria-hidden="true" />
      {file.taking ? 'Taking the file…' : first ? 'Choose a file' : 'Choose another file'}
    </Button>
  );
  return (
    <Screen
      crumbs={crumbs}
      title={title}
      {...(upload === null ? {} : { subtitle: <HiddenText text={upload.fileName} /> })}
      actions={first ? undefined : choose}
    >
      {file.error === null ? null : <FailureNotice error={file.error} />}
      {failure !== null ? (
        <FailureNotice error={failure} />
      ) : instead !== null ? (
        instead
      ) : upload === null ? (
        <DropZone className={`stack gap-10 ${styles.choose}`} aria-label={label} onDrop={(event) => void file.drop(event)}>
          <h2>{heading}</h2>
          <p className="muted wrap-anywhere">{text}</p>
          {choose}
        </DropZone>
      ) : (
        <Inspected key={upload.upload} {...{ keptAs, upload, choose, children }} finish={() => setUpload(null)} />
      )}
    </Screen>
  );
}

function Inspected({
  keptAs,
  upload,
  choose,
  finish,
  children,
}: Pick<ComponentProps<typeof ImportWizard>, 'keptAs' | 'children'> & {
  readonly upload: Upload;
  readonly choose: ReactNode;
  readonly finish: () => void;
}) {
  const api = useApi();
  const [readingKey, formKey] = [`${keptAs}/reading/${upload.upload}`, `${keptAs}/form/${upload.upload}`];
  const [reading, setReading] = useKept<FileReading>(readingKey, fileReadingSchema, () => ({}));
  const inspection = useQuery({
    queryKey: ['datasets', 'inspect', upload.upload, reading],
    queryFn: ({ signal }) => api.dataFiles.inspect({ upload: upload.upload, ...reading }, { signal }),
    retry: false,
  });
  const fields = (
    <ReadingFields
      inspection={inspection.data ?? null}
      reading={reading}
      onChange={(changed) => {
        // What was said of columns is void where the file is read otherwise.
        forget(formKey);
        setReading(changed);
      }}
    />
  );
  if (inspection.isError) {
    return (
      <Section title="The file cannot be read so">
        <FailureNotice error={inspection.error} onRetry={inspection.refetch}>
          {choose}
        </FailureNotice>
        {fields}
      </Section>
    );
  }
  if (inspection.data === undefined) return <Notice>Looking through the file…</Notice>;
  const done = () => {
    forget(readingKey);
    forget(formKey);
    finish();
  };
  return (
    <div key={JSON.stringify(reading)} className={`stack gap-16 ${styles.columns}`}>
      {children({ upload, inspection: inspection.data, formKey, fields, finish: done })}
    </div>
  );
}

/** What the file is, and how it is read. */
export function FileSection({ file: { upload, inspection, fields }, children }: { file: InspectedFile; children?: ReactNode }) {
  return (
    <Section
      title="The file"
      lead={
        <>
          {formatText[inspection.format]}, {quantity(inspection.rows, 'row')}, {quantity(inspection.columns.length, 'column')},{' '}
          {byteSize(upload.bytes)}
        </>
      }
    >
      {children}
      {fields}
    </Section>
  );
}
