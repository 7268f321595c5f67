import { RefreshCw, ShieldCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { Settings } from '../../../shared/api/engine.ts';
import { demoCalls } from '../../../shared/demoModel.ts';
import { useHost } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { Connections } from '../../app/NetworkCounter.tsx';
import { forCalls, forRecord, routes } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { useLinkedTo } from '../../app/useLinkedTo.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { FailureNotice, Notice, Unread } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { quantity } from '../../ui/quantity.ts';
import { RadioCards } from '../../ui/RadioCards.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { reportOf } from '../protocols/backends.ts';
import { useBackends } from '../protocols/useBackends.ts';
import { CheckOutcome } from '../recordCheck/CheckOutcome.tsx';
import { AdoptedNote } from '../recordCheck/CopyOfYourOwn.tsx';
import { LastCheck } from '../recordCheck/KnownFaults.tsx';
import { useRecordCheck } from '../recordCheck/knownRecord.ts';
import { AboutSection } from './AboutSection.tsx';
import { addressProblem } from './addresses.ts';
import { CheckpointSection } from './CheckpointSection.tsx';
import { HostsSection } from './HostsSection.tsx';
import { ServerFound } from './ServerFound.tsx';
import { ServersSection } from './ServersSection.tsx';
import styles from './Settings.module.css';
import { useChangeSettings } from './useChangeSettings.ts';

function OllamaSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  const look = useBackends();
  const [address, setAddress] = useState(settings.ollamaUrl);
  useEffect(() => setAddress(settings.ollamaUrl), [settings.ollamaUrl]);
  const problem = addressProblem(address.trim());
  const differs = address.trim() !== settings.ollamaUrl;
  const save = () => {
    if (differs && problem === null)
      change.mutate({ change: { ollamaUrl: address.trim() }, done: 'The address of Ollama was saved.' });
  };
  const report = reportOf(look.data ?? [], 'ollama');
  return (
    <Section
      title="Ollama"
      lead="The program that runs the models."
      actions={
        <Button icon={RefreshCw} size="small" onPress={() => void look.refetch()} isDisabled={look.isFetching}>
          {look.isFetching ? 'Checking…' : 'Check now'}
        </Button>
      }
    >
      <TextField
        label="Address"
        look="mono"
        value={address}
        onChange={setAddress}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save();
          else event.continuePropagation();
        }}
        error={change.isError ? failureOf(change.error).message : problem}
        description={differs ? 'Saved with Enter, or when you leave the field.' : undefined}
      />
      <FailureNotice error={look.error} />
      <div role="status" className={styles.ollamaFound}>
        {report === undefined ? (
          <p className="muted">{look.isFetching ? 'Checking…' : 'Not checked yet.'}</p>
        ) : (
          <ServerFound
            report={{
              ...report,
              version: report.version && `version ${report.version}`,
              models: report.models.map((name) => ({ name, context: null })),
            }}
            level={3}
            away={
              <p className="muted">
                Until then, the demo model can play trials. It asks no model and says so everywhere.{' '}
                <Link href={routes.models}>Install or start Ollama</Link>
              </p>
            }
            empty={
              <p>
                It has no model yet. <Link href={routes.models}>Fetch one</Link>
              </p>
            }
          />
        )}
      </div>
    </Section>
  );
}

/** Checks everything that is on the record: that no word was changed, taken away or put in since it was written. */
function RecordSection() {
  const { task, start, cancel, root } = useRecordCheck();
  const button = useLinkedTo<HTMLButtonElement>(forRecord);
  return (
    <Section
      title="The record"
      lead="Checks that nothing in the record was changed: each event and text against its hash, and all results against the events. No model is asked."
      actions={
        task.state === 'running' ? (
          <Button size="small" onPress={cancel}>
            Cancel the check
          </Button>
        ) : (
          <Button icon={ShieldCheck} ref={button} size="small" onPress={start}>
            {task.state === 'done' ? 'Check it again' : 'Check the record'}
          </Button>
        )
      }
    >
      <AdoptedNote />
      {task.state === 'idle' ? <LastCheck /> : null}
      <CheckOutcome task={task} root={root} isOpen />
    </Section>
  );
}

function NetworkSection() {
  const status = useEngineStatus();
  return (
    <Section
      title="Network"
      lead="Every connection that the engine has opened since it started. This includes its own demo model, which “Check now” asks as well. An attempt that nothing answers is not counted."
    >
      {status === null ? (
        <p className="muted">Unknown while there is no connection to the engine.</p>
      ) : (
        <Connections status={status} />
      )}
    </Section>
  );
}

function RunsSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  const host = useHost();
  const [refused, setRefused] = useState(false);
  const { daemon } = settings;
  const slots = useLinkedTo<HTMLAnchorElement>(forCalls);
  return (
    <Section
      title="Runs"
      lead={
        <>
          More calls at a time help only where the server answers several at once.{' '}
          <Link ref={slots} href={routes.models} state={forCalls}>
            Slots of your own Ollama
          </Link>
        </>
      }
    >
      <div className={styles.narrow}>
        <NumberField
          label="Calls at a time"
          description={`0: as many as the server has slots. That is ${daemon.reproducible ? 1 : daemon.parallel} for the Ollama that Assize starts, ${demoCalls} for the demo model, and 1 for servers that do not say. A run that is under way keeps its number; to use a new number, stop the run and continue it.`}
          value={settings.concurrency}
          minValue={0}
          maxValue={64}
          onChange={(concurrency) => {
            if (concurrency === null || concurrency === settings.concurrency) return;
            change.mutate({
              change: { concurrency },
              done: concurrency === 0 ? 'The server’s number of slots decides.' : `${quantity(concurrency, 'call')} at a time.`,
            });
          }}
        />
      </div>
      <Checkbox
        isSelected={settings.notices}
        note="While you do something else, your system tells you how a run ended. In a browser it asks for your consent first."
        onChange={async (notices) => {
          const refused = notices && !(await host.mayNotify());
          setRefused(refused);
          if (!refused) change.mutate({ change: { notices }, done: notices ? 'Notices are on.' : 'Notices are off.' });
        }}
      >
        Tell me when a run ends
      </Checkbox>
      {refused ? (
        <Notice tone="warn">
          The browser does not allow notices from this page. Allow them in its settings for this site, and try again.
        </Notice>
      ) : null}
      <Checkbox
        isSelected={settings.continueRuns}
        note="If the program or the computer ends during a run, the run continues at the next start of the program, and a planned run whose time has passed begins. A paused run waits for you. For runs to continue by themselves after a restart of the computer, let your system open Assize at login."
        onChange={(continueRuns) =>
          change.mutate({
            change: { continueRuns },
            done: continueRuns ? 'Interrupted runs continue at the next start.' : 'Interrupted runs wait for you.',
          })
        }
      >
        Continue interrupted runs at the next start
      </Checkbox>
      <FailureNotice error={change.error} />
    </Section>
  );
}

const words = { system: 'Same as the system', light: 'Light', dark: 'Dark' } as const;

function ThemeSection({ settings }: { settings: Settings }) {
  const change = useChangeSettings(settings);
  return (
    <Section title="Appearance">
      <RadioCards
        label="Theme"
        labelHidden
        value={settings.theme}
        choices={[
          { id: 'system', label: words.system },
          { id: 'light', label: words.light },
          { id: 'dark', label: words.dark },
        ]}
        onChange={(theme) => change.mutate({ change: { theme }, done: `Theme: ${words[theme].toLowerCase()}.` })}
      />
      <div className={styles.narrow}>
        <NumberField
          label="Text size, %"
          description="90 to 150. Pictures and spaces grow with the text."
          value={settings.textSize}
          minValue={90}
          maxValue={150}
          step={10}
          onChange={(textSize) => {
            if (textSize === null || textSize === settings.textSize) return;
            change.mutate({ change: { textSize }, done: `Text size: ${textSize}%.` });
          }}
        />
      </div>
      <FailureNotice error={change.error} />
    </Section>
  );
}

export default function SettingsScreen() {
  const settings = useSettings();
  // Nothing is asked for a record from elsewhere.
  const isOwn = useEngineStatus((status) => status === null || status.elsewhere === null);
  return (
    <Screen title="Settings" subtitle="Changes are saved at once">
      {settings.data === undefined ? (
        <Unread of={settings} words="Reading the settings…" />
      ) : (
        <div className={`stack gap-16 ${styles.sections}`}>
          <OllamaSection settings={settings.data} />
          {isOwn ? <ServersSection settings={settings.data} /> : null}
          <ThemeSection settings={settings.data} />
          <RunsSection settings={settings.data} />
          {isOwn ? <HostsSection settings={settings.data} /> : null}
          <RecordSection />
          <CheckpointSection />
          <NetworkSection />
          <AboutSection />
        </div>
      )}
    </Screen>
  );
}
