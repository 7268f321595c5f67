import { useLayoutEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { askedOf } from '../../../core/figures/debate.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useKept } from '../../ui/kept.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { StandinBanner } from '../../ui/StandinBanner.tsx';
import { CaseColumn } from './CaseColumn.tsx';
import type { CourtItem } from './courtItems.ts';
import { type Inspected, Inspector } from './Inspector.tsx';
import { RunNotice } from './RunNotice.tsx';
import styles from './Trial.module.css';
import { TrialBody } from './TrialBody.tsx';
import { listedCalls } from './trialCalls.ts';
import type { TrialState } from './trialState.ts';
import { useInvented } from './useInvented.ts';
import { useWide } from './useWide.ts';

/** The three parts of a trial: the case, what was said, and on demand what was sent to the models. */
export function CourtRoom({
  view,
  state,
  failure,
  inspected,
  onInspect,
}: {
  view: TrialView;
  state: TrialState;
  failure: unknown;
  inspected: Inspected | null;
  onInspect: (inspected: Inspected | null) => void;
}) {
  const wide = useWide();
  const [current, setCurrent] = useState<CourtItem | null>(null);
  const [allOpen, setAllOpen] = useKept('trial/plans', z.boolean(), () => false);
  const covered = !wide && inspected !== null;
  const cameFrom = useRef<Element | null>(null);
  const isOpen = inspected !== null;
  // Before the panel takes the focus, whoever opened it.
  useLayoutEffect(() => {
    if (isOpen) cameFrom.current = document.activeElement;
  }, [isOpen]);
  const invented = useInvented(state.line);
  const { line, entries } = state;
  // Its own view says for whom it waits.
  const waits = line.status === 'running' && askedOf(entries) !== null;
  const inspect = (next: Inspected) => {
    onInspect(next);
  };
  const close = () => {
    onInspect(null);
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  };
  const currentCall = () => {
    const seq = current?.kind === 'turn' ? (current.spoken?.seq ?? current.beliefs[0]?.seq) : undefined;
    const call = current?.kind === 'turn' && seq !== undefined ? current.calls.get(seq)?.at(-1) : undefined;
    return call?.key ?? null;
  };
  useShortcuts([
    { keys: ['p'], does: 'Open or fold all plans and private notes', run: () => setAllOpen((open) => !open) },
    {
      keys: ['i'],
      does: 'Open or close the call behind the utterance in view',
      run: () => {
        const key = currentCall();
        if (inspected === null) inspect(key === null ? { kind: 'list' } : { kind: 'call', key });
        else close();
      },
    },
    { keys: ['c'], does: 'List all calls of the trial', run: () => inspect({ kind: 'list' }) },
  ]);
  const column = <CaseColumn view={view} entries={entries} running={line.status !== 'done'} current={current} />;
  return (
    <div className={`${styles.room} ${inspected === null ? '' : styles.withPanel}`}>
      {wide ? (
        <div className={styles.side}>{column}</div>
      ) : (
        <div className={styles.sideFolded} inert={covered}>
          <Fold level={2} title="Facts, speakers and other arms">
            {column}
          </Fold>
        </div>
      )}
      <div className={styles.middle} inert={covered}>
        <div className={styles.notices}>
          {invented ? <StandinBanner /> : null}
          {waits ? null : <RunNotice line={line} />}
          <FailureNotice error={failure} />
        </div>
        {line.status === 'queued' ? (
          <div className={styles.note}>
            <Empty title="This trial has not begun">
              It waits for its turn in the experiment. As soon as the first words are spoken, they appear here.
            </Empty>
          </div>
        ) : (
          <TrialBody
            view={view}
            state={state}
            allOpen={allOpen}
            onAllOpen={setAllOpen}
            onInspect={(key) => inspect({ kind: 'call', key })}
            onCurrent={setCurrent}
          />
        )}
      </div>
      {inspected === null ? null : (
        <Inspector
          trial={line.trial}
          attempt={line.attempt}
          calls={listedCalls(entries)}
          inspected={inspected}
          onInspect={inspect}
          onClose={close}
        />
      )}
    </div>
  );
}
