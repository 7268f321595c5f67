import { type ReactNode, useState } from 'react';
import { percent } from '../../../core/figures/shares.ts';
import { swapTitles } from '../../../core/figures/swapText.ts';
import { swapCautions, swapTexts } from '../../../core/telling/swapTables.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { SwapStatistics } from '../../../shared/statistics.ts';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ArmName, ArmParagraphs } from './ArmNames.tsx';
import { FlippedPairs } from './DifferingCases.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import styles from './Experiment.module.css';

const failedText = ({ failed: { base, swapped, both } }: SwapStatistics) =>
  base + swapped + both === 0 ? 'none' : `${base} usual alone, ${swapped} exchanged alone, ${both} both`;

const measureOf = ({ measures }: SwapStatistics, name: string) => measures.find((each) => each.name === name);

function Flipped({ of, onShow }: { of: SwapStatistics; onShow: () => void }) {
  const flipped = of.moves.reduce((sum, { n }) => sum + n, 0);
  if (flipped === 0) return <span className="quiet">none</span>;
  return (
    <Button
      size="small"
      onPress={onShow}
      aria-label={`${quantity(flipped, 'pair')}, show where ${of.arm} decides otherwise with ${swapTitles[of.swap]}`}
    >
      {flipped}
    </Button>
  );
}

const mostBeliefs = 4;

export function Moves({ of: { moves } }: { of: Pick<SwapStatistics, 'moves'> }) {
  return (
    <>
      {moves.slice(0, mostBeliefs).map(({ from, to, n }) => (
        <div key={JSON.stringify([from, to])} className={styles.move}>
          <Isolated text={from} /> <span aria-hidden="true">→</span>
          <span className="visually-hidden"> to </span> <Isolated text={to} /> <span className="quiet">{n}</span>
        </div>
      ))}
      {moves.length > mostBeliefs ? <div className="quiet">and {moves.length - mostBeliefs} more</div> : null}
    </>
  );
}

function WonBy({ of }: { of: SwapStatistics }) {
  const wins = measureOf(of, 'won_by_prosecution') ?? measureOf(of, 'won_by_last_speaker');
  if (wins === undefined) return <span className="quiet">–</span>;
  return (
    <>
      <span className="quiet">{wins.name === 'won_by_prosecution' ? 'the prosecution' : 'the last to speak'}</span>{' '}
      <EstimateCell estimate={wins} scale="share" />
    </>
  );
}

export function CounterbalanceSection({ experiment, report }: { experiment: string; report: StatsReport }) {
  const { swaps, positive, resampling } = report;
  const [shown, setShown] = useState<SwapStatistics | null>(null);
  const change = (name: string, id: string, title: ReactNode): Column<SwapStatistics> => ({
    ...{ title, id, number: (of) => <EstimateCell estimate={measureOf(of, name)} scale="points" /> },
  });
  return (
    <Section
      title="Counterbalancing"
      lead={`Each arm against itself with something exchanged, over pairs of the same case, replicate and seed that both decided. Verdicts for a label and its probability: exchanged less usual, in points. Half of the trials won is what a side would win by chance, as it held each place once. Intervals at ${percent(resampling.level)}. These arms are in no comparison with others.`}
    >
      <ArmParagraphs className="max-w-90ch" texts={swapTexts(report)} />
      <DataTable
        label="Flip rates"
        rows={swaps}
        keyOf={({ swapped_arm }) => swapped_arm}
        columns={[
          {
            title: 'arm and what is exchanged',
            cell: ({ arm, swap }) => (
              <>
                <ArmName arm={arm} />, {swapTitles[swap]}
              </>
            ),
          },
          {
            title: 'both decided',
            number: (of) => (
              <>
                {measureOf(of, 'flip_rate')?.n ?? 0}
                <span className="quiet">/{of.pairs}</span>
              </>
            ),
          },
          { title: 'flip rate', number: (of) => <EstimateCell estimate={measureOf(of, 'flip_rate')} scale="share" /> },
          { title: 'flipped', number: (of) => <Flipped of={of} onShow={() => setShown(of)} /> },
          { title: 'direction of flips', cell: (of) => <Moves of={of} /> },
          {
            title: 'flips between replicates',
            number: (of) => {
              const chance = measureOf(of, 'replicate_flip_rate');
              return <EstimateCell estimate={chance} scale="share" of={chance?.value == null ? undefined : chance.n} />;
            },
          },
          ...(positive === null
            ? []
            : [
                change(
                  'positive_change',
                  'verdicts',
                  <>
                    verdicts for <HiddenText text={positive} />
                  </>,
                ),
                change(
                  'probability_change',
                  'probability',
                  <>
                    P(
                    <HiddenText text={positive} />)
                  </>,
                ),
              ]),
          { title: 'won by', number: (of) => <WonBy of={of} /> },
          { title: 'without a verdict', look: 'quiet', cell: failedText },
        ]}
      />
      <ArmParagraphs className="quiet" texts={swapCautions(swaps)} />
      {shown === null ? null : (
        <FlippedPairs
          query={{ experiment, base: shown.arm, swapped: shown.swapped_arm }}
          title={`Where ${shown.arm} decides otherwise with ${swapTitles[shown.swap]}`}
          names={{ base: 'usual', swapped: 'exchanged' }}
          onClose={() => setShown(null)}
        />
      )}
    </Section>
  );
}
