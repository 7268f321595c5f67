import { useMutation } from '@tanstack/react-query';
import { Play, RefreshCw, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { capitalized } from '../../../core/text/visible.ts';
import type { DaemonLog, DaemonStatus } from '../../../shared/api/daemon.ts';
import { isUnderWay, type Settings } from '../../../shared/api/engine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Listed, Paragraph } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { timeText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { toneLook } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { foreignHost } from '../settings/addresses.ts';
import { DaemonSettingsFold } from './DaemonSettingsFold.tsx';
import { cloudText, daemonActions, daemonText, programText } from './daemonText.ts';
import { focusIfLost } from './focus.ts';
import styles from './Ollama.module.css';
import { useTakeDaemon } from './runtimeQueries.ts';

type Step = 'look' | 'start' | 'stop' | 'restart';

export function OllamaCard({ status, log, settings }: { status: DaemonStatus; log: DaemonLog; settings: Settings }) {
  const api = useApi();
  const take = useTakeDaemon();
  const engine = useEngineStatus();
  const look = useRef<HTMLButtonElement>(null);
  const [asking, setAsking] = useState<'stop' | 'restart' | null>(null);
  const step = useMutation({
    mutationFn: async (which: Step) => {
      if (which === 'look') return api.daemon.status({});
      if (which === 'start') return api.daemon.start({});
      const stopped = await api.daemon.stop({});
      return which === 'restart' ? api.daemon.start({}) : stopped;
    },
    onSuccess: take,
    // What was pressed may have gone with the state that it changed.
    onSettled: () => focusIfLost(() => look.current),
  });
  const { start, stop } = daemonActions(status);
  const runs = (engine?.runs ?? [])
    .filter((run) => isUnderWay(run) && run.backend === 'ollama')
    .map(({ experiment }) => experiment);
  const end = (which: 'stop' | 'restart') => (runs.length > 0 ? setAsking(which) : step.mutate(which));
  const busy = step.isPending;
  return (
    <Section
      title="Ollama"
      lead="The program that runs the models."
      actions={
        <div className="flex flex-wrap gap-8">
          <Button icon={RefreshCw} ref={look} size="small" onPress={() => step.mutate('look')} isDisabled={busy}>
            Check now
          </Button>
          {stop ? (
            <Button icon={Square} size="small" onPress={() => end('stop')} isDisabled={busy}>
              Stop Ollama
            </Button>
          ) : null}
          {start ? (
            <Button icon={Play} size="small" look="primary" onPress={() => step.mutate('start')} isDisabled={busy}>
              {busy && step.variables === 'start' ? 'Starting…' : 'Start Ollama'}
            </Button>
          ) : null}
        </div>
      }
    >
      <State status={status} />
      <FailureNotice error={step.error} />
      {status.own || log.lines.length > 0 ? <DaemonLogFold log={log} /> : null}
      {foreignHost(status.url) === null ? (
        <DaemonSettingsFold settings={settings} status={status} onRestart={busy ? null : () => end('restart')} />
      ) : null}
      <ModalDialog
        title={asking === 'restart' ? 'Restart Ollama during a run?' : 'Stop Ollama during a run?'}
        isOpen={asking !== null}
        onClose={() => setAsking(null)}
        cancel="Leave it running"
        actions={
          <Button
            look="danger"
            onPress={() => {
              if (asking !== null) step.mutate(asking);
              setAsking(null);
            }}
          >
            {asking === 'restart' ? 'Restart it' : 'Stop it'}
          </Button>
        }
      >
        <p>
          {runs.length === 1 ? 'This experiment asks it now: ' : 'These experiments ask it now: '}
          <Listed of={runs}>{(name) => <Isolated text={name} />}</Listed>. Nothing answered is lost;{' '}
          {runs.length === 1 ? 'the run waits' : 'the runs wait'} until a server answers again.
        </p>
      </ModalDialog>
    </Section>
  );
}

/** The wait until the next start, second by second. */
function useCountdown(milliseconds: number | null): number | null {
  const [left, setLeft] = useState(milliseconds);
  useEffect(() => {
    setLeft(milliseconds);
    if (milliseconds === null) return undefined;
    const timer = setInterval(() => setLeft((before) => (before === null ? null : Math.max(0, before - 1000))), 1000);
    return () => clearInterval(timer);
  }, [milliseconds]);
  return left;
}

function State({ status }: { status: DaemonStatus }) {
  const left = useCountdown(status.next_start_ms);
  const { title, tone, note } = daemonText({ ...status, next_start_ms: left });
  // While our own starts, its rows wait for their values: rows that came later would move what the user presses.
  const waits = status.state === 'starting' ? '–' : null;
  const version = status.version ?? waits;
  const cloud = cloudText(status) ?? (waits === null ? null : { tone: 'good', words: waits });
  return (
    <>
      <div role="status" className="stack gap-4 wrap-anywhere">
        <p className={`${toneLook[tone]} font-600`}>{title}</p>
        {note === null ? null : <p className="max-w-80ch muted">{note}</p>}
        {status.problem === null ? null : <Paragraph text={capitalized(status.problem)} />}
      </div>
      <dl className={'terms'}>
        <dt>Address</dt>
        <dd>
          <code>{status.url}</code> <Link href={routes.settings}>Change it</Link>
        </dd>
        {version === null ? null : (
          <>
            <dt>Version</dt>
            <dd>
              <HiddenText text={version} />
            </dd>
          </>
        )}
        {cloud === null ? null : (
          <>
            <dt>Cloud</dt>
            <dd className={cloud.tone === 'warn' ? toneLook.warn : undefined}>{cloud.words}</dd>
          </>
        )}
        {status.program === null ? null : (
          <>
            <dt>Program</dt>
            <dd>
              {programText[status.program]}
              {status.pid === null ? '' : `, process ${status.pid}`}
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** Pixels from the end within which the user still reads the newest lines. */
const nearEnd = 24;

/** The newest lines that our own Ollama wrote. Follows the end, unless the user has scrolled up. */
function DaemonLogFold({ log }: { log: DaemonLog }) {
  const [expanded, setExpanded] = useState(false);
  const lines = log.lines.length;
  return (
    <Fold
      isExpanded={expanded}
      onExpandedChange={setExpanded}
      title="What it wrote"
      aside={lines === 0 ? 'nothing yet' : `${lines === 1 ? 'the last line' : `the last ${quantity(lines, 'line')}`}`}
    >
      {lines === 0 ? (
        <p className="max-w-80ch muted">Lines appear here as it writes them.</p>
      ) : (
        <Lines log={log} shown={expanded} />
      )}
    </Fold>
  );
}

function Lines({ log: { lines, dropped }, shown }: { log: DaemonLog; shown: boolean }) {
  const frame = useRef<HTMLElement>(null);
  const following = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is new lines that move the end, and unfolding that shows it
  useEffect(() => {
    const element = frame.current;
    if (element !== null && following.current) element.scrollTop = element.scrollHeight;
  }, [lines, shown]);
  return (
    <div className={`stack gap-8 ${styles.log}`}>
      <section
        ref={frame}
        className={styles.lines}
        aria-label="Newest lines of Ollama"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          following.current = scrollHeight - clientHeight - scrollTop <= nearEnd;
        }}
      >
        {dropped === 0 ? null : <p className="max-w-80ch muted text-12-5">{quantity(dropped, 'older line')} no longer kept.</p>}
        <pre>
          {lines.map(({ at, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines can be equal in all their parts
            <span key={index}>
              <time className="muted" dateTime={at}>
                {timeText(new Date(at))}
              </time>{' '}
              <Isolated text={text} />
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
      <CopyButton text={lines.map(({ at, text }) => `${at} ${text}`).join('\n')}>Copy all lines</CopyButton>
    </div>
  );
}
