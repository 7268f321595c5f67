import { type BeliefChange, isPair, leadingLabel, shownShares } from '../../../core/figures/beliefChanges.ts';
import { directed, percent, points } from '../../../core/figures/shares.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { letterOf, type Timeline, type TimelineRow } from '../../../core/figures/timeline.ts';
import { asTitle } from '../../../core/text/shorten.ts';
import { noneOfThem } from '../../../shared/predictionText.ts';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Spelled } from '../../ui/Spelled.tsx';
import styles from './BeliefTimeline.module.css';

export function TimelineScale({ timeline }: { timeline: Timeline }) {
  const { ofSets, ends } = timeline;
  const named = (label: string, side: string | undefined) => (
    <bdi title={label} className={side}>
      <HiddenText text={label} />
    </bdi>
  );
  return (
    <div className={`row justify-between min-w-0 muted text-12-5 ${styles.scale}`}>
      {ofSets ? <span>labels that apply</span> : ends === null ? <span>0%</span> : named(ends.left, styles.down)}
      {ofSets ? null : ends === null ? <span>100%</span> : named(ends.right, `text-end ${styles.up}`)}
    </div>
  );
}

const across = (share: number) => share * 100;

/** One row's part of the belief timeline: as high as the row, so that the parts of neighbours join. For the eye; `Stated` has the words. */
export function TimelineSegment({ timeline, row }: { timeline: Timeline; row: TimelineRow }) {
  const { top, dot, bottom } = row.piece;
  const middle = dot ?? (top !== null && bottom !== null ? (top + bottom) / 2 : null);
  const leading = row.step === null || timeline.ends !== null ? null : leadingLabel(row.step.belief);
  return (
    <div className={styles.segment} aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, which read the words next to it */}
      <svg className={styles.lines} viewBox="0 0 100 100" preserveAspectRatio="none" focusable="false">
        {timeline.ends === null ? null : <line className={styles.half} x1="50" y1="0" x2="50" y2="100" />}
        {top === null || middle === null ? null : (
          <line className={styles.line} x1={across(top)} y1="0" x2={across(middle)} y2="50" />
        )}
        {middle === null || bottom === null ? null : (
          <line className={styles.line} x1={across(middle)} y1="50" x2={across(bottom)} y2="100" />
        )}
      </svg>
      {dot === null ? null : (
        <span
          className={`${styles.dot} ${row.step?.largest ? styles.largest : ''} ${leading === null ? '' : styles.lettered}`}
          data-hue={leading === null ? undefined : timeline.labels.indexOf(leading) % 6}
          style={{ left: `${across(dot)}%` }}
        >
          {leading === null ? '' : letterOf(timeline.labels, leading)}
        </span>
      )}
    </div>
  );
}

const spark = { width: 100, height: 30 };

/** The belief of a timeline from left to right, one step for each row. For the eye; `Stated` has the words. Nothing where no belief is drawn. */
export function BeliefSparkline({ timeline }: { timeline: Timeline }) {
  const { rows, ends } = timeline;
  const last = Math.max(1, rows.length - 1);
  const dots = rows.flatMap(({ piece: { dot }, step }, row) =>
    dot === null ? [] : [{ row, x: (row / last) * spark.width, y: (1 - dot) * spark.height, isLargest: step?.largest === true }],
  );
  if (dots.length === 0) return null;
  return (
    <div className={styles.sparkline} aria-hidden="true">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, which read the words next to it */}
      <svg className={styles.lines} viewBox={`0 0 ${spark.width} ${spark.height}`} preserveAspectRatio="none" focusable="false">
        {ends === null ? null : (
          <line className={styles.half} x1="0" y1={spark.height / 2} x2={spark.width} y2={spark.height / 2} />
        )}
        <polyline className={styles.line} fill="none" points={dots.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
      {dots.map(({ row, x, y, isLargest }) => (
        <span
          key={row}
          className={`${styles.spark} ${isLargest ? styles.largestSpark : ''}`}
          style={{ left: `${x}%`, top: `${(y / spark.height) * 100}%` }}
        />
      ))}
    </div>
  );
}

/** Characters of a label next to a number: there is little room, and each belief repeats it. */
const mostOfLabel = 40;

const momentText = { live: null, recalled: 'recalled at the end', prior: 'before anyone spoke', ruling: 'in the ruling' };

/** The label of two that is ruled, where the number is that of the other one. */
const ruledOther = ({ moment, prediction, label }: BeliefChange): string | null =>
  moment === 'ruling' && typeof prediction === 'string' && prediction !== label ? prediction : null;

const MovedMost = () => <strong title="The largest change of this belief in the trial">{' moved most'}</strong>;

function Change({ step, paired }: { step: BeliefChange; paired: boolean }) {
  if (step.change === null) return step.moment === 'ruling' ? null : <span className="muted">first view</span>;
  const crossed = paired && step.before !== null && (step.before - 0.5) * (step.now - 0.5) < 0;
  const side = step.change === 0 || !paired ? '' : step.change > 0 ? styles.up : styles.down;
  if (step.set !== null) {
    return (
      <span>
        <bdi>
          <HiddenText text={step.label} />
        </bdi>{' '}
        <span className={step.change === 0 ? '' : step.change > 0 ? styles.up : styles.down}>
          <Spelled full={directed(step.change)}>{points(step.change)}</Spelled>
        </span>
        {step.largest ? <MovedMost /> : null}
      </span>
    );
  }
  return (
    <span>
      {crossed ? <span className="muted">crossed 50%, </span> : null}
      <span className={side}>
        {paired ? <Spelled full={directed(step.change)}>{points(step.change)}</Spelled> : `${percent(step.change)} shifted`}
      </span>
      {step.largest ? <MovedMost /> : null}
    </span>
  );
}

interface Properties {
  readonly step: BeliefChange;
  /** Labels that have a letter on their dots; absent where no dots are drawn. */
  readonly timeline?: Timeline;
  /** It is one that the timeline does not draw. */
  readonly aside?: boolean;
}

/** A belief in words and numbers, as the timeline shows it next to its dot. */
export function Stated({ step, timeline, aside = false }: Properties) {
  const paired = isPair(step);
  const shares = shownShares(step);
  const moment = momentText[step.moment];
  const ruled = paired ? ruledOther(step) : null;
  const ruledShare = percent(step.belief[ruled ?? ''] ?? 0);
  return (
    <div className={`min-w-0 text-13 wrap-anywhere ${styles.stated}`}>
      {aside ? <span className="muted">{speakerName(step.role)}</span> : null}
      {shares.length === 0 ? <span className={`text-16 ${styles.share}`}>{noneOfThem}</span> : null}
      {shares.map(({ label, share }) => (
        <span key={label} className={`text-16 ${styles.share}`}>
          {percent(share)}{' '}
          <span className={`muted text-12-5 font-400 ${styles.label}`}>
            {paired || timeline === undefined ? null : <b>{letterOf(timeline.labels, label)} </b>}
            <bdi title={asTitle(label, mostOfLabel) === label ? undefined : label}>
              <HiddenText text={asTitle(label, mostOfLabel)} />
            </bdi>
          </span>
        </span>
      ))}
      <Change step={step} paired={paired} />
      {moment === null ? null : (
        <span className="muted">
          {moment}
          {ruled === null ? null : (
            <>
              , {ruledShare === percent(0.5) ? 'a tie, ruled' : `so ${ruledShare}`} <Isolated text={ruled} />
            </>
          )}
        </span>
      )}
    </div>
  );
}
