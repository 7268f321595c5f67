import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { type CaseDefinition, caseDefinitionSchema, type Inspection, type Upload } from '../../../shared/api/docket.ts';
import { caseKinds } from '../../../shared/domain.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { toEntry } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { useKept } from '../../ui/kept.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { byteSize, quantity } from '../../ui/quantity.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { CasePreviewPane } from './CasePreviewPane.tsx';
import { ColumnTable } from './ColumnTable.tsx';
import { columnChoices, noColumn } from './columnChoices.ts';
import { formatWords, kindWords, splitWords } from './definition.ts';
import { useTakeDocketEntry } from './docketQueries.ts';
import styles from './Import.module.css';
import {
  checkForm,
  type FormPart,
  forgetImport,
  formOf,
  type ImportForm,
  importFormSchema,
  importKeys,
  partOf,
} from './importForm.ts';
import { LabelMeaning } from './LabelMeaning.tsx';
import { TextColumns } from './TextColumns.tsx';

const restMs = 350;
const splits = ['test', 'train', 'validation'] as const;

/** What the columns mean, beside what becomes of them. */
export function ImportFormPart({
  upload,
  inspection,
  children,
}: {
  upload: Upload;
  inspection: Inspection;
  /** How the file is read. */
  children: ReactNode;
}) {
  const api = useApi();
  const [, navigate] = useLocation();
  const take = useTakeDocketEntry();
  const [form, setForm] = useKept(importKeys.form(upload.upload), importFormSchema, () => formOf(inspection, upload.fileName));
  const checked = checkForm(form, inspection);
  const rested = useDebounced(checked.definition === null ? null : JSON.stringify(checked.definition), restMs);

  const preview = useQuery({
    queryKey: ['docket', 'preview', upload.upload, rested],
    queryFn: ({ signal }) =>
      api.docket.preview(
        { upload: upload.upload, definition: caseDefinitionSchema.parse(JSON.parse(rested ?? '{}')) },
        { signal },
      ),
    enabled: rested !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const add = useMutation({
    mutationFn: (definition: CaseDefinition) => api.docket.add({ upload: upload.upload, name: form.name.trim(), definition }),
    onSuccess: (entry) => {
      forgetImport(upload.upload);
      take(entry);
      navigate(toEntry(entry.id));
    },
  });

  const change = (part: Partial<ImportForm>) => {
    // What the engine said was of the form as it was.
    add.reset();
    setForm((before) => ({ ...before, ...part }));
  };

  const failure = add.error ?? (checked.wrong === null ? preview.error : null);
  const told = failure === null ? null : failureOf(failure);
  const failedPart = told === null ? null : partOf(told.field, form);
  const errorAt = (part: FormPart): string | null => {
    if (checked.wrong?.part === part) return checked.wrong.message;
    if (told === null || failedPart !== part) return null;
    return told.line === null ? told.message : `Line ${told.line}: ${told.message}`;
  };
  const named = form.name.trim() !== '' && form.name.trim().length <= 200;

  return (
    <div className={styles.columns}>
      <div className={styles.steps}>
        <Section
          title="The file"
          lead={
            <>
              {formatWords[inspection.format]}, {quantity(inspection.rows, 'row')},{' '}
              {quantity(inspection.columns.length, 'column')}, {byteSize(upload.bytes)}
            </>
          }
        >
          <TextField
            label="Name on the docket"
            value={form.name}
            onChange={(name) => change({ name })}
            error={named ? errorAt('name') : 'A name has 1 to 200 characters.'}
          />
          {children}
        </Section>
        <Section title="What a case is">
          <RadioCards
            label="Each row is"
            value={form.kind}
            onChange={(kind) => change({ kind })}
            error={errorAt('kind')}
            choices={caseKinds.map((id) => ({ id, ...kindWords[id] }))}
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
              <p key={message} className={styles.error}>
                {message}
              </p>
            ),
          )}
        </Section>
        <Section title="What is decided">
          {form.kind === 'open' ? (
            <p className={styles.quiet}>Each case asks its own question, and any answer is possible.</p>
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
          <div className={styles.pairOfFields}>
            {splits.map((name) => (
              <NumberField
                key={name}
                label={`${splitWords[name].charAt(0).toUpperCase()}${splitWords[name].slice(1)}, %`}
                minValue={0}
                maxValue={100}
                value={form.split[name]}
                onChange={(share) => change({ split: { ...form.split, [name]: share ?? 0 } })}
              />
            ))}
          </div>
          {errorAt('split') === null ? null : (
            <p className={styles.error} role="alert">
              {errorAt('split')}
            </p>
          )}
        </Section>
      </div>
      <aside className={styles.aside} aria-label="Preview">
        <div className={styles.actions}>
          <Button
            look="primary"
            isDisabled={checked.definition === null || !named || add.isPending}
            onPress={() => (checked.definition === null ? undefined : add.mutate(checked.definition))}
          >
            {add.isPending ? 'Adding…' : 'Add to the docket'}
          </Button>
          {checked.wrong === null && named ? null : (
            <p className={styles.quiet}>Something is missing or does not fit; it says so at its field.</p>
          )}
          {add.isError && failedPart === null ? <FailureNotice error={add.error} /> : null}
        </div>
        <CasePreviewPane
          preview={checked.wrong === null && !preview.isError ? preview.data : undefined}
          reading={preview.isFetching}
          failure={checked.wrong === null && preview.isError ? preview.error : null}
          waitsFor={checked.wrong === null ? null : checked.wrong.message}
        />
      </aside>
    </div>
  );
}
