import type { ImportReport } from '../../../shared/imported.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';

const grouped = (count: number) => count.toLocaleString('en-GB');

/** The arms of an import with their counts, and what the reader has to know besides. */
export function ArmCounts({ report }: { report: ImportReport }) {
  const { arms, cases, not_on_trial: off, repeats } = report;
  return (
    <>
      <DataTable
        label="Imported arms"
        close
        rows={arms}
        keyOf={({ arm }) => arm}
        columns={[
          { title: 'arm', cell: ({ arm }) => <Isolated text={arm} /> },
          { title: 'predictions', number: ({ trials }) => grouped(trials) },
          { title: 'new', number: ({ imported_now }) => grouped(imported_now) },
          {
            title: 'cases',
            number: (arm) => (
              <>
                {grouped(arm.cases)}
                <span className="muted wrap-anywhere">/{grouped(cases.on_trial)}</span>
              </>
            ),
          },
          { title: 'decided', number: ({ decided }) => grouped(decided) },
          {
            title: 'undecided',
            look: ({ undecided_trials }) => (undecided_trials === 0 ? undefined : 'text-warn'),
            number: ({ undecided_trials }) => grouped(undecided_trials),
          },
        ]}
      />
      {repeats.length < 2 ? null : (
        <p className="muted wrap-anywhere">
          {repeats.length} replicates, by the repeats <Isolated text={repeats.slice(0, 20).join(', ')} />.
        </p>
      )}
      {off === 0 ? null : (
        <p className="muted wrap-anywhere">
          {quantity(off, 'row')} of cases of the data set that are not on trial {off === 1 ? 'is' : 'are'} left out. Import the
          file again when the sample has grown.
        </p>
      )}
    </>
  );
}
