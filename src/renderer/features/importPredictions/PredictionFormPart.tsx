import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ImportReport } from '../../../shared/imported.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import styles from '../importing/Importing.module.css';
import { FileSection, type InspectedFile } from '../importing/ImportWizard.tsx';
import { useImportForm } from '../importing/useImportForm.ts';
import { ColumnFields } from './ColumnFields.tsx';
import { PreviewPane } from './PreviewPane.tsx';
import { checkForm, formOf, partOf, predictionFormSchema } from './predictionForm.ts';
import { ScoreFields } from './ScoreFields.tsx';
import { useImportProgress } from './useImportProgress.ts';
import { ValueTable } from './ValueTable.tsx';

/** What the columns mean and what their values stand for, beside what would be imported. */
export function PredictionFormPart({
  file,
  view,
  onImported,
}: {
  file: InspectedFile;
  view: ExperimentView;
  onImported: (report: ImportReport) => void;
}) {
  const api = useApi();
  const { inspection, upload, finish } = file;
  const { name: experiment } = view.summary;
  const { delimiter, encoding } = inspection.guess;
  const {
    form,
    change,
    errorAt,
    failedPart,
    preview: shown,
    settled,
    making,
    ...found
  } = useImportForm({
    keptAs: file.formKey,
    schema: predictionFormSchema,
    initial: () => formOf(inspection, upload.fileName, view.definition.dataset),
    check: (asked) => checkForm(asked, { upload: upload.upload, experiment, delimiter, encoding }),
    partOf,
    previewKey: ['imports', 'preview'],
    preview: api.imports.preview,
    make: (draft, _form, asked) => api.imports.make(draft, asked),
    onMade: (report) => {
      finish();
      onImported(report);
    },
  });
  const progress = useImportProgress(experiment, making.pending ? (shown?.report ?? null) : null);
  const nothingNew = shown?.report.imported_now === 0;

  return (
    <>
      <div className="stack gap-16 min-w-0">
        <FileSection file={file} />
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
          <ScoreFields form={form} positive={view.positive} labels={view.labels} onChange={change} error={errorAt('limit')} />
          {shown === undefined ? (
            <p className="muted wrap-anywhere">The values of the file appear here once its columns are known.</p>
          ) : (
            <ValueTable preview={shown} form={form} onMap={(value, label) => change({ map: { ...form.map, [value]: label } })} />
          )}
        </Section>
        <div className="row gap-10">
          <Button
            look="primary"
            isDisabled={!settled || shown === undefined || nothingNew || making.pending}
            onPress={making.start}
          >
            {making.pending ? 'Importing…' : 'Import'}
          </Button>
          {making.pending ? <Button onPress={making.stop}>Stop</Button> : null}
          {making.pending ? (
            <span className="muted wrap-anywhere" role="status">
              {progress}
            </span>
          ) : null}
          {making.stopped ? (
            <Notice tone="warn">Stopped. What was imported is on the record; import again to go on from there.</Notice>
          ) : making.error !== null && failedPart === null ? (
            <FailureNotice error={making.error} />
          ) : null}
          {nothingNew && !making.pending ? (
            <span className="muted wrap-anywhere">All of this is on the record already.</span>
          ) : null}
        </div>
      </div>
      <aside className={styles.aside} aria-label="Preview">
        <PreviewPane
          preview={shown}
          reading={found.reading}
          failure={failedPart === null ? found.previewFailure : null}
          waitsFor={found.waitsFor}
        />
      </aside>
    </>
  );
}
