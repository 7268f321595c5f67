import { Fragment } from 'react';
import type { BeliefChange } from '../../../core/figures/beliefChanges.ts';
import { percent, points } from '../../../core/figures/shares.ts';
import { theSpeaker } from '../../../core/figures/speakers.ts';
import type { Timeline } from '../../../core/figures/timeline.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import styles from './BeliefTable.module.css';
import type { TurnItem } from './courtItems.ts';

const most = 6;

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function occasion(step: BeliefChange, turns: readonly TurnItem[]): string {
  if (step.moment === 'ruling') return 'Ruling';
  const turn = turns.find(({ beliefs }) => beliefs.some(({ seq }) => seq === step.seq));
  return turn === undefined ? step.key : `${turn.who}, ${turn.what}`;
}

/** After which speech the judge's stated belief changed most. */
export function BeliefTable({
  timeline,
  beliefs,
  turns,
}: {
  timeline: Timeline;
  beliefs: readonly BeliefChange[];
  turns: readonly TurnItem[];
}) {
  const changes = beliefs.filter(({ role, change }) => role === timeline.role && change !== null);
  if (timeline.role === null || changes.length === 0) return null;
  const size = ({ change }: BeliefChange) => Math.abs(change ?? 0);
  const largest = Math.max(...changes.map(size));
  if (largest < 1e-9)
    return <p className={`quiet ${styles.note}`}>{capital(theSpeaker(timeline.role))} stated the same belief throughout.</p>;
  const shown = changes.toSorted((one, other) => size(other) - size(one)).slice(0, most);
  const { ends, ofSets } = timeline;
  const directed = ends !== null || ofSets;
  return (
    <div className={`stack gap-8 ${styles.beliefs}`}>
      <h4>What moved {theSpeaker(timeline.role)}</h4>
      <div className={styles.bars}>
        {shown.map((step) => {
          const share = (size(step) / largest) * (directed ? 50 : 100);
          const up = (step.change ?? 0) > 0;
          return (
            <Fragment key={step.seq}>
              <span className="wrap-anywhere">{occasion(step, turns)}</span>
              <span className={styles.track} aria-hidden="true">
                {directed ? <span className={styles.zero} /> : null}
                <span
                  className={`${styles.bar} ${directed ? (up ? styles.up : styles.down) : ''}`}
                  style={{
                    width: `${share}%`,
                    insetInlineStart: directed ? `${up ? 50 : 50 - share}%` : 0,
                  }}
                />
              </span>
              <span className={`font-600 text-end ${styles.number}`}>
                {directed ? points(step.change ?? 0) : percent(size(step))}
                {ofSets ? (
                  <>
                    {' '}
                    <bdi>
                      <HiddenText text={step.label} />
                    </bdi>
                  </>
                ) : null}
              </span>
            </Fragment>
          );
        })}
      </div>
      <p className={`quiet ${styles.note}`}>
        {ofSets ? (
          'Change of the label that moved most from one stated belief to the next, in percentage points'
        ) : ends === null ? (
          'How much of the distribution shifted from one stated belief to the next'
        ) : (
          <>
            Change of P(
            <bdi>
              <HiddenText text={ends.right} />
            </bdi>
            ) from one stated belief to the next, in percentage points
          </>
        )}
        , {shown.length === changes.length ? `all ${changes.length}` : `the ${shown.length} largest of ${changes.length}`}. That a
        change followed a speech does not prove that the speech caused it.
      </p>
    </div>
  );
}
