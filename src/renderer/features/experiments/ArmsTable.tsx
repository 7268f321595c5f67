import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { percent } from '../../../core/figures/shares.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ArmStatistics, shareSchema } from '../../../shared/outputs.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { IntervalMark } from '../../charts/intervalMark/IntervalMark.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { outcomeWords } from '../../ui/outcomeWords.ts';
import styles from './Experiment.module.css';
import { statsKey } from './experimentQueries.ts';
import { OutcomeBar } from './OutcomeBar.tsx';
import { countsOf } from './outcomes.ts';

type Share = z.infer<typeof shareSchema>;

function ShareCell({ share }: { share: Share | undefined }) {
  if (share === undefined || share.value === null) return <span className={styles.note}>none yet</span>;
  return (
    <>
      <strong>{percent(share.value)}</strong> <span className={styles.note}>of {share.n}</span>
    </>
  );
}

function rangeWords({ low, high, count, n }: Share, level: number): string {
  return low === null || high === null
    ? 'no trial yet'
    : `${count} of ${n}, ${percent(level)} interval ${percent(low)} to ${percent(high)}`;
}

/** Who did what: each arm with its counts and, where the truth is known, its accuracy with the interval on one scale. */
export function ArmsTable({
  experiment,
  arms,
  underWay,
}: {
  experiment: string;
  arms: ExperimentView['arms'];
  underWay: boolean;
}) {
  const api = useApi();
  const stats = useQuery({
    queryKey: statsKey(experiment),
    queryFn: ({ signal }) => api.experiments.stats({ experiment }, { signal }),
    refetchOnMount: 'always',
  });
  const of = (name: string): ArmStatistics | undefined => stats.data?.arms.find(({ arm }) => arm === name);
  const level = stats.data?.interval.level ?? 0.95;
  const withTruth = stats.data?.arms.some(({ accuracy_all: all }) => all.n > 0) ?? false;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too
    <section className={styles.tableFrame} aria-label="Arms with their trials and accuracy" tabIndex={0}>
      {stats.isError ? <FailureNotice error={stats.error} /> : null}
      <table className={styles.table}>
        <caption className="visually-hidden">Arms with their trials and accuracy</caption>
        <thead>
          <tr>
            <th scope="col">arm</th>
            <th scope="col">protocol and models</th>
            <th scope="col" className={styles.number}>
              done
            </th>
            <th scope="col" className={styles.number}>
              decided
            </th>
            <th scope="col">failed</th>
            {withTruth ? (
              <>
                <th scope="col" className={styles.number}>
                  accuracy of decided
                </th>
                <th scope="col" className={styles.number}>
                  of all finished
                </th>
                <th scope="col">{percent(level)} interval (Wilson), 0 to 100 %</th>
              </>
            ) : null}
            <th scope="col" className={styles.number}>
              tokens a trial
            </th>
          </tr>
        </thead>
        <tbody>
          {arms.map((arm) => {
            const { decided, failed, failures } = countsOf(arm);
            const figures = of(arm.name);
            const tokens =
              figures === undefined || figures.n === 0 ? null : (figures.prompt_tokens + figures.completion_tokens) / figures.n;
            return (
              <tr key={arm.name}>
                <th scope="row">
                  <bdi>
                    <HiddenText text={arm.name} />
                  </bdi>
                </th>
                <td>
                  {arm.protocol}{' '}
                  <span className={styles.mono}>
                    <bdi>
                      <HiddenText text={[...new Set(Object.values(arm.models))].join(', ')} />
                    </bdi>
                  </span>
                </td>
                <td className={styles.number}>
                  {arm.done}
                  <span className={styles.note}>/{arm.planned}</span>
                </td>
                <td className={styles.number}>{decided}</td>
                <td className={styles.failures}>
                  {failed === 0 ? null : <OutcomeBar decided={decided} failed={failed} planned={arm.planned} />}
                  <span className={failed === 0 ? styles.note : styles.failed}>
                    {failed === 0
                      ? 'none'
                      : failures.map(({ outcome, trials }) => `${trials} ${outcomeWords(outcome)}`).join(', ')}
                  </span>
                </td>
                {withTruth ? (
                  <>
                    <td className={styles.number}>
                      <ShareCell share={figures?.accuracy_decided} />
                    </td>
                    <td className={styles.number}>
                      <ShareCell share={figures?.accuracy_all} />
                    </td>
                    <td>
                      {figures === undefined ? null : (
                        <IntervalMark
                          value={figures.accuracy_decided.value}
                          low={figures.accuracy_decided.low}
                          high={figures.accuracy_decided.high}
                          label={`Accuracy of decided trials: ${rangeWords(figures.accuracy_decided, level)}`}
                        />
                      )}
                    </td>
                  </>
                ) : null}
                <td className={styles.number}>
                  {tokens === null ? <span className={styles.note}>none yet</span> : Math.round(tokens).toLocaleString('en-GB')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {underWay && withTruth ? (
        <p className={styles.note}>The run is not over: these figures are of the trials that have ended so far, and will move.</p>
      ) : null}
    </section>
  );
}
