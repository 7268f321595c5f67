import { useLocation } from 'wouter';
import { caseKinds } from '../../../shared/domain.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { routes, toEntry } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { columnChoices, noColumn } from '../importing/columnChoices.ts';
import styles from '../importing/Importing.module.css';
import { FileSection, ImportWizard, type InspectedFile } from '../importing/ImportWizard.tsx';
import { useImportForm } from '../importing/useImportForm.ts';
import { CasePreviewPane } from './CasePreviewPane.tsx';
import { ColumnTable } from './ColumnTable.tsx';
import { useTakeDataset } from './datasetQueries.ts';
import { kindText, splitText } from './definition.ts';
import { checkForm, formOf, importFormSchema, keptAs, partOf } from './importForm.ts';
import { LabelMeaning } from './LabelMeaning.tsx';
import { TextColumns } from './TextColumns.tsx';

const splits = ['test', 'train', 'validation'] as const;

/** What the columns mean, beside what becomes of them. */
function ImportFormPart({ file }: { file: InspectedFile }) {
  const api = useApi();
  const [, navigate] = useLocation();
  const take = useTakeDataset();
  const { inspection, finish } = file;
  const { upload, fileName } = file.upload;
  const { form, draft, change, errorAt, failedPart, making, ...shown } = useImportForm({
    keptAs: file.formKey,
    schema: importFormSchema,
    initial: () => formOf(inspection, fileName),
    check: (asked) => checkForm(asked, inspection),
    partOf,
    previewKey: ['datasets', 'preview', upload],
    preview: (definition, asked) => api.dataFiles.preview({ upload, definition }, asked),
    make: (definition, { name }) => api.dataFiles.add({ upload, name: name.trim(), definition }),
    onMade: (entry) => {
      finish();
      take(entry);
      navigate(toEntry(entry.id));
    },
  });
  const named = form.name.trim() !== '' && form.name.trim().length <= 200;

  return (
    <>
      <div className="stack gap-16 min-w-0">
        <FileSection file={file}>
          <TextField
            label="Name of the data set"
            value={form.name}
            onChange={(name) => change({ name })}
            error={named ? errorAt('name') : 'A name has 1 to 200 characters.'}
          />
        </FileSection>
        <Section title="What a case is">
          <RadioCards
            label="Each row is"
            value={form.kind}
            onChange={(kind) => change({ kind })}
            error={errorAt('kind')}
            choices={caseKinds.map((id) => ({ id, ...kindText[id] }))}
          />
          <TextColumns inspection={inspection} form={form} onChange={change} errorAt={errorAt} />
          <Select
            label="Column with the id"
            description="Each value must occur once. Without one, cases are called by their row."
            value={form.id}
            error={errorAt('id')}
            choices={columnChoices(inspection, noColumn('none: number of the row'))}
            onChange={(id) => change({ id })}
          />
          <ColumnTable inspection={inspection} form={form} onChange={change} />
          {[errorAt('exclude'), errorAt('groups')].map((message) =>
            message === null ? null : (
              <p key={message} className="text-bad text-13">
                {message}
              </p>
            ),
          )}
        </Section>
        <Section title="What is decided">
          {form.kind === 'open' ? (
            <p className="muted wrap-anywhere">Each case asks its own question, and any answer is possible.</p>
          ) : (
            <>
              <TextField
                label="Question"
                description="The same for every case, as “Will this person be re-arrested within three years?”"
                rows={2}
                look="serif"
                value={form.question}
                error={errorAt('question')}
                onChange={(question) => change({ question })}
              />
              <LabelMeaning inspection={inspection} form={form} onChange={change} errorAt={errorAt} />
            </>
          )}
        </Section>
        <Section title="Shares" lead="Verdicts are counted on test cases. Labelled examples are drawn from training cases only.">
          <div className={styles.fields}>
            {splits.map((name) => (
              <NumberField
                key={name}
                label={`${splitText[name].charAt(0).toUpperCase()}${splitText[name].slice(1)}, %`}
                minValue={0}
                maxValue={100}
                value={form.split[name]}
                onChange={(share) => change({ split: { ...form.split, [name]: share ?? 0 } })}
              />
            ))}
          </div>
          {errorAt('split') === null ? null : (
            <p className="text-bad text-13" role="alert">
              {errorAt('split')}
            </p>
          )}
        </Section>
      </div>
      <aside className={`stack gap-16 min-w-0 ${styles.aside}`} aria-label="Preview">
        {/* Above the preview, which stays in view with it, however long form and case are. */}
        <div className="row gap-10">
          <Button look="primary" isDisabled={draft === null || !named || making.pending} onPress={making.start}>
            {making.pending ? 'Adding…' : 'Add data set'}
          </Button>
          {draft !== null && named ? null : (
            <p className="muted wrap-anywhere">Something is missing or does not fit; it says so at its field.</p>
          )}
          {making.error !== null && failedPart === null ? <FailureNotice error={making.error} /> : null}
        </div>
        <CasePreviewPane
          preview={shown.preview}
          reading={shown.reading}
          failure={shown.previewFailure}
          waitsFor={shown.waitsFor}
        />
      </aside>
    </>
  );
}

/** From a file to an entry of the list of data sets: choose it, say what its columns mean, see the cases, add it. */
export default function ImportScreen() {
  return (
    <ImportWizard
      keptAs={keptAs}
      crumbs={[{ label: 'Data sets', to: routes.datasets }]}
      title="Import"
      invitation={{
        label: 'Drop a data file',
        heading: 'Which cases are to be put on trial?',
        text: 'Drop a CSV, TSV or JSON Lines file here: one case in each row. It stays on this machine, and nothing is added before you have seen what becomes of it.',
      }}
    >
      {(file) => <ImportFormPart file={file} />}
    </ImportWizard>
  );
}
