import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/ApiContext.tsx';
import { ConfidenceChart } from '../../charts/confidenceBins/ConfidenceChart.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import styles from './Experiment.module.css';
import { confidenceKey } from './experimentQueries.ts';

/** How sure the verdicts were, and how often rightly. */
export default function ConfidenceSection({ experiment }: { experiment: string }) {
  const api = useApi();
  const figure = useQuery({
    queryKey: confidenceKey(experiment),
    queryFn: ({ signal }) => api.experiments.confidence({ experiment }, { signal }),
    refetchOnMount: 'always',
  });
  if (figure.isError) return <FailureNotice error={figure.error} />;
  if (figure.data === undefined) return null;
  const { bins, stated, unstated } = figure.data;
  const unknown = bins.reduce((sum, bin) => sum + bin.unknown, 0);
  return (
    <Section
      title="Stated confidence of the verdicts"
      lead={`${quantity(stated, 'decided trial')} of all arms with a stated confidence, ${unstated} without${
        unknown === 0 ? '' : `, ${unknown} whose truth is not known`
      }. What a model states is not what it knows.`}
    >
      {stated === 0 ? <p className={styles.note}>No verdict with a confidence yet.</p> : <ConfidenceChart bins={bins} />}
    </Section>
  );
}
