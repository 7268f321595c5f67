import { isPair, type Move, toldShares } from '../../../core/figures/moves.ts';
import { percent, points } from '../../../core/figures/shares.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { noneOfThem } from '../../../shared/predictionText.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import styles from './BeliefRail.module.css';
import { letterOf, type Rail } from './railOf.ts';

const momentWords = { live: null, recalled: 'recalled at the end', prior: 'before anyone spoke', ruling: 'in the ruling' };

function Change({ move, paired }: { move: Move; paired: boolean }) {
  if (move.change === null) return move.moment === 'ruling' ? null : <span className={styles.quiet}>first view</span>;
  const crossed = paired && move.before !== null && (move.before - 0.5) * (move.now - 0.5) < 0;
  const side = move.change === 0 || !paired ? '' : move.change > 0 ? styles.up : styles.down;
  if (move.set !== null) {
    return (
      <span>
        <bdi>
          <HiddenText text={move.label} />
        </bdi>{' '}
        <span className={move.change === 0 ? '' : move.change > 0 ? styles.up : styles.down}>{points(move.change)}</span>
        {move.largest ? <strong> moved most</strong> : null}
      </span>
    );
  }
  return (
    <span>
      {crossed ? <span className={styles.quiet}>crossed </span> : null}
      <span className={side}>{paired ? points(move.change) : `${percent(move.change)} shifted`}</span>
      {move.largest ? <strong> moved most</strong> : null}
    </span>
  );
}

/** A belief in words and numbers, as it stands beside its dot. `aside`: one that the rail does not draw. */
export function Stated({ move, rail, aside = false }: { move: Move; rail: Rail; aside?: boolean }) {
  const paired = isPair(move);
  const told = toldShares(move);
  const moment = momentWords[move.moment];
  return (
    <div className={styles.stated}>
      {aside ? <span className={styles.quiet}>{speakerName(move.role)}</span> : null}
      {told.length === 0 ? <span className={styles.share}>{noneOfThem}</span> : null}
      {told.map(({ label, share }) => (
        <span key={label} className={styles.share}>
          {percent(share)}{' '}
          <span className={styles.label}>
            {paired ? null : <b>{letterOf(rail.labels, label)} </b>}
            <bdi>
              <HiddenText text={label} />
            </bdi>
          </span>
        </span>
      ))}
      <Change move={move} paired={paired} />
      {moment === null ? null : <span className={styles.quiet}>{moment}</span>}
    </div>
  );
}
