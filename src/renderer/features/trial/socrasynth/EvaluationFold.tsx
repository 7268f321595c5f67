import type { DebateRound } from '../../../../core/figures/debate.ts';
import type { CritReason, Evaluation, Weighed } from '../../../../shared/crit.ts';
import { Fold } from '../../../ui/Fold.tsx';
import { HiddenText } from '../../../ui/HiddenText.tsx';
import { CallMarks } from '../CallMarks.tsx';
import type { LayoutProperties } from '../layout.ts';
import parts from '../parts/Parts.module.css';
import styles from './Debate.module.css';

const weight = ({ validity, credibility }: Weighed) =>
  `validity ${validity.toFixed(1)} of 10, credibility ${credibility.toFixed(2)}`;

function Words({ text }: { text: string }) {
  return (
    <span dir="auto">
      <HiddenText text={text} />
    </span>
  );
}

function Reason({ reason }: { reason: CritReason }) {
  return (
    <li>
      <Words text={reason.text} /> <span className={parts.quiet}>{weight(reason)}</span>
      {reason.examined === null ? null : (
        <div className={styles.examined}>
          <p className={parts.quiet}>
            Examined as a claim of its own: {reason.examined.score.toFixed(2)} of 10 takes the place of its validity.
          </p>
          <EvaluationText evaluation={reason.examined} />
        </div>
      )}
    </li>
  );
}

function EvaluationText({ evaluation: { claim, reasons, rivals, justification } }: { evaluation: Evaluation }) {
  return (
    <>
      <p>
        <b>Claim:</b> <Words text={claim} />
      </p>
      <p className={parts.small}>Reasons for it</p>
      {reasons.length === 0 ? <p className={parts.quiet}>None was found.</p> : null}
      <ul className={styles.reasons}>
        {reasons.map((reason, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: reasons of a recorded evaluation never change places.
          <Reason key={index} reason={reason} />
        ))}
      </ul>
      <p className={parts.small}>Rivals, reasons against it</p>
      {rivals.length === 0 ? <p className={parts.quiet}>None was found.</p> : null}
      <ul className={styles.reasons}>
        {rivals.map((rival, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rivals of a recorded evaluation never change places.
          <li key={index}>
            <Words text={rival.text} /> <span className={parts.quiet}>{weight(rival)}</span>
          </li>
        ))}
      </ul>
      <p>
        <Words text={justification} />
      </p>
    </>
  );
}

/** The critic's score of a round, unfolded to the reasons and rivals behind it. */
export function EvaluationFold({ round, calls, allOpen, onInspect }: { round: DebateRound } & LayoutProperties) {
  const { evaluation, unscored, title } = round;
  if (unscored) return <p className={parts.bad}>The critic gave no score that holds: the debate went on without one.</p>;
  if (evaluation === null) return null;
  return (
    <Fold
      key={String(allOpen)}
      title={`CRIT score G = ${evaluation.score.toFixed(2)}`}
      aside={`of 10, of all that was said up to ${title.toLowerCase()}`}
      defaultExpanded={allOpen}
    >
      <div className={styles.evaluation}>
        <CallMarks calls={calls.get(evaluation.seq) ?? []} what={`the score of ${title.toLowerCase()}`} onInspect={onInspect} />
        {evaluation.evaluation === null ? (
          <p className={parts.quiet}>Its text was erased from the store.</p>
        ) : (
          <EvaluationText evaluation={evaluation.evaluation} />
        )}
      </div>
    </Fold>
  );
}
