import { useState } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import {
  changesText,
  differenceProblem,
  erasedText,
  expectationText,
  proxiesText,
  retrialsOf,
} from '../../../core/telling/changeTables.ts';
import type { ChangeStatistics } from '../../../shared/changeStatistics.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Paragraph } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ArmName, useArmNames } from './ArmNames.tsx';
import { Moves } from './CounterbalanceSection.tsx';
import { FlippedPairs } from './DifferingCases.tsx';
import { EstimateCell } from './EstimateCell.tsx';

interface Row extends Pick<ChangeStatistics, 'measures' | 'moves'> {
  readonly of: ChangeStatistics;
  readonly direction: { readonly from: string; readonly to: string } | null;
}

/** Other seeds alone come last: the changes are measured against them. */
const rowsOf = (changes: readonly ChangeStatistics[]): Row[] =>
  [...changes.filter(({ kind }) => kind !== 'seed'), ...changes.filter(({ kind }) => kind === 'seed')].flatMap((of) => [
    { of, direction: null, measures: of.measures, moves: of.moves },
    ...of.directions.map(({ from, to, measures, moves }) => ({ of, direction: { from, to }, measures, moves })),
  ]);

const measureOf = ({ measures }: Row, name: string) => measures.find((each) => each.name === name);

function Flipped({ row, onShow }: { row: Row; onShow: () => void }) {
  const flipped = row.moves.reduce((sum, { n }) => sum + n, 0);
  const text = `${flipped} of ${retrialsOf(row)}`;
  if (flipped === 0) return '0';
  return (
    <>
      {row.direction === null ? (
        <Button size="small" onPress={onShow} aria-label={`${text} flipped, show where ${row.of.changed_arm} decides otherwise`}>
          {flipped}
        </Button>
      ) : (
        flipped
      )}
      <Moves of={row} />
    </>
  );
}

function Difference({ row }: { row: Row }) {
  const problem = differenceProblem({ ...row, pairs: row.of.pairs }, row.of.kind);
  if (problem !== null) return <span className="quiet">{problem === '-' ? '–' : problem}</span>;
  return <EstimateCell estimate={measureOf(row, 'excess_flip_rate')} scale="points" />;
}

/** How many pairs flip that differ in their seeds alone; of one case they are counted, of several it is a mean over cases. */
function SeedsAlone({ row, isOfOneCase }: { row: Row; isOfOneCase: boolean }) {
  const rate = measureOf(row, 'replicate_flip_rate');
  if (!isOfOneCase || rate?.value == null) return <EstimateCell estimate={rate} scale="share" of={rate?.n} />;
  // As many trials as give so many pairs.
  const trials = (1 + Math.sqrt(1 + 8 * rate.n)) / 2;
  const among = Number.isInteger(trials) && trials > 2 ? ` among ${trials} trials` : '';
  return `${Math.round(rate.value * rate.n)} of ${quantity(rate.n, 'pair')}${among}`;
}

function Expected({ row, isOfOneCase }: { row: Row; isOfOneCase: boolean }) {
  const rate = measureOf(row, 'pass_rate');
  if (!isOfOneCase || rate?.value == null) return <EstimateCell estimate={rate} scale="share" />;
  return rate.value === 1 ? 'yes' : <b className="text-bad">no</b>;
}

export function ChangesSection({ experiment, report }: { experiment: string; report: StatsReport }) {
  const { changes = [], positive, resampling } = report;
  const [shown, setShown] = useState<ChangeStatistics | null>(null);
  const names = useArmNames();
  const isOfOneCase = changes.every(({ pairs }) => pairs <= 1);
  const isOfOne = new Set(changes.map(({ arm }) => arm)).size === 1;
  const [erased, proxies] = [erasedText(changes), proxiesText(report)];
  const pairsText = isOfOneCase
    ? ' A change, or another seed, is compared with the first trial; “with other seeds alone” compares all trials of other seeds with each other too, so its share can differ.'
    : '';
  return (
    <Section title="Declared changes">
      <Fold title="How this was found" level={3}>
        <p className="max-w-80ch quiet">
          {changesText}
          {pairsText} Intervals at {percent(resampling.level)}. These arms are left out of all other comparisons and of the best
          arm.
          {erased === null ? '' : ` ${erased}`}
        </p>
      </Fold>
      <Paragraph className="quiet" text={proxies} />
      <DataTable
        label="Flips by change"
        rows={rowsOf(changes)}
        keyOf={({ of, direction }) => JSON.stringify([of.changed_arm, direction])}
        columns={[
          {
            title: 'what was changed',
            cell: ({ of, direction }) =>
              direction === null ? (
                <>
                  <Isolated text={of.kind === 'seed' ? `another seed alone (${of.change})` : of.change} />
                  {isOfOne ? null : (
                    <div className="quiet">
                      <ArmName arm={of.arm} />
                    </div>
                  )}
                </>
              ) : (
                <span className="quiet">
                  <Isolated text={direction.from} /> → <Isolated text={direction.to} />
                </span>
              ),
          },
          {
            title: 'retrials',
            number: (row) => (
              <>
                {retrialsOf(row)}
                {row.direction === null && row.of.pairs > retrialsOf(row) ? (
                  <span className="quiet"> of {row.of.pairs} decided</span>
                ) : null}
              </>
            ),
          },
          { title: 'flipped', number: (row) => <Flipped row={row} onShow={() => setShown(row.of)} /> },
          ...(isOfOneCase
            ? []
            : [
                {
                  title: 'flip rate',
                  number: (row: Row) => <EstimateCell estimate={measureOf(row, 'flip_rate')} scale="share" />,
                },
              ]),
          { title: 'with other seeds alone', number: (row) => <SeedsAlone row={row} isOfOneCase={isOfOneCase} /> },
          { title: 'difference, points', number: (row) => <Difference row={row} /> },
          ...(isOfOneCase || rowsOf(changes).every((row) => measureOf(row, 'accuracy_change')?.value == null)
            ? []
            : [
                {
                  title: `change of ${rightWords(report).accuracy}, points`,
                  number: (row: Row) => {
                    const change = measureOf(row, 'accuracy_change');
                    return <EstimateCell estimate={change} scale="points" of={change?.n} />;
                  },
                },
              ]),
          ...(positive === null || isOfOneCase
            ? []
            : [
                {
                  title: (
                    <>
                      verdicts for <HiddenText text={positive} />, points
                    </>
                  ),
                  id: 'verdicts, points',
                  number: (row: Row) => <EstimateCell estimate={measureOf(row, 'positive_change')} scale="points" />,
                },
                {
                  title: (
                    <>
                      belief in <HiddenText text={positive} />, points
                    </>
                  ),
                  id: 'belief, points',
                  number: (row: Row) => <EstimateCell estimate={measureOf(row, 'probability_change')} scale="points" />,
                },
              ]),
          {
            title: 'as expected',
            number: (row) =>
              row.of.expect === undefined ? (
                <span className="quiet">–</span>
              ) : (
                <span title={expectationText(row.of.expect)}>
                  <Expected row={row} isOfOneCase={isOfOneCase} />
                </span>
              ),
          },
        ]}
      />
      {shown === null ? null : (
        <FlippedPairs
          query={{ experiment, base: shown.arm, swapped: shown.changed_arm }}
          title={`Where ${names.get(shown.arm) ?? shown.arm} decides otherwise with ${shown.change}`}
          names={{ base: 'usual', swapped: 'changed' }}
          onClose={() => setShown(null)}
        />
      )}
    </Section>
  );
}
