import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { Grid3x3, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { capitalized } from '../../../core/text/visible.ts';
import type { DataFile } from '../../../shared/api/dataFiles.ts';
import { type Draft, draftSchema } from '../../../shared/api/experiments.ts';
import { runtimeSchema, usualSeed } from '../../../shared/experiment.ts';
import { useApi, useRead, useReread } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { routes, toEntry } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { focusFirstFault } from '../../ui/focusFirstFault.ts';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { clearSessionState, useSessionState } from '../../ui/sessionState.ts';
import { notify } from '../../ui/Toasts.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { useDatasets, useStartExperiment } from '../datasets/datasetQueries.ts';
import { casesOf, firstSplit, splitSizes } from '../datasets/definition.ts';
import { NoEntry } from '../datasets/NoEntry.tsx';
import { useExperiments } from '../experiments/experimentQueries.ts';
import { firstProtocol } from '../protocols/acceptance.ts';
import { BackendField } from '../protocols/BackendField.tsx';
import { type Found, inventedAt, preferredBackend } from '../protocols/backends.ts';
import { screenText } from '../protocols/screenText.ts';
import { useFound } from '../protocols/useBackends.ts';
import { ArmCard } from './ArmCard.tsx';
import {
  type ArmForm,
  alreadyTried,
  armNames,
  canCopy,
  checkDraft,
  type DraftFault,
  type DraftForm,
  draftFormSchema,
  draftInput,
  draftKey,
  draftPath,
  faultAt,
  formFor,
  isOpen,
  isUntouched,
  matrixForms,
  missingAt,
  newArm,
  serversOf,
  withCopy,
  withoutCopies,
} from './draft.ts';
import { asNew, openForm } from './draftOf.ts';
import { MatrixDialog } from './MatrixDialog.tsx';
import { PlanSection } from './PlanSection.tsx';
import { addedToPrimary, PrimarySection, RecordedPrimary } from './PrimarySection.tsx';
import { PromptPreviewSection } from './PromptPreviewSection.tsx';
import { RuntimeSection } from './RuntimeSection.tsx';
import { canAddCases, SampleSection, sampleFaults } from './SampleSection.tsx';
import { openTrials, StartBar } from './StartBar.tsx';

const restMs = 500;
const fewCases = 20;

interface Properties {
  readonly entry: DataFile;
  readonly found: Found;
  /** The protocol of the first arm and of those that are added. */
  readonly protocol: string;
  readonly crumbs: readonly { label: string; to: string }[];
  /** Whether an experiment is to grow. */
  readonly isExtension: boolean;
}

function DraftPart({ entry, found, protocol, crumbs, isExtension }: Properties) {
  const api = useApi();
  const reread = useReread();
  const preferred = preferredBackend(found);
  const sizes = splitSizes(entry.cases, entry.definition.split);
  const key = draftKey(entry.id, isExtension);
  const location = useLocation();
  const [form, setForm] = useSessionState(key, draftFormSchema, (): DraftForm => {
    const from = firstSplit(sizes) ?? 'all';
    const most = from === 'all' ? entry.cases : sizes[from];
    return {
      name: '',
      from,
      n: Math.min(fewCases, most),
      seed: usualSeed,
      replicates: 1,
      backend: null,
      runtime: runtimeSchema.parse({}),
      arms: [newArm(crypto.randomUUID(), protocol)],
    };
  });

  const [open, setOpen] = useState(form.arms.length === 1 ? (form.arms[0]?.key ?? null) : null);
  const [added, setAdded] = useState<string | null>(null);
  const [cold, setCold] = useState<{ readonly arm: string } | null>(null);
  const [isMatrix, setIsMatrix] = useState(false);
  const experiments = useExperiments();
  const counted = withoutCopies(form, preferred);
  const checked = checkDraft(draftInput(formFor(counted, casesOf(entry)), entry.id, preferred));
  const rested = useDebounced(checked.draft === null ? null : JSON.stringify(checked.draft), restMs);
  const concurrency = useSettings().data?.concurrency;
  const plan = useRead(
    ['experiments', 'plan', rested, concurrency],
    (api, given) => api.experiments.plan(draftSchema.parse(JSON.parse(rested ?? 'null')), given),
    { enabled: rested !== null, placeholderData: keepPreviousData, retry: false },
  );
  const start = useStartExperiment(() => clearSessionState(key));
  const measure = useMutation({
    mutationFn: (draft: Draft) => api.experiments.measure(draft),
    onSuccess: () => reread(['experiments', 'plan']),
  });
  const backend = form.backend ?? preferred.backend;
  const asked = serversOf(form.arms, preferred);
  const invented = inventedAt(found, backend, asked);
  const unmeasured = plan.isPlaceholderData ? '' : (plan.data?.timing.unmeasured ?? []).join('\n');
  const measured = useRef('');
  const { mutate, isPending: isMeasuring } = measure;
  useEffect(() => {
    if (rested === null || isMeasuring || unmeasured === '' || unmeasured === measured.current) return;
    const draft = draftSchema.parse(JSON.parse(rested));
    // It takes a moment, and no server is asked. At an address there can be a real model next to a demo one.
    if (draft.backend !== 'standin') return;
    measured.current = unmeasured;
    mutate(draft);
  }, [rested, isMeasuring, unmeasured, mutate]);
  const { draft } = checked;
  const fields = useRef<HTMLDivElement>(null);
  const refused = start.error;
  useEffect(() => {
    if (refused !== null) focusFirstFault(fields.current);
  }, [refused]);

  const changeBy = (change: (before: DraftForm) => Partial<DraftForm>) => {
    // What the engine said was of the draft as it was.
    start.reset();
    setForm((before) => ({ ...before, ...change(before) }));
  };
  const change = (part: Partial<DraftForm>) => changeBy(() => part);
  const changeArms = (change: (before: ArmForm[]) => ArmForm[]) => changeBy(({ arms }) => ({ arms: change(arms) }));
  const remove = (arm: ArmForm, name: string, at: number) => {
    changeArms((arms) => arms.filter(({ key }) => key !== arm.key));
    notify(`The arm “${name}” was removed.`, () => changeArms((arms) => arms.toSpliced(at, 0, arm)));
  };

  const add = (source: string | undefined) => {
    const key = crypto.randomUUID();
    changeArms((arms) => (source === undefined ? [...arms, newArm(key, protocol)] : withCopy(arms, source, key)));
    setOpen(key);
    setAdded(key);
  };
  const makeNew = () => {
    const made = asNew(form, (experiments.data?.find(({ name }) => name === form.name)?.done ?? 0) > 0);
    openForm(entry.id, false, made, location);
  };
  const makeArms = (cells: Parameters<typeof matrixForms>[0]) => {
    const before = form.arms;
    // The arm that every new experiment begins with gives way.
    const kept = before.every((arm) => isUntouched(arm, protocol)) ? [] : before;
    const made = matrixForms(cells, kept, preferred, () => crypto.randomUUID());
    setIsMatrix(false);
    setOpen(null);
    if (made.length === 0) return notify('All of these arms are there already.');
    changeArms(() => [...kept, ...made]);
    const instead = kept.length < before.length ? ' in place of the first' : '';
    notify(`Added ${quantity(made.length, 'arm')}${instead}.`, () => changeArms(() => before));
  };

  const failure = start.error ?? (checked.draft === null ? null : plan.error);
  const failed = failure === null ? null : failureOf(failure);
  const failedPath = failed === null ? null : draftPath(failed.field);
  const failedArm = form.arms[Number(/^arms\.(\d+)/.exec(failedPath ?? '')?.[1])];
  const faults: readonly DraftFault[] =
    failed === null || failedPath === null
      ? checked.faults
      : [...checked.faults, { path: failedPath, message: capitalized(screenText(failed.message, failedArm?.protocol)) }];
  const name = form.name.trim();
  const { extend } = form;
  const isExtended = extend !== undefined;
  const isTaken = !isExtended && (experiments.data?.some((other) => other.name === name) ?? false);
  const own = [
    ...(isTaken ? [{ path: 'name', message: 'An experiment has this name. Choose another one.' }] : []),
    ...sampleFaults(form, entry, sizes),
  ];
  const errorAt = (place: string, below = false) => faultAt([...own, ...faults], place, below);
  const atField = failedPath !== null && /^(name|sample|seed|replicates|runtime|arms|primary|stop|backends)\b/.test(failedPath);
  const names = armNames(form.arms, preferred);
  const current = checked.draft !== null && !plan.isError;

  const faulty =
    checked.draft === null || own.length > 0 || atField
      ? 'Some fields are missing or invalid; see the messages next to them.'
      : null;
  const isIdle = isExtended && (plan.data === undefined ? plan.isFetching : openTrials(plan.data) === 0);
  const idle =
    isIdle && plan.data !== undefined
      ? `Nothing new to run yet: add ${canAddCases(form, entry, sizes) ? 'cases, ' : ''}replicates or arms.`
      : null;

  return (
    <Screen crumbs={crumbs} title={isExtended ? `Extend ${form.name}` : 'New experiment'} subtitle={entry.definition.question}>
      <div className={'stack gap-16 with-aside'}>
        <div className="stack gap-16 min-w-0" ref={fields}>
          {extend !== undefined ? (
            <Notice>
              <span>
                This extends <Isolated text={form.name} />: add {canAddCases(form, entry, sizes) ? 'cases, ' : ''}replicates or
                arms. What it has already must stay as it is, and trials that are done are not repeated.
                {extend.primary === undefined ? null : ` ${addedToPrimary(extend)}`}
              </span>
              <Button size="small" onPress={makeNew}>
                Make it a new experiment
              </Button>
            </Notice>
          ) : null}
          <SampleSection entry={entry} sizes={sizes} form={form} onChange={change} errorAt={errorAt} />
          <Section title="Who answers">
            <BackendField
              value={backend}
              asked={asked}
              error={errorAt('backends', true)}
              onChange={(chosen) => change({ backend: chosen })}
            />
          </Section>
          <Section
            title="Arms"
            lead="Each arm tries every case of the sample. The same case gets the same seed in all of them."
            actions={
              <span className="row gap-8">
                <Button icon={Grid3x3} size="small" onPress={() => setIsMatrix(true)}>
                  Models × protocols
                </Button>
                <Button icon={Plus} size="small" onPress={() => add(form.arms.findLast(canCopy)?.key)}>
                  Add an arm
                </Button>
              </span>
            }
          >
            {errorAt('arms') === null ? null : (
              <p className="text-bad" role="alert">
                {errorAt('arms')}
              </p>
            )}
            {form.arms.map((arm, index) => (
              <ArmCard
                key={arm.key}
                arm={arm}
                name={names[index] ?? ''}
                cases={casesOf(entry)}
                backend={backend}
                invented={invented}
                preferred={preferred}
                isOpen={arm.key === open}
                isNew={arm.key === added}
                temperatureAsked={arm.key === cold?.arm ? cold : null}
                waits={
                  index < counted.arms.length ? null : 'Identical to another arm: it will not run until you change something.'
                }
                errorAt={(place, below) => errorAt(place === '' ? `arms.${index}` : `arms.${index}.${place}`, below)}
                onToggle={() => setOpen(arm.key === open ? null : arm.key)}
                onChange={(part) =>
                  changeArms((arms) => arms.map((each) => (each.key === arm.key ? { ...each, ...part } : each)))
                }
                onDuplicate={() => add(arm.key)}
                onRemove={() => remove(arm, names[index] ?? '', index)}
              />
            ))}
          </Section>
          {extend === undefined ? (
            <PrimarySection
              form={form.primary}
              triedIn={alreadyTried(form)}
              arms={counted.arms.map((arm, index) => ({ id: arm.key, label: names[index] ?? '' }))}
              learning={sizes.train > 0 && !isOpen(casesOf(entry)) ? casesOf(entry).kind : null}
              decidedBy={entry.definition.label?.decidedBy}
              checks={(current ? (plan.data?.checks ?? []) : []).filter(({ about }) => about === 'primary')}
              onChange={(primary) => change({ primary })}
              errorAt={errorAt}
            />
          ) : extend.primary === undefined ? null : (
            <RecordedPrimary primary={extend.primary} decidedBy={entry.definition.label?.decidedBy} />
          )}
          <RuntimeSection
            runtime={form.runtime}
            isExtended={isExtended}
            onChange={(runtime) => change({ runtime })}
            errorAt={(name) => errorAt(`runtime.${name}`)}
          />
          <PromptPreviewSection draft={checked.draft} arms={names.slice(0, counted.arms.length)} />
        </div>
        <aside className={'stack gap-12 min-w-0'} aria-label="Plan">
          <PlanSection
            plan={current ? plan.data : undefined}
            counting={plan.isFetching || (checked.draft !== null && rested === null)}
            waitsFor={faulty}
            temperatureOf={(arm) => {
              const found = form.arms[names.indexOf(arm)];
              if (found === undefined || found.recorded !== undefined) return null;
              return () => {
                setOpen(found.key);
                setCold({ arm: found.key });
              };
            }}
            measuring={{
              start: draft === null ? null : () => measure.mutate(draft),
              pending: measure.isPending,
              error: measure.error,
              notes: measure.data?.notes ?? [],
            }}
            missing={
              checked.draft === null || !plan.data?.missing_models
                ? null
                : missingAt(checked.draft, plan.data.missing_models, found)
            }
          />
          {failure === null || atField ? null : <FailureNotice error={failure} />}
        </aside>
      </div>
      <StartBar
        plan={current ? plan.data : undefined}
        counting={plan.isFetching || (checked.draft !== null && rested === null)}
        waitsFor={faulty ?? idle}
        isStarting={start.isPending}
        start={isExtended ? 'Extend the experiment' : invented ? 'Start with the demo model' : 'Start the experiment'}
        onStart={draft === null || own.length > 0 || isIdle ? null : (planned) => start.mutate({ ...draft, ...planned })}
      />
      {isMatrix ? (
        <MatrixDialog
          cases={casesOf(entry)}
          backend={backend}
          preferred={preferred}
          onMake={makeArms}
          onClose={() => setIsMatrix(false)}
        />
      ) : null}
    </Screen>
  );
}

/** Designs an experiment over a data set of the list of data sets, with its cost and its prompts in view before anything is asked. */
export default function NewExperimentScreen({ entry: id, isExtension }: { entry: string; isExtension: boolean }) {
  const datasets = useDatasets();
  const found = useFound();
  const entry = datasets.data?.find((candidate) => candidate.id === id);
  const crumbs = [
    { label: 'Data sets', to: routes.datasets },
    ...(entry === undefined ? [] : [{ label: entry.name, to: toEntry(entry.id) }]),
  ];
  if (entry !== undefined && !found.isPending) {
    const protocol = firstProtocol(casesOf(entry));
    if (protocol !== null)
      return <DraftPart entry={entry} found={found} protocol={protocol} crumbs={crumbs} isExtension={isExtension} />;
    return (
      <Screen crumbs={crumbs} title="New experiment" subtitle={entry.definition.question}>
        <Empty title="No protocol tries such cases yet" actions={<Link href={toEntry(entry.id)}>See the cases</Link>}>
          The protocols of this version give each case one label, and these cases can have several.
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen crumbs={crumbs} title="New experiment">
      {entry === undefined ? <NoEntry datasets={datasets} /> : <p className="quiet">Looking for models…</p>}
    </Screen>
  );
}
