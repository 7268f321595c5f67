import { useMutation } from '@tanstack/react-query';
import { Play, RefreshCw, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { capitalized } from '../../../core/text/visible.ts';
import type { DaemonLog, DaemonSettings, DaemonStatus } from '../../../shared/api/daemon.ts';
import { isUnderWay, type Settings } from '../../../shared/api/engine.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { forCalls, routes } from '../../app/routes.ts';
import { useLinkedTo } from '../../app/useLinkedTo.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Listed, Paragraph } from '../../ui/HiddenText.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { timeText } from '../../ui/moments.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { toneLook } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { foreignHost } from '../settings/addresses.ts';
import { useChangeSettings } from '../settings/useChangeSettings.ts';
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

interface Properties {
  readonly settings: Settings;
  readonly status: DaemonStatus;
  /** Null while a restart is under way or would stop another program's. */
  readonly onRestart: (() => void) | null;
}

/** How our own Ollama is started. Holds from its next start on. */
function DaemonSettingsFold({ settings, status, onRestart }: Properties) {
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
