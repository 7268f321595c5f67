import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { splitText } from '../../../core/cases/shares.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { CasePreview } from '../../../shared/api/dataFiles.ts';
import { caseKinds } from '../../../shared/domain.ts';
import { usualSeed } from '../../../shared/experiment.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { routes, toEntry } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Section } from '../../ui/Section.tsx';
import { saveSessionState } from '../../ui/sessionState.ts';
import { TextField } from '../../ui/TextField.tsx';
import { ColumnSelect } from '../importing/ColumnSelect.tsx';
import { chosen, predictionsKey, storageKey } from '../importing/chosen.ts';
import { ImportWizard } from '../importing/ImportWizard.tsx';
import { ColumnNames } from './ColumnNames.tsx';
import { ColumnTable } from './ColumnTable.tsx';
import { useTakeDataset } from './datasetQueries.ts';
import { kindText } from './definition.ts';
import { CaseFacts } from './Facts.tsx';
import {
  type CaseForm,
  checkForm,
  formOf,
  importFormSchema,
  lackingIn,
  namedColumns,
  partOf,
  shownDecider,
} from './importForm.ts';
import { LabelBars } from './LabelBars.tsx';
import { LabelMeaning } from './LabelMeaning.tsx';
import { TextColumns } from './TextColumns.tsx';

const splits = ['test', 'train', 'validation'] as const;

function CaseFields(state: CaseForm) {
  const { inspection, upload, form, onChange, errorAt } = state;
  const at = bindFields(form, onChange, errorAt);
  const named = namedColumns(inspection, form);
  return (
    <>
      <p className="muted wrap-anywhere">
        Does the file say what another system, or people, predicted?{' '}
        <Link href={routes.importNewPredictions} onClick={() => saveSessionState(predictionsKey, chosen(upload))}>
          Import it as predictions
        </Link>
      </p>
      <Section title="The data set">
        <TextField label="Name of the data set" {...at('name')} />
      </Section>
      <Section
        title="What a case is"
        lead={
          form.kind === 'tabular'
            ? 'Models read every fact. Leave out what was known only after the decision, such as when it was carried out.'
            : undefined
        }
      >
        <RadioCards label="Each row is" {...at('kind')} choices={caseKinds.map((id) => ({ id, ...kindText[id] }))} />
        <TextColumns {...state} />
        <ColumnSelect
          inspection={inspection}
          label="Column with the id"
          description="Each value must occur once. Without one, cases are called by their row."
          {...at('id')}
          without="none: number of the row"
        />
        <ColumnTable {...state} />
        {named.length === 0 ? null : (
          <Fold
            title="Names and units"
            aside={
              <>
                what people read in place of “<Isolated text={named[0] ?? ''} />
                ”, also in reports
              </>
            }
            defaultExpanded={errorAt('names') !== null}
          >
            <div className="stack gap-10">
              <ColumnNames columns={named} terms={form} onChange={({ names, units }) => onChange({ names, units })} />
              <Checkbox
                isSelected={form.namesInPrompts}
                onChange={(namesInPrompts) => onChange({ namesInPrompts })}
                note="Otherwise models read the columns’ own names, and you can change these names later."
              >
                Models read these names too
              </Checkbox>
            </div>
          </Fold>
        )}
        {[errorAt('exclude'), errorAt('groups'), errorAt('names')].map((message) =>
          message === null ? null : (
            <p key={message} className="text-bad text-13" data-fault tabIndex={-1}>
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
              label="Which question does the court decide?"
              description="The same for every case, as “Will this person be re-arrested within three years?”"
              rows={2}
              look="serif"
              {...at('question')}
            />
            <LabelMeaning {...state} />
          </>
        )}
      </Section>
      <Section
        title="Shares"
        lead="Verdicts are counted on test cases. Training cases teach no model: baselines learn from them, so that you see whether a protocol does better than a simple rule, and examples and precedents are drawn from them. Without training cases there are none of these."
      >
        <div className="fields">
          {splits.map((name) => (
            <NumberField
              key={name}
              label={`${capitalized(splitText[name])}, %`}
              minValue={0}
              maxValue={100}
              value={form.split[name]}
              onChange={(share) => onChange({ split: { ...form.split, [name]: share ?? 0 } })}
            />
          ))}
          <ColumnSelect
            inspection={inspection}
            label="Which cases go where"
            description="By a column of dates or numbers, the earliest or lowest are for training and the latest or highest for the test. Cases of the same time stay together, so that none is tested on what was learned from its own day: a share can be larger than you asked."
            {...at('splitBy')}
            without="by lot"
          />
        </div>
        {errorAt('split') === null ? null : (
          <p className="text-bad text-13" role="alert" data-fault tabIndex={-1}>
            {errorAt('split')}
          </p>
        )}
      </Section>
    </>
  );
}

export default function ImportScreen() {
  const api = useApi();
  const [, navigate] = useLocation();
  const take = useTakeDataset();
  return (
    <ImportWizard
      storageKey={storageKey}
      crumbs={[{ label: 'Data sets', to: routes.datasets }]}
      title="Import"
      invitation={{
        label: 'Drop a data file',
        heading: 'Which cases do you want to put on trial?',
        text: 'Drop a CSV, TSV, JSON Lines, Parquet or Excel file here, with one case in each row. It stays on this machine, and nothing is added before you have seen the result.',
      }}
      schema={importFormSchema}
      columnParts={['id', 'label', 'columns', 'sections', 'exclude', 'groups']}
      labelPart="label"
      initial={({ inspection, upload }) => formOf(inspection, upload.fileName)}
      check={(form, { inspection }) => checkForm(form, inspection)}
      lacking={(form, { inspection }) => lackingIn(form, inspection)}
      partOf={partOf}
      preview={(definition, { upload }, asked) => api.dataFiles.preview({ upload: upload.upload, definition }, asked)}
      make={(definition, { name }, { upload }, asked) =>
        api.dataFiles.add({ upload: upload.upload, name: name.trim(), definition }, asked)
      }
      onMade={(entry) => {
        take(entry);
        navigate(toEntry(entry.id));
      }}
      fields={(state) => <CaseFields {...state} />}
      previewTitle="What a case will look like"
      amount={({ cases }) => quantity(cases, 'case')}
      shown={(preview, form) => <CasePreviewPane preview={preview} decidedBy={shownDecider(form)} />}
      action={{ name: 'Add data set', busy: 'Adding…' }}
    />
  );
}

/** Of fewer test cases a screen says that they are too few. */
const fewestTested = 10;

function CasePreviewPane({ preview, decidedBy }: { preview: CasePreview; decidedBy: string | undefined }) {
  const [wanted, setWanted] = useState(0);
  const { first } = preview;
  const at = Math.min(wanted, Math.max(0, first.length - 1));
  const shown = first[at];
  const tested = preview.bySplit.find(({ split }) => split === 'test')?.cases ?? 0;
  return (
    <>
      {preview.byLabel.length === 0 ? null : (
        <LabelBars counts={preview.byLabel} cases={preview.cases} positive={preview.positive} />
      )}
      <p className="muted wrap-anywhere">
        {preview.bySplit.map(({ split, cases }) => `${quantity(cases, 'case')} for ${splitText[split]}`).join(', ')}
      </p>
      {tested >= fewestTested ? null : (
        <Notice tone="warn">
          <span>
            <strong>
              {tested === 0 ? 'No case is' : `Only ${quantity(tested, 'case')} ${tested === 1 ? 'is' : 'are'}`} for{' '}
              {splitText.test}.
            </strong>{' '}
            Verdicts are counted on these, and from fewer than {fewestTested} nothing can be concluded. Import more cases
            {tested < preview.cases ? `, or raise the share for ${splitText.test} under “Shares”` : ''}.
          </span>
        </Notice>
      )}
      {preview.notes.map((note) => (
        <Notice key={note}>
          <Outside text={capitalized(note)} />
        </Notice>
      ))}
      {shown === undefined ? null : (
        <div className="stack gap-10 pt-12 ruled-above">
          <div className="row gap-6">
            <h3 dir="auto" className="title-16 wrap-anywhere">
              Case <HiddenText text={shown.id} />
            </h3>
            <span className="muted wrap-anywhere">
              {at + 1} of the first {first.length}
            </span>
            <Button
              icon={ChevronLeft}
              size="small"
              onPress={() => setWanted(at - 1)}
              isDisabled={at === 0}
              aria-label="Case before"
            />
            <Button
              icon={ChevronRight}
              size="small"
              onPress={() => setWanted(at + 1)}
              isDisabled={at >= first.length - 1}
              aria-label="Next case"
            />
          </div>
          <CaseFacts kind={preview.kind} listed={shown} question={preview.question} decidedBy={decidedBy} seed={usualSeed} />
        </div>
      )}
    </>
  );
}
