import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { ArmsTable } from './ArmsTable.tsx';
import { ComparisonsTable } from './ComparisonsTable.tsx';
import { FindingNote, StatisticsProgress } from './Finding.tsx';
import { MeasuresSection } from './MeasuresSection.tsx';
import { SwapsSection } from './SwapsSection.tsx';
import type { Statistics } from './useStatistics.ts';

/** What came out, the finding first: arms and baselines, how they compare, and what else can be measured. */
export function StatisticsPart({
  experiment,
  arms,
  statistics,
  underWay,
}: {
  experiment: string;
  /** With the counts of the trials that are shown. */
  arms: ExperimentView['arms'];
  statistics: Statistics;
  underWay: boolean;
}) {
  const { report, isWhole, error } = statistics;
  return (
    <>
      <Section title="Arms">
        {isWhole && report !== undefined ? <FindingNote report={report} /> : null}
        <FailureNotice error={error} />
        <StatisticsProgress statistics={statistics} underWay={underWay} />
        <ArmsTable arms={arms} report={report} underWay={underWay} />
      </Section>
      {isWhole && report !== undefined && report.comparisons.length > 0 ? (
        <ComparisonsTable experiment={experiment} report={report} />
      ) : null}
      {isWhole && report !== undefined && report.swaps.length > 0 ? (
        <SwapsSection experiment={experiment} report={report} />
      ) : null}
      {isWhole && report !== undefined ? <MeasuresSection report={report} /> : null}
    </>
  );
}
