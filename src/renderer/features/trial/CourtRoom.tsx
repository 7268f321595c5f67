import { type ComponentProps, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Link, useRoute } from 'wouter';
import { z } from 'zod';
import { askedOf } from '../../../core/figures/debate.ts';
import { tellingOf } from '../../../core/protocols/index.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { useEngineStatus } from '../../app/engineStatus.ts';
import { routes, toExperiment } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { useTextSize } from '../../app/theme.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { useMedia, usePrinting } from '../../ui/useMedia.ts';
import { givesWayText } from '../experiments/outcomes.ts';
import { CaseColumn } from './CaseColumn.tsx';
import { WithComments } from './comments/Comments.tsx';
import type { CourtItem } from './courtItems.ts';
import type { FindingOpen } from './Finding.tsx';
import { type Inspected, Inspector } from './Inspector.tsx';
import { Announcement, Transcript } from './Transcript.tsx';
import styles from './Trial.module.css';
import { FirstHints } from './TrialNotices.tsx';
import { TellingView } from './telling/TellingView.tsx';
import { callsOf, listedCalls } from './trialCalls.ts';
import type { TrialState } from './trialState.ts';
import { useCourt } from './useCourt.ts';

const shownSchema = z.enum(['layout', 'transcript']);

/** The trial in the view that is made for its protocol, with the transcript one step away. */
function TrialBody(given: Omit<ComponentProps<typeof Transcript>, 'court'>) {
  const { view, state, heading, allOpen, onInspect, onCurrent } = given;
  const [isFinding, setFinding] = given.findingOpen;
  const properties = { ...given, court: useCourt(view, state) };
  const own = tellingOf(state.line.protocol);
  const [chosen, setChosen] = useSessionState('trial/shown', shownSchema, () => 'layout');
  const [isSought] = useRoute(routes.trialAt);
  const [isPlayed] = useRoute(routes.trialPlay);
  // What is found is in the transcript; other trials still open as the reader chose.
  const [isFound, setFound] = useState(isSought);
  const shown = isFinding || isFound ? 'transcript' : chosen;
  const show = (next: z.infer<typeof shownSchema>) => {
    setChosen(next);
    setFound(false);
    // The row in view is one of the transcript.
    if (next === 'transcript') return;
    onCurrent(null);
    setFinding(false);
  };
  useShortcuts(
    own === null
      ? []
      : [
          {
            keys: ['t'],
            does: 'Change between the view of the protocol and the transcript',
            run: () => show(shown === 'layout' ? 'transcript' : 'layout'),
          },
        ],
  );
  if (own === null || isPlayed) return <Transcript {...properties} />;
  return (
    <Tabs
      className={`stack min-w-0 ${styles.middle}`}
      selectedKey={shown}
      onSelectionChange={(key) => show(shownSchema.parse(key))}
      keyboardActivation="manual"
    >
      <TabList className={`off-paper flex gap-4 ruled-below ${styles.tabs}`} aria-label="How the trial is shown">
        <Tab id="layout" className="tab">
          {own.title}
        </Tab>
        <Tab id="transcript" className="tab">
          Transcript
        </Tab>
      </TabList>
      <TabPanel id="layout" className={styles.panel ?? ''}>
        <div className={`stack ${styles.page}`}>
          {heading}
          <TellingView telling={own} view={view} state={state} court={properties.court} allOpen={allOpen} onInspect={onInspect} />
        </div>
        <Announcement running={state.line.status === 'running'} latest={properties.court.turns.at(-1)} />
      </TabPanel>
      <TabPanel id="transcript" className={`stack min-w-0 ${styles.transcript}`}>
        <Transcript {...properties} />
      </TabPanel>
    </Tabs>
  );
}

/** Why a trial that is not done does not continue. Nothing while it does. */
function RunNotice({ line: { experiment, status } }: { line: TrialLine }) {
  const engine = useEngineStatus();
  if (status === 'done' || engine === null) return null;
  const run = engine.runs.find((each) => each.experiment === experiment);
  const { state = 'interrupted', gives_way: givesWay, waiting_for: server, error } = run ?? {};
  if (!engine.writtenElsewhere && state === 'running' && givesWay !== true) return null;
  const words = {
    running: givesWayText,
    waiting: `The run waits for ${server === null || server === undefined ? 'its server' : `the model server “${server.backend}”`} and retries by itself: ${server?.reason ?? 'no reason was given'}.`,
    paused: 'The run is paused. The answer that is being written still counts.',
    stopping: 'The run is being stopped.',
    stopped: 'The run was stopped. The record so far stays, and you can continue the experiment.',
    failed: `The run ended: ${error?.message ?? 'no reason was given'}`,
    interrupted: 'Nothing runs this trial now. The record so far stays, and you can continue the experiment.',
    finished: 'Nothing runs this trial now. The record so far stays, and you can continue the experiment.',
  }[state];
  return (
    <Notice tone={engine.writtenElsewhere ? 'plain' : state === 'failed' ? 'bad' : 'warn'}>
      <span>
        {engine.writtenElsewhere ? 'Another program is writing to this record, and may be running this trial.' : words}{' '}
        <Link href={toExperiment(experiment)}>To the experiment</Link>
      </span>
    </Notice>
  );
}

/** Width of a window that has room for the case next to the transcript, at text of the usual size. Pixels. */
const roomBeside = 1000;
/** Height of a window that has no room for anything above the transcript. Pixels. */
const lowest = 480;

/** The three parts of a trial: the case, what was said, and on demand what was sent to the models. */
export function CourtRoom({
  view,
  state,
  failure,
  heading,
  findingOpen,
  inspected,
  onInspect,
  playback,
}: {
  view: TrialView;
  state: TrialState;
  failure: unknown;
  /** Scrolls away with what was said. */
  heading: ReactNode;
  findingOpen: FindingOpen;
  inspected: Inspected | null;
  onInspect: (inspected: Inspected | null) => void;
  /** The controls of a play-back; null where the trial is not played. */
  playback: ReactNode;
}) {
  const textSize = useTextSize();
  const wide = useMedia(useMemo(() => window.matchMedia(`(min-width: ${roomBeside * textSize}px)`), [textSize]));
  const low = useMedia(useMemo(() => window.matchMedia(`(max-height: ${lowest}px)`), []));
  const [current, setCurrent] = useState<CourtItem | null>(null);
  const [allOpen, setAllOpen] = useSessionState('trial/plans', z.boolean(), () => false);
  const isPrinting = usePrinting();
  const covered = !wide && inspected !== null;
  const cameFrom = useRef<Element | null>(null);
  const isOpen = inspected !== null;
  // The element that had the focus before the panel took it.
  useLayoutEffect(() => {
    if (isOpen) cameFrom.current = document.activeElement;
  }, [isOpen]);
  const { line, entries } = state;
  // Its own view says for whom it waits.
  const waits = line.status === 'running' && askedOf(entries) !== null;
  const close = () => {
    onInspect(null);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  };
  const currentCall = () => {
    const call = current?.kind === 'turn' ? callsOf(entries).bySeq.get(current.seq)?.at(-1) : undefined;
    return call?.key ?? null;
  };
  useShortcuts([
    { keys: ['p'], does: 'Open or fold all plans and private notes', run: () => setAllOpen((open) => !open) },
    {
      keys: ['i'],
      does: 'Open or close the call behind the utterance in view',
      run: () => {
        const key = currentCall();
        if (inspected === null) onInspect(key === null ? { kind: 'list' } : { kind: 'call', key });
        else close();
      },
    },
    { keys: ['c'], does: 'List all calls of the trial', run: () => onInspect({ kind: 'list' }) },
  ]);
  const column = (
    <CaseColumn view={view} entries={entries} running={line.status !== 'done' || line.outcome === null} current={current} />
  );
  const hints = <FirstHints trial={line.trial} />;
  const folded = wide ? null : (
    <div className={styles.sideFolded} inert={covered}>
      {isPrinting ? (
        column
      ) : (
        <Fold level={2} title="Facts, speakers and other arms">
          {column}
        </Fold>
      )}
    </div>
  );
  const top = (
    <>
      {heading}
      {low ? hints : null}
      {low ? folded : null}
    </>
  );
  return (
    <div className={`${styles.room} ${inspected === null ? '' : styles.withPanel}`}>
      {wide ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
        <section className={styles.side} aria-label="The case" tabIndex={0}>
          {column}
        </section>
      ) : low ? null : (
        folded
      )}
      <div className={`stack min-w-0 ${styles.middle}`} inert={covered}>
        <div className={`stack gap-8 ${styles.notices}`}>
          {low ? null : hints}
          {waits ? null : <RunNotice line={line} />}
          <FailureNotice error={failure} />
          {playback}
        </div>
        {line.status === 'queued' ? (
          <div className={`muted ${styles.note}`}>
            {top}
            <Empty title="This trial has not begun">
              It waits for its turn in the experiment. As soon as the first words are spoken, they appear here.
            </Empty>
          </div>
        ) : (
          <WithComments
            line={line}
            erased={view.erased !== null}
            since={entries[0]?.seq ?? Number.POSITIVE_INFINITY}
            current={current}
          >
            <TrialBody
              view={view}
              state={state}
              heading={top}
              findingOpen={findingOpen}
              allOpen={allOpen}
              onAllOpen={setAllOpen}
              onInspect={(key) => onInspect({ kind: 'call', key })}
              onCurrent={setCurrent}
            />
          </WithComments>
        )}
      </div>
      {inspected === null ? null : (
        <Inspector
          trial={line.trial}
          attempt={line.attempt}
          calls={listedCalls(entries)}
          faulty={view.faulty_calls}
          inspected={inspected}
          onInspect={onInspect}
          onClose={close}
        />
      )}
    </div>
  );
}
