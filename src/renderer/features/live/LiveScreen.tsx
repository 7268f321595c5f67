import { memo, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { askedOf } from '../../../core/figures/debate.ts';
import { sideOf, speakerName } from '../../../core/figures/speakers.ts';
import { isUnderWay, type Run } from '../../../shared/api/engine.ts';
import type { LiveFrame } from '../../../shared/api/trials.ts';
import { writingWords } from '../../../shared/longCalls.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { useStream } from '../../api/ApiContext.tsx';
import { useEngineStatus, useWritable } from '../../app/engineStatus.ts';
import { experimentsCrumb, routes, toExperiment, toTrial } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { BeliefSparkline, Stated } from '../../charts/beliefTimeline/BeliefTimeline.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { CaseName, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { DemoBanner, FailureNotice } from '../../ui/Notice.tsx';
import { Pill, toneLook } from '../../ui/Pill.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useNow } from '../../ui/useNow.ts';
import { runText } from '../experiments/outcomes.ts';
import { titleOf } from '../experiments/shownExperiments.ts';
import { tailOf } from '../trial/courtItems.ts';
import { heardIn } from '../trial/finding.ts';
import { Growing } from '../trial/Speech.tsx';
import { aloudFields, partsWritten } from '../trial/spoken.ts';
import telling from '../trial/telling/Telling.module.css';
import { mishap } from '../trial/trialCalls.ts';
import { type Court, useCourt } from '../trial/useCourt.ts';
import { verdictOf } from '../trial/words.ts';
import styles from './Live.module.css';
import { emptyWall, followWall, type LiveCourt, type Wall } from './wall.ts';

/** Characters at the end of a speech that a card has room for. */
const mostShown = 700;

const endOf = (text: string): string => (text.length > mostShown ? `…${text.slice(-mostShown)}` : text);

function LastSaid({ turns }: Pick<Court, 'turns'>) {
  const last = turns.findLast((turn) => heardIn(turn) !== '');
  if (last === undefined) return <p className="quiet">Nothing has been said yet.</p>;
  return (
    <>
      <p className="font-600">
        <bdi>{last.who}</bdi> <span className="quiet">{last.what}</span>
      </p>
      <div className={`${styles.words} ${telling[last.side]}`}>
        <Growing text={endOf(heardIn(last))} growing={false} />
      </div>
    </>
  );
}

/** The speech that is being spoken, as far as it goes; what its speaker keeps to itself stays sealed. */
function Speaking({ court: { view, state }, turns }: { court: LiveCourt } & Pick<Court, 'turns'>) {
  const { entries, line, writing } = state;
  const items = tailOf({ entries, line, writing });
  const speaking = items.find((item) => item.kind === 'writing');
  const key = speaking?.writing.key;
  const aloud = useMemo(() => (key === undefined ? [] : aloudFields(view, { line, entries }, key)), [view, line, entries, key]);
  const now = useNow(1000);
  if (speaking === undefined) return <LastSaid turns={turns} />;
  const { role, text } = speaking.writing;
  const parts = partsWritten(text, aloud);
  const failure = speaking.failed.at(-1);
  return (
    <>
      <p className="font-600">
        <bdi>{speakerName(role)}</bdi>{' '}
        <span className="quiet">
          {writingWords(speaking.writing, now) ??
            (parts.aloud.length > 0 ? 'is speaking' : parts.sealed.length > 0 ? 'is taking notes' : 'begins')}
        </span>
        {failure === undefined ? null : <span className="text-13 text-bad"> (asked again after “{mishap(failure)}”)</span>}
      </p>
      {parts.aloud.length === 0 ? (
        <LastSaid turns={turns} />
      ) : (
        <div className={`${styles.words} ${telling[sideOf(role)]}`}>
          {parts.aloud.map((part) => (
            <Growing key={part.path.join('/')} text={endOf(part.text)} growing={part.growing} />
          ))}
        </div>
      )}
    </>
  );
}

/** A trial of the wall: who is speaking, the words as they come, and the belief of the judge so far. */
const CourtCard = memo(function CourtCard({ court, withExperiment }: { court: LiveCourt; withExperiment: boolean }) {
  const { view, state } = court;
  const { line } = state;
  const { turns, timeline } = useCourt(view, state);
  const step = timeline.rows.findLast((row) => row.step !== null)?.step ?? null;
  const verdict = verdictOf(line);
  const numbered = replicateText(line, view.replicates);
  const asked = line.status === 'running' ? askedOf(state.entries) : null;
  return (
    <li className={`card stack gap-8 content-start ${styles.court} ${line.status === 'done' ? styles.done : ''}`}>
      <div className="stack min-w-0">
        <h2 className="cut title-16">
          <Link href={toTrial(line.trial)} dir="auto">
            <CaseName title={view.title} case={line.case} />
          </Link>
        </h2>
        {withExperiment ? <Outside as="p" className="cut quiet" text={line.experiment} /> : null}
        <p className="quiet wrap-anywhere">
          <Isolated text={line.arm} />
          {[numbered, line.attempt > 1 ? `attempt ${line.attempt}` : null].map((each) =>
            each === null ? null : (
              <span key={each} className="unbroken">
                {' '}
                · {each}
              </span>
            ),
          )}
        </p>
      </div>
      <div className={styles.belief}>
        <BeliefSparkline timeline={timeline} />
        {step === null ? <p className="quiet">No belief stated yet.</p> : <Stated step={step} />}
      </div>
      <div className={`stack gap-4 content-start min-w-0 ${styles.now}`}>
        {line.status === 'done' ? (
          <p className={toneLook[verdict.tone]}>
            {verdict.before} {verdict.label === null ? null : <Isolated text={verdict.label} />}
            {verdict.after}
          </p>
        ) : asked === null ? (
          <Speaking court={court} turns={turns} />
        ) : (
          <p className="text-warn">Waiting for the moderator. Open the trial to answer.</p>
        )}
      </div>
    </li>
  );
});

const none: readonly Run[] = [];

function Ended({ trials }: { trials: Wall['ended'] }) {
  if (trials.length === 0) return null;
  return (
    <section className="stack gap-8" aria-labelledby="ended">
      <h2 id="ended" className="eyebrow">
        Ended while you watched
      </h2>
      <p className="quiet">
        Each is held against the label as it ends, also where the results of its experiment are still hidden.
      </p>
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
              <span className={toneLook[tone]}>
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
