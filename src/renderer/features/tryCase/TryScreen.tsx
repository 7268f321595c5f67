import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { capitalized } from '../../../core/text/visible.ts';
import { type TryDraft, tryDraftSchema } from '../../../shared/api/trials.ts';
import { runtimeSchema } from '../../../shared/experiment.ts';
import { count } from '../../../shared/sizes.ts';
import { useApi, useRead, useReread } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { useWrittenElsewhere } from '../../app/engineStatus.ts';
import { forTry, toPrompts, toTrial } from '../../app/routes.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { bindFields } from '../../ui/FormField.tsx';
import { focusFirstFault } from '../../ui/focusFirstFault.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantityRange } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { TextField } from '../../ui/TextField.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import styles from '../newExperiment/NewExperiment.module.css';
import { PromptsField } from '../prompts/PromptsField.tsx';
import { callsOf } from '../protocols/acceptance.ts';
import { BackendField } from '../protocols/BackendField.tsx';
import { inventedAt, preferredBackend } from '../protocols/backends.ts';
import { ParametersForm } from '../protocols/ParametersForm.tsx';
import { ModelField, ProtocolField, ServerField } from '../protocols/ServerField.tsx';
import { screenText } from '../protocols/screenText.ts';
import { useFound } from '../protocols/useBackends.ts';
import { roleText } from '../protocols/words.ts';
import { AnswersField } from './AnswersField.tsx';
import {
  checkTry,
  emptyTry,
  exampleTry,
  refusedAt,
  rolesOf,
  roomyContext,
  type TryField,
  type TryForm,
  triedCase,
  tryFieldOf,
  tryFormSchema,
  tryKey,
} from './tryForm.ts';
import { carriedText } from './tryOfTrial.ts';

const usualContext = runtimeSchema.parse({}).numCtx;

export default function TryScreen() {
  const api = useApi();
  const reread = useReread();
  const [, navigate] = useLocation();
  const found = useFound();
  const preferred = preferredBackend(found);
  const [form, setForm] = useSessionState(tryKey, tryFormSchema, () => emptyTry);
  // How often it was to start: what is missing is said from then on.
  const [asked, setAsked] = useState(0);
  const fields = useRef<HTMLDivElement>(null);

  const start = useMutation({
    mutationFn: (draft: TryDraft) => api.tries.start(draft),
    onSuccess: ({ trial }) => {
      void reread(['experiments']);
      navigate(toTrial(trial));
    },
  });

  const change = (part: Partial<TryForm>) => {
    // What the engine said was of the form as it was.
    start.reset();
    setForm((before) => ({ ...before, ...part }));
  };

  const backend = form.backend ?? preferred.backend;
  const server = form.server ?? preferred.server;
  const invented = inventedAt(found, backend, [server]);
  const checked = checkTry(form, preferred);
  const kase = triedCase(form);
  const carried = carriedText(form);
  const refused = refusedAt(form);
  const roles = rolesOf(form);
  const allRoles = form.model ?? preferred.model;
  const own = roles.filter((role) => (form.roles[role] ?? '').trim() !== '').length;
  const calls = callsOf(form.protocol, form.params, kase);
  const fault = start.error === null ? null : failureOf(start.error);
  const faultAt = fault === null ? null : tryFieldOf(fault.field, form.protocol);
  const errorAt = (field: TryField): string | null => {
    if (fault !== null && faultAt === field) return capitalized(screenText(fault.message, form.protocol));
    if (refused?.field === field) return refused.message;
    return asked > 0 ? (checked.wrong?.[field] ?? null) : null;
  };
  const at = bindFields(form, change, errorAt);
  const parameterError = (name: string): string | null => {
    if (faultAt === 'params' && fault?.field?.endsWith(name)) return capitalized(screenText(fault.message, form.protocol));
    return refused?.parameter === name ? refused.message : null;
  };
  const failed = start.error;
  useEffect(() => {
    if (asked > 0 || failed !== null) focusFirstFault(fields.current);
  }, [asked, failed]);

  const writtenElsewhere = useWrittenElsewhere();
  const submit = () => {
    setAsked((before) => before + 1);
    if (checked.draft !== null && refused === null && !start.isPending) start.mutate(checked.draft);
  };
  // Before the fields: some keep their keys to themselves.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!writtenElsewhere) submit();
  };
  const fill = () => {
    const before = form;
    change({ ...exampleTry, lost: null });
    if (before.facts.trim() !== '') notify('Replaced your text with the example.', () => setForm(before));
  };

  return (
    <Screen
      title="Try a case"
      subtitle="One case in your own words, before a court"
      pills={calls === null ? undefined : <Pill>{quantityRange(calls, 'call')}</Pill>}
      actions={
        <>
          <Button onPress={fill}>Fill in an example</Button>
          <WritingButton look="primary" onPress={submit} isDisabled={start.isPending}>
            {start.isPending ? 'Starting…' : invented ? 'Try it with the demo model' : 'Try it'}
          </WritingButton>
        </>
      }
    >
      <div className={`stack gap-16 with-aside ${styles.form}`} onKeyDownCapture={onKeyDown} ref={fields}>
        {start.isError && faultAt === null && !(fault?.code === 'store-in-use' && writtenElsewhere) ? (
          <div className="whole-row" tabIndex={-1} data-fault>
            <FailureNotice error={start.error} />
          </div>
        ) : null}
        {carried === null ? null : (
          <div className="whole-row">
            <Notice>
              <p>{carried}</p>
              <Button size="small" look="quiet" onPress={() => change({ lost: null })}>
                Close
              </Button>
            </Notice>
          </div>
        )}
        <div className="stack gap-16 min-w-0">
          <Section title="The case">
            <TextField
              label="Facts"
              description="All that the court knows. It stays on this machine unless the settings say otherwise."
              rows={12}
              look="serif"
              {...at('facts')}
            />
            <ContextNote draft={refused === null ? checked.draft : null} onContext={(numCtx) => change({ numCtx })} />
            <TextField label="Question" rows={2} look="serif" {...at('question')} />
            <AnswersField form={form} error={errorAt('labels')} onChange={change} />
          </Section>
        </div>
        <div className="stack gap-16 min-w-0">
          <Section title="The court">
            <ProtocolField
              value={form.protocol}
              onChange={(protocol) => change({ protocol, params: {}, prompts: '', lost: null })}
              cases={kase}
              error={errorAt('protocol')}
            />
            <ParametersForm
              protocol={form.protocol}
              params={form.params}
              labels={form.labels}
              onChange={(params) => change({ params })}
              errorOf={parameterError}
            />
            <PromptsField protocol={form.protocol} {...at('prompts')} />
            <p className="quiet">
              <Link
                href={form.prompts === '' ? toPrompts('shipped', form.protocol) : toPrompts('own', form.prompts)}
                state={forTry}
              >
                {form.prompts === '' ? 'Put the prompts into your own words' : `Edit the words of ${form.prompts}`}
              </Link>
            </p>
            <BackendField
              value={backend}
              asked={[server]}
              error={errorAt('backend')}
              onChange={(chosen) => change({ backend: chosen, model: null, server: null })}
            />
            {backend === 'standin' ? null : (
              <ServerField
                value={server}
                error={errorAt('server')}
                onChange={(chosen, model) => change({ server: chosen, ...(model === null ? {} : { model }) })}
              />
            )}
            <ModelField
              label={invented ? 'Name for the demo model' : roles.length === 0 ? 'Model' : 'Model of all roles'}
              backend={backend}
              server={server}
              value={allRoles}
              error={errorAt('model')}
              onChange={(model) => change({ model, server })}
            />
            {roles.length === 0 ? null : (
              <Fold
                title="Cast"
                aside={own === 0 ? 'one model for all roles' : `${own} of ${roles.length} roles with their own model`}
              >
                {roles.map((role) => (
                  <ModelField
                    key={role}
                    label={roleText(role)}
                    backend={backend}
                    server={server}
                    value={form.roles[role] ?? ''}
                    allRoles={allRoles}
                    onChange={(model) => change({ roles: { ...form.roles, [role]: model } })}
                  />
                ))}
              </Fold>
            )}
            <Fold
              title="Options"
              isFaulty={errorAt('numCtx') !== null}
              aside={`context ${(form.numCtx ?? usualContext).toLocaleString('en-GB')} tokens`}
            >
              <NumberField
                label="Context, tokens"
                description="Prompt and answer together. More needs more memory."
                value={form.numCtx ?? usualContext}
                minValue={256}
                step={1024}
                error={errorAt('numCtx')}
                onChange={(numCtx) => change({ numCtx })}
              />
            </Fold>
          </Section>
          <Section title="What it takes">
            <p className={`text-16 ${styles.cost}`}>
              {calls === null ? (
                'The parameters do not fit yet.'
              ) : (
                <>
                  <strong>{quantityRange(calls, 'call')}</strong> to {invented ? 'the demo model' : 'the model'}, and one more for
                  each answer that cannot be used.
                  {invented ? ' The demo model makes its answers up; no language model is asked.' : ''}
                </>
              )}
            </p>
            <p className="quiet">Ctrl or ⌘ with Enter starts it from any field.</p>
          </Section>
        </div>
      </div>
    </Screen>
  );
}

const restMs = 500;

/** Says while the case is being written whether its prompts fit the context, and offers one that holds them. */
function ContextNote({ draft, onContext }: { draft: TryDraft | null; onContext: (numCtx: number) => void }) {
  const rested = useDebounced(draft === null ? null : JSON.stringify(draft), restMs);
  const look = useRead(
    ['tries', 'look', rested],
    (api, given) => api.tries.look(tryDraftSchema.parse(JSON.parse(rested ?? 'null')), given),
    {
      enabled: rested !== null,
      placeholderData: keepPreviousData,
      // Long texts are not kept once they have been changed.
      gcTime: 10_000,
      retry: false,
    },
  );
  // The fields, and the start, say what is wrong with the form.
  if (draft === null || look.isError || look.data === undefined) return null;
  const { prompt, numPredict, numCtx, fits } = look.data;
  if (fits) {
    return (
      <p className="quiet" role="status">
        The longest prompt takes about {count(prompt)} of {count(numCtx)} tokens.
      </p>
    );
  }
  const roomy = roomyContext(look.data);
  return (
    <div role="status">
      <Notice tone="warn">
        <span>
          <strong>The case may be too long.</strong> The longest prompt takes about {count(prompt)} tokens (estimated) and its
          answer up to {count(numPredict)}; the context holds {count(numCtx)}. Nothing is cut: a call that does not fit fails,
          because its prompt is too long. A larger context needs more memory.
        </span>
        <Button size="small" onPress={() => onContext(roomy)}>
          Set the context to {count(roomy)}
        </Button>
      </Notice>
    </div>
  );
}
