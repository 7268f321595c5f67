import { cutsText, effectHead, turnText, worthHead, worthPairsText, worthText } from '../../../core/telling/speechTables.ts';
import type { SpeechWorth, TurnEffect } from '../../../shared/changeStatistics.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { EstimateCell } from './EstimateCell.tsx';

type Row = Pick<SpeechWorth, 'arm' | 'speech' | 'label' | 'cases' | 'measures'>;

function SpeechTable<T extends Row>({
  label,
  rows,
  ...what
}: {
  label: string;
  rows: readonly T[];
  /** What a number of the first columns is called, and the beginning of its measures' names. */
  word: string;
  prefix: string;
  compared: (row: T) => string;
}) {
  const { word, prefix, compared } = what;
  const several = new Set(rows.map(({ arm }) => arm)).size > 1;
  const points = (name: string) => (row: T) => (
    <EstimateCell
      estimate={row.measures.find((each) => each.name === name)}
      scale="points"
      over={prefix === 'worth' && row.cases === 1 ? 'pairs of seeds' : undefined}
    />
  );
  return (
    <DataTable
      label={label}
      rows={rows}
      keyOf={({ arm, speech }) => JSON.stringify([arm, speech])}
      columns={[
        {
          title: several ? 'arm and speech' : 'speech',
          cell: ({ arm, speech }) => (
            <>
              {several ? (
                <>
                  <Isolated text={arm} />,{' '}
                </>
              ) : null}
              <HiddenText text={speech} />
            </>
          ),
        },
        {
          title: (
            <>
              {word}: P(
              <HiddenText text={rows[0]?.label ?? 'label'} />
              ), points
            </>
          ),
          id: 'belief',
          number: points(`${prefix}_belief`),
        },
        { title: `${word}: verdicts, points`, number: points(`${prefix}_verdict`) },
        { title: 'observed movement, points', number: points('observed_movement') },
        { title: 'compared', cell: (row) => <span className="quiet">{compared(row)}</span> },
      ]}
    />
  );
}

export const CausesSection = ({ speeches }: { speeches: readonly SpeechWorth[] }) => (
  <Section title="What caused it" lead={worthText(speeches[0]?.label ?? null)}>
    <SpeechTable
      label="Worth of speeches"
      rows={speeches}
      word={worthHead}
      prefix="worth"
      compared={(row) => `pairs: ${worthPairsText(row)}; ${quantity(row.cases, 'case')}`}
    />
  </Section>
);

export const TurnsSection = ({ turns }: { turns: readonly TurnEffect[] }) => (
  <Section title="The effect of each turn" lead={turnText(turns[0]?.label ?? null)}>
    <SpeechTable label="Effects of turns" rows={turns} word={effectHead} prefix="turn" compared={cutsText} />
  </Section>
);
