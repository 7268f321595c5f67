import { useMutation } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { capitalized } from '../../../core/text/visible.ts';
import type { DaemonStatus } from '../../../shared/api/daemon.ts';
import type { Settings } from '../../../shared/api/engine.ts';
import { useApi, useHost } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { timeText } from '../../ui/moments.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { notify } from '../../ui/Toasts.tsx';
import { useChangeSettings } from '../settings/useChangeSettings.ts';
import { downloadPage, type InstallSystem, installWays } from './installWays.ts';
import styles from './Ollama.module.css';
import { useHardware, useTakeDaemon } from './runtimeQueries.ts';

/** What to do where no Ollama answers and none is installed: get it, or continue with the demo model. */
export function FirstRun({ status, settings }: { status: DaemonStatus; settings: Settings }) {
  const api = useApi();
  const take = useTakeDaemon();
  const change = useChangeSettings(settings);
  const machine = useHardware().data;
  const [, navigate] = useLocation();
  const [lookedAt, setLookedAt] = useState<Date | null>(null);
  const look = useMutation({
    mutationFn: () => api.daemon.status({}),
    onSuccess: (found) => {
      setLookedAt(new Date());
      take(found);
    },
  });
  const waiting = useEngineStatus()?.unknownServers ?? [];
  const { mine, others } = installWays(machine?.platform ?? null, machine?.architecture ?? '');
  return (
    <Section
      title="To ask a model, install Ollama"
      lead="Ollama is a free program that runs language models on this machine. Assize asks it, and nothing of a case leaves the machine."
    >
      {waiting.length === 0 ? null : (
        <Notice tone="warn">
          <span>
            The servers of this record (<bdi>{waiting.join(', ')}</bdi>) wait for you: press <em>Use them</em> at the top of the
            screen. To ask these, nothing has to be installed here.
          </span>
        </Notice>
      )}
      {mine === null ? null : <Ways system={mine} />}
      <Fold title={mine === null ? 'How, by system' : 'Other systems'} aside={others.map(({ name }) => name).join(', ')}>
        <div className="stack gap-12">
          {others.map((system) => (
            <Ways key={system.id} system={system} />
          ))}
        </div>
      </Fold>
      <div className="row gap-6-14">
        <Button icon={RefreshCw} look="primary" onPress={() => look.mutate()} isDisabled={look.isPending}>
          {look.isPending ? 'Checking…' : 'Try again'}
        </Button>
        <Button
          isDisabled={change.isPending}
          onPress={() =>
            change.mutate(
              { change: { standinOnly: true }, done: 'Trials are played with the demo model.' },
              { onSuccess: () => navigate(routes.datasets) },
            )
          }
        >
          Continue with the demo model
        </Button>
        <span className="max-w-80ch muted">
          The demo model needs no model. Its answers are made up, and it says so everywhere. Is Ollama at another address?{' '}
          <Link href={routes.settings}>Change it</Link>
        </span>
      </div>
      <div role="status" className="stack gap-4 wrap-anywhere">
        <p className={lookedAt === null ? 'max-w-80ch muted' : undefined}>
          {lookedAt === null ? '' : `Looked at ${timeText(lookedAt)}. `}
          <HiddenText text={capitalized(status.problem ?? `Nothing answers at ${status.url}.`)} />
        </p>
      </div>
      <FailureNotice error={look.error} />
      <FailureNotice error={change.error} />
    </Section>
  );
}

function Ways({ system: { name, ways } }: { system: InstallSystem }) {
  const host = useHost();
  const open = () =>
    host.openLink(downloadPage).then(
      (opened) => (opened ? undefined : notify(`This address could not be opened: ${downloadPage}`)),
      () => notify(`This address could not be opened: ${downloadPage}`),
    );
  return (
    <div className="stack gap-12">
      <h3 className="title-14">{name}</h3>
      {ways.map(({ title, command, words }) => (
        <div key={title} className="stack gap-6">
          <p>
            {title}
            {words === undefined ? '' : `. ${words}`}
          </p>
          <div className={`row gap-8 ${styles.command}`}>
            <code>{command ?? downloadPage}</code>
            <CopyButton text={command ?? downloadPage} name={`Copy: ${title}, ${name}`}>
              Copy
            </CopyButton>
            {command === undefined ? (
              <Button size="small" onPress={() => void open()} aria-label={`Open in the browser: downloads for ${name}`}>
                Open in the browser
              </Button>
            ) : null}
          </div>
        </div>
      ))}
    </div>
  );
}
