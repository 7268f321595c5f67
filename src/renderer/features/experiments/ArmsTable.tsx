import { ledF1In, ledF1Name } from '../../../core/figures/ledF1.ts';
import { percent } from '../../../core/figures/shares.ts';
import { swapTitles } from '../../../core/figures/swapWords.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { IntervalMark } from '../../charts/intervalMark/IntervalMark.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { outcomeWords } from '../../ui/outcomeWords.ts';
import { Pill } from '../../ui/Pill.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import styles from './Experiment.module.css';
import { intervalWords, methodWords } from './estimateWords.ts';
import { OutcomeBar } from './OutcomeBar.tsx';
import { countsOf } from './outcomes.ts';

function AccuracyCell({ accuracy }: { accuracy: Measure | undefined }) {
  if (accuracy === undefined || accuracy.value === null) return <span className={styles.note}>none yet</span>;
  return (
    <>
      <strong>{percent(accuracy.value)}</strong> <span className={styles.note}>of {accuracy.n}</span>
    </>
  );
}

function rangeWords(accuracy: Measure): string {
  const interval = intervalWords(accuracy, 'share');
  return `${percent(accuracy.value ?? 0)} of ${accuracy.n}${interval === null ? '' : `, ${interval}`}; ${methodWords(accuracy)}`;
}

/** What stands beside the accuracies of every row. */
interface Beside {
  /** Accuracies of the baselines. */
  readonly lines: readonly number[];
  readonly positive: string | null;
}

function AccuracyCells({ figures, lines, positive }: Beside & { figures: ArmStatistics | undefined }) {
  const f1 = figures === undefined ? undefined : ledF1In(figures.measures, positive);
  const of = (over: Measure['over']) => figures?.measures.find((measure) => measure.name === 'accuracy' && measure.over === over);
  const [decided, all] = [of('decided'), of('all')];
  return (
    <>
      <td className={styles.number}>
        <AccuracyCell accuracy={decided} />
      </td>
      <td className={styles.number}>
        <AccuracyCell accuracy={all} />
      </td>
      <td>
        {all === undefined || all.value === null ? null : (
          <IntervalMark
            value={all.value}
            low={all.low}
            high={all.high}
            lines={lines}
            second={f1 === undefined || f1.value === null ? null : { value: f1.value, low: f1.low, high: f1.high }}
            label={`Accuracy of all finished trials: ${rangeWords(all)}`}
          />
        )}
      </td>
      <td className={styles.number}>
        <EstimateCell estimate={f1} scale="number" />
      </td>
      <td className={styles.number}>
        <EstimateCell estimate={figures?.measures.find(({ name }) => name === 'expected_calibration_error')} scale="number" />
      </td>
    </>
  );
}

function ArmRow({
  arm,
  figures,
  withTruth,
  beside,
}: {
  arm: ExperimentView['arms'][number];
  figures: ArmStatistics | undefined;
  withTruth: boolean;
  beside: Beside;
}) {
  const { decided, failed, failures } = countsOf(arm);
  const tokens =
    figures === undefined || figures.n === 0 ? null : (figures.prompt_tokens + figures.completion_tokens) / figures.n;
  return (
    <tr>
      <th scope="row" className={arm.swap === null ? undefined : styles.exchanged}>
        <Isolated text={arm.name} />
        {arm.swap === null ? null : <span className={styles.note}> {swapTitles[arm.swap]}</span>}
      </th>
      <td>
        {arm.protocol}{' '}
        <span className={styles.mono}>
          <Isolated text={[...new Set(Object.values(arm.models))].join(', ')} />
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
          {failed === 0 ? 'none' : failures.map(({ outcome, trials }) => `${trials} ${outcomeWords(outcome)}`).join(', ')}
        </span>
      </td>
      {withTruth ? <AccuracyCells figures={figures} {...beside} /> : null}
      <td className={styles.number}>
        {tokens === null ? <span className={styles.note}>none yet</span> : Math.round(tokens).toLocaleString('en-GB')}
      </td>
    </tr>
  );
}

const aboutWords = ({ trained_on, columns }: StatsReport['baselines'][number]['about']): string =>
  `learned from ${trained_on} training cases${columns.length === 0 ? ', their labels alone' : `, ${columns.length} columns`}`;

/** A baseline stands among the arms and is told apart by a word, its place and its ground. */
function BaselineRow({
  figures,
  withTruth,
  beside,
}: {
  figures: StatsReport['baselines'][number];
  withTruth: boolean;
  beside: Beside;
}) {
  return (
    <tr className={styles.baseline}>
      <th scope="row" className={styles.baselineName}>
        {figures.arm} <Pill>baseline</Pill>
      </th>
      <td className={styles.note}>{aboutWords(figures.about)}</td>
      <td className={styles.number}>{figures.n}</td>
      <td className={styles.number}>{figures.decided}</td>
      <td className={styles.note}>none</td>
      {withTruth ? <AccuracyCells figures={figures} {...beside} /> : null}
      <td className={styles.number}>
        <span className={styles.note}>no calls</span>
      </td>
    </tr>
  );
}

/** The arms, best accuracy first, and right behind each those that are it with something exchanged. */
const bestFirst = (arms: ExperimentView['arms'], report: StatsReport | undefined): ExperimentView['arms'] => {
  const accuracy = new Map(report?.arms.map((figures) => [figures.arm, figures.accuracy_all.value ?? -1]));
  const names = new Set(arms.map(({ name }) => name));
  return arms
    .filter(({ base_arm }) => base_arm === null || !names.has(base_arm))
    .toSorted((one, other) => (accuracy.get(other.name) ?? -1) - (accuracy.get(one.name) ?? -1))
    .flatMap((arm) => [arm, ...arms.filter(({ base_arm }) => base_arm === arm.name)]);
};

/** Who did what: each arm, then each baseline, with its counts and, where the truth is known, both accuracies. */
export function ArmsTable({
  arms,
  report,
  underWay,
}: {
  arms: ExperimentView['arms'];
  report: StatsReport | undefined;
  underWay: boolean;
}) {
  const level = report?.interval.level ?? 0.95;
  const lines = report?.baselines.flatMap(({ accuracy_all: all }) => (all.value === null ? [] : [all.value])) ?? [];
  const beside = { lines, positive: report?.positive ?? null };
  const f1Name = ledF1Name(beside.positive);
  const withTruth = report?.arms.some(({ accuracy_all: all }) => all.n > 0) ?? false;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: in a narrow window the table scrolls sideways, by keyboard too
    <section className={styles.tableFrame} aria-label="Arms with their trials and accuracy" tabIndex={0}>
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
                <th scope="col">
                  {percent(level)} intervals from 0 to 100 %: ● of all, ■ <HiddenText text={f1Name} />, ⋮ baselines
                </th>
                <th scope="col" className={styles.number}>
                  <HiddenText text={f1Name} />
                </th>
                <th scope="col" className={styles.number}>
                  ECE
                </th>
              </>
            ) : null}
            <th scope="col" className={styles.number}>
              tokens a trial
            </th>
          </tr>
        </thead>
        <tbody>
          {bestFirst(arms, report).map((arm) => (
            <ArmRow
              key={arm.name}
              arm={arm}
              figures={report?.arms.find((each) => each.arm === arm.name)}
              withTruth={withTruth}
              beside={beside}
            />
          ))}
          {report?.baselines.map((figures) => (
            <BaselineRow key={`baseline ${figures.arm}`} figures={figures} withTruth={withTruth} beside={beside} />
          ))}
        </tbody>
      </table>
      {underWay && withTruth ? (
        <p className={styles.note}>The run is not over: these figures are of the trials that have ended so far, and will move.</p>
      ) : null}
    </section>
  );
}
