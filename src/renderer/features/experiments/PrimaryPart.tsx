import { decidedText, intervalNotes, resultText } from '../../../core/statistics/measures/primaryText.ts';
import { exploratoryText, primaryTable } from '../../../core/telling/primaryPart.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { PrimaryResult } from '../../../shared/primary.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Section } from '../../ui/Section.tsx';
import { ArmParagraph, ArmParagraphs, ArmSentence } from './ArmNames.tsx';
import styles from './Experiment.module.css';

export function DecidedSection({ primary, report }: { primary: PrimaryResult; report: StatsReport }) {
  const { head, rows } = primaryTable(primary, report);
  return (
    <Section title="Decided beforehand" lead={<ArmSentence text={decidedText(primary, report)} />}>
      <ArmParagraph className={styles.findingSentence} role="status" text={resultText(primary)} />
      {primary.a === null && primary.b === null ? null : (
        <DataTable
          label="The primary comparison"
          rows={rows}
          keyOf={(row) => row.join()}
          columns={head.map((title, place) => ({
            title: <ArmSentence text={title} />,
            id: title,
            name: title,
            isNumber: place > 0,
            cell: (row: readonly string[]) => <ArmSentence text={row[place] ?? ''} />,
          }))}
        />
      )}
      <div className="stack gap-6 muted max-w-90ch">
        <ArmParagraphs texts={intervalNotes(primary, report)} />
      </div>
    </Section>
  );
}

/** The comparison that was decided beforehand, before everything else; or that none was. */
export function PrimaryPart({ report }: { report: StatsReport }) {
  const { primary } = report;
  if (primary === undefined) return null;
  return (
    <>
      {primary === null ? null : <DecidedSection primary={primary} report={report} />}
      <ArmParagraph className="quiet" text={exploratoryText(report)} />
    </>
  );
}
