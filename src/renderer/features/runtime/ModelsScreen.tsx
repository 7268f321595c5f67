import { capitalized } from '../../../core/text/visible.ts';
import type { DaemonLog, DaemonStatus } from '../../../shared/api/daemon.ts';
import type { Settings } from '../../../shared/api/engine.ts';
import { useSettings } from '../../app/theme.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { DemoBanner, FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { foreignHost } from '../settings/addresses.ts';
import { daemonText } from './daemonText.ts';
import { EnsemblesSection } from './EnsemblesSection.tsx';
import { FetchSection } from './FetchSection.tsx';
import { FirstRun } from './FirstRun.tsx';
import { FitSection } from './FitSection.tsx';
import { HardwareSection, HardwareWarnings } from './HardwareSection.tsx';
import { InstalledSection } from './InstalledSection.tsx';
import { LoadedSection } from './LoadedSection.tsx';
import styles from './Models.module.css';
import { OllamaCard } from './OllamaCard.tsx';
import { useDaemon, useEnsembles, useLiveHardware, useModels } from './runtimeQueries.ts';

/** The Ollama that is asked, its models, and the machine that they run on. */
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
  const again = (
    <Button size="small" onPress={() => void view.refetch()} isDisabled={view.isFetching}>
      Try again
    </Button>
  );
  if (view.data === undefined && !view.isError) return <p className="max-w-80ch muted wrap-anywhere">Reading the models…</p>;
  const unread = <FailureNotice error={view.error}>{again}</FailureNotice>;
  if (view.data === undefined) return unread;
  const { problem, installed, disk_free: diskFree } = view.data;
  return (
    <>
      {unread}
      <FailureNotice error={failure} />
      {problem === null ? null : (
        <Notice tone="bad">
          <span>
            <HiddenText text={capitalized(problem)} />
          </span>
          {again}
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
