import { Link } from 'wouter';
import { alikeHints } from '../../../core/imported/prediction.ts';
import type { ImportReport } from '../../../shared/imported.ts';
import { toExperiment } from '../../app/routes.ts';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { ArmCounts } from './ArmCounts.tsx';

const mostValues = 20;

/** What was imported. */
export function ImportResult({ report }: { report: ImportReport }) {
  const { experiment, trials, imported_now: fresh } = report;
  const undecided = Object.entries(report.undecided).slice(0, mostValues);
  return (
    <Section
      title={fresh === 0 ? 'Everything was there already' : 'On the record'}
      lead={`${quantity(trials, 'prediction')}, ${fresh === 0 ? 'none' : fresh.toLocaleString('en-GB')} of them new`}
    >
      <Notice tone="good">
        <span>
          Each is a trial of its own, hash-chained like all others. They stand beside the arms of{' '}
          <Link href={toExperiment(experiment)} dir="auto">
            <HiddenText text={experiment} />
          </Link>
          .
        </span>
      </Notice>
      {[...alikeHints(report.alike, ', and choose there what each value means'), ...report.notes].map((note) => (
        <Notice key={note} tone="warn">
          <HiddenText text={note} />
        </Notice>
      ))}
      <ArmCounts report={report} />
      {undecided.length === 0 ? null : (
        <p className="muted wrap-anywhere">
          Kept as undecided:{' '}
          {undecided.map(([value, count], index) => (
            <span key={value}>
              {index === 0 ? '' : ', '}
              {value === '' ? (
                'empty cells'
              ) : (
                <bdi className="mono-12-5 wrap-anywhere">
                  <HiddenText text={value} />
                </bdi>
              )}{' '}
              ({count.toLocaleString('en-GB')})
            </span>
          ))}
          .
        </p>
      )}
    </Section>
  );
}
