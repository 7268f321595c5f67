import { speechName } from '../../../core/figures/speakers.ts';
import { worthText } from '../../../core/telling/changeTables.ts';
import type { SpeechWorth } from '../../../shared/changeStatistics.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { EstimateCell } from './EstimateCell.tsx';

const measureOf = ({ measures }: SpeechWorth, name: string) => measures.find((each) => each.name === name);

/** What each withheld speech was worth, beside how the belief moved after it. */
export function CausesSection({ speeches }: { speeches: readonly SpeechWorth[] }) {
  const label = speeches[0]?.label ?? null;
  const several = new Set(speeches.map(({ arm }) => arm)).size > 1;
  const points = (name: string) => (row: SpeechWorth) => <EstimateCell estimate={measureOf(row, name)} scale="points" />;
  return (
    <Section title="What caused it" lead={worthText(label)}>
      <DataTable
        label="Worth of speeches"
        rows={speeches}
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
                {speechName(speech)}
              </>
            ),
          },
          {
            id: 'belief',
            title: (
              <>
                worth: P(
                <HiddenText text={label ?? 'label'} />
                ), points
              </>
            ),
            isNumber: true,
            cell: points('worth_belief'),
          },
          { title: 'worth: verdicts, points', isNumber: true, cell: points('worth_verdict') },
          { title: 'observed movement, points', isNumber: true, cell: points('observed_movement') },
          {
            title: 'compared',
            cell: ({ pairs, cases }) => (
              <span className="quiet">
                {quantity(pairs, 'pair')}, {quantity(cases, 'case')}
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}
