import { memo, useMemo } from 'react';
import { Link } from 'wouter';
import { askedOf } from '../../../core/figures/debate.ts';
import { sideOf, speakerName } from '../../../core/figures/speakers.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { toTrial } from '../../app/routes.ts';
import { BeliefSparkline } from '../../charts/beliefTimeline/BeliefSparkline.tsx';
import { Stated } from '../../charts/beliefTimeline/Stated.tsx';
import { CaseName, Isolated } from '../../ui/HiddenText.tsx';
import { tailOf } from '../trial/courtItems.ts';
import { heardIn } from '../trial/finding.ts';
import { Growing } from '../trial/Speech.tsx';
import { aloudFields, partsWritten } from '../trial/spoken.ts';
import telling from '../trial/telling/Telling.module.css';
import { mishap } from '../trial/trialCalls.ts';
import { type Court, useCourt } from '../trial/useCourt.ts';
import { verdictOf } from '../trial/words.ts';
import styles from './Live.module.css';
import type { LiveCourt } from './wall.ts';

/** Characters at the end of a speech that a card has room for. */
const mostShown = 700;

const endOf = (text: string): string => (text.length > mostShown ? `…${text.slice(-mostShown)}` : text);

/** What was said last, in full on the trial's own screen. */
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
  if (speaking === undefined) return <LastSaid turns={turns} />;
  const { role, text } = speaking.writing;
  const parts = partsWritten(text, aloud);
  const failure = speaking.failed.at(-1);
  return (
    <>
      <p className="font-600">
        <bdi>{speakerName(role)}</bdi>{' '}
        <span className="quiet">
          {parts.aloud.length > 0 ? 'is speaking' : parts.sealed.length > 0 ? 'is taking notes' : 'begins'}
        </span>
        {failure === undefined ? null : <span className="text-13 text-bad"> asked again after “{mishap(failure)}”</span>}
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
export const CourtCard = memo(function CourtCard({ court, withExperiment }: { court: LiveCourt; withExperiment: boolean }) {
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
        {withExperiment ? (
          <p className="cut quiet">
            <Isolated text={line.experiment} />
          </p>
        ) : null}
        <p className="quiet wrap-anywhere">
          <Isolated text={line.arm} />
          {[numbered, line.attempt > 1 ? `attempt ${line.attempt}` : null].map((each) =>
            each === null ? null : (
              <span key={each} className={styles.whole}>
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
          <p className={verdict.tone === 'good' ? 'text-good' : verdict.tone === 'bad' ? 'text-bad' : undefined}>
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
