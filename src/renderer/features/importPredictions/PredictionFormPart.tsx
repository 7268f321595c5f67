import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ImportReport } from '../../../shared/imported.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { timeLeft } from '../experiments/outcomes.ts';
import styles from '../importing/Importing.module.css';
import { FileSection, type InspectedFile } from '../importing/ImportWizard.tsx';
import { useImportForm } from '../importing/useImportForm.ts';
import { ColumnFields, ScoreFields } from './ColumnFields.tsx';
import { PreviewPane } from './PreviewPane.tsx';
import { checkForm, formOf, partOf, predictionFormSchema } from './predictionForm.ts';
import { ValueTable } from './ValueTable.tsx';

const everyMs = 1000;

/**
 * How far an import is, in words, from what is on the record of its arms by now.
 * @param expected what the import comes to; null while none is under way
 */
function useImportProgress(experiment: string, expected: ImportReport | null): string {
  const api = useApi();
  const begun = useRef<{ at: number; done: number } | null>(null);
  const counts = useQuery({
    queryKey: ['imports', 'progress', experiment],
    queryFn: ({ signal }) => api.experiments.read({ experiment }, { signal }),
    enabled: expected !== null,
    refetchInterval: everyMs,
    gcTime: 0,
  });
  if (expected === null) {
    begun.current = null;
    return '';
  }
  const names = new Set(expected.arms.map(({ arm }) => arm));
  const done = counts.data?.arms.filter(({ name }) => names.has(name)).reduce((sum, arm) => sum + arm.done, 0);
  if (done === undefined) return 'Reading the file…';
  begun.current ??= { at: performance.now(), done };
  const seconds = (performance.now() - begun.current.at) / 1000;
  const rate = seconds > 0 ? (done - begun.current.done) / seconds : 0;
  const left = rate > 0 ? Math.max(0, expected.trials - done) / rate : null;
  const words = `${done.toLocaleString('en-GB')} of ${expected.trials.toLocaleString('en-GB')} on the record`;
  return left === null ? words : `${words} · ${Math.round(rate).toLocaleString('en-GB')} a second · about ${timeLeft(left)} left`;
}

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
        <Section
          title="From values to labels"
          lead="A value that is not a label counts as undecided and stays in every denominator."
        >
          <ScoreFields form={form} positive={view.positive} labels={view.labels} onChange={change} error={errorAt('limit')} />
          {shown === undefined ? (
            <p className="muted wrap-anywhere">The values of the file appear here once its columns are known.</p>
          ) : (
            <ValueTable preview={shown} form={form} onMap={(value, label) => change({ map: { ...form.map, [value]: label } })} />
          )}
        </Section>
        {/* Above the preview, which stays in view with it, however long form and case are. */}
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
      <aside className={`stack gap-16 min-w-0 ${styles.aside}`} aria-label="Preview">
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
