import { written } from '../../../core/figures/measureScale.ts';
import { untestedText } from '../../../core/telling/pairSentences.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { MeasureNote } from '../../ui/WordNote.tsx';
import { EstimateCell } from '../experiments/EstimateCell.tsx';
import { measureText } from '../experiments/estimateText.ts';

const nothing = { label: null, side: null, turn: null };

/** The difference in every other measure that both have, each over its own cases, with the sign of the difference of accuracy. */
export function DifferencesTable({
  comparison: { a, b, differences },
  decidedBy,
}: {
  comparison: Comparison;
  decidedBy: string | undefined;
}) {
  const rows = differences.filter(({ name, value }) => name !== 'accuracy' && value !== null);
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        label="Differences in other measures"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          {
            title: 'measure',
            cell: ({ name }) => (
              <>
                {measureText({ name, ...nothing })}
                <MeasureNote of={name} decidedBy={decidedBy} />
              </>
            ),
          },
          { title: 'cases', number: ({ cases }) => cases },
          { title: <Isolated text={a} />, id: 'a', name: a, number: (row) => (row.a === null ? '–' : written(row.a, 'number')) },
          { title: <Isolated text={b} />, id: 'b', name: b, number: (row) => (row.b === null ? '–' : written(row.b, 'number')) },
          { title: 'first less second', number: (row) => <EstimateCell estimate={row} scale="number" /> },
        ]}
      />
      <p className="quiet">{untestedText}</p>
    </>
  );
}
