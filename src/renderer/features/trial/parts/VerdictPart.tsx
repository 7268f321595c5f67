import { ruleOf, votesOf } from '../../../../core/figures/bench.ts';
import { confidenceWords } from '../../../../core/figures/confidenceWords.ts';
import { percent } from '../../../../core/figures/shares.ts';
import type { TranscriptEntry } from '../../../../shared/api/trials.ts';
import type { BeliefGrounds } from '../../../../shared/domain.ts';
import type { TrialLine } from '../../../../shared/trialLine.ts';
import { outcomeWords } from '../../../ui/outcomeWords.ts';
import { quantity } from '../../../ui/quantity.ts';
import { failureWords, labelWords } from '../words.ts';
import { Distribution } from './Distribution.tsx';
import { Label } from './Label.tsx';
import { Part } from './Part.tsx';
import styles from './Parts.module.css';

type Votes = NonNullable<BeliefGrounds['votes']>;

function Tally({ votes }: { votes: Votes }) {
  const counted = Object.entries(votes.counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one);
  const lost = Object.entries(votes.failures);
  return (
    <>
      <p>
        {counted.map(([label, count], index) => (
          <span key={label}>
            {index === 0 ? '' : ', '}
            {count} for <Label text={label} />
          </span>
        ))}{' '}
        of {votes.asked} asked
        {lost.length === 0 ? '' : `; lost: ${lost.map(([kind, count]) => `${count} ${kind.replaceAll('_', ' ')}`).join(', ')}`}.
      </p>
      {votes.asked > 1 ? <p className={styles.quiet}>{ruleOf(votes)}</p> : null}
    </>
  );
}

function Against({ truth, correct }: Pick<TrialLine, 'truth' | 'correct'>) {
  if (truth === null) return <p className={styles.quiet}>The truth is not known.</p>;
  return (
    <p>
      Truth: <Label text={labelWords(truth)} />
      {correct === null ? null : (
        <>
          . <b className={correct ? styles.good : styles.bad}>The verdict is {correct ? 'correct' : 'wrong'}.</b>
        </>
      )}
    </p>
  );
}

/** The verdict, how it was found among the votes, and the truth beside it. */
export function VerdictPart({ line, entries }: { line: TrialLine; entries: readonly TranscriptEntry[] }) {
  const ruling = entries.findLast((entry) => entry.kind === 'ruling');
  const votes = votesOf(entries);
  if (ruling === undefined) {
    return (
      <Part title="Verdict">
        {line.status === 'done' && line.outcome !== null && line.outcome !== 'decided' ? (
          <>
            <p className={styles.verdict}>No verdict: {outcomeWords(line.outcome)}</p>
            <p>{failureWords[line.outcome]} The trial counts as a failure of this kind, not as wrong and not as right.</p>
          </>
        ) : (
          <p className={styles.quiet}>There is none yet.</p>
        )}
      </Part>
    );
  }
  const { prediction, confidence, belief, source } = ruling;
  return (
    <Part title="Verdict">
      <p className={styles.verdict}>
        <Label text={labelWords(prediction)} />
        <span className={styles.quiet}>
          {confidence === null
            ? 'no confidence stated'
            : `${percent(confidence)} ${confidenceWords(source)}${source === 'votes' || source === 'smoothed' ? '' : ', as stated'}`}
        </span>
      </p>
      {votes === null ? null : <Tally votes={votes} />}
      <Against truth={line.truth} correct={line.correct} />
      <div className={styles.columns}>
        {belief === null ? null : (
          <Distribution
            belief={belief}
            title={
              source === 'votes' ? 'Shares of the votes' : source === 'smoothed' ? 'Smoothed belief' : 'Belief behind the verdict'
            }
          />
        )}
        {votes === null || votes.mean === null || votes.asked < 2 ? null : (
          <Distribution
            belief={votes.mean}
            title={`Mean of the beliefs of ${quantity(
              Object.values(votes.counts).reduce((sum, count) => sum + count, 0),
              'answer',
            )}`}
          />
        )}
      </div>
    </Part>
  );
}
