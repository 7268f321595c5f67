import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Link } from 'wouter';
import { z } from 'zod';
import type { ExperimentSummary } from '../../../shared/api/experiments.ts';
import { routes } from '../../app/routes.ts';
import { Empty } from '../../ui/Empty.tsx';
import { useKept } from '../../ui/kept.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { ExperimentRow } from './ExperimentRow.tsx';
import styles from './Experiments.module.css';
import { useExperiments } from './experimentQueries.ts';

const tabSchema = z.enum(['experiments', 'tries']);

function Rows({ summaries, label }: { summaries: readonly ExperimentSummary[]; label: string }) {
  return (
    <ul className="stack gap-12" aria-label={label}>
      {summaries.map((summary) => (
        <ExperimentRow key={summary.name} summary={summary} />
      ))}
    </ul>
  );
}

/** Everything that was put on trial: experiments over many cases, and single cases told in words. */
export default function ExperimentsScreen() {
  const list = useExperiments();
  const [tab, setTab] = useKept('experiments-tab', tabSchema, () => 'experiments');
  const all = list.data ?? [];
  const experiments = all.filter(({ single }) => !single);
  const tries = all.filter(({ single }) => single);
  return (
    <Screen
      title="Experiments"
      subtitle="What was put on trial, the newest first"
      pills={
        list.isSuccess ? (
          <>
            <Pill>{quantity(experiments.length, 'experiment')}</Pill>
            <Pill>{quantity(tries.length, 'single case')}</Pill>
          </>
        ) : undefined
      }
    >
      <FailureNotice error={list.error} onRetry={list.refetch} />
      {list.isPending ? <p className="quiet">Reading the record…</p> : null}
      {list.isSuccess ? (
        <Tabs selectedKey={tab} onSelectionChange={(key) => setTab(tabSchema.parse(key))} className={styles.tabs ?? ''}>
          <TabList aria-label="Kinds" className={styles.tabList ?? ''}>
            <Tab id="experiments" className={styles.tab ?? ''}>
              Experiments
            </Tab>
            <Tab id="tries" className={styles.tab ?? ''}>
              Single cases
            </Tab>
          </TabList>
          <TabPanel id="experiments">
            {experiments.length === 0 ? (
              <Empty
                title="No experiment is on the record yet"
                actions={<Link href={routes.docket}>Choose cases from the docket</Link>}
              >
                An experiment tries the same cases with several arms: protocols, models, parameters. Its trials appear here while
                they run, and stay on the record.
              </Empty>
            ) : (
              <Rows summaries={experiments} label="Experiments" />
            )}
          </TabPanel>
          <TabPanel id="tries">
            {tries.length === 0 ? (
              <Empty title="No single case was tried yet" actions={<Link href={routes.tryCase}>Try a case</Link>}>
                Tell a case in your own words, ask a question, and see it argued.
              </Empty>
            ) : (
              <Rows summaries={tries} label="Single cases" />
            )}
          </TabPanel>
        </Tabs>
      ) : null}
    </Screen>
  );
}
