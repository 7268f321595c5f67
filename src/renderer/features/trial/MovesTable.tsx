import { Fragment } from 'react';
import type { Move } from '../../../core/figures/moves.ts';
import { percent, points } from '../../../core/figures/shares.ts';
import { theSpeaker } from '../../../core/figures/speakers.ts';
import type { Rail } from '../../charts/beliefRail/railOf.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import type { TurnItem } from './courtItems.ts';
import styles from './Moves.module.css';
import { headingOf } from './words.ts';

const most = 6;

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function occasion(move: Move, turns: readonly TurnItem[]): string {
  if (move.moment === 'ruling') return 'Ruling';
  const turn = turns.find(({ beliefs, spoken }) => beliefs.some(({ seq }) => seq === move.seq) || spoken?.seq === move.seq);
  if (turn === undefined) return move.key;
  const { who, what } = headingOf(turn);
  return `${who}, ${what}`;
}

/** After which speech the judge's stated belief changed most. */
export function MovesTable({ rail, moves, turns }: { rail: Rail; moves: readonly Move[]; turns: readonly TurnItem[] }) {
  const changes = moves.filter(({ role, change }) => role === rail.role && change !== null);
  if (rail.role === null || changes.length === 0) return null;
  const size = ({ change }: Move) => Math.abs(change ?? 0);
  const largest = Math.max(...changes.map(size));
  if (largest < 1e-9)
    return <p className={`quiet ${styles.note}`}>{capital(theSpeaker(rail.role))} stated the same belief throughout.</p>;
  const shown = changes.toSorted((one, other) => size(other) - size(one)).slice(0, most);
  const { ends, ofSets } = rail;
  const directed = ends !== null || ofSets;
  return (
    <div className={`stack gap-8 ${styles.moves}`}>
      <h4>What moved {theSpeaker(rail.role)}</h4>
      <div className={styles.bars}>
        {shown.map((move) => {
          const share = (size(move) / largest) * (directed ? 50 : 100);
          const up = (move.change ?? 0) > 0;
          return (
            <Fragment key={move.seq}>
              <span className="wrap-anywhere">{occasion(move, turns)}</span>
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
                {directed ? points(move.change ?? 0) : percent(size(move))}
                {ofSets ? (
                  <>
                    {' '}
                    <bdi>
                      <HiddenText text={move.label} />
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
