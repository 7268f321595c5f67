import { FileUp } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { DropZone } from 'react-aria-components';
import { z } from 'zod';
import {
  type FileReading,
  fileReadingSchema,
  type Inspection,
  type Upload,
  uploadSchema,
} from '../../../shared/api/dataFiles.ts';
import type { Delimiter, Encoding } from '../../../shared/experiment.ts';
import { useRead, useTakeFile } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { byteSize, quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { formatText } from '../datasets/definition.ts';
import { chosenAgain, chosenNext, fitted, type WizardState } from './chosen.ts';
import styles from './Importing.module.css';
import { type ChosenFile, type Importing, useImportForm } from './useImportForm.ts';

export interface FormState<Form, Part, Preview> {
  readonly inspection: Inspection;
  readonly upload: Upload;
  readonly form: Form;
  readonly onChange: (change: Partial<Form>) => void;
  readonly errorAt: (part: Part) => string | null;
  readonly preview: Preview | undefined;
}

/** What is imported, and what that needs beyond a file and how it is read. */
interface Properties<Form extends object, Part extends string, Draft, Preview, Made>
  extends Importing<Form, Part, Draft, Preview, Made> {
  /** Where the wizard keeps its state. */
  readonly storageKey: string;
  readonly crumbs: NonNullable<ComponentProps<typeof Screen>['crumbs']>;
  readonly title: string;
  /** Parts of the form that are, hold or list names of columns. */
  readonly columnParts: readonly (keyof Form)[];
  /** The part that names the column of labels. For a file without it the form begins again: another column has the answers. */
  readonly labelPart?: keyof Form;
  readonly invitation: { readonly label: string; readonly heading: string; readonly text: string };
  readonly fields: (state: FormState<Form, Part, Preview>) => ReactNode;
  readonly previewTitle: string;
  readonly amount: (preview: Preview) => string;
  readonly shown: (preview: Preview, form: Form, onChange: (change: Partial<Form>) => void) => ReactNode;
  /** Why there is nothing to import; null where there is something. */
  readonly nothing?: (preview: Preview) => string | null;
  readonly action: { readonly name: string; readonly busy: string };
  /** For an import that can be stopped: how far it is, and what holds once it was stopped. */
  readonly stoppable?: { readonly progress: (preview: Preview) => ReactNode; readonly stopped: string };
  readonly onMade?: (made: Made) => void;
  readonly result?: (made: Made) => ReactNode;
}

/** From a file to what is made of it: choose it, see how it is read, say what its columns mean, see what comes out, import it. */
export function ImportWizard<Form extends object, Part extends string, Draft, Preview, Made>(
  properties: Properties<Form, Part, Draft, Preview, Made>,
) {
  const { storageKey, schema, crumbs, title, invitation, onMade, result } = properties;
  const wizardSchema = z.strictObject({ upload: uploadSchema, reading: fileReadingSchema, form: schema.nullable() }).nullable();
  const [state, setState] = useSessionState<WizardState<Form> | null>(storageKey, wizardSchema, () => null);
  const [last, keepLast] = useSessionState<WizardState<Form> | null>(`${storageKey}/last`, wizardSchema, () => null);
  const [made, setMade] = useState<Made | null>(null);
  const file = useTakeFile((upload) => {
    setMade(null);
    setState((before) => chosenNext(before, upload));
  });
  const shownResult = made === null ? undefined : result?.(made);
  const first = state === null && shownResult === undefined;
  const choose = (
    <Button icon={FileUp} onPress={file.choose} isDisabled={file.taking}>
      {file.taking ? 'Taking the file…' : first ? 'Choose a file' : 'Choose another file'}
    </Button>
  );
  return (
    <Screen
      crumbs={crumbs}
      title={title}
      {...(state === null ? {} : { subtitle: <HiddenText text={state.upload.fileName} /> })}
      actions={first ? undefined : choose}
    >
      <div className="stack gap-16">
        <FailureNotice error={file.error} />
        {shownResult !== undefined ? (
          shownResult
        ) : state === null ? (
          <DropZone
            className={`stack gap-10 ${styles.choose}`}
            aria-label={invitation.label}
            onDrop={(event) => void file.drop(event)}
          >
            <h2 className="title-20">{invitation.heading}</h2>
            <p className="muted wrap-anywhere">{invitation.text}</p>
            {choose}
          </DropZone>
        ) : (
          <Inspected
            key={state.upload.upload}
            properties={properties}
            state={state}
            last={last}
            change={(part) => setState((before) => before && { ...before, ...part })}
            onMade={(now) => {
              keepLast(state);
              setState(null);
              onMade?.(now);
              setMade(now);
            }}
          >
            {choose}
          </Inspected>
        )}
      </div>
    </Screen>
  );
}

interface InspectedProperties<Form extends object, Part extends string, Draft, Preview, Made> {
  readonly properties: Properties<Form, Part, Draft, Preview, Made>;
  readonly state: WizardState<Form>;
  readonly last: WizardState<Form> | null;
  readonly change: (part: Partial<WizardState<Form>>) => void;
  readonly onMade: (made: Made) => void;
  readonly children: ReactNode;
}

function Inspected<Form extends object, Part extends string, Draft, Preview, Made>(
  all: InspectedProperties<Form, Part, Draft, Preview, Made>,
) {
  const { state, change, children } = all;
  const { upload, reading } = state;
  const inspection = useRead(
    ['datasets', 'inspect', upload.upload, reading],
    (api, given) => api.dataFiles.inspect({ upload: upload.upload, ...reading }, given),
    { retry: false },
  );
  const readingFields = (
    <ReadingFields inspection={inspection.data ?? null} reading={reading} onChange={(changed) => change({ reading: changed })} />
  );
  if (inspection.isError) {
    return (
      <Section title="The file cannot be read this way">
        <FailureNotice error={inspection.error} onRetry={inspection.refetch}>
          {children}
        </FailureNotice>
        {readingFields}
      </Section>
    );
  }
  if (inspection.data === undefined) return <Notice>Reading the file…</Notice>;
  return (
    <FilledIn {...all} key={JSON.stringify(reading)} file={{ upload, inspection: inspection.data }}>
      {readingFields}
    </FilledIn>
  );
}

function FilledIn<Form extends object, Part extends string, Draft, Preview, Made>({
  properties,
  state,
  last,
  change,
  onMade,
  file,
  children,
}: InspectedProperties<Form, Part, Draft, Preview, Made> & { file: ChosenFile }) {
  const { initial, columnParts, labelPart, fields, previewTitle, amount, shown, nothing, action, stoppable } = properties;
  const { upload, inspection } = file;
  const { form: fit, gone } = fitted(state.form ?? initial(file), columnParts, inspection);
  const isAnother = labelPart !== undefined && state.form !== null && state.form[labelPart] !== fit[labelPart];
  const form = isAnother ? initial(file) : fit;
  // What is changed now is changed in the form that fits: only the first one knows what went.
  const [left] = useState({ gone, isAnother });
  const {
    fields: around,
    errorAt,
    preview,
    reading,
    previewFailure,
    waitsFor,
    settled,
    lacks,
    making,
  } = useImportForm(properties, file, form, onMade);
  const again = state.form === null && last !== null ? chosenAgain(last, upload, initial(file)) : null;
  const canRepeat = again !== null && fitted(again, columnParts, inspection).gone.length === 0;
  const refusal = preview === undefined ? null : (nothing?.(preview) ?? null);
  const onChange = (edit: Partial<Form>) => {
    making.forget();
    change({ form: { ...form, ...edit } });
  };
  return (
    <div className={`stack gap-16 with-aside ${styles.columns}`}>
      <div className="stack gap-16 min-w-0" ref={around}>
        <Section
          title="The file"
          lead={
            <>
              {formatText[inspection.format]}, {quantity(inspection.rows, 'row')}, {quantity(inspection.columns.length, 'column')}
              , {byteSize(upload.bytes)}
            </>
          }
        >
          {children}
          {canRepeat ? (
            <Notice>
              This file has all columns that you chose in the import before.
              <Button size="small" onPress={() => onChange(again)}>
                Choose the same again
              </Button>
            </Notice>
          ) : null}
          {left.gone.length === 0 ? null : (
            <Notice tone="warn">
              <span>
                This file has no {left.gone.length === 1 ? 'column' : 'columns'}{' '}
                <Isolated text={left.gone.map((column) => `“${column}”`).join(', ')} />, which you had chosen before.{' '}
                {left.isAnother ? 'The form begins again, since one of them had the labels.' : 'All other choices are kept.'}
              </span>
            </Notice>
          )}
        </Section>
        {fields({ inspection, upload, form, onChange, errorAt, preview })}
      </div>
      <aside className={'stack gap-16 min-w-0'} aria-label="Preview">
        {/* Above the preview, which stays in view with it, however long form and case are. */}
        <div className="row gap-10">
          <Button look="primary" isDisabled={!settled || refusal !== null || making.pending} onPress={making.start}>
            {making.pending ? action.busy : action.name}
          </Button>
          {stoppable === undefined || !making.pending ? null : (
            <>
              <Button onPress={making.stop}>Stop</Button>
              <span className="muted wrap-anywhere" role="status">
                {preview === undefined ? null : stoppable.progress(preview)}
              </span>
            </>
          )}
          {making.stopped ? <Notice tone="warn">{stoppable?.stopped}</Notice> : <FailureNotice error={making.failure} />}
          {lacks.length === 0 ? null : (
            <span className="text-bad wrap-anywhere" role="alert">
              {lacks.map(({ message }) => message).join(' ')}
            </span>
          )}
          {refusal === null || making.pending ? null : <span className="muted wrap-anywhere">{refusal}</span>}
        </div>
        <Section
          title={previewTitle}
          lead={waitsFor ?? (reading ? 'Reading the file…' : preview === undefined ? 'Nothing yet.' : amount(preview))}
        >
          <FailureNotice error={previewFailure} />
          {preview === undefined ? null : shown(preview, form, onChange)}
        </Section>
      </aside>
    </div>
  );
}

const betweenCells: readonly { id: Delimiter; label: string }[] = [
  { id: ',', label: 'commas' },
  { id: ';', label: 'semicolons' },
  { id: '\t', label: 'tabs' },
  { id: '|', label: 'vertical bars' },
];
const encodingChoices: readonly { id: Encoding; label: string; note?: string }[] = [
  { id: 'utf-8', label: 'UTF-8', note: 'What nearly all programs write today.' },
  { id: 'windows-1252', label: 'Windows-1252', note: 'Older Windows programs of Western Europe; Latin-1 is a part of it.' },
];

/** How the bytes of a table become cells: as detected, or as the user says. @param inspection null where unreadable this way */
function ReadingFields({
  inspection,
  reading,
  onChange,
}: {
  inspection: Inspection | null;
  reading: FileReading;
  onChange: (reading: FileReading) => void;
}) {
  const encoding = inspection?.guess.encoding ?? reading.encoding ?? 'utf-8';
  const delimiter = inspection?.guess.delimiter ?? reading.delimiter ?? ',';
  const guessed = inspection !== null && encoding !== 'utf-8' && reading.encoding === undefined;
  const { sheets = [], format, guess } = inspection ?? {};
  if (format === 'parquet') return null;
  if (format === 'xlsx') {
    return sheets.length < 2 ? null : (
      <div className="fields">
        <Select
          label="Sheet"
          value={guess?.sheet ?? null}
          choices={sheets.map((id) => ({ id, label: id }))}
          onChange={(sheet) => onChange({ sheet })}
        />
      </div>
    );
  }
  return (
    <>
      <div className="fields">
        {inspection !== null && format !== 'csv' ? null : (
          <Select
            label="Column separator"
            value={delimiter}
            choices={betweenCells}
            onChange={(chosen) => onChange({ ...reading, delimiter: chosen })}
          />
        )}
        <Select
          label="Encoding"
          value={encoding}
          choices={encodingChoices}
          onChange={(chosen) => onChange({ ...reading, encoding: chosen })}
        />
      </div>
      {guessed ? (
        <Notice tone="warn">
          <span>
            <strong>The file is not in UTF-8</strong> and was read as Windows-1252. Look at letters with accents, quotation marks
            and currency signs: if they are wrong, save the file as UTF-8 in the program that it comes from.
          </span>
        </Notice>
      ) : null}
    </>
  );
}
