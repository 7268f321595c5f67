import type { Reviewer } from '../../../shared/reviews.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { EstimateCell } from '../experiments/EstimateCell.tsx';
import { useReviewReport } from './reviewQueries.ts';

const shares = [
  ['agrees with the court', 'agreement'],
  ['agrees with oneself', 'self'],
  ['right', 'accuracy'],
  ['court right, same cases', 'court_accuracy'],
  ['both right, where they agree', 'agreed_accuracy'],
] as const;
const coefficients = [
  ['kappa', 'kappa'],
  ['AC1', 'ac1'],
] as const;

/** What the reviews of all come to. */
export function AgreementSection({ experiment }: { experiment: string }) {
  const { data: report, error, refetch } = useReviewReport(experiment);
  if (report === undefined) return error === null ? null : <FailureNotice error={error} onRetry={refetch} />;
  if (report.reviews.length === 0) return null;
  const all = [
    ['between reviewers (Krippendorff’s alpha)', report.between, 'number'],
    ['with the court, blind', report.blind_agreement, 'share'],
    ['with the court, verdict in view', report.open_agreement, 'share'],
    ['verdict in view minus blind', report.open_less_blind, 'share'],
  ] as const;
  return (
    <Section
      title="What the reviews come to"
      lead={`${quantity(report.reviews.length, 'review')}. “Right” means as labelled in the data set. Intervals are over cases, at 95%. People tend to follow a verdict that they can see: compare blind with open.`}
    >
      <DataTable
        label="Reviewers"
        rows={report.reviewers}
        keyOf={({ reviewer }) => reviewer ?? ''}
        columns={[
          { title: 'reviewer', cell: ({ reviewer }: Reviewer) => <Isolated text={reviewer ?? '[erased]'} /> },
          { title: 'reviews', isNumber: true, cell: ({ reviews }: Reviewer) => reviews },
          { title: 'unsure, flagged', isNumber: true, cell: ({ unsure, flags }: Reviewer) => `${unsure}, ${flags}` },
          { title: 'seconds', isNumber: true, cell: ({ seconds }: Reviewer) => Math.round(seconds) },
          ...shares.map(([title, name]) => ({
            title,
            isNumber: true,
            cell: (row: Reviewer) => <EstimateCell estimate={row[name]} scale="share" of={row[name].n} />,
          })),
          ...coefficients.map(([title, name]) => ({
            title,
            isNumber: true,
            cell: (row: Reviewer) => <EstimateCell estimate={row[name]} scale="number" />,
          })),
        ]}
      />
      <DataTable
        label="Agreement"
        rows={all}
        keyOf={([title]) => title}
        columns={[
          { title: 'agreement', cell: ([title]: (typeof all)[number]) => title },
          {
            title: 'value',
            isNumber: true,
            cell: ([, estimate, scale]: (typeof all)[number]) => (
              <EstimateCell estimate={estimate} scale={scale} of={estimate.n} />
            ),
          },
        ]}
      />
    </Section>
  );
}
