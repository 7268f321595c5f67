import { percent } from '../../../core/figures/shares.ts';
import type { ImportPreview } from '../../../shared/api/imports.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
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
        { title: 'line', number: ({ line }) => line },
        { title: 'case', isHead: true, dir: 'auto', cell: ({ case: id }) => <HiddenText text={id} /> },
        { title: 'in the file', look: 'mono-12-5 wrap-anywhere', dir: 'auto', cell: ({ value }) => <HiddenText text={value} /> },
        { title: 'read as', cell: ({ prediction }) => <ReadAs label={prediction} /> },
        {
          title: 'confidence',
          number: ({ confidence }) =>
            confidence === null ? <span className="muted wrap-anywhere">–</span> : percent(confidence),
        },
      ]}
    />
  );
}

/** What the import would come to: arms with their counts, and the first rows as they would be read. */
export function PreviewPane({ report, first }: ImportPreview) {
  return (
    <>
      <ArmCounts report={report} />
      <FirstRows first={first} />
    </>
  );
}
