import type { ReactNode } from 'react';
import { ledF1In, ledF1Name } from '../../../core/figures/ledF1.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { percent } from '../../../core/figures/shares.ts';
import { swapTitles } from '../../../core/figures/swapText.ts';
import { derivedText, undecidedText } from '../../../core/statistics/measures/shownAgreement.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { IntervalMark } from '../../charts/intervalMark/IntervalMark.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import styles from './Experiment.module.css';
import { intervalText, methodText } from './estimateText.ts';
import { OutcomeBar } from './OutcomeBar.tsx';
import { countsOf } from './outcomes.ts';

function AccuracyCell({ accuracy }: { accuracy: Measure | undefined }) {
  if (accuracy === undefined || accuracy.value === null) return <span className="quiet">none yet</span>;
  return (
    <>
      <strong>{percent(accuracy.value)}</strong> <span className="quiet">of {accuracy.n}</span>
    </>
  );
}

function rangeText(accuracy: Measure): string {
  const interval = intervalText(accuracy, 'share');
  return `${percent(accuracy.value ?? 0)} of ${accuracy.n}${interval === null ? '' : `, ${interval}`}; ${methodText(accuracy)}`;
}

/** A row: an arm, or a baseline or derived arm, which stands among the arms and differs by a word, its place and its ground. */
interface Row {
  readonly id: string;
  readonly name: ReactNode;
  readonly look?: string | undefined;
  readonly isAside: boolean;
  readonly what: ReactNode;
  readonly done: ReactNode;
  readonly decided: number;
  readonly failed: ReactNode;
  readonly tokens: ReactNode;
  readonly figures: Pick<ArmStatistics, 'measures'> | undefined;
}

const Note = ({ children }: { children: ReactNode }) => <span className="quiet">{children}</span>;

function armRow(arm: ExperimentView['arms'][number], figures: ArmStatistics | undefined): Row {
  const { decided, failed, failures } = countsOf(arm);
  const tokens =
    figures === undefined || figures.n === 0 ? null : (figures.prompt_tokens + figures.completion_tokens) / figures.n;
  return {
    id: arm.name,
    name: (
      <>
        <Isolated text={arm.name} />
        {arm.swap === null ? null : <Note> {swapTitles[arm.swap]}</Note>}
      </>
    ),
    look: arm.swap === null ? undefined : styles.exchanged,
    isAside: false,
    what: (
      <>
        {arm.protocol}{' '}
        <span className={styles.mono}>
          <Isolated text={[...new Set(Object.values(arm.models))].join(', ')} />
        </span>
        {arm.prompts === null ? null : (
          <Note>
            {' '}
            prompts <Isolated text={arm.prompts.name} />
          </Note>
        )}
      </>
    ),
    done: (
      <>
        {arm.done}
        <Note>/{arm.planned}</Note>
        {figures?.cases === undefined || figures.cases.done === figures.cases.of ? null : (
          <Note>
            {' '}
            of {figures.cases.done} of {figures.cases.of} cases
          </Note>
        )}
      </>
    ),
    decided,
    failed: (
      <>
        {failed === 0 ? null : <OutcomeBar decided={decided} failed={failed} planned={arm.planned} />}
        <span className={failed === 0 ? 'quiet' : 'text-bad'}>
          {failed === 0 ? 'none' : failures.map(({ outcome, trials }) => `${trials} ${outcomeText(outcome)}`).join(', ')}
        </span>
      </>
    ),
    tokens: tokens === null ? <Note>none yet</Note> : Math.round(tokens).toLocaleString('en-GB'),
    figures,
  };
}

function baselineRow(figures: StatsReport['baselines'][number]): Row {
  const { trained_on, columns } = figures.about;
  return {
    id: `baseline ${figures.arm}`,
    name: (
      <>
        {figures.arm} <Pill>baseline</Pill>
      </>
    ),
    look: styles.baselineName,
    isAside: true,
    what: (
      <Note>
        learned from {trained_on} training cases
        {columns.length === 0 ? ', their labels alone' : `, ${columns.length} columns`}
      </Note>
    ),
    done: figures.n,
    decided: figures.decided,
    failed: <Note>none</Note>,
    tokens: <Note>no calls</Note>,
    figures,
  };
}

function derivedRow(derived: NonNullable<StatsReport['derived']>[number]): Row {
  const undecided = derived.n - derived.decided;
  return {
    id: `derived ${derived.method}`,
    name: (
      <>
        {derivedText[derived.method]} <Pill>derived</Pill>
      </>
    ),
    look: styles.baselineName,
    isAside: true,
    what: <Note>of {derived.arms.length} arms; no trial ran</Note>,
    done: <Note>{derived.n}</Note>,
    decided: derived.decided,
    failed: <Note>{undecided === 0 ? 'none' : undecidedText(derived)}</Note>,
    tokens: <Note>no calls</Note>,
    figures: derived,
  };
}

/** Columns that there are where the truth is known. `lines`: accuracies of the baselines, drawn beside those of every row. */
function truthColumns(level: number, lines: readonly number[], positive: string | null): Column<Row>[] {
  const f1Name = <HiddenText text={ledF1Name(positive)} />;
  const f1Of = ({ figures }: Row) => (figures === undefined ? undefined : ledF1In(figures.measures, positive));
  const accuracyOf = ({ figures }: Row, over: Measure['over']) =>
    figures?.measures.find((measure) => measure.name === 'accuracy' && measure.over === over);
  const calibrationOf = ({ figures }: Row) =>
    figures?.measures.find(({ name, label }) => name === 'expected_calibration_error' && label === null);
  return [
    {
      title: 'accuracy of decided',
      isNumber: true,
      cell: (row) => <AccuracyCell accuracy={accuracyOf(row, 'decided')} />,
    },
    { title: 'of all finished', isNumber: true, cell: (row) => <AccuracyCell accuracy={accuracyOf(row, 'all')} /> },
    {
      id: 'intervals',
      title: (
        <>
          {percent(level)} intervals from 0 to 100 %: ● of all, ■ {f1Name}, ⋮ baselines
        </>
      ),
      cell: (row) => {
        const [all, f1] = [accuracyOf(row, 'all'), f1Of(row)];
        if (all === undefined || all.value === null) return null;
        return (
          <IntervalMark
            value={all.value}
            low={all.low}
            high={all.high}
            lines={lines}
            second={f1 === undefined || f1.value === null ? null : { value: f1.value, low: f1.low, high: f1.high }}
            label={`Accuracy of all finished trials: ${rangeText(all)}`}
          />
        );
      },
    },
    {
      id: 'f1',
      title: f1Name,
      isNumber: true,
      cell: (row) => <EstimateCell estimate={f1Of(row)} scale="number" of={f1Of(row)?.n} />,
    },
    {
      title: 'ECE',
      isNumber: true,
      cell: (row) => <EstimateCell estimate={calibrationOf(row)} scale="number" of={calibrationOf(row)?.n} />,
    },
  ];
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
  const withTruth = report?.arms.some(({ accuracy_all: all }) => all.n > 0) ?? false;
  const figuresOf = (name: string) => report?.arms.find(({ arm }) => arm === name);
  return (
    <DataTable
      label="Arms with their trials and accuracy"
      rows={[
        ...bestFirst(arms, report).map((arm) => armRow(arm, figuresOf(arm.name))),
        ...(report?.derived?.map(derivedRow) ?? []),
        ...(report?.baselines.map(baselineRow) ?? []),
      ]}
      keyOf={({ id }) => id}
      rowLook={({ isAside }) => (isAside ? styles.baseline : undefined)}
      columns={[
        { title: 'arm', look: ({ look }) => look, cell: ({ name }) => name },
        { title: 'protocol and models', cell: ({ what }) => what },
        { title: 'done', isNumber: true, cell: ({ done }) => done },
        { title: 'decided', isNumber: true, cell: ({ decided }) => decided },
        { title: 'failed', look: styles.failures, cell: ({ failed }) => failed },
        ...(withTruth ? truthColumns(level, lines, report?.positive ?? null) : []),
        { title: 'tokens a trial', isNumber: true, cell: ({ tokens }) => tokens },
      ]}
    >
      {underWay && withTruth ? (
        <p className="quiet">The run continues: these figures cover the trials that have ended so far and will change.</p>
      ) : null}
    </DataTable>
  );
}
