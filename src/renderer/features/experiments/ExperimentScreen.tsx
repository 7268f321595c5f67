import { FileInput } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useLocation } from 'wouter';
import { routes, toImportPredictions } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { StandinBanner } from '../../ui/StandinBanner.tsx';
import { AssistantSection } from './AssistantSection.tsx';
import styles from './Experiment.module.css';
import { ExportMenu } from './ExportMenu.tsx';
import { useLiveExperiment } from './experimentQueries.ts';
import { countsOf, isUnderWay, runTally, runWords } from './outcomes.ts';
import { RunLog } from './RunLog.tsx';
import { RunPanel } from './RunPanel.tsx';
import { StatisticsPart } from './StatisticsPart.tsx';
import { TrialsSection } from './TrialsSection.tsx';

const ConfidenceSection = lazy(() => import('./ConfidenceSection.tsx'));

const crumbs = [{ label: 'Experiments', to: routes.experiments }];

/** An experiment while it runs and afterwards: how far it is, what the arms did, and every trial. */
export default function ExperimentScreen({ experiment }: { experiment: string }) {
  const { view, run, failure } = useLiveExperiment(experiment);
  const [, navigate] = useLocation();
  if (view.data === undefined) {
    return (
      <Screen crumbs={crumbs} title={experiment}>
        {view.isError ? (
          <FailureNotice error={view.error}>
            <Button size="small" onPress={() => void view.refetch()}>
              Try again
            </Button>
          </FailureNotice>
        ) : (
          <p className={styles.note}>Reading the record…</p>
        )}
      </Screen>
    );
  }
  const { summary, arms, log, definition } = view.data;
  const { decided, failed } = countsOf(summary);
  const invented = summary.standin || (run !== null && isUnderWay(run) && run.backend === 'standin');
  return (
    <Screen
      crumbs={crumbs}
      title={experiment}
      subtitle={summary.question === null ? undefined : <HiddenText text={summary.question} />}
      pills={
        <>
          <Pill>
            {quantity(summary.done, 'trial')} of {summary.planned} · {decided} decided
            {failed === 0 ? null : <span className={styles.failed}> · {failed} failed</span>}
          </Pill>
          {run === null ? null : <Pill tone={run.state === 'failed' ? 'bad' : 'plain'}>{runWords(run.state)}</Pill>}
        </>
      }
      actions={
        <>
          <Button onPress={() => navigate(toImportPredictions(experiment))}>
            <FileInput size={15} aria-hidden="true" />
            Import predictions…
          </Button>
          <ExportMenu experiment={experiment} />
        </>
      }
    >
      <div className={styles.parts}>
        {invented ? <StandinBanner /> : null}
        {failure === null ? null : <FailureNotice error={failure} />}
        {definition.arms.length === 0 ? null : <RunPanel summary={{ ...summary, ...runTally(arms) }} run={run} />}
        <StatisticsPart experiment={experiment} arms={arms} underWay={isUnderWay(run)} />
        <AssistantSection experiment={experiment} underWay={isUnderWay(run)} />
        <TrialsSection experiment={experiment} arms={arms.map(({ name }) => name)} underWay={isUnderWay(run)} />
        <Suspense fallback={<p className={styles.note}>Drawing…</p>}>
          <ConfidenceSection experiment={experiment} />
        </Suspense>
        <RunLog log={log} seed={definition.seed} />
      </div>
    </Screen>
  );
}
