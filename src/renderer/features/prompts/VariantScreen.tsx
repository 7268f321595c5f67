import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { capitalized } from '../../../core/text/visible.ts';
import { type EditProblem, type OpenedVariant, openedVariantSchema } from '../../../shared/api/prompts.ts';
import { fresh, useApi, useRead } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { forTry, routes, toPrompts } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { clearSessionState, readSessionState, saveSessionState, useSessionState } from '../../ui/sessionState.ts';
import { TextField } from '../../ui/TextField.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useDatasets } from '../datasets/datasetQueries.ts';
import { casesOf } from '../datasets/definition.ts';
import { PreviewedCalls } from '../newExperiment/PreviewedCalls.tsx';
import { protocolTitle, refusalOf } from '../protocols/acceptance.ts';
import { ParametersForm } from '../protocols/ParametersForm.tsx';
import { promptTitle } from '../protocols/words.ts';
import { emptyTry, tryFormSchema, tryKey } from '../tryCase/tryForm.ts';
import { PromptParts } from './PromptParts.tsx';
import styles from './Prompts.module.css';
import { promptsKey, useForgetVariants } from './promptQueries.ts';

const crumbsFor = (isForTry: boolean) => [
  isForTry ? { label: 'Try a case', to: routes.tryCase } : { label: 'Prompts', to: routes.prompts },
];
const restMs = 400;

/** Where the words come from: as shipped, a variant to change, or one to copy. */
type From = 'shipped' | 'own' | 'copy';

/** What is kept while the user writes: the words, and the file that they came from. */
const writtenSchema = openedVariantSchema.pick({ edited: true, kept: true });

export default function VariantScreen({ from, name }: { from: From; name: string }) {
  const place = `prompts/${from}/${name}`;
  const opened = useRead(
    [...promptsKey, 'open', from, name],
    async (api, given) => {
      try {
        const found = await api.prompts.open({ from: from === 'shipped' ? 'shipped' : 'own', name }, given);
        const copy = { ...found, kept: null, edited: { ...found.edited, name: `${name}-copy`.slice(-64) } };
        return { opened: from === 'copy' ? copy : found, unread: null };
      } catch (error) {
        // The user's words are not lost with the file that they came from.
        const written = readSessionState(place, writtenSchema, sessionStorage);
        if (written === null) throw error;
        const shipped = await api.prompts.open({ from: 'shipped', name: written.edited.protocol }, given);
        return { opened: shipped, unread: failureOf(error).message };
      }
    },
    { ...fresh, retry: false },
  );
  // As the place: of the visit in which the screen was opened.
  const [isForTry] = useState(() => history.state === forTry);
  const crumbs = crumbsFor(isForTry);
  if (opened.isFetching || opened.isError || opened.data === undefined) {
    return (
      <Screen crumbs={crumbs} title={from === 'shipped' ? `New variant of ${protocolTitle(name)}` : name}>
        {opened.isFetching ? <p>Reading the prompts…</p> : <FailureNotice error={opened.error} onRetry={opened.refetch} />}
      </Screen>
    );
  }
  return <Editor key={opened.data.opened.kept?.file ?? 'new'} {...opened.data} place={place} isForTry={isForTry} />;
}

/** @param unread why its file is unreadable @param place of what is unsaved @param isForTry the tried case gets it once saved */
function Editor({
  opened,
  unread,
  place,
  isForTry,
}: {
  opened: OpenedVariant;
  unread: string | null;
  place: string;
  isForTry: boolean;
}) {
  const api = useApi();
  const forget = useForgetVariants();
  const [, navigate] = useLocation();
  const [{ edited, kept }, write] = useSessionState(place, writtenSchema, () => ({ edited: opened.edited, kept: opened.kept }));
  const change = (part: Partial<typeof edited>) => write((before) => ({ ...before, edited: { ...before.edited, ...part } }));
  const changed = JSON.stringify(edited) !== JSON.stringify(opened.edited);
  const outdated = kept !== null && unread === null && kept.file !== opened.kept?.file;
  const renamed = kept !== null && unread === null && !outdated && edited.name !== kept.name;
  // Unchanged words are read from their file again.
  useEffect(() => {
    if (!changed) clearSessionState(place);
  }, [changed, place]);

  const rested = useDebounced(edited, restMs);
  const check = useRead([...promptsKey, 'check', rested], (api, given) => api.prompts.check(rested, given), {
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const problems = check.data?.problems ?? [];
  const refused = problems.filter((problem) => problem.refused);
  const misnamed = refused.find(({ place: at }) => at === null);
  const faults = refused.filter(({ place: at }) => at !== null);
  const usable = check.data !== undefined && refused.length === 0;
  const [first] = useState(() => openAtFirst({ ...opened, edited }));
  const unsaved =
    faults.length > 0
      ? 'A part below has a problem.'
      : misnamed !== undefined
        ? edited.name === ''
          ? 'Give it a name to save it.'
          : 'Its name cannot be used.'
        : kept !== null && !changed
          ? 'There are no changes to save.'
          : null;

  const save = useMutation({
    mutationFn: () => api.prompts.save({ edited, replaces: kept }),
    onSuccess: (saved) => {
      clearSessionState(place);
      if (isForTry) {
        const tried = readSessionState(tryKey, tryFormSchema, sessionStorage) ?? emptyTry;
        saveSessionState(tryKey, { ...tried, protocol: edited.protocol, prompts: saved.name });
        notify(`Saved. “${saved.name}” is chosen for this case.`);
        navigate(routes.tryCase);
      } else {
        notify(`Saved. Choose “${saved.name}” for an arm of a new experiment, or in Try a case.`);
        navigate(toPrompts('own', saved.name), { replace: true });
      }
      return forget();
    },
  });
  const discard = () => {
    clearSessionState(place);
    notify('Your changes are discarded.', () => {
      saveSessionState(place, { edited, kept });
      forget();
    });
    forget();
  };

  return (
    <Screen
      crumbs={crumbsFor(isForTry)}
      title={opened.kept?.name ?? `New variant of ${protocolTitle(edited.protocol)}`}
      subtitle={opened.kept === null ? undefined : protocolTitle(edited.protocol)}
      pills={
        <>
          {changed ? <Pill tone="warn">not saved</Pill> : null}
          {check.data?.hash ? <Pill>{check.data.hash.slice(0, 12)}</Pill> : null}
        </>
      }
      actions={
        <>
          {unsaved === null ? null : <span className="quiet">{unsaved}</span>}
          {changed ? <Button onPress={discard}>Discard changes</Button> : null}
          <Button look="primary" isDisabled={!usable || save.isPending || unsaved !== null} onPress={() => save.mutate()}>
            {save.isPending ? 'Saving…' : isForTry ? 'Save and go back' : 'Save'}
          </Button>
        </>
      }
      bare
    >
      <div className={styles.columns}>
        <div className={`stack gap-16 content-start ${styles.pane}`}>
          <FailureNotice error={save.error} />
          <FailureNotice error={check.error} onRetry={check.refetch} />
          {unread === null ? null : (
            <Notice tone="warn">The file cannot be read: {unread}. Your words are still here; save them as a new variant.</Notice>
          )}
          {outdated ? (
            <Notice tone="warn">
              The file of this variant has changed since you opened it. Save your words under another name, or discard them to see
              the file as it is now.
            </Notice>
          ) : null}
          <Section title="Variant">
            <div className="fields">
              <TextField
                label="Name"
                value={edited.name}
                maxLength={64}
                error={edited.name === '' || misnamed === undefined ? null : `${capitalized(misnamed.message)}.`}
                description={
                  renamed
                    ? `Saving renames “${kept.name}”. To keep both, go back and choose “Copy”.`
                    : 'Letters, digits, dots, dashes and underscores. Arms name the variant by it.'
                }
                onChange={(name) => change({ name })}
              />
              <TextField label="What it is for" value={edited.about} maxLength={500} onChange={(about) => change({ about })} />
            </div>
          </Section>
          <EditState faults={faults} warnings={problems.length - refused.length} />
          {opened.prompts.map((prompt) => (
            <PromptParts
              key={prompt.id}
              prompt={prompt}
              parts={edited.parts}
              problems={problems}
              defaultExpanded={first.has(prompt.id)}
              onChange={(parts) => change({ parts })}
            />
          ))}
        </div>
        <aside className={styles.pane} aria-label="Preview">
          <VariantPreview
            edited={misnamed === undefined ? rested : { ...rested, name: 'unnamed' }}
            usable={check.data !== undefined && faults.length === 0}
            checked={!check.isPlaceholderData}
          />
        </aside>
      </div>
    </Screen>
  );
}

/** The prompts that are open at first: those with words of one's own, else the first that has texts. */
function openAtFirst({ prompts, edited }: OpenedVariant): Set<string> {
  const shipped = prompts.flatMap(({ id, parts }) => parts.map((part) => ({ ...part, prompt: id })));
  const changed = shipped.filter(({ prompt, text, shipped: before }) =>
    edited.parts.some((each) => each.prompt === prompt && each.text === text && each.words !== before),
  );
  const [first] = shipped.filter(({ text }) => text !== null);
  return new Set((changed.length > 0 || first === undefined ? changed : [first]).map(({ prompt }) => prompt));
}

/** Whether the words can be saved as they are, and if not, what to do first. */
function EditState({ faults, warnings }: { faults: readonly EditProblem[]; warnings: number }) {
  const [fault] = faults;
  if (fault !== undefined) {
    const { prompt = '', text = null, line = 1 } = fault.place ?? {};
    return (
      <Notice tone="bad">
        It cannot be saved yet: {promptTitle(prompt)}, {text === null ? 'messages' : promptTitle(text)}, line {line}:{' '}
        {fault.message}.
      </Notice>
    );
  }
  if (warnings === 0) return null;
  return <Notice tone="warn">These words can be used. The parts below have {quantity(warnings, 'warning')}.</Notice>;
}

/** What a first case's trial would send with these words, or the last usable ones. @param checked whether their use is known */
function VariantPreview({ edited, usable, checked }: { edited: OpenedVariant['edited']; usable: boolean; checked: boolean }) {
  const datasets = useDatasets().data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [params, setParams] = useState<Record<string, unknown>>({});
  const fitting = datasets.filter((entry) => refusalOf(edited.protocol, casesOf(entry), params) === null);
  const entry = fitting.find(({ id }) => id === chosen) ?? fitting[0];
  const preview = useRead(
    [...promptsKey, 'preview', edited, entry?.id, params],
    (api, given) => api.prompts.preview({ edited, entry: entry?.id ?? '', params }, given),
    { enabled: usable && checked && entry !== undefined, placeholderData: keepPreviousData, retry: false, gcTime: 0 },
  );
  return (
    <Section
      title="Preview"
      lead="What would be sent, word for word, for the first case of a data set. The parameters decide which texts it uses."
    >
      <Select
        label="Data set"
        value={entry?.id ?? null}
        choices={fitting.map(({ id, name }) => ({ id, label: name }))}
        onChange={setChosen}
      />
      <ParametersForm
        protocol={edited.protocol}
        params={params}
        onChange={setParams}
        errorOf={() => null}
        labels={entry?.labels ?? []}
      />
      <FailureNotice error={usable ? preview.error : null} />
      {usable ? null : (
        <Notice tone="warn">
          These words cannot be used yet.{preview.data === undefined ? '' : ' This is the last preview that could be made.'}
        </Notice>
      )}
      {preview.data === undefined ? (
        preview.isLoading ? (
          <p className="quiet">Preparing…</p>
        ) : null
      ) : (
        <PreviewedCalls preview={preview.data} />
      )}
    </Section>
  );
}
