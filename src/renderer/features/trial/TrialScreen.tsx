import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useRoute } from 'wouter';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { importBlock } from '../../../core/telling/sections.ts';
import { speechNamer, unheardText } from '../../../core/telling/unheard.ts';
import type { TranscriptEntry, TrialFrame, TrialView } from '../../../shared/api/trials.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { fresh, useRead, useStream } from '../../api/ApiContext.tsx';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { experimentsCrumb, routes } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { KeyHint, keyed } from '../../ui/KeyNames.tsx';
import { ModalDialog } from '../../ui/ModalDialog.tsx';
import { DemoBanner, Notice, Unread } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { LongHeading, Screen } from '../../ui/Screen.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { ErasedNotice } from '../erasing/ErasedNotice.tsx';
import { titleOf } from '../experiments/shownExperiments.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { answersInvented } from '../protocols/backends.ts';
import { useBackends } from '../protocols/useBackends.ts';
import { useShownTrial } from '../review/reviewSession.ts';
import { CaseColumn } from './CaseColumn.tsx';
import { useTrialCheck } from './CheckButton.tsx';
import { CompareButton } from './CompareButton.tsx';
import { CourtRoom } from './CourtRoom.tsx';
import { CommentsOfTrial } from './comments/Comments.tsx';
import type { TurnItem } from './courtItems.ts';
import { type Inspected, inspectedSchema } from './Inspector.tsx';
import { NeighbourButtons } from './NeighbourButtons.tsx';
import { Playback } from './Playback.tsx';
import { stateAt, turnsIn } from './stateAt.ts';
import styles from './Trial.module.css';
import {
  MatchedTrials,
  RetrialButton,
  ReviewButton,
  SameMethod,
  Stability,
  TrialActions,
  TrialPills,
  VerdictPill,
} from './TrialHeader.tsx';
import { NextStep, TrialDamage } from './TrialNotices.tsx';
import { Blocks } from './telling/Blocks.tsx';
import { allCalls, effortOf, listedCalls } from './trialCalls.ts';
import { follow, openingState, type TrialState } from './trialState.ts';
import { toWalkedList } from './walkedList.ts';

/** How many people judged a trial; a press shows what each answered, and all comments. */
function JudgedPill({ judged, answers, line }: Pick<TrialView, 'judged' | 'answers' | 'line'>) {
  const [isOpen, setIsOpen] = useState(false);
  if (judged === null) return null;
  return (
    <Pill>
      <AriaButton className="as-link" onPress={() => setIsOpen(true)}>
        <HiddenText text={judged} />
      </AriaButton>
      <ModalDialog title="What people said" isOpen={isOpen} onClose={() => setIsOpen(false)} cancel="Close">
        <DataTable
          label="What people answered"
          rows={answers.map((each, index) => ({ ...each, index }))}
          keyOf={({ index }) => index}
          columns={[
            { title: 'who', cell: ({ who }) => <Isolated text={who} /> },
            { title: 'answer', cell: ({ answer }) => <Isolated text={answer} /> },
            { title: 'before the court’s verdict was shown', cell: ({ blind }) => (blind ? 'yes' : 'no') },
            { title: 'reason', cell: ({ reason }) => <Outside as="span" text={reason} /> },
          ]}
        />
        <CommentsOfTrial trial={line.trial} />
      </ModalDialog>
    </Pill>
  );
}

/** Whether the demo model speaks: by the record, and before the first answer is on it by who is being asked. */
function useInvented({ standin, status, experiment }: TrialLine): boolean {
  const run = useEngineStatus()?.runs.find((each) => each.experiment === experiment);
  const asked = status === 'running' && !standin;
  const reports = useBackends({ enabled: asked }).data ?? [];
  return standin || (asked && run !== undefined && answersInvented(reports, run.backend));
}

/** A trial as it is now: read once, then followed. */
function useTrial(trial: string) {
  const reading = useRead(['trials', 'read', trial], (api, given) => api.trials.read({ trial }, given), { ...fresh, gcTime: 0 });
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
  return { followed: view === undefined || state === null ? null : { view, state }, reading, failure };
}

export default function TrialScreen({ trial }: { trial: string }) {
  const { followed, reading, failure } = useTrial(trial);
  if (followed === null) {
    return (
      <Screen crumbs={[experimentsCrumb]} title="Trial">
        <Unread of={reading} words="Reading the record…" />
      </Screen>
    );
  }
  return <FollowedScreen trial={trial} followed={followed} failure={failure} />;
}

/** The place of the play-back of a trial; null where none was asked for, or there is nothing to play. */
function usePlace(turns: readonly TurnItem[], { line }: TrialState): number | null {
  const [, played] = useRoute(routes.trialPlay);
  const place = Math.trunc(Number(played?.place));
  if (played === null || line.status !== 'done' || turns.length === 0 || Number.isNaN(place)) return null;
  return Math.min(Math.max(1, place), turns.length);
}

type Followed = NonNullable<ReturnType<typeof useTrial>['followed']>;

function FollowedScreen({ trial, followed, failure }: { trial: string; followed: Followed; failure: unknown }) {
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
  // What other trials made of the case would say what is still to come.
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
            <span className={`flex min-w-0 ${styles.verdict}`}>
              <VerdictPill line={line} cast={view.cast} />
            </span>
          )}
        </>
      }
      actions={
        <>
          {isPartial ? null : <NeighbourButtons line={line} />}
          {isHeld ? (
            <Button
              icon={Search}
              size="small"
              render={keyed('/', 'Find in the transcript')}
              onPress={() => findingOpen[1]((open) => !open)}
            >
              <span className={styles.word}>Find</span> <KeyHint keys="/" />
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

/** A trial that was not run: the source of its prediction, and what the data set says of the case. */
function ImportedPrediction({
  view,
  entry,
  heading,
}: {
  view: TrialView;
  entry: Extract<TranscriptEntry, { kind: 'import' }>;
  heading: ReactNode;
}) {
  return (
    <div className={styles.room}>
      <div className={styles.side}>
        <CaseColumn view={view} entries={view.entries} running={false} current={null} />
      </div>
      <section className={styles.imported} aria-labelledby="imported">
        {heading}
        <h2 id="imported" className="title-18">
          Imported, not tried
        </h2>
        <p className={`muted ${styles.importedNote}`}>
          No model was asked here. The prediction was read from a file and is shown with the trials of the same case. The record
          keeps the cell as it was and how it was read, so that the label can be derived again.
        </p>
        <Blocks blocks={[importBlock(entry)]} level={2} name="import" />
      </section>
    </div>
  );
}

const TrialId = ({ id }: { id: string }) => (
  <span className="row gap-6 quiet">
    Trial <code className="mono-12-5">{id}</code>
    <CopyButton text={id} name="Copy the id of this trial">
      Copy
    </CopyButton>
  </span>
);

/** What a trial is about and what can be done with it; scrolls away with what was said. */
function TrialHeading({
  view,
  state,
  isPartial,
  invented,
  onCalls,
}: {
  view: TrialView;
  state: TrialState;
  /** It is being played, and how it went is still to come. */
  isPartial: boolean;
  /** The demo model speaks. */
  invented: boolean;
  onCalls: () => void;
}) {
  const settings = useSettings();
  const { line } = state;
  const unheard = unheardText(line.change, state.entries);
  const title = titleOf(settings.data?.experiments ?? [], line.experiment);
  const ofArm = {
    label: [
      title,
      view.title === null
        ? (shownArmNames(
            [line, ...view.others].map(({ arm }) => arm),
            speechNamer(state.entries),
          ).get(line.arm) ?? line.arm)
        : protocolTitle(line.protocol),
    ],
    to: toWalkedList(line.experiment),
  };
  return (
    <LongHeading crumbs={[experimentsCrumb, ofArm]} question={view.question} beside={<TrialId id={line.trial} />}>
      {isPartial ? null : (
        <div className="row gap-8">
          <TrialPills line={line} view={view} onCalls={onCalls} />
          <MatchedTrials state={state} others={view.others} />
          <SameMethod line={line} view={view} />
          {view.again === null ? null : <Stability experiment={view.again} />}
          <JudgedPill {...view} />
          <RetrialButton view={view} state={state} />
          <CompareButton line={line} view={view} />
          {view.erased === null ? <ReviewButton line={line} view={view} /> : null}
          <TrialActions line={line} erased={view.erased} />
        </div>
      )}
      {view.damage === null ? null : <TrialDamage view={view} />}
      {invented ? <DemoBanner /> : null}
      <ErasedNotice erased={view.erased} of="trial" />
      {isPartial || view.erased !== null ? null : <NextStep line={line} />}
      {unheard === null ? null : (
        <Notice>
          <HiddenText text={unheard} />
        </Notice>
      )}
    </LongHeading>
  );
}
