import { ofText, scaleOf } from '../../../core/figures/measureScale.ts';
import { percent } from '../../../core/figures/shares.ts';
import { answeredFrom } from '../../../core/statistics/riskCoverage.ts';
import { cautionLines, noIntervalLines } from '../../../core/telling/cells.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { MeasureNote } from '../../ui/WordNote.tsx';
import { ArmName, ArmParagraphs, useArmNames } from './ArmNames.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import { type MeasureGroup, measuresOf, measureText } from './estimateText.ts';

const keyOf = ({ name, label, side, turn }: Measure) => JSON.stringify([name, label, side, turn]);

interface MeasuredArm extends Pick<ArmStatistics, 'declining'> {
  readonly arm: string;
  readonly measures: readonly Measure[];
}

/** Over how many trials a measure of an arm is, and from which stated confidence on where it is over the surest. */
function overText(arm: Pick<MeasuredArm, 'declining'>, measure: Measure | undefined): string | undefined {
  if (measure === undefined) return undefined;
  const from = answeredFrom(arm, measure);
  return from === undefined ? ofText(measure) : `${ofText(measure)} from ${percent(from)}`;
}

function rowsOf(arms: readonly MeasuredArm[], names: readonly string[]) {
  const rows = new Map<string, { measure: Measure; byArm: Map<string, Measure> }>();
  for (const { arm, measures } of arms) {
    for (const measure of measures) {
      if (!names.includes(measure.name)) continue;
      const row = rows.get(keyOf(measure)) ?? { measure, byArm: new Map() };
      rows.set(keyOf(measure), row);
      row.byArm.set(arm, measure);
    }
  }
  return [...rows.values()]
    .filter(({ byArm }) => [...byArm.values()].some(({ value }) => value !== null))
    .toSorted((one, other) => names.indexOf(one.measure.name) - names.indexOf(other.measure.name));
}

/** Measures that belong together, one a row, with a column for each arm and baseline that has a value. */
export function MeasuresTable({
  report,
  group,
  caption,
}: {
  report: {
    readonly arms: readonly MeasuredArm[];
    readonly baselines: readonly MeasuredArm[];
    readonly decided_by?: string | undefined;
  };
  group: MeasureGroup;
  caption: string;
}) {
  const arms = [...report.arms, ...report.baselines];
  const rows = rowsOf(arms, measuresOf(group));
  const shown = arms.filter(({ arm }) => rows.some(({ byArm }) => (byArm.get(arm)?.value ?? null) !== null));
  const names = useArmNames();
  const baselines = new Set(report.baselines.map(({ arm }) => arm));
  if (rows.length === 0) return <p className="quiet">Nothing to measure: no trial has what it takes.</p>;
  const measures = rows.flatMap(({ byArm }) => [...byArm].map(([arm, measure]) => ({ ...measure, arm })));
  return (
    <>
      <DataTable
        label={caption}
        rows={rows}
        keyOf={({ measure }) => keyOf(measure)}
        columns={[
          {
            title: 'measure',
            cell: ({ measure }) => (
              <>
                <HiddenText text={measureText(measure)} />
                <MeasureNote of={measure.name} decidedBy={report.decided_by} />
              </>
            ),
          },
          ...shown.map(
            ({ arm, declining }): Column<(typeof rows)[number]> => ({
              title: (
                <>
                  <ArmName arm={arm} />
                  {baselines.has(arm) ? ' (baseline)' : null}
                </>
              ),
              id: `arm ${arm}`,
              name: `${names.get(arm) ?? arm}${baselines.has(arm) ? ' (baseline)' : ''}`,
              number: ({ measure, byArm }) => (
                <EstimateCell
                  estimate={byArm.get(arm)}
                  scale={scaleOf(measure.name)}
                  of={overText({ declining }, byArm.get(arm))}
                />
              ),
            }),
          ),
        ]}
      />
      <ArmParagraphs className="quiet" texts={[...noIntervalLines(measures), ...cautionLines(measures)]} />
    </>
  );
}
