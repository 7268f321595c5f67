import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { capitalized } from '../../../core/text/visible.ts';
import type { DaemonLog, DaemonStatus } from '../../../shared/api/daemon.ts';
import type { Settings } from '../../../shared/api/engine.ts';
import type { LoadedModel, Pull } from '../../../shared/api/models.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useSettings } from '../../app/theme.tsx';
import { Button } from '../../ui/Button.tsx';
import { Outside } from '../../ui/HiddenText.tsx';
import { DemoBanner, FailureNotice, Notice, Unread } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { byteSize, memorySize } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { ShareBar } from '../../ui/ShareBar.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useNow } from '../../ui/useNow.ts';
import { foreignHost } from '../settings/addresses.ts';
import { daemonText } from './daemonText.ts';
import { EnsemblesSection } from './EnsemblesSection.tsx';
import { FirstRun } from './FirstRun.tsx';
import { FitSection } from './FitSection.tsx';
import { useHeirs } from './focus.ts';
import { HardwareSection, HardwareWarnings } from './HardwareSection.tsx';
import { expiryText, placeText } from './hardwareText.ts';
import { InstalledSection } from './InstalledSection.tsx';
import styles from './Models.module.css';
import { OllamaCard } from './OllamaCard.tsx';
import { PullList } from './PullList.tsx';
import { nameProblem, nameTyped } from './pullText.ts';
import { useDaemon, useEnsembles, useLiveHardware, useModels } from './runtimeQueries.ts';

const clockMs = 10_000;

function LoadedSection({ loaded }: { loaded: readonly LoadedModel[] }) {
  const now = useNow(clockMs);
  const names = loaded.map(({ name }) => name);
  const heirs = useHeirs(names);
  return (
    <Section title="In memory" lead="A server loads a model for its first call, and unloads it after a while without calls.">
      {loaded.length === 0 ? (
        <p ref={heirs.fallback} tabIndex={-1} className="max-w-80ch muted wrap-anywhere">
          No model is in memory now.
        </p>
      ) : (
        <ul className="stack gap-10" aria-label="Models in memory">
          {loaded.map((model) => (
            <li key={model.name}>
              <Row model={model} now={now} unloadRef={heirs.refOf(model.name)} onGoes={() => heirs.goes(model.name, names)} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

interface RowProperties {
  readonly model: LoadedModel;
  readonly now: number;
  readonly unloadRef: (element: HTMLButtonElement | null) => void;
  readonly onGoes: () => void;
}

function Row({ model, now, unloadRef, onGoes }: RowProperties) {
  const api = useApi();
  const { name, size, context, gpu_share: share } = model;
  const unload = useMutation({ mutationFn: () => api.models.unload({ model: name }) });
  const { words, tone } = placeText(share);
  return (
    <div className={styles.loaded}>
      <div className="stack min-w-0 gap-2">
        <Outside className="mono-13 wrap-anywhere" text={name} />
        <span className="max-w-80ch muted wrap-anywhere">
          {memorySize(size)}
          {context === null ? '' : ` with ${context.toLocaleString('en-GB')} tokens of context`}, {expiryText(model, now)}
        </span>
      </div>
      <ShareBar label="On the GPU" share={share} words={words} tone={tone} />
      <Button
        ref={unloadRef}
        size="small"
        onPress={() => {
          onGoes();
          unload.mutate();
        }}
        aria-label={`Unload ${name}`}
      >
        Unload
      </Button>
      <FailureNotice error={unload.error} />
    </div>
  );
}

/** Names shown as examples: small open models of several makers. */
const examples = ['llama3.1:8b', 'qwen2.5:7b', 'gemma2:9b', 'llama3.2:1b'];

function FetchSection({ pulls, diskFree }: { pulls: readonly Pull[]; diskFree: number | null }) {
  const api = useApi();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState(false);
  const name = nameTyped(typed);
  const problem = nameProblem(name);
  const fetch = useMutation({
    mutationFn: (model: string) => api.models.pull({ models: [model] }),
    // Unless the next name is being written already.
    onError: (_error, model) => setTyped((now) => (now === '' ? model : now)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(problem !== null);
    if (problem !== null) return;
    setTyped('');
    fetch.mutate(name);
  };
  return (
    <Section
      title="Fetch a model"
      lead={
        <>
          Ollama fetches it from its registry, ollama.com: the name of the model goes out, nothing of a case does.
          {diskFree === null ? '' : ` ${byteSize(diskFree)} are free on the models’ disk.`}
        </>
      }
    >
      <form className={`stack gap-10 ${styles.fetch}`} onSubmit={submit} noValidate>
        <TextField
          label="Name of the model"
          look="mono"
          value={typed}
          onChange={setTyped}
          placeholder="llama3.1:8b"
          autoComplete="off"
          spellCheck="false"
          error={asked || (name !== '' && problem !== null && /\s/.test(name)) ? problem : null}
        />
        <Button icon={Download} type="submit" look="primary">
          Fetch
        </Button>
      </form>
      <div className={`row gap-6-8 ${styles.examples}`}>
        <span className="max-w-80ch muted wrap-anywhere">For example</span>
        {examples.map((example) => (
          <Button key={example} size="small" onPress={() => setTyped(example)} aria-label={`Fill in ${example}`}>
            {example}
          </Button>
        ))}
      </div>
      <FailureNotice error={fetch.error} />
      <PullList pulls={pulls} />
    </Section>
  );
}

export default function ModelsScreen() {
  const settings = useSettings();
  const daemon = useDaemon();
  const live = useLiveHardware();
  const { status } = daemon;
  const words = status === null ? null : daemonText(status);
  return (
    <Screen
      title="Models"
      subtitle="What answers, and what it runs on"
      pills={
        words === null ? undefined : (
          <Pill tone={words.tone}>Ollama: {words.title.replace(/^[A-Z]/, (first) => first.toLowerCase())}</Pill>
        )
      }
    >
      <div className={`stack gap-16 ${styles.sections}`}>
        <HardwareWarnings warnings={live.warnings} />
        <FailureNotice error={settings.error} />
        <FailureNotice error={daemon.error} />
        {status === null || settings.data === undefined ? (
          daemon.error === null && !settings.isError ? (
            <p className="max-w-80ch muted wrap-anywhere">Looking for Ollama…</p>
          ) : null
        ) : (
          <Server status={status} log={daemon.log} settings={settings.data} />
        )}
        <HardwareSection sample={live.sample} failure={live.failure} />
      </div>
    </Screen>
  );
}

function Server({ status, log, settings }: { status: DaemonStatus; log: DaemonLog; settings: Settings }) {
  // Nothing needs to be installed here to ask a server on another machine.
  if (status.state === 'absent' && foreignHost(status.url) === null) return <FirstRun status={status} settings={settings} />;
  return (
    <>
      {status.standin ? (
        <DemoBanner>What answers here is a demo model: its models, their sizes and their answers are made up.</DemoBanner>
      ) : null}
      <OllamaCard status={status} log={log} settings={settings} />
      {status.state === 'ready' ? <Library settings={settings} /> : null}
    </>
  );
}

function Library({ settings }: { settings: Settings }) {
  const { view, loaded, pulls, failure } = useModels();
  const ensembles = useEnsembles(view.isSuccess);
  if (view.data === undefined) return <Unread of={view} words="Reading the models…" />;
  const { problem, installed, disk_free: diskFree } = view.data;
  return (
    <>
      <FailureNotice error={view.error} onRetry={view.refetch} />
      <FailureNotice error={failure} />
      {problem === null ? null : (
        <Notice tone="bad">
          <Outside text={capitalized(problem)} />
          <Button size="small" onPress={() => void view.refetch()} isDisabled={view.isFetching}>
            Try again
          </Button>
        </Notice>
      )}
      {/* Always there, so that a server that does not answer once takes nothing from under the user's hands. */}
      <FetchSection pulls={pulls} diskFree={diskFree} />
      {problem === null ? (
        <>
          <InstalledSection installed={installed} loaded={loaded} ensembles={ensembles.data ?? []} />
          <LoadedSection loaded={loaded} />
          <FitSection daemon={settings.daemon} />
          <EnsemblesSection pulls={pulls} diskFree={diskFree} />
        </>
      ) : null}
    </>
  );
}
