import { percent } from '../../../core/figures/shares.ts';
import type { ImportPreview } from '../../../shared/api/imports.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ArmCounts } from './ArmCounts.tsx';
import { ReadAs } from './ValueTable.tsx';

function FirstRows({ first }: Pick<ImportPreview, 'first'>) {
  return (
    <DataTable
      label="The first predictions"
      caption={`The first ${first.length === 1 ? 'prediction' : `${first.length} predictions`}`}
      close
      rows={first}
      keyOf={({ line }) => line}
      columns={[
        { title: 'line', isNumber: true, cell: ({ line }) => line },
        { title: 'case', isHead: true, dir: 'auto', cell: ({ case: id }) => <HiddenText text={id} /> },
        { title: 'in the file', look: 'mono-12-5 wrap-anywhere', dir: 'auto', cell: ({ value }) => <HiddenText text={value} /> },
        { title: 'read as', cell: ({ prediction }) => <ReadAs label={prediction} /> },
        {
          title: 'confidence',
          isNumber: true,
          cell: ({ confidence }) => (confidence === null ? <span className="muted wrap-anywhere">–</span> : percent(confidence)),
        },
      ]}
    />
  );
}

/** What the import would come to: arms with their counts, and the first rows as they would be read. */
export function PreviewPane({
  preview,
  reading,
  failure,
  waitsFor,
}: {
  preview: ImportPreview | undefined;
  reading: boolean;
  /** A failure that belongs to no field of the form. */
  failure: unknown;
  /** What is still to be filled in, where there can be no preview yet. */
  waitsFor: string | null;
}) {
  const found = preview === undefined ? 'Nothing yet.' : `${quantity(preview.report.trials, 'prediction')} for cases on trial`;
  return (
    <Section title="What would be imported" lead={waitsFor ?? (reading ? 'Reading the file…' : found)}>
      <FailureNotice error={failure} />
      {preview === undefined ? null : (
        <>
          <ArmCounts report={preview.report} />
          <FirstRows first={preview.first} />
        </>
      )}
    </Section>
  );
}
