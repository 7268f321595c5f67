import { useQuery } from '@tanstack/react-query';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { experimentsCrumb, toExperiment } from '../../app/routes.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { experimentKey } from '../experiments/experimentQueries.ts';
import { ImportWizard } from '../importing/ImportWizard.tsx';
import { ColumnFields, ScoreFields } from './ColumnFields.tsx';
import { ImportProgress } from './ImportProgress.tsx';
import { ImportResult } from './ImportResult.tsx';
import { PreviewPane } from './PreviewPane.tsx';
import { checkForm, formOf, type PredictionState, partOf, predictionFormSchema } from './predictionForm.ts';
import { ValueTable } from './ValueTable.tsx';

/** What the columns mean and what their values stand for. */
function PredictionFields({ view, ...state }: PredictionState & { view: ExperimentView }) {
  const { labels, positive } = view;
  const { form, onChange, errorAt, preview } = state;
  return (
    <>
      <Section title="The arm">
        <TextField
          label="Name of the arm"
          description={
            form.columns.system === ''
              ? 'It appears in every table beside the arms that were run.'
              : 'Each system becomes its own arm: this name, a slash, and the name of the system.'
          }
          value={form.arm}
          error={errorAt('arm')}
          onChange={(arm) => onChange({ arm })}
        />
      </Section>
      <Section title="What the columns hold">
        <ColumnFields {...state} view={view} />
      </Section>
      <Section
        title="From values to labels"
        lead="A value that is not a label counts as undecided and stays in every denominator."
      >
        <ScoreFields {...state} labels={labels} positive={positive} />
        {preview === undefined ? (
          <p className="muted wrap-anywhere">The values of the file appear here once its columns are known.</p>
        ) : preview.values.length === 0 ? null : (
          <ValueTable preview={preview} form={form} onMap={(pairs) => onChange({ map: { ...form.map, ...pairs } })} />
        )}
      </Section>
    </>
  );
}

/** From a file of predictions to an arm of an experiment. */
export default function ImportPredictionsScreen({ experiment }: { experiment: string }) {
  const api = useApi();
  const { data: view, error } = useQuery({
    queryKey: experimentKey(experiment),
    queryFn: ({ signal }) => api.experiments.read({ experiment }, { signal }),
  });
  const head = {
    crumbs: [experimentsCrumb, { label: experiment, to: toExperiment(experiment) }],
    title: 'Import predictions',
  };
  if (view === undefined) {
    return (
      <Screen {...head}>{error === null ? <Notice>Reading the experiment…</Notice> : <FailureNotice error={error} />}</Screen>
    );
  }
  return (
    <ImportWizard
      {...head}
      storageKey={`predictions/${experiment}`}
      invitation={{
        label: 'Drop a file of predictions',
        heading: 'What did another system, or people, predict for these cases?',
        text: 'Drop a CSV, TSV, JSON Lines, Parquet or Excel file here, with one prediction in each row and the id of its case. It becomes an arm beside the others, and nothing is imported before you have seen the result.',
      }}
      schema={predictionFormSchema}
      initial={({ inspection, upload }) => formOf(inspection, upload.fileName, view.definition.dataset)}
      check={(form, { upload, inspection: { guess } }) =>
        checkForm(form, {
          upload: upload.upload,
          experiment,
          delimiter: guess.delimiter,
          encoding: guess.encoding,
          sheet: guess.sheet,
        })
      }
      partOf={partOf}
      preview={(draft, _file, asked) => api.imports.preview(draft, asked)}
      make={(draft, _form, _file, asked) => api.imports.make(draft, asked)}
      result={(report) => <ImportResult report={report} />}
      fields={(state) => <PredictionFields {...state} view={view} />}
      previewTitle="What would be imported"
      amount={({ report }) => `${quantity(report.trials, 'prediction')} for cases on trial`}
      shown={(preview) => <PreviewPane {...preview} />}
      nothing={({ report }) => (report.imported_now === 0 ? 'All of this is on the record already.' : null)}
      action={{ name: 'Import', busy: 'Importing…' }}
      stoppable={{
        progress: ({ report }) => <ImportProgress expected={report} />,
        stopped: 'Stopped. What was imported is on the record; import again to go on from there.',
      }}
    />
  );
}
