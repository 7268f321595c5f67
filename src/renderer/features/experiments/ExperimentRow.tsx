import { Link } from 'wouter';
import { outcomeWords } from '../../../core/figures/outcomeWords.ts';
import type { ExperimentSummary } from '../../../shared/api/experiments.ts';
import { toExperiment, toTrial } from '../../app/routes.ts';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { StandinMark } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import styles from './Experiments.module.css';
import { OutcomeBar } from './OutcomeBar.tsx';
import { countsOf, runWords } from './outcomes.ts';

const when = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

function dateWords(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? 'time unknown' : when.format(date);
}

/** An experiment in a few lines: what it asks, how far it is, what failed. */
export function ExperimentRow({ summary }: { summary: ExperimentSummary }) {
  const { name, question, arms, cases, planned, done, standin, run, single, trial, at } = summary;
  const { decided, failed, failures } = countsOf(summary);
  return (
    <li className={styles.row}>
      <div className="stack content-start gap-6 min-w-0">
        <h2 className={styles.rowName}>
          <Link href={single && trial !== null ? toTrial(trial) : toExperiment(name)} dir="auto">
            <HiddenText text={single ? (question ?? name) : name} />
          </Link>
        </h2>
        {single || question === null ? null : <Outside as="p" className={styles.question} text={question} />}
        <p className="quiet">
          {dateWords(at)}
          {single ? null : (
            <>
              {' · '}
              {quantity(cases, 'case')} × {quantity(arms.length, 'arm')}: <Isolated text={arms.slice(0, 6).join(', ')} />
              {arms.length > 6 ? ` and ${arms.length - 6} more` : ''}
            </>
          )}
        </p>
      </div>
      <div className="stack content-start gap-6 min-w-0">
        <div className="flex flex-wrap gap-6">
          {standin ? <StandinMark /> : null}
          {run === null ? null : <Pill tone={run.state === 'failed' ? 'bad' : 'plain'}>{runWords(run.state)}</Pill>}
        </div>
        <OutcomeBar decided={decided} failed={failed} planned={planned} />
        <p className="text-13">
          {quantity(done, 'trial')} of {planned} done · {decided} decided
          {failures.map(({ outcome, trials }) => (
            <span key={outcome} className="text-bad">
              {` · ${trials} ${outcomeWords(outcome)}`}
            </span>
          ))}
        </p>
      </div>
    </li>
  );
}
