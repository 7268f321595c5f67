import { useState } from 'react';
import { Link } from 'wouter';
import { isUnderWay, type Run } from '../../../shared/api/engine.ts';
import type { LiveFrame } from '../../../shared/api/live.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { useStream } from '../../api/ApiContext.tsx';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { experimentsCrumb, routes, toExperiment, toTrial } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { CaseName, Isolated } from '../../ui/HiddenText.tsx';
import { DemoBanner, FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { runText } from '../experiments/outcomes.ts';
import { titleOf } from '../experiments/shownExperiments.ts';
import { verdictOf } from '../trial/words.ts';
import { CourtCard } from './CourtCard.tsx';
import styles from './Live.module.css';
import { emptyWall, followWall, type LiveCourt, type Wall } from './wall.ts';

const none: readonly Run[] = [];

function Ended({ trials }: { trials: Wall['ended'] }) {
  if (trials.length === 0) return null;
  return (
    <section className="stack gap-8" aria-labelledby="ended">
      <h2 id="ended" className="eyebrow">
        Ended while you watched
      </h2>
      <ul className="flex flex-wrap gap-6-14 text-14">
        {trials.map(({ line, title, replicates }) => {
          const numbered = replicateText(line, replicates);
          const { tone, before, label, after } = verdictOf(line);
          return (
            <li key={`${line.trial} ${line.attempt}`}>
              <Link href={toTrial(line.trial)} dir="auto">
                <CaseName title={title} case={line.case} />
              </Link>{' '}
              <span className="quiet">
                <Isolated text={line.arm} />
                {numbered === null ? '' : ` · ${numbered}`}
              </span>{' '}
              <span className={tone === 'good' ? 'text-good' : tone === 'bad' ? 'text-bad' : 'muted'}>
                {label === null ? before : <Isolated text={label} />}
                {after}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Every trial that runs now, side by side, as it is spoken. @param experiment null: of all runs */
export default function LiveScreen({ experiment }: { experiment: string | null }) {
  const isWritable = useWritable();
  const runs = useEngineStatus()?.runs ?? none;
  const titles = useSettings().data?.experiments ?? [];
  const [wall, setWall] = useState(emptyWall);
  const [failure, setFailure] = useState<unknown>(null);
  useStream<LiveFrame>(
    experiment ?? '',
    (api, signal) => {
      // The stream sends all again.
      setWall((known) => ({ ...known, courts: [] }));
      return api.live.watch({ experiment }, { signal });
    },
    (frame) => setWall((known) => followWall(known, frame)),
    setFailure,
  );
  const shown = runs.filter((run) => (experiment === null ? isUnderWay(run) : run.experiment === experiment));
  // A trial that a stopped run leaves behind stays started until it is continued.
  const isLive = ({ state: { line } }: LiveCourt) =>
    line.status === 'running' && runs.some((run) => run.experiment === line.experiment && isUnderWay(run));
  const running = wall.courts.filter(isLive);
  const invented = wall.courts.some(({ state }) => state.line.standin) || shown.some(({ backend }) => backend === 'standin');
  return (
    <Screen
      crumbs={[
        experimentsCrumb,
        ...(experiment === null ? [] : [{ label: titleOf(titles, experiment), to: toExperiment(experiment) }]),
      ]}
      title="Live courtroom"
      subtitle={running.length === 0 ? undefined : `${running.length} running now`}
      pills={shown.map((run) => (
        <Pill key={run.experiment} tone={run.state === 'failed' ? 'bad' : run.state === 'running' ? 'plain' : 'warn'}>
          {experiment === null ? (
            <span className="cut">
              <Link href={toExperiment(run.experiment)}>
                <Isolated text={run.experiment} />
              </Link>
              :
            </span>
          ) : null}
          {runText(run.state)}, {run.done} of {run.planned}
        </Pill>
      ))}
    >
      <div className="stack gap-16">
        {invented ? <DemoBanner /> : null}
        <FailureNotice error={failure} />
        {running.length === 0 ? (
          <Empty
            title={shown.some(isUnderWay) ? 'No words yet' : 'No trials are running'}
            actions={
              experiment === null ? (
                <>
                  <Link href={routes.experiments}>To the experiments</Link>
                  {isWritable ? <Link href={routes.tryCase}>Try a case</Link> : null}
                </>
              ) : (
                <Link href={toExperiment(experiment)}>To the experiment</Link>
              )
            }
          >
            As soon as a trial begins, its speeches appear here word by word.
          </Empty>
        ) : (
          <ul className={styles.wall} aria-label="Running trials">
            {wall.courts.map((court, place) =>
              court.state.line.status === 'running' && !isLive(court) ? null : (
                // biome-ignore lint/suspicious/noArrayIndexKey: a place on the wall keeps its number
                <CourtCard key={place} court={court} withExperiment={experiment === null} />
              ),
            )}
          </ul>
        )}
        <Ended trials={wall.ended} />
      </div>
    </Screen>
  );
}
