import type { ComponentProps } from 'react';
import { useRef } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import { ownProbabilityText } from '../../../core/imported/ownProbability.ts';
import { alikeHints, confidenceText } from '../../../core/imported/prediction.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ImportPreview } from '../../../shared/api/imports.ts';
import type { ImportReport } from '../../../shared/imported.ts';
import { count, duration } from '../../../shared/sizes.ts';
import { useApi, useRead } from '../../api/ApiContext.tsx';
import { experimentsCrumb, toExperiment } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated, Listed, Outside, OutsideLink } from '../../ui/HiddenText.tsx';
import { Notice, Unread } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { ErasedNotice } from '../erasing/ErasedNotice.tsx';
import { useExperiment, useExperiments } from '../experiments/experimentQueries.ts';
import { predictionsKey } from '../importing/chosen.ts';
import { ImportWizard } from '../importing/ImportWizard.tsx';
import { ColumnFields, ScoreFields } from './ColumnFields.tsx';
import { ExperimentFields } from './ExperimentFields.tsx';
import {
  checkForm,
  checkNewForm,
  type Labels,
  lackingIn,
  newLabels,
  type OwnColumns,
  type PredictionForm,
  type PredictionState,
  partOf,
  predictionFormSchema,
} from './predictionForm.ts';
import { formOf } from './predictionGuess.ts';
import { ReadAs, ValueTable } from './ValueTable.tsx';

function PredictionFields({
  own,
  labels,
  positive,
  isRecorded,
  ...state
}: PredictionState & Labels & { own: OwnColumns; isRecorded: boolean }) {
  const { form, onChange, errorAt, preview } = state;
  const remap = (pairs: Readonly<Record<string, string>>) =>
    onChange({ map: Object.fromEntries(Object.entries({ ...form.map, ...pairs }).filter(([, label]) => label !== '')) });
  return (
    <>
      {own === null ? <ExperimentFields {...state} isRecorded={isRecorded} /> : null}
      <Section title="The arm">
        <TextField
          label="Who or what decided"
          description={
            form.columns.system === ''
              ? `A system or people, such as “risk score 2.1” or “case workers”. It becomes the name of the arm and appears in every table${own === null && !isRecorded ? '' : ' next to the other arms'}.`
              : 'Each system becomes its own arm: this name, a slash, and the name of the system.'
          }
          value={form.arm}
          error={errorAt('arm')}
          onChange={(arm) => onChange({ arm })}
        />
      </Section>
      <Section title="What the columns hold">
        <ColumnFields {...state} own={own} labels={labels} positive={positive} />
      </Section>
      <Section
        title="From values to labels"
        lead="A value that is not a label counts as undecided and stays in every denominator."
      >
        <ScoreFields {...state} labels={labels} positive={positive} />
        {preview === undefined ? (
          <p className="muted wrap-anywhere">The values of the file appear here once its columns are known.</p>
        ) : preview.values.length === 0 ? null : (
          <ValueTable preview={preview} form={form} onMap={remap} />
        )}
      </Section>
    </>
  );
}

/** @param experiment null: a new one is made from the file */
export default function ImportPredictionsScreen({ experiment }: { experiment: string | null }) {
  return experiment === null ? (
    <PredictionsWizard crumbs={[experimentsCrumb]} title="Import predictions" experiment={null} view={null} />
  ) : (
    <IntoRecorded experiment={experiment} />
  );
}

function IntoRecorded({ experiment }: { experiment: string }) {
  const reading = useExperiment(experiment);
  const view = reading.data;
  const head = {
    crumbs: [experimentsCrumb, { label: experiment, to: toExperiment(experiment) }],
    title: 'Import predictions',
  };
  if (view === undefined) {
    return (
      <Screen {...head}>
        <Unread of={reading} words="Reading the experiment…" />
      </Screen>
    );
  }
  const { erased } = view.summary;
  if (erased !== null) {
    return (
      <Screen {...head}>
        <ErasedNotice erased={erased} of="experiment" />
      </Screen>
    );
  }
  return <PredictionsWizard {...head} experiment={experiment} view={view} />;
}

const invitations = {
  recorded: {
    label: 'Drop a file of predictions',
    heading: 'What did another system, or people, predict for these cases?',
    text: 'Drop a CSV, TSV, JSON Lines, Parquet or Excel file here, with one prediction in each row and the id of its case. It becomes an arm next to the others, and nothing is imported before you have seen the result.',
  },
  made: {
    label: 'Drop a file of predictions',
    heading: 'What did a system, or people, predict, and what happened?',
    text: 'Drop a CSV, TSV, JSON Lines, Parquet or Excel file here, with one prediction in each row: the id of the case, what was predicted and what was true, and groups such as sex if there are any. It becomes a new experiment without a run of any model, and nothing is imported before you have seen the result.',
  },
} as const;

interface Destination {
  readonly experiment: string | null;
  readonly view: ExperimentView | null;
}

function PredictionsWizard({
  experiment,
  view,
  ...head
}: Destination & Pick<Required<ComponentProps<typeof Screen>>, 'crumbs' | 'title'>) {
  const api = useApi();
  const own = view?.definition.dataset ?? null;
  const { data: recorded = [] } = useExperiments();
  const isRecorded = (form: PredictionForm) => recorded.some(({ name }) => name === form.name.trim());
  return (
    <ImportWizard
      {...head}
      storageKey={experiment === null ? predictionsKey : `${predictionsKey}/${experiment}`}
      invitation={invitations[experiment === null ? 'made' : 'recorded']}
      schema={predictionFormSchema}
      columnParts={['columns', 'probabilities', 'opinions', 'groups']}
      initial={({ inspection, upload }) =>
        formOf(inspection, upload.fileName, own, { labels: view?.labels ?? [], recorded: recorded.map(({ name }) => name) })
      }
      check={(form, { upload: { upload }, inspection }) => {
        const { delimiter, encoding, sheet } = inspection.guess;
        const of = { upload, delimiter, encoding, sheet };
        return experiment === null
          ? checkNewForm(form, inspection, of, isRecorded(form))
          : checkForm(form, { ...of, experiment });
      }}
      lacking={(form, { inspection }) => (experiment === null && !isRecorded(form) ? lackingIn(form, inspection) : [])}
      partOf={partOf}
      preview={(draft, _file, asked) => api.imports.preview(draft, asked)}
      make={(draft, _form, _file, asked) => api.imports.make(draft, asked)}
      result={(report) => <ImportResult report={report} />}
      fields={(state) => (
        <PredictionFields
          {...state}
          {...(view ?? newLabels(state.inspection, state.form))}
          own={own}
          isRecorded={isRecorded(state.form)}
        />
      )}
      previewTitle="What would be imported"
      amount={({ report }) => `${quantity(report.trials, 'prediction')} for cases on trial`}
      shown={(preview, form, onChange) => <PreviewPane {...preview} form={form} onChange={onChange} />}
      nothing={({ report }) => {
        if (report.created && report.decided === 0)
          return 'No value is a label yet. Choose in “From values to labels” what each means.';
        return report.imported_now === 0 ? 'All of this is on the record already.' : null;
      }}
      action={{ name: 'Import', busy: 'Importing…' }}
      stoppable={{
        progress: ({ report }) => <ImportProgress expected={report} />,
        stopped: 'Stopped. What was imported is on the record; import again to continue from there.',
      }}
    />
  );
}

const mostValues = 20;

function ImportResult({ report }: { report: ImportReport }) {
  const { experiment, created, trials, imported_now: fresh } = report;
  const link = <OutsideLink to={toExperiment(experiment)} text={experiment} />;
  const undecided = Object.entries(report.undecided).slice(0, mostValues);
  return (
    <Section
      title={fresh === 0 ? 'Everything was there already' : 'On the record'}
      lead={`${quantity(trials, 'prediction')}, ${fresh === 0 ? 'none' : fresh.toLocaleString('en-GB')} of them new`}
    >
      <Notice tone="good">
        {created ? (
          <span>The experiment {link} was made from this file. Each prediction is a trial, hash-chained like all others.</span>
        ) : (
          <span>Each becomes a trial, hash-chained like all others. They are compared with the arms of {link}.</span>
        )}
      </Notice>
      {[...alikeHints(report.alike, ', and choose there what each value means'), ...report.notes].map((note) => (
        <Notice key={note} tone="warn">
          <HiddenText text={note} />
        </Notice>
      ))}
      <ArmCounts report={report} />
      {undecided.length === 0 ? null : (
        <p className="muted wrap-anywhere">
          Kept as failed trials (undecided):{' '}
          <Listed of={undecided}>
            {([value, count]) => (
              <>
                {value === '' ? 'empty cells' : <Outside className="mono-12-5 wrap-anywhere" text={value} />} (
                {count.toLocaleString('en-GB')})
              </>
            )}
          </Listed>
          .
        </p>
      )}
    </Section>
  );
}

function FirstRows({ first }: Pick<ImportPreview, 'first'>) {
  return (
    <DataTable
      label="The first predictions"
      caption={`The first ${first.length === 1 ? 'prediction' : `${first.length} predictions`}`}
      close
      rows={first}
      keyOf={({ line }) => line}
      columns={[
        { title: 'line', number: ({ line }) => line },
        { title: 'case', isHead: true, dir: 'auto', cell: ({ case: id }) => <HiddenText text={id} /> },
        { title: 'in the file', look: 'mono-12-5 wrap-anywhere', dir: 'auto', cell: ({ value }) => <HiddenText text={value} /> },
        { title: 'read as', cell: ({ prediction }) => <ReadAs label={prediction} /> },
        {
          title: 'confidence',
          number: ({ confidence }) =>
            confidence === null ? <span className="muted wrap-anywhere">–</span> : percent(confidence),
        },
      ]}
    />
  );
}

/** The result that the import would have: arms with their counts, and the first rows as they would be read. */
function PreviewPane({ report, first, form, onChange }: ImportPreview & Pick<PredictionState, 'form' | 'onChange'>) {
  const { columns, probabilities } = form;
  // The preview is that of the form before while the next one is made.
  const doubted = columns.confidence === '' ? null : report.confidence_of;
  const against = ownProbabilityText(report.arms);
  return (
    <>
      <ArmCounts report={report} />
      {against === null ? null : (
        <Notice tone="warn">
          <HiddenText text={against} />
        </Notice>
      )}
      {doubted === null ? null : (
        <Notice tone="warn">
          <HiddenText text={confidenceText(doubted)} />
          <Button
            size="small"
            onPress={() =>
              onChange({
                columns: { ...columns, confidence: '' },
                probabilities: { ...probabilities, [doubted.label]: columns.confidence },
              })
            }
          >
            Yes, read it so
          </Button>
        </Notice>
      )}
      <FirstRows first={first} />
    </>
  );
}

function ArmCounts({ report }: { report: ImportReport }) {
  const { arms, cases, not_on_trial: off, repeats } = report;
  return (
    <>
      <DataTable
        label="Imported arms"
        close
        rows={arms}
        keyOf={({ arm }) => arm}
        columns={[
          { title: 'arm', cell: ({ arm }) => <Isolated text={arm} /> },
          { title: 'predictions', number: ({ trials }) => count(trials) },
          { title: 'new', number: ({ imported_now }) => count(imported_now) },
          {
            title: 'cases',
            number: (arm) => (
              <>
                {count(arm.cases)}
                <span className="muted">/{count(cases.on_trial)}</span>
              </>
            ),
          },
          { title: 'decided', number: ({ decided }) => count(decided) },
          {
            title: 'undecided',
            look: ({ undecided_trials }) => (undecided_trials === 0 ? undefined : 'text-warn'),
            number: ({ undecided_trials }) => count(undecided_trials),
          },
        ]}
      />
      {repeats.length < 2 ? null : (
        <p className="muted wrap-anywhere">
          {repeats.length} replicates, by the repeats <Isolated text={repeats.slice(0, 20).join(', ')} />.
        </p>
      )}
      {off === 0 ? null : (
        <p className="muted wrap-anywhere">
          {quantity(off, 'row')} of cases of the data set that are not on trial {off === 1 ? 'is' : 'are'} left out. Import the
          file again when the sample has grown.
        </p>
      )}
    </>
  );
}

const everyMs = 1000;

/** How far an import is, from what is on the record of its arms by now. @param expected the result of the whole import */
function ImportProgress({ expected: { experiment, arms, trials } }: { expected: ImportReport }) {
  const started = useRef<{ at: number; done: number } | null>(null);
  const counts = useRead(['imports', 'progress', experiment], (api, given) => api.experiments.read({ experiment }, given), {
    refetchInterval: everyMs,
    gcTime: 0,
  });
  const names = new Set(arms.map(({ arm }) => arm));
  const done = counts.data?.arms.filter(({ name }) => names.has(name)).reduce((sum, arm) => sum + arm.done, 0);
  if (done === undefined) return 'Reading the file…';
  started.current ??= { at: performance.now(), done };
  const seconds = (performance.now() - started.current.at) / 1000;
  const rate = seconds > 0 ? (done - started.current.done) / seconds : 0;
  const words = `${done.toLocaleString('en-GB')} of ${trials.toLocaleString('en-GB')} on the record`;
  if (rate <= 0) return words;
  const left = duration(Math.max(0, trials - done) / rate);
  return `${words} · ${Math.round(rate).toLocaleString('en-GB')} a second · about ${left} left`;
}
