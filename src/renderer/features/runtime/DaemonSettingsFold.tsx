import { useState } from 'react';
import { Link } from 'wouter';
import type { DaemonSettings, DaemonStatus } from '../../../shared/api/daemon.ts';
import type { Settings } from '../../../shared/api/engine.ts';
import { forCalls, routes } from '../../app/routes.ts';
import { useLinkedTo } from '../../app/useLinkedTo.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { useChangeSettings } from '../settings/useChangeSettings.ts';
import styles from './Ollama.module.css';

interface Properties {
  readonly settings: Settings;
  readonly status: DaemonStatus;
  /** Null while a restart is under way or would stop another program's. */
  readonly onRestart: (() => void) | null;
}

/** How our own Ollama is started. Holds from its next start on. */
export function DaemonSettingsFold({ settings, status, onRestart }: Properties) {
  const change = useChangeSettings(settings);
  const [changed, setChanged] = useState(false);
  const { daemon } = settings;
  const save = (part: Partial<DaemonSettings>, done: string) => {
    const next = { ...daemon, ...part };
    if (JSON.stringify(next) === JSON.stringify(daemon)) return;
    change.mutate({ change: { daemon: next }, done }, { onSuccess: () => setChanged(true) });
  };
  const calls = useLinkedTo<HTMLAnchorElement>(forCalls);
  const runs = status.own && status.state === 'ready';
  return (
    <Fold title="How Assize starts it" aside="applies from its next start" defaultExpanded={history.state === forCalls}>
      <div className={`stack gap-14 ${styles.form}`}>
        <Checkbox
          isSelected={daemon.startOwn}
          onChange={(startOwn) =>
            save({ startOwn }, startOwn ? 'Ollama is started where none answers.' : 'Ollama is started only when you say so.')
          }
          note="When this program or a run begins, no Ollama answers, and Ollama is installed. It ends with this program."
        >
          Start it by itself
        </Checkbox>
        <div className={styles.numbers}>
          <NumberField
            label="Slots"
            description="Calls that a model answers at once. Each takes memory for its own context."
            value={daemon.reproducible ? 1 : daemon.parallel}
            minValue={1}
            maxValue={64}
            isDisabled={daemon.reproducible}
            onChange={(parallel) => (parallel === null ? undefined : save({ parallel }, 'The number of slots was saved.'))}
          />
          <NumberField
            label="Models in memory"
            description="Empty: Ollama decides."
            value={daemon.maxLoaded}
            minValue={1}
            maxValue={64}
            onChange={(maxLoaded) => save({ maxLoaded }, 'The number of models in memory was saved.')}
          />
          <NumberField
            label="Default context, tokens"
            description="Where a call names none; runs always do. Empty: Ollama decides."
            value={daemon.contextLength}
            minValue={256}
            maxValue={1_048_576}
            step={1024}
            onChange={(contextLength) => save({ contextLength }, 'The default context was saved.')}
          />
        </div>
        <p className="muted">
          A run makes as many calls at a time as there are slots, unless the settings say another number.{' '}
          <Link ref={calls} href={routes.settings} state={forCalls}>
            Calls at a time
          </Link>
        </p>
        <Checkbox
          isSelected={daemon.reproducible}
          onChange={(reproducible) =>
            save(
              { reproducible },
              reproducible ? 'Ollama will be started so that answers repeat.' : 'Ollama will be started for speed.',
            )
          }
          note="One slot, and no prompt is kept from one trial to the next: a run takes longer, and gives the same answers again on the same machine. Needs a restart of Ollama."
        >
          Reproducible
        </Checkbox>
        {runs && changed ? (
          <Notice>
            <span>Ollama still runs as it was started before.</span>
            <Button
              size="small"
              isDisabled={onRestart === null}
              onPress={() => {
                setChanged(false);
                onRestart?.();
              }}
            >
              Restart now
            </Button>
          </Notice>
        ) : null}
        <FailureNotice error={change.error} />
      </div>
    </Fold>
  );
}
