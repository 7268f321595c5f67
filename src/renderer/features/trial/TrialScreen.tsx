import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useRoute } from 'wouter';
import { z } from 'zod';
import type { TrialFrame, TrialView } from '../../../shared/api/trials.ts';
import { useApi, useStream } from '../../api/ApiContext.tsx';
import { experimentsCrumb, routes } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { KeyHint, keyed } from '../../ui/KeyNames.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { useShownTrial } from '../review/reviewSession.ts';
import { useTrialCheck } from './CheckButton.tsx';
import { CourtRoom } from './CourtRoom.tsx';
import type { TurnItem } from './courtItems.ts';
import { ImportedPrediction } from './ImportedPrediction.tsx';
import type { Inspected } from './Inspector.tsx';
import { NeighbourButtons } from './NeighbourButtons.tsx';
import { Playback } from './Playback.tsx';
import { stateAt, turnsIn } from './stateAt.ts';
import styles from './Trial.module.css';
import { VerdictPill } from './TrialHeader.tsx';
import { TrialHeading } from './TrialHeading.tsx';
import { allCalls, effortOf, listedCalls } from './trialCalls.ts';
import { follow, openingState, type TrialState } from './trialState.ts';
import { useInvented } from './useInvented.ts';

interface FollowedTrial {
  readonly view: TrialView;
  readonly state: TrialState;
}

/** A trial as it is now: read once, then followed. */
function useTrial(trial: string) {
  const api = useApi();
  const reading = useQuery({
    queryKey: ['trials', 'read', trial],
    queryFn: ({ signal }) => api.trials.read({ trial }, { signal }),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const [state, setState] = useState<TrialState | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const view = reading.data;
  useEffect(() => {
    if (view === undefined) return;
    const isNews = (known: TrialState | null) => known === null || view.lastSeq > known.lastSeq || view.erased !== null;
    setState((known) => (isNews(known) ? openingState(view) : known));
  }, [view]);

  useStream<TrialFrame>(
    state === null ? null : trial,
    (opened, signal) => opened.trials.watch({ trial, after: state?.lastSeq ?? -1 }, { signal }),
    (body) => setState((known) => (known === null ? known : follow(known, body))),
    setFailure,
  );
  const followed: FollowedTrial | null = view === undefined || state === null ? null : { view, state };
  return { followed, reading, failure };
}

const inspectedSchema = z.union([
  z.strictObject({ kind: z.literal('list') }),
  z.strictObject({ kind: z.literal('call'), key: z.string() }),
]);

/** One trial as a courtroom transcript, while it runs and afterwards. */
export default function TrialScreen({ trial }: { trial: string }) {
  const { followed, reading, failure } = useTrial(trial);
  if (followed === null) {
    return (
      <Screen crumbs={[experimentsCrumb]} title="Trial">
        {reading.isError ? (
          <FailureNotice error={reading.error} onRetry={reading.refetch} />
        ) : (
          <p className={styles.note}>Reading the record…</p>
        )}
      </Screen>
    );
  }
  return <FollowedScreen trial={trial} followed={followed} failure={failure} />;
}

/** Where the play-back of a trial stands; null where none was asked for, or there is nothing to play. */
function usePlace(turns: readonly TurnItem[], { line }: TrialState): number | null {
  const [, played] = useRoute(routes.trialPlay);
  const place = Math.trunc(Number(played?.place));
  if (played === null || line.status !== 'done' || turns.length === 0 || Number.isNaN(place)) return null;
  return Math.min(Math.max(1, place), turns.length);
}

function FollowedScreen({ trial, followed, failure }: { trial: string; followed: FollowedTrial; failure: unknown }) {
  useShownTrial(followed.view.line.experiment, trial);
  const [inspected, setInspected] = useSessionState<Inspected | null>(
    `trial/${trial}/inspected`,
    inspectedSchema.nullable(),
    () => null,
  );
  const { state: whole } = followed;
  const turns = useMemo(() => turnsIn(whole), [whole]);
  const place = usePlace(turns, whole);
  const state = useMemo(() => (place === null ? whole : stateAt(whole, turns, place)), [whole, turns, place]);
  const isPartial = state !== whole;
  // What other arms made of the case would say what is still to come.
  const view = useMemo(() => (isPartial ? { ...followed.view, others: [] } : followed.view), [followed.view, isPartial]);
  const calls = allCalls(state.entries);
  // A call that was open may be one that is still to come.
  const isShown = inspected?.kind !== 'call' || listedCalls(state.entries).some(({ key }) => key === inspected.key);
  useEffect(() => (isShown ? undefined : setInspected(null)), [isShown, setInspected]);
  // The engine sends the line at the beginning and at the end of an attempt only.
  const imported = state.entries.find((entry) => entry.kind === 'import');
  const line = state.line.status === 'running' ? { ...state.line, ...effortOf(calls) } : state.line;
  const invented = useInvented(line);
  useTrialCheck(line);
  const findingOpen = useState(false);
  const isHeld = imported === undefined && line.status !== 'queued';
  const heading = (
    <TrialHeading {...{ view, isPartial, invented }} state={{ ...state, line }} onCalls={() => setInspected({ kind: 'list' })} />
  );
  return (
    <Screen
      title={view.title ?? `Case ${line.case}`}
      pills={
        <>
          {invented ? (
            <span className={styles.demo}>
              <Pill tone="warn">DEMO MODEL</Pill>
            </span>
          ) : null}
          {isPartial ? null : (
            <span className={styles.verdict}>
              <VerdictPill line={line} />
            </span>
          )}
        </>
      }
      actions={
        <>
          {isPartial ? null : <NeighbourButtons line={line} />}
          {isHeld ? (
            <Button size="small" render={keyed('/', 'Find in the transcript')} onPress={() => findingOpen[1]((open) => !open)}>
              <Search size={14} aria-hidden="true" /> <span className={styles.word}>Find</span> <KeyHint keys="/" />
            </Button>
          ) : null}
        </>
      }
      slim
    >
      {imported === undefined ? (
        <CourtRoom
          {...{ view, state, failure, heading, findingOpen }}
          inspected={isShown ? inspected : null}
          onInspect={setInspected}
          playback={place === null ? null : <Playback trial={trial} place={place} turns={turns} />}
        />
      ) : (
        <ImportedPrediction view={view} entry={imported} heading={heading} />
      )}
    </Screen>
  );
}
