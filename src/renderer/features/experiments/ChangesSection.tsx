import { useState } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import { erasedText, expectationText, flippedText, proxiesText } from '../../../core/telling/changeTables.ts';
import type { ChangeStatistics } from '../../../shared/changeStatistics.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { Section } from '../../ui/Section.tsx';
import { Moves } from './CounterbalanceSection.tsx';
import { FlippedPairs } from './DifferingCases.tsx';
import { EstimateCell } from './EstimateCell.tsx';

/** A change over all its pairs, or over those of one direction. */
interface Row extends Pick<ChangeStatistics, 'measures' | 'moves'> {
  readonly of: ChangeStatistics;
  readonly direction: string | null;
}

const rowsOf = (changes: readonly ChangeStatistics[]): Row[] =>
  changes.flatMap((of) => [
    { of, direction: null, measures: of.measures, moves: of.moves },
    ...of.directions.map(({ from, to, measures, moves }) => ({ of, direction: `${from} → ${to}`, measures, moves })),
  ]);

const measureOf = ({ measures }: Row, name: string) => measures.find((each) => each.name === name);

function Flipped({ row, onShow }: { row: Row; onShow: () => void }) {
  const text = flippedText(row);
  if (row.moves.length === 0 || row.direction !== null) return <span className="quiet">{text}</span>;
  return (
    <Button size="small" onPress={onShow} aria-label={`${text} flipped, show where ${row.of.changed_arm} decides otherwise`}>
      {text}
    </Button>
  );
}

/** What declared changes do to verdicts. */
export function ChangesSection({ experiment, report }: { experiment: string; report: StatsReport }) {
  const { changes = [], positive, resampling } = report;
  const [shown, setShown] = useState<ChangeStatistics | null>(null);
  const [erased, proxies] = [erasedText(changes), proxiesText(report)];
  return (
    <Section
      title="Declared changes"
      lead={`Each arm beside itself with one thing changed, over pairs of the same case, replicate and seed that both decided. Beyond chance: the flip rate minus the rate with other seeds alone. Intervals at ${percent(resampling.level)}. These arms are left out of the comparisons and the finding.${erased === null ? '' : ` ${erased}`}`}
    >
      {proxies === null ? null : (
        <p className="quiet">
          <HiddenText text={proxies} />
        </p>
      )}
      <DataTable
        label="Flips by change"
        rows={rowsOf(changes)}
        keyOf={({ of, direction }) => JSON.stringify([of.changed_arm, direction])}
        columns={[
          {
            title: 'arm and what is changed',
            cell: ({ of, direction }) =>
              direction === null ? (
                <>
                  <Isolated text={of.arm} />, <HiddenText text={of.change} />
                </>
              ) : (
                <span className="quiet">
                  <HiddenText text={direction} />
                </span>
              ),
          },
          { title: 'flipped', isNumber: true, cell: (row) => <Flipped row={row} onShow={() => setShown(row.of)} /> },
          {
            title: 'flip rate',
            isNumber: true,
            cell: (row) => <EstimateCell estimate={measureOf(row, 'flip_rate')} scale="share" />,
          },
          {
            title: 'with other seeds',
            isNumber: true,
            cell: (row) => {
              const rate = measureOf(row, 'replicate_flip_rate');
              return <EstimateCell estimate={rate} scale="share" of={rate?.n} />;
            },
          },
          {
            title: 'beyond chance, points',
            isNumber: true,
            cell: (row) => <EstimateCell estimate={measureOf(row, 'excess_flip_rate')} scale="points" />,
          },
          { title: 'direction of flips', cell: (row) => <Moves of={row} /> },
          ...(positive === null
            ? []
            : [
                {
                  id: 'verdicts',
                  title: (
                    <>
                      verdicts for <HiddenText text={positive} />
                    </>
                  ),
                  isNumber: true,
                  cell: (row: Row) => <EstimateCell estimate={measureOf(row, 'positive_change')} scale="points" />,
                },
              ]),
          {
            title: 'as expected',
            isNumber: true,
            cell: (row) =>
              row.of.expect === undefined ? (
                <span className="quiet">–</span>
              ) : (
                <span title={expectationText(row.of.expect)}>
                  <EstimateCell estimate={measureOf(row, 'pass_rate')} scale="share" />
                </span>
              ),
          },
        ]}
      />
      {shown === null ? null : (
        <FlippedPairs
          query={{ experiment, base: shown.arm, swapped: shown.changed_arm }}
          title={`Where ${shown.arm} decides otherwise with ${shown.change}`}
          names={{ base: 'usual', swapped: 'changed' }}
          onClose={() => setShown(null)}
        />
      )}
    </Section>
  );
}
