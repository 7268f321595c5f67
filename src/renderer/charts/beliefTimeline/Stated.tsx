import { type BeliefChange, isPair, shownShares } from '../../../core/figures/beliefChanges.ts';
import { directed, percent, points } from '../../../core/figures/shares.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import { letterOf, type Timeline } from '../../../core/figures/timeline.ts';
import { asTitle } from '../../../core/text/shorten.ts';
import { noneOfThem } from '../../../shared/predictionText.ts';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Spelled } from '../../ui/Spelled.tsx';
import styles from './BeliefTimeline.module.css';

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
  return (
    <div className={styles.stated}>
      {aside ? <span className="muted">{speakerName(step.role)}</span> : null}
      {shares.length === 0 ? <span className={styles.share}>{noneOfThem}</span> : null}
      {shares.map(({ label, share }) => (
        <span key={label} className={styles.share}>
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
              , so {percent(step.belief[ruled] ?? 0)} <Isolated text={ruled} />
            </>
          )}
        </span>
      )}
    </div>
  );
}
