import { routes, toExperiment } from '../../app/routes.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { StandinBanner } from '../../ui/StandinBanner.tsx';
import { useLiveExperiment } from '../experiments/experimentQueries.ts';
import { isUnderWay } from '../experiments/outcomes.ts';
import { useStatistics } from '../experiments/useStatistics.ts';
import styles from './Compare.module.css';
import ComparePart from './ComparePart.tsx';

/** A comparison as a page of its own. */
export default function CompareScreen({ experiment }: { experiment: string }) {
  const { view, run } = useLiveExperiment(experiment);
  const underWay = isUnderWay(run);
  const { report, isWhole, error } = useStatistics(experiment, underWay);
  const crumbs = [
    { label: 'Experiments', to: routes.experiments },
    { label: experiment, to: toExperiment(experiment) },
  ];
  return (
    <Screen crumbs={crumbs} title="Compare" subtitle={experiment}>
      <div className={styles.parts}>
        {view.isError ? <FailureNotice error={view.error} /> : null}
        {error === null ? null : <FailureNotice error={error} />}
        {view.data?.summary.standin ? <StandinBanner /> : null}
        {view.data === undefined ? (
          <p className={styles.note}>Reading the record…</p>
        ) : (
          <ComparePart
            experiment={experiment}
            view={view.data}
            report={isWhole && report !== undefined ? report : null}
            soFar={underWay}
          />
        )}
      </div>
    </Screen>
  );
}
