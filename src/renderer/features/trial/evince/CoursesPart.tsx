import { coursesOf, type DebateRound } from '../../../../core/figures/exchanges.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { quantity } from '../../../ui/quantity.ts';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import styles from './Evince.module.css';
import { Legend, RoundChart } from './RoundChart.tsx';

/** Labels that have a chart of their own. */
const mostCharts = 12;

const inWords = (values: readonly (number | null)[]) =>
  values.map((value) => (value === null ? 'nothing' : percent(value))).join(', ');

/** Both distributions over the rounds, a chart for each label that somebody found likely. */
export function CoursesPart({ labels, rounds }: { labels: readonly string[]; rounds: readonly DebateRound[] }) {
  const { listed, rest, never } = coursesOf(labels, rounds, mostCharts);
  if (listed.length === 0) return null;
  return (
    <Part title="Where both stand" aside="as stated, round by round">
      <Legend />
      <div className={styles.charts}>
        {listed.map(({ label, shares }) => {
          const [first, second] = [shares.map(({ agentA }) => agentA), shares.map(({ agentB }) => agentB)];
          return (
            <figure key={label} className={styles.chart}>
              <figcaption>
                <Label text={label} />
              </figcaption>
              <RoundChart
                label={`Probability by round. Agent A: ${inWords(first)}. Agent B: ${inWords(second)}.`}
                lines={[
                  { of: 'first', letter: 'A', values: first },
                  { of: 'second', letter: 'B', values: second },
                ]}
                range={[0, 1]}
                write={percent}
              />
            </figure>
          );
        })}
      </div>
      {rest + never === 0 ? null : (
        <p className={parts.quiet}>
          {rest === 0 ? '' : `${quantity(rest, 'label')} more had a smaller share at some time. `}
          {never === 0 ? '' : `${quantity(never, 'label')} nobody found likely in any round.`}
        </p>
      )}
    </Part>
  );
}
