import { type CourseStep, changeWords, courseLabel, courseOf, type Debate } from '../../../../core/figures/debateRounds.ts';
import { percent } from '../../../../core/figures/shares.ts';
import { answerChange } from '../../../../core/statistics/answerChanges.ts';
import type { TrialView } from '../../../../shared/api/trials.ts';
import type { TrialLine } from '../../../../shared/trialLine.ts';
import { Label } from '../parts/Label.tsx';
import { Part } from '../parts/Part.tsx';
import parts from '../parts/Parts.module.css';
import styles from './Debate.module.css';

const width = 360;
const height = 170;
const left = 40;
const right = 14;
const top = 12;
const bottom = 28;

const shareOf = (value: number | null) => (value === null ? 'unknown' : percent(value));

function Chart({ steps }: { steps: readonly CourseStep[] }) {
  const last = Math.max(1, steps.length - 1);
  const across = (index: number) => left + (index / last) * (width - left - right);
  const down = (share: number) => top + (1 - share) * (height - top - bottom);
  const points = (of: 'opinion' | 'judge') =>
    steps.flatMap((step, index) => (step[of] === null ? [] : [{ x: across(index), y: down(step[of]), round: step.round }]));
  const path = (of: 'opinion' | 'judge') =>
    points(of)
      .map(({ x, y }) => `${x},${y}`)
      .join(' ');
  return (
    <svg className={styles.chart} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" focusable="false">
      {[0, 0.5, 1].map((tick) => (
        <g key={tick}>
          <line className={styles.axis} x1={left} x2={width - right} y1={down(tick)} y2={down(tick)} />
          <text x={left - 6} y={down(tick) + 4} textAnchor="end">
            {percent(tick)}
          </text>
        </g>
      ))}
      {steps.map(({ round }, index) => (
        <text key={round} x={across(index)} y={height - 8} textAnchor="middle">
          {round === 0 ? 'first' : round}
        </text>
      ))}
      <polyline className={styles.said} points={path('judge')} />
      {points('judge').map(({ x, y, round }) => (
        <circle key={round} className={styles.saidPoint} cx={x} cy={y} r="4" />
      ))}
      <polyline className={styles.held} points={path('opinion')} />
      {points('opinion').map(({ x, y, round }) => (
        <circle key={round} className={styles.heldPoint} cx={x} cy={y} r="4" />
      ))}
    </svg>
  );
}

function change(debate: Debate, { truth, outcome, prediction }: TrialLine): string | null {
  const initial = debate.initial?.prediction ?? null;
  if (truth === null || outcome !== 'decided' || prediction === null || initial === null) return null;
  return changeWords(answerChange({ truth, initial, verdict: prediction }));
}

/** The opinion over the rounds, beside what the judge itself said in each, and what the debate did to the first one. */
export function CoursePart({ debate, view, line }: { debate: Debate; view: TrialView; line: TrialLine }) {
  const label = courseLabel(debate, view.labels, view.positive);
  if (debate.initial === null || label === null) return null;
  const steps = courseOf(debate, label);
  const did = change(debate, line);
  return (
    <Part title="Course of the opinion">
      <p className={parts.quiet}>
        How likely <Label text={label} /> is: filled points for the opinion, hollow ones for the judge’s own answers.
      </p>
      <div className={styles.course}>
        <Chart steps={steps} />
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">After</th>
                <th scope="col">Own answer</th>
                <th scope="col">Opinion</th>
              </tr>
            </thead>
            <tbody>
              {steps.map(({ round, judge, opinion }) => (
                <tr key={round}>
                  <th scope="row">{round === 0 ? 'the facts' : `round ${round}`}</th>
                  <td>{shareOf(judge)}</td>
                  <td>{shareOf(opinion)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      {did === null ? null : <p>{did}</p>}
    </Part>
  );
}
