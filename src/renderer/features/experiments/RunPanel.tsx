import { useMutation } from '@tanstack/react-query';
import { Pause, Play, Square } from 'lucide-react';
import { useId } from 'react';
import { ProgressBar } from 'react-aria-components';
import { Link } from 'wouter';
import { outcomesText } from '../../../core/figures/outcomeText.ts';
import { lostEndText } from '../../../core/telling/runEvents.ts';
import { isUnderWay, plannedFor, type Run } from '../../../shared/api/engine.ts';
import type { ExperimentSummary, ExperimentView } from '../../../shared/api/experiments.ts';
import type { HardwareSample } from '../../../shared/api/hardware.ts';
import { energyWords } from '../../../shared/energy.ts';
import { hoursWords } from '../../../shared/hours.ts';
import { partWords } from '../../../shared/part.ts';
import { restWords } from '../../../shared/rest.ts';
import { count, duration, roughly } from '../../../shared/sizes.ts';
import { useApi, useConnection } from '../../api/ApiContext.tsx';
import { useWritable, useWrittenElsewhere } from '../../app/engineStatus.ts';
import { forCalls, routes, toLive } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { PlanAt, type Planned, timeOfDay } from '../../ui/PlanAt.tsx';
import { quantity } from '../../ui/quantity.ts';
import { ShareBar } from '../../ui/ShareBar.tsx';
import { HardwareWarnings, MachineParts } from '../runtime/HardwareSection.tsx';
import { placeText, withoutGpu } from '../runtime/hardwareText.ts';
import { useHardware, useLiveHardware } from '../runtime/runtimeQueries.ts';
import styles from './Experiment.module.css';
import { FailureTally, OutcomeBar } from './OutcomeBar.tsx';
import { givesWayText, progressOf, remedyFor } from './outcomes.ts';

function LoadedModels({ loaded }: Pick<HardwareSample, 'loaded'>) {
  if (loaded.length === 0) return <p className="quiet">No model is in the server’s memory now.</p>;
  return (
    <ul className={styles.bars} aria-label="Models in memory">
      {loaded.map(({ name, gpu_share: share }, index) => {
        const { words, tone } = placeText(share);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two servers can have loaded the same model
          <li key={`${name} ${index}`} className="unframed stack content-start gap-4 min-w-0">
            <Outside className="mono-12-5 wrap-anywhere" text={name} />
            <ShareBar label="On the GPU" share={share} words={words} tone={tone} />
          </li>
        );
      })}
    </ul>
  );
}

/** How a run uses the machine, and what is wrong. @param invented by the demo model @param here a server is on this machine */
function HardwareStrip({ invented, here, energy }: { invented: boolean; here: boolean } & Pick<Run, 'energy'>) {
  const heading = useId();
  const hardware = useHardware();
  const { sample, warnings } = useLiveHardware();
  // It is not the purpose of the screen: until there is something to show, it takes no room.
  if (sample === null || hardware.data === undefined) return null;
  return (
    <section className="stack gap-12 pt-12 ruled-above" aria-labelledby={heading}>
      <h3 id={heading} className="visually-hidden">
        Machine
      </h3>
      <HardwareWarnings warnings={warnings} />
      {sample.gpus.length === 0 && here && !invented ? <p className="quiet">{withoutGpu(sample)}</p> : null}
      <div className={styles.bars}>
        <MachineParts hardware={hardware.data} sample={sample} />
      </div>
      {energy === null ? null : <p className="quiet">GPU energy of all runs so far: {energyWords(energy)}.</p>}
      {invented ? null : <LoadedModels loaded={sample.loaded} />}
    </section>
  );
}

type Step = 'pause' | 'resume' | 'servers' | 'demo' | 'stop' | Planned;

/** `about 2.1 h left (1.7 h to 2.5 h, if the rest is like the trials so far)`. */
function leftText({ seconds_left: left, seconds_left_range: range, queues }: Run): string {
  if (left === null) return `time left not known until a trial ${queues.length > 1 ? 'at each server ' : ''}has ended`;
  if (range === null) return left === 0 ? 'no time left' : `about ${duration(left)} left, a first guess from few trials`;
  const [least, most] = range.map(duration);
  const between = least === most ? '' : ` (${least} to ${most}, if the rest is like the trials so far)`;
  return `about ${duration(left)} left${between}`;
}

/** `120 trials an hour`, `85 tokens written a second`, as far as they are known. */
const paceTexts = ({ per_minute: rate, tokens_per_second: tokens }: Pick<Run, 'per_minute' | 'tokens_per_second'>): string[] => [
  ...(rate === null ? [] : [`${roughly(60 * rate)} trials an hour`]),
  ...(tokens === null ? [] : [`${roughly(tokens)} tokens written a second`]),
];

function rateText(run: Run): string {
  const parts = [`${quantity(run.calls, 'call')} since this start`, ...paceTexts(run)];
  if (run.state === 'running') parts.push(leftText(run));
  return parts.join(' · ');
}

/** What each server is asked, and how quick they are where there are several. */
function Queues({ run: { queues, state } }: { run: Run }) {
  const isOne = queues.length === 1 && queues[0]?.servers.length === 1;
  const shown = queues.flatMap(({ servers, models, next, per_minute, seconds_left: left }) => {
    const tokens = servers.reduce((sum, { tokens_per_second }) => sum + (tokens_per_second ?? 0), 0);
    const asked = [
      ...(models.length === 0 ? [] : [`${models.join(', ')} now`]),
      ...(next.length === 0 ? [] : [`${next.join(', ')} next`]),
    ];
    const pace = paceTexts({ per_minute, tokens_per_second: tokens === 0 ? null : tokens });
    const rest = left === null || left === 0 ? [] : [`about ${duration(left)} left`];
    const parts = isOne ? asked : [...asked, ...pace, ...rest];
    return parts.length === 0 || left === 0
      ? []
      : [{ names: servers.map(({ name }) => name).join(', '), text: parts.join(' · ') }];
  });
  if (state !== 'running' || shown.length === 0) return null;
  return (
    <ul className="stack gap-4" aria-label="Models that are asked">
      {shown.map(({ names, text }) => (
        <li key={names} className="quiet wrap-anywhere">
          {isOne ? (
            'Asked: '
          ) : (
            <>
              <strong>
                <bdi>{names}</bdi>
              </strong>
              {': '}
            </>
          )}
          <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  );
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

const dailyText = ({ between }: Run): string =>
  between === null ? '' : `every day from ${hoursWords(between)}, until it is done`;

function RunNotices({ run }: { run: Run }) {
  return (
    <>
      {run.state === 'waiting' && run.waiting_for !== null ? (
        <Notice tone="warn">
          <span>
            The run waits for the server <bdi>“{run.waiting_for.backend}”</bdi> (<bdi>{run.waiting_for.reason}</bdi>). It tries
            again by itself; nothing that was answered is lost.
          </span>
        </Notice>
      ) : null}
      {isUnderWay(run)
        ? run.warnings.map((sentence) => (
            <Notice key={sentence} tone="warn">
              {sentence}
            </Notice>
          ))
        : null}
      {run.state === 'running' && run.paused_until !== null ? (
        <Notice>
          This run was planned for {timeOfDay(run.paused_until)}. The program or the computer was off then, so it began late.
        </Notice>
      ) : null}
      {run.state === 'running' && run.between !== null ? (
        <Notice>The run works {dailyText(run)}. Outside these hours it is paused; the time left counts only them.</Notice>
      ) : null}
      {run.state === 'running' && run.gives_way ? <Notice>{givesWayText}</Notice> : null}
      {run.state === 'paused' ? (
        <Notice>
          {run.paused_until === null
            ? 'Paused. A call that was under way is finished and kept; no new one begins.'
            : `Planned for ${[timeOfDay(run.paused_until), dailyText(run)].filter(Boolean).join(', then ')}. Leave the computer and Assize running: the run starts by itself. After a restart, open the program before that time, or later with “Continue interrupted runs at the next start”.`}
        </Notice>
      ) : null}
      {run.state === 'interrupted' ? (
        <Notice tone="warn">
          {run.paused_until === null
            ? run.closed
              ? 'The program ended before this run was done.'
              : `${lostEndText}.`
            : `This run was planned for ${timeOfDay(run.paused_until)}. It did not start, because the program was not open.`}{' '}
          All answers are kept: continue when you like. “History of the runs”, at the end of the overview, has the times.
        </Notice>
      ) : null}
      {run.state === 'failed' && run.error !== null ? (
        <Notice tone="bad">The run ended: {sentence(run.error.message)} All answers so far stay on the record.</Notice>
      ) : null}
      {run.resumed > 0 && isUnderWay(run) ? (
        <Notice tone="good">
          The {run.closed ? 'program ended' : 'engine stopped'} during the run, and the run resumed by itself
          {run.resumed === 1 ? '' : ` (${run.resumed} times)`}; no answered call was asked again.
        </Notice>
      ) : null}
    </>
  );
}

export function RunPanel({
  summary,
  run,
  of: { rest, asks, demo_chosen: demoChosen, demo_offered: demoOffered },
}: {
  summary: ExperimentSummary;
  run: Run | null;
  of: Pick<ExperimentView, 'rest' | 'asks' | 'demo_chosen' | 'demo_offered'>;
}) {
  const api = useApi();
  const heading = useId();
  const { name, part, altered = 0, waiting, erased, stopped_by_rule: byRule } = summary;
  const { failures, queued, decided, failed, planned, imported, ...progress } = progressOf(summary);
  const running = progress.running - waiting;
  // The last trials have ended, and their rows come a moment later.
  const isArriving = run?.state === 'finished' && queued === 0 && run.done >= run.planned && waiting === 0;
  const done = decided + failed;
  const step = useMutation({
    mutationFn: async (which: Step) => {
      if (which === 'pause') await api.runs.pause({ experiment: name });
      else if (which === 'stop') await api.runs.stop({ experiment: name });
      else if (which === 'demo' || which === 'servers') await api.runs.resume({ experiment: name, demo: which === 'demo' });
      else await api.runs.resume({ experiment: name, ...(which === 'resume' ? {} : which) });
    },
  });
  const retry = useMutation({
    mutationFn: (outcome: string) => api.runs.resume({ experiment: name, retry: [outcome] }),
  });
  const isConnected = useConnection().state === 'ready';
  const underWay = isUnderWay(run);
  const writtenElsewhere = useWrittenElsewhere();
  const runsElsewhere = writtenElsewhere && summary.open_run;
  const isOwn = useWritable();
  const isWritable = isOwn && !writtenElsewhere;
  const canContinue = isWritable && !underWay && erased === null && !byRule && !isArriving && queued + running > 0;
  const paused = run?.state === 'paused';
  const at = plannedFor(run);
  const isFresh = at !== null && done + running === 0;
  useShortcuts(
    isConnected && (underWay || paused)
      ? [
          {
            keys: ['p'],
            does: paused ? 'Continue the run' : 'Pause the run',
            run: () => step.mutate(paused ? 'resume' : 'pause'),
          },
        ]
      : [],
  );
  const busy = step.isPending || run?.state === 'stopping' || !isConnected;
  const demo = (
    <Button icon={Play} look={demoChosen ? 'primary' : 'plain'} onPress={() => step.mutate('demo')} isDisabled={busy}>
      Continue with the built-in demo model
    </Button>
  );
  return (
    <section className="card stack gap-12 p-16-20" aria-labelledby={heading}>
      <h2 id={heading} className="visually-hidden">
        Progress
      </h2>
      <ProgressBar value={done} minValue={0} maxValue={Math.max(1, planned)} valueLabel={progress.done} aria-label="Trials done">
        <OutcomeBar decided={decided} failed={failed} planned={planned} />
      </ProgressBar>
      <div className="justify-between flex flex-wrap gap-4-16">
        <p>
          <strong>
            {count(done)} of {count(planned)}
          </strong>{' '}
          trials {part === undefined ? '' : `of ${partWords(part)} `}done · {count(decided)} decided
          <FailureTally failures={failures} of={name} />
          {imported}
          {running === 0
            ? ''
            : ` · ${running} ${runsElsewhere || (underWay && !paused) ? 'running now' : erased === null ? (isArriving ? 'ending' : 'begun, waiting to continue') : 'begun and not finished'}`}
          {waiting === 0 ? '' : ` · ${waiting} ${waiting === 1 ? 'waits for its' : 'wait for their'} moderator`}
          {altered === 0 ? '' : ` · ${altered} altered: the check of the record names ${altered === 1 ? 'it' : 'them'}`}
          {queued === 0 ? '' : ` · ${queued} ${byRule ? 'not needed' : erased === null ? 'to come' : 'not run'}`}
        </p>
        {run === null || !underWay || isFresh ? null : (
          <p className="quiet">
            {rateText(run)} ·{' '}
            <Link href={routes.settings} state={forCalls}>
              Calls at a time
            </Link>
          </p>
        )}
      </div>
      {underWay || canContinue ? (
        <div className="row gap-8">
          {underWay && !paused ? (
            <Button icon={Pause} onPress={() => step.mutate('pause')} isDisabled={busy}>
              Pause
            </Button>
          ) : null}
          {canContinue && demoChosen ? demo : null}
          {paused || canContinue ? (
            <Button
              icon={Play}
              look={canContinue && demoChosen ? 'plain' : 'primary'}
              onPress={() => step.mutate(paused ? 'resume' : 'servers')}
              isDisabled={busy}
            >
              {at === null ? 'Continue' : isFresh ? 'Start now' : 'Continue now'}
            </Button>
          ) : null}
          {canContinue && demoOffered && !demoChosen ? demo : null}
          {paused || canContinue ? (
            <PlanAt
              {...(at === null ? {} : { words: 'Change the time…' })}
              isDisabled={busy}
              onPlan={(planned) => step.mutate(planned)}
            />
          ) : null}
          {underWay ? (
            <Button icon={Square} onPress={() => step.mutate('stop')} isDisabled={busy}>
              {run?.state === 'stopping' ? 'Stopping…' : isFresh ? 'Cancel the plan' : 'Stop'}
            </Button>
          ) : null}
          {underWay && at === null ? <Link href={toLive(name)}>Watch live</Link> : null}
          {underWay && !isFresh ? <span className="quiet">Stopping keeps every answer; continue at any time.</span> : null}
        </div>
      ) : null}
      {canContinue && asks.length > 0 ? (
        <p className="quiet wrap-anywhere">“Continue” asks {asks.map(({ url }) => url).join(', ')}.</p>
      ) : null}
      {canContinue && rest !== undefined ? <p className="quiet">Left: {restWords(rest)}.</p> : null}
      {part === undefined || erased !== null ? null : (
        <p className="quiet">
          Here only {partWords(part)} is run: join the stores of all parts with “assize merge”. “assize run” with another --part,
          or without, runs other trials here too; then this store cannot be joined with one that has tried them.
        </p>
      )}
      {waiting === 0 ? null : (
        <Notice>
          {quantity(waiting, 'trial')} {waiting === 1 ? 'waits' : 'wait'} for a moderator. Open {waiting === 1 ? 'it' : 'them'} in
          the list of trials, under “begun, not ended”, and answer there; the run continues {waiting === 1 ? 'it' : 'each'} by
          itself.
        </Notice>
      )}
      {!runsElsewhere || underWay || erased !== null ? null : (
        <Notice>
          Another program is running this. This screen follows it.
          {isOwn ? ' Once that program has ended, you can continue here.' : null}
        </Notice>
      )}
      {run === null || erased !== null || (writtenElsewhere && !underWay) ? null : <RunNotices run={run} />}
      {run === null || run.backend === 'standin' ? null : <Queues run={run} />}
      {underWay ? (
        <HardwareStrip invented={run?.backend === 'standin'} here={asks.some(({ here }) => here)} energy={run?.energy ?? null} />
      ) : null}
      {!isWritable || underWay || erased !== null || failures.length === 0 ? null : (
        <ul className="stack gap-8" aria-label="Failed trials">
          {failures.map(({ outcome, trials }) => (
            <li key={outcome} className="row justify-between gap-6-14 pt-8 ruled-above">
              <span>
                <strong className="text-bad">{outcomesText(trials, outcome)}.</strong> {remedyFor(outcome) ?? ''} The old attempt
                stays on the record; trials that have not run yet run too.
              </span>
              <Button size="small" onPress={() => retry.mutate(outcome)} isDisabled={retry.isPending}>
                Try {trials === 1 ? 'it' : 'them'} again
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FailureNotice error={step.error} />
      <FailureNotice error={retry.error} />
    </section>
  );
}
