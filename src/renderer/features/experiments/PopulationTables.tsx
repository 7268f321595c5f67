import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { subsetKey } from '../../../core/figures/subset.ts';
import {
  constantAnswersAt,
  isWeighted,
  ofAnswers,
  prevalenceColumns,
  rowTitle,
  weightedColumns,
} from '../../../core/telling/populationTables.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { PrevalenceField, shareIn } from '../report/PrevalenceField.tsx';
import { ArmName, ArmParagraphs } from './ArmNames.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import styles from './Experiment.module.css';
import { statsKey } from './experimentQueries.ts';

interface Row {
  readonly arm: string;
  readonly measures: readonly Measure[];
}

function RatesTable({
  label,
  rows,
  columns,
  baselines,
}: {
  label: string;
  baselines: StatsReport['baselines'];
  rows: readonly Row[];
  columns: readonly { readonly name: string; readonly over: string; readonly title: string }[];
}) {
  const fitted = new Set(baselines.map(({ arm }) => arm));
  return (
    <DataTable
      label={label}
      rows={rows}
      keyOf={({ arm }) => arm}
      columns={[
        { title: 'arm', cell: ({ arm }: Row) => (fitted.has(arm) ? rowTitle(arm, true) : <ArmName arm={arm} />) },
        ...columns.map(({ name, over, title }) => ({
          title,
          number: ({ measures }: Row) => {
            const found = measures.find((measure) => measure.name === name && measure.over === over);
            return <EstimateCell estimate={found} scale="share" of={found?.n} />;
          },
        })),
      ]}
    />
  );
}

/** Accuracy and error rates with the sampling weights of the cases; nothing where they have none. */
export function WeightedTable({ arms, baselines, decided_by }: Pick<StatsReport, 'arms' | 'baselines' | 'decided_by'>) {
  const rows = [...arms, ...baselines].filter(isWeighted);
  if (rows.length === 0) return null;
  const columns = weightedColumns.map(([name, over, title]) => ({ name, over, title: retitled(title, { decided_by }) }));
  return <RatesTable label="Weighted by the sampling weights of the cases" rows={rows} columns={columns} baselines={baselines} />;
}

export function PrevalenceTable({ report, subset, positive }: { report: StatsReport; subset: Subset; positive: string }) {
  const { experiment } = report;
  const [text, setText] = useState('');
  const prevalence = shareIn(text);
  const { data, error, isFetching } = useRead(
    [...statsKey(experiment), 'prevalence', prevalence, subsetKey(subset)],
    (api, given) => api.experiments.atPrevalence({ experiment, subset, prevalence: prevalence ?? 0 }, given),
    { enabled: prevalence !== null, placeholderData: keepPreviousData },
  );
  const armOf = (name: string) => [...report.arms, ...report.baselines].find(({ arm }) => arm === name);
  const rows = data?.map((row) => {
    const arm = armOf(row.arm);
    return arm === undefined ? row : { ...row, measures: row.measures.map((each) => ofAnswers(each, arm)) };
  });
  const columns = prevalenceColumns.map(([name, title]) => ({ name, over: 'decided', title: retitled(title, report) }));
  return (
    <div className="stack gap-10">
      <div className={styles.oneField}>
        <PrevalenceField positive={positive} decidedBy={report.decided_by} text={text} onChange={setText} />
      </div>
      <FailureNotice error={error} />
      {isFetching && data === undefined ? <p className="quiet">Computing…</p> : null}
      {prevalence === null || rows === undefined ? null : (
        <>
          <RatesTable label="At this prevalence, of decided trials" rows={rows} columns={columns} baselines={report.baselines} />
          <div className="stack gap-4 muted max-w-90ch">
            <ArmParagraphs texts={constantAnswersAt(report, prevalence)} />
          </div>
        </>
      )}
    </div>
  );
}
