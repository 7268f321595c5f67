import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Inspection, Upload } from '../../../shared/api/docket.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { type ImportDraft, importDraftSchema } from '../../../shared/api/imports.ts';
import type { ImportReport } from '../../../shared/imported.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { forget, useKept } from '../../ui/kept.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { ColumnFields } from './ColumnFields.tsx';
import styles from './ImportPredictions.module.css';
import { PreviewPane } from './PreviewPane.tsx';
import { checkForm, type FormPart, formOf, type PredictionForm, partOf, predictionFormSchema } from './predictionForm.ts';
import { ReadingFields } from './ReadingFields.tsx';
import { useImportProgress } from './useImportProgress.ts';
import { ValueTable } from './ValueTable.tsx';

const restMs = 350;

/** What the columns mean and what their values stand for, beside what would be imported. */
export function PredictionFormPart({
  upload,
  inspection,
  view,
  onImported,
}: {
  upload: Upload;
  inspection: Inspection;
  view: ExperimentView;
  onImported: (report: ImportReport) => void;
}) {
  const api = useApi();
  const { name: experiment } = view.summary;
  const formKey = `predictions/form/${upload.upload}`;
  const [form, setForm] = useKept(formKey, predictionFormSchema, () =>
    formOf(inspection, upload.fileName, view.definition.dataset),
  );
  const checked = checkForm(form, upload.upload, experiment);
  const rested = useDebounced(checked.draft === null ? null : JSON.stringify(checked.draft), restMs);
  const preview = useQuery({
    queryKey: ['imports', 'preview', rested],
    queryFn: ({ signal }) => api.imports.preview(importDraftSchema.parse(JSON.parse(rested ?? '{}')), { signal }),
    enabled: rested !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const stopping = useRef<AbortController | null>(null);
  const make = useMutation({
    mutationFn: (draft: ImportDraft) => {
      stopping.current = new AbortController();
      return api.imports.make(draft, { signal: stopping.current.signal });
    },
    onSuccess: (report) => {
      forget(formKey);
      onImported(report);
    },
    onError: () => void preview.refetch(),
  });
  const progress = useImportProgress(experiment, make.isPending ? (preview.data?.report ?? null) : null);

  const change = (part: Partial<PredictionForm>) => {
    // What the engine said was of the form as it was.
    make.reset();
    setForm((before) => ({ ...before, ...part }));
  };
  const failure = make.error ?? (checked.wrong === null ? preview.error : null);
  const told = failure === null ? null : failureOf(failure);
  const failedPart = told === null ? null : partOf(told.field, form);
  const errorAt = (part: FormPart): string | null => {
    if (checked.wrong?.part === part) return checked.wrong.message;
    if (told === null || failedPart !== part) return null;
    return told.line === null ? told.message : `Line ${told.line}: ${told.message}`;
  };
  const shown = checked.wrong === null && !preview.isError ? preview.data : undefined;
  const settled = checked.draft !== null && JSON.stringify(checked.draft) === rested && !preview.isFetching;
  const nothingNew = shown?.report.imported_now === 0;

  return (
    <div className={styles.columns}>
      <div className={styles.steps}>
        <Section title="The arm">
          <TextField
            label="Name of the arm"
            description={
              form.columns.system === ''
                ? 'It stands in every table beside the arms that were run.'
                : 'Each system becomes an arm of its own: this name, a slash, and the name of the system.'
            }
            value={form.arm}
            error={errorAt('arm')}
            onChange={(arm) => change({ arm })}
          />
        </Section>
        <Section title="What the columns hold">
          <ColumnFields inspection={inspection} form={form} onChange={change} errorAt={errorAt} />
        </Section>
        <Section title="From values to labels" lead="What is no label is kept as undecided and stays in every denominator.">
          <ReadingFields form={form} positive={view.positive} labels={view.labels} onChange={change} error={errorAt('limit')} />
          {shown === undefined ? (
            <p className={styles.quiet}>The values of the file appear here once its columns are known.</p>
          ) : (
            <ValueTable preview={shown} form={form} onMap={(value, label) => change({ map: { ...form.map, [value]: label } })} />
          )}
        </Section>
        <div className={styles.actions}>
          <Button
            look="primary"
            isDisabled={!settled || shown === undefined || nothingNew || make.isPending}
            onPress={() => (checked.draft === null ? undefined : make.mutate(checked.draft))}
          >
            {make.isPending ? 'Importing…' : 'Import'}
          </Button>
          {make.isPending ? <Button onPress={() => stopping.current?.abort()}>Stop</Button> : null}
          {make.isPending ? (
            <span className={styles.quiet} role="status">
              {progress}
            </span>
          ) : null}
          {make.isError && stopping.current?.signal.aborted === true ? (
            <Notice tone="warn">Stopped. What was imported is on the record; import again to go on from there.</Notice>
          ) : make.isError && failedPart === null ? (
            <FailureNotice error={make.error} />
          ) : null}
          {nothingNew && !make.isPending ? <span className={styles.quiet}>All of this is on the record already.</span> : null}
        </div>
      </div>
      <aside className={styles.aside} aria-label="Preview">
        <PreviewPane
          preview={shown}
          reading={preview.isFetching}
          failure={checked.wrong === null && preview.isError && failedPart === null ? preview.error : null}
          waitsFor={checked.wrong === null ? null : checked.wrong.message}
        />
      </aside>
    </div>
  );
}
