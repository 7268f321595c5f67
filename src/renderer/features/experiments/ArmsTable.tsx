import { useState } from 'react';
import { drawnBaseline } from '../../../core/baselines/baseline.ts';
import { countOf, ofText, type Scale, written } from '../../../core/figures/measureScale.ts';
import { percent } from '../../../core/figures/shares.ts';
import { againstText } from '../../../core/statistics/measures/shownAgreement.ts';
import { sharedCallsText } from '../../../core/telling/costTable.ts';
import { baselineCasesText, baselineColumnTexts, orderText } from '../../../core/telling/findingTexts.ts';
import { isUnderWay, type Run } from '../../../shared/api/engine.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import { isImported } from '../../../shared/imported.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Select } from '../../ui/Select.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import { AxisTicks, IntervalMark, MarkKey, TruthLine } from './ArmMarks.tsx';
import { ArmParagraph, useArmNames } from './ArmNames.tsx';
import { type ArmRow, armRow, baselineRow, derivedRow, Note } from './armRows.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import styles from './Experiment.module.css';
import { type Estimate, intervalText, methodText } from './estimateText.ts';
import { axisOver, type ShownMeasure, shownMeasures } from './measureAxis.ts';
import { countsOf } from './outcomes.ts';

const decidedAccuracy = (measures: readonly Measure[]) =>
  measures.find(({ name, over }) => name === 'accuracy' && over === 'decided');

function markText(title: string, estimate: Measure, scale: Scale): string {
  const interval = intervalText(estimate, scale);
  return `${title}: ${written(estimate.value ?? 0, scale)} of ${ofText(estimate)}${interval === null ? '' : `, ${interval}`}; ${methodText(estimate)}`;
}

/** The accuracy of the decided, under that of all. */
function decidedText(second: Measure): string {
  const interval = intervalText(second, 'share');
  return `of ${ofText(second)} decided: ${percent(second.value ?? 0)}${interval === null ? '' : `, ${interval}`}`;
}

const ends = (estimate: Estimate | undefined): number[] =>
  [estimate?.value, estimate?.low, estimate?.high].flatMap((value) => value ?? []);

function measureColumns(
  measure: ShownMeasure,
  rows: readonly ArmRow[],
  { level, baselines, failure }: { level: number; baselines: readonly Measure[][]; failure: string },
): Column<ArmRow>[] {
  const { scale, title } = measure;
  const isAccuracy = measure.id === 'accuracy';
  const firstOf = ({ figures }: ArmRow) => figures && measure.of(figures.measures);
  // Where no trial failed, both accuracies are the same.
  const secondOf = ({ figures }: ArmRow) => {
    const second = figures && isAccuracy ? decidedAccuracy(figures.measures) : undefined;
    return second === undefined || second.value === null || second.n === firstOf({ figures } as ArmRow)?.n ? undefined : second;
  };
  const hasFailures = rows.some((row) => secondOf(row) !== undefined);
  const axis = axisOver(
    rows.flatMap((row) => [...ends(firstOf(row)), ...ends(secondOf(row))]),
    scale,
  );
  const lines = baselines.flatMap((measures) => measure.of(measures)?.value ?? []);
  return [
    {
      title: (
        <HiddenText text={`${title}${isAccuracy ? ' of all finished' : ''}${hasFailures ? `, a failure as ${failure}` : ''}`} />
      ),
      id: isAccuracy ? 'accuracy' : title,
      number: (row) => {
        const [first, second] = [firstOf(row), secondOf(row)];
        return (
          <>
            <EstimateCell estimate={first} scale={scale} of={first && ofText(first)} count={first && countOf(first)} />
            {second === undefined ? null : <Note>{decidedText(second)}</Note>}
          </>
        );
      },
    },
    {
      id: 'interval',
      title: (
        <>
          <span className="visually-hidden">{percent(level)} interval, on an axis of </span>
          <AxisTicks axis={axis} />
        </>
      ),
      look: styles.markCell,
      cell: (row) => {
        const first = firstOf(row);
        if (first === undefined || first.value === null) return null;
        const second = secondOf(row);
        return (
          <IntervalMark
            axis={axis}
            first={first}
            second={second}
            lines={lines}
            label={[
              markText(isAccuracy ? `${title} of all finished trials` : title, first, scale),
              ...(second === undefined ? [] : [decidedText(second)]),
            ].join('; ')}
          />
        );
      },
    },
  ];
}

/** The course of the belief, on one scale for all rows; no column where no trial has a course. */
function truthColumns(rows: readonly ArmRow[], of: Pick<StatsReport, 'decided_by'>): Column<ArmRow>[] {
  const values = rows.flatMap(({ figures }) => figures?.truth_by_step?.map(({ value }) => value) ?? []);
  if (values.length === 0) return [];
  const axis = axisOver(values, 'share');
  return [
    {
      title: retitled('belief in the true label', of),
      note: (
        <WordNote
          term="belief"
          more={retitled(
            'Drawn is the mean belief in the true label, from the first answer to the last. How sure the arm is of its verdict is another number.',
            of,
          )}
        />
      ),
      cell: ({ figures }) =>
        figures?.truth_by_step === undefined ? null : <TruthLine axis={axis} steps={figures.truth_by_step} />,
    },
  ];
}

/** A value of a measure with its sign turned if less is better; a missing one comes after all others. */
function goodnessBy(measure: ShownMeasure | undefined, measures: readonly Measure[]): number {
  const value = measure?.of(measures)?.value ?? null;
  return value === null ? Number.NEGATIVE_INFINITY : measure?.lessIsBetter === true ? -value : value;
}

const descending = (one: number, other: number) => (one === other ? 0 : other - one);

/** The baselines, best first; the one that is drawn by lot always comes last. */
function rankedBaselines(baselines: StatsReport['baselines'], measure: ShownMeasure | undefined): StatsReport['baselines'] {
  const of = (each: (typeof baselines)[number]) =>
    each.arm === drawnBaseline ? Number.NEGATIVE_INFINITY : goodnessBy(measure, each.measures);
  return baselines.toSorted((one, other) => descending(of(one), of(other)));
}

/** The arms, best first, and right after each its versions with something exchanged or changed. */
function bestFirst(
  arms: ExperimentView['arms'],
  report: StatsReport | undefined,
  measure: ShownMeasure | undefined,
): ExperimentView['arms'] {
  const goodness = new Map(report?.arms.map(({ arm, measures }) => [arm, goodnessBy(measure, measures)]));
  const of = ({ name }: { name: string }) => goodness.get(name) ?? Number.NEGATIVE_INFINITY;
  const names = new Set(arms.map(({ name }) => name));
  return arms
    .filter(({ base_arm }) => base_arm === null || !names.has(base_arm))
    .toSorted((one, other) => descending(of(one), of(other)))
    .flatMap((arm) => [arm, ...arms.filter(({ base_arm }) => base_arm === arm.name)]);
}

/** Arms with a declared change whose unchanged arm is here too. The section on declared changes shows them, and there can be hundreds. */
function changedAmong(arms: ExperimentView['arms']): ExperimentView['arms'] {
  const names = new Set(arms.map(({ name }) => name));
  return arms.filter(({ base_arm: base, change }) => change !== null && base !== null && names.has(base));
}

/** `40 cases; the trials of a case count together`: the unit of an interval. */
function overText(estimates: readonly Measure[]): string {
  const [cases, ...others] = new Set(estimates.map((each) => each.cases));
  const together = estimates.some((each) => each.n > each.cases) ? '; the trials of a case count together' : '';
  return `${cases === undefined || others.length > 0 ? 'cases' : quantity(cases, 'case')}${together}`;
}

/** Who did what: each arm, then each baseline, with its counts and, where the truth is known, the measure that is chosen. */
export function ArmsTable({
  arms,
  definition,
  report,
  run,
}: {
  arms: ExperimentView['arms'];
  definition: ExperimentView['definition'];
  report: StatsReport | undefined;
  run: Run | null;
}) {
  const underWay = isUnderWay(run);
  const names = useArmNames();
  const [chosen, choose] = useState('accuracy');
  const [withChanged, showChanged] = useState(false);
  const changed = changedAmong(arms);
  const measures = shownMeasures(report?.arms ?? [], report?.positive ?? null, report?.decided_by);
  const measure = measures.find(({ id }) => id === chosen) ?? measures[0];
  const baselines = rankedBaselines(report?.baselines ?? [], measure);
  const shown = withChanged ? arms : arms.filter((arm) => !changed.includes(arm));
  const rows = [
    ...bestFirst(shown, report, measure).map((arm) =>
      armRow(
        arm,
        definition.arms.find(({ name }) => name === arm.name || name === arm.base_arm)?.params ?? {},
        report?.arms.find((figures) => figures.arm === arm.name),
        names.get(arm.name) ?? arm.name,
        { experiment: definition.name, live: underWay ? run?.arms.find(({ name }) => name === arm.name) : undefined },
      ),
    ),
    ...(report?.derived?.map(derivedRow) ?? []),
    ...baselines.map(baselineRow),
  ];
  const ofBaselines = report === undefined ? null : baselineCasesText(report);
  const about = {
    level: report?.interval.level ?? 0.95,
    baselines: baselines.map((baseline) => [...baseline.measures]),
    failure: rightWords(report ?? {}).not,
  };
  return (
    <>
      {measure === undefined || measures.length < 2 ? null : (
        <div className={`row justify-between items-end ${styles.measureChoice}`}>
          <div className="off-paper">
            <Select
              label="Measure"
              choices={measures.map(({ id, title }) => ({ id, label: title }))}
              value={measure.id}
              onChange={choose}
            />
          </div>
          <MarkKey
            level={about.level}
            over={overText((report?.arms ?? []).flatMap(({ measures: found }) => measure.of(found) ?? []))}
            withDecided={measure.id === 'accuracy' && arms.some((arm) => countsOf(arm).failed > 0)}
            withBaselines={baselines.length > 0}
            withVersions={shown.some(({ base_arm: base }) => shown.some(({ name }) => name === base))}
            lessIsBetter={measure.lessIsBetter}
            order={orderText(report, baselines.length > 0)}
          />
        </div>
      )}
      <DataTable
        label="Arms with their trials and measures"
        rows={rows}
        keyOf={({ id }) => id}
        rowLook={({ isAside }) => (isAside ? 'sunken' : undefined)}
        columns={[
          { title: 'arm', look: ({ look = '' }) => `${styles.armCell} ${look}`, cell: ({ name }) => name },
          { title: 'decided', look: styles.decidedCell, cell: ({ decided }) => decided },
          ...(measure === undefined ? [] : measureColumns(measure, rows, about)),
          ...truthColumns(rows, report ?? {}),
          ...(arms.every(isImported) ? [] : [{ title: 'tokens a trial', yields: true, number: ({ tokens }: ArmRow) => tokens }]),
        ]}
      >
        {[...(report === undefined ? [] : [...baselineColumnTexts(report), sharedCallsText(report)]), ofBaselines].map((text) => (
          <Paragraph key={text} className="quiet max-w-90ch wrap-anywhere" text={text} />
        ))}
        {report?.derived?.map((each) => (
          <ArmParagraph key={each.method} className="quiet max-w-90ch wrap-anywhere" text={againstText(each, report)} />
        ))}
        {underWay && measure !== undefined ? (
          <p className="quiet">The run continues: these figures cover the trials that have ended so far and will change.</p>
        ) : null}
      </DataTable>
      {changed.length === 0 ? null : (
        <div className="row">
          <Button size="small" aria-expanded={withChanged} onPress={() => showChanged(!withChanged)}>
            {withChanged ? 'Hide' : 'Show'} {quantity(changed.length, 'arm')} with a declared change
          </Button>
        </div>
      )}
    </>
  );
}
