import { points } from '../../../core/figures/shares.ts';
import { factsBySize, leastText, shapleyText } from '../../../core/telling/factTables.ts';
import type { FactStatistics } from '../../../shared/changeStatistics.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Paragraph } from '../../ui/HiddenText.tsx';
import { Section } from '../../ui/Section.tsx';

/** The least change of facts that flips a verdict, and what each fact adds. */
export function FactsSection({ of }: { of: FactStatistics }) {
  const shapley = shapleyText(of);
  return (
    <Section title="The facts" lead={<HiddenText text={leastText(of)} />}>
      {shapley === null ? null : (
        <>
          <Paragraph className="quiet" text={shapley} />
          <DataTable
            label="Shapley values of the facts"
            rows={factsBySize(of)}
            keyOf={({ fact }) => fact}
            columns={[
              { title: 'fact', cell: ({ fact }) => <HiddenText text={fact} /> },
              { title: 'Shapley value, points', number: ({ value }) => points(value) },
              ...(of.shapley?.method === 'exact'
                ? []
                : [
                    {
                      title: 'standard error',
                      number: ({ error }: { error: number | null }) => (error === null ? '–' : points(error).replace('+', '')),
                    },
                  ]),
            ]}
          />
        </>
      )}
    </Section>
  );
}
