import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { Link } from 'wouter';
import { z } from 'zod';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { isUnderWay, plannedFor } from '../../../shared/api/engine.ts';
import type { ExperimentSummary } from '../../../shared/api/experiments.ts';
import { count } from '../../../shared/sizes.ts';
import { useWritable, useWrittenElsewhere } from '../../app/engineStatus.ts';
import { forExperiment, routes, toExperiment, toLive, toTrial } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { WritingLink } from '../../app/Writing.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Isolated, IsolatedSet, Listed, Outside, OutsideLink } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { DemoMark, FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Screen } from '../../ui/Screen.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSessionState } from '../../ui/sessionState.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { OwnCopies } from '../recordCheck/CopyOfYourOwn.tsx';
import { FaultyTrials } from '../recordCheck/KnownFaults.tsx';
import { faultWords, trialsByExperiment, useKnownRecord, useRecordCheck } from '../recordCheck/knownRecord.ts';
import { OpenRecord } from '../recordCheck/OpenRecord.tsx';
import { ExperimentMenu } from './ExperimentMenu.tsx';
import styles from './Experiments.module.css';
import { useDamaged, useExperiments, useUnreadable } from './experimentQueries.ts';
import { FailureTally, OutcomeBar } from './OutcomeBar.tsx';
import { progressOf, stateText } from './outcomes.ts';
import { listedTitle, shownAs } from './shownExperiments.ts';

interface RowProperties {
  readonly summary: ExperimentSummary;
  /** What is known to be wrong in its record; null where nothing is. */
  readonly fault: string | null;
  /** Trials in which something is known to be wrong. */
  readonly faulty: readonly string[];
  readonly title: string;
}

function ExperimentRow({ summary, fault, faulty, title }: RowProperties) {
  const { name, question, arms, cases, planned, standin, run, single, protocol, retrial, trial, verdict, at, erased } = summary;
  const progress = progressOf(summary);
  const { decided, failed, failures } = progress;
  const times = planned / (cases * arms.length);
  const state = stateText(summary, useWrittenElsewhere());
  return (
    <li className={`card stack ${styles.row}`}>
      <div className="stack content-start gap-6 min-w-0">
        <h2 className="wrap-anywhere title-18">
          <OutsideLink to={single && trial !== null ? toTrial(trial) : toExperiment(name)} text={title} />
        </h2>
        {single || retrial || question === null ? null : <Outside as="p" className="serif-16 wrap-anywhere" text={question} />}
        <p className="quiet">
          {title === name ? null : (
            <>
              <Isolated text={name} />
              {' · '}
            </>
          )}
          {minuteText(at)}
          {single ? (
            ` · ${protocolTitle(protocol ?? '')}`
          ) : (
            <>
              {' · '}
              {quantity(cases, 'case')} × {quantity(arms.length, 'arm')}
              {Number.isInteger(times) && times > 1 ? ` × ${times} replicates` : ''}:{' '}
              <Listed of={[...shownArmNames(arms).values()].slice(0, 6)} between="; ">
                {(arm) => <Isolated text={arm} />}
              </Listed>
              {arms.length > 6 ? ` and ${arms.length - 6} more` : ''}
            </>
          )}
        </p>
      </div>
      <div className="stack content-start gap-6 min-w-0">
        <div className="flex justify-between gap-6">
          <div className="flex flex-wrap gap-6 min-w-0">
            {fault === null ? null : <Pill tone="bad">record {faultWords(fault)}</Pill>}
            {standin ? <DemoMark /> : null}
            {erased === null ? null : <Pill tone="warn">texts erased</Pill>}
            {state === null ? null : <Pill tone={run?.state === 'failed' ? 'bad' : 'plain'}>{state}</Pill>}
            {isUnderWay(run) && plannedFor(run) === null && !single ? <Link href={toLive(name)}>Watch live</Link> : null}
          </div>
          <ExperimentMenu summary={summary} isRunning={isUnderWay(run)} />
        </div>
        {faulty.length === 0 ? null : (
          <p className="text-13">
            Found in <FaultyTrials trials={faulty} />
          </p>
        )}
        <OutcomeBar decided={decided} failed={failed} planned={progress.planned} />
        <p className="text-13">
          {verdict === null ? (
            `${progress.done}${summary.imported ? '' : ' done'} · ${count(decided)} decided`
          ) : (
            <>
              Verdict <IsolatedSet of={verdict} />
            </>
          )}
          <FailureTally failures={failures} />
          {progress.imported}
        </p>
      </div>
    </li>
  );
}

const tabSchema = z.enum(['experiments', 'tries']);

const places = {
  listed: 'in use',
  archived: 'archived',
  removed: 'removed from the list',
} as const;
type Place = keyof typeof places;

/** The experiments of one place; the choice between places is there once some were put elsewhere. */
function Rows({ summaries: all, label }: { summaries: readonly ExperimentSummary[]; label: string }) {
  const shown = useSettings().data?.experiments ?? [];
  const [chosen, choose] = useState<Place>('listed');
  const at = Map.groupBy(all, ({ name }) => shownAs(shown, name).place);
  const elsewhere = (['listed', 'archived', 'removed'] as const).filter((place) => place === 'listed' || at.has(place));
  const place = elsewhere.includes(chosen) ? chosen : 'listed';
  const summaries = at.get(place) ?? [];
  const damaged = useDamaged(summaries.map(({ name }) => name));
  const faults = useKnownRecord()?.faults ?? [];
  const faulty = trialsByExperiment(faults);
  const faultOf = (name: string) => damaged.get(name) ?? faults.find(({ experiment }) => experiment === name)?.problem ?? null;
  return (
    <div className="stack gap-12">
      {elsewhere.length < 2 ? null : (
        <div className={styles.places}>
          <Select
            label="Show"
            value={place}
            onChange={choose}
            choices={elsewhere.map((id) => ({ id, label: `${places[id]} (${at.get(id)?.length ?? 0})` }))}
          />
        </div>
      )}
      {summaries.length === 0 ? (
        <p className="quiet">No {label.toLowerCase()} here: all are archived or removed from the list.</p>
      ) : null}
      <ul className={`stack gap-12 ${styles.rows}`} aria-label={label}>
        {summaries.map((summary) => (
          <ExperimentRow
            key={summary.name}
            summary={summary}
            fault={faultOf(summary.name)}
            faulty={faulty.get(summary.name) ?? []}
            title={listedTitle(shown, summary)}
          />
        ))}
      </ul>
    </div>
  );
}

export default function ExperimentsScreen() {
  const list = useExperiments();
  const [tab, setTab] = useSessionState('experiments-tab', tabSchema, () => 'experiments');
  const isWritable = useWritable();
  const check = useRecordCheck();
  const unreadable = useUnreadable();
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
      actions={
        isWritable ? (
          <>
            <WritingLink href={routes.importNewPredictions}>Import predictions</WritingLink>
            <WritingLink href={routes.datasets} state={forExperiment}>
              New experiment
            </WritingLink>
          </>
        ) : undefined
      }
    >
      <FailureNotice error={list.error} onRetry={list.refetch} />
      {unreadable.map(({ name, problem }) => (
        <Notice key={name} tone="bad">
          <span>
            The experiment <Isolated text={name} /> cannot be read: {problem}. Check the record to see what is wrong; the others
            are not affected.
          </span>
        </Notice>
      ))}
      {list.isPending ? <p className="quiet">Reading the record…</p> : null}
      {all.length + unreadable.length === 0 ? null : <OpenRecord check={check} />}
      {list.isSuccess ? (
        <Tabs
          selectedKey={tab}
          onSelectionChange={(key) => setTab(tabSchema.parse(key))}
          className={`stack gap-16 ${styles.tabs}`}
        >
          <TabList aria-label="Kinds" className="flex gap-4 ruled-below">
            <Tab id="experiments" className="tab">
              Experiments
            </Tab>
            <Tab id="tries" className="tab">
              Single cases
            </Tab>
          </TabList>
          <TabPanel id="experiments">
            {experiments.length === 0 ? (
              <div className="stack gap-16">
                <Empty
                  title="No experiment is on the record yet"
                  actions={
                    isWritable ? (
                      <>
                        <WritingLink href={routes.datasets} state={forExperiment}>
                          Choose cases from the data sets
                        </WritingLink>
                        <WritingLink href={routes.importNewPredictions}>Import predictions</WritingLink>
                      </>
                    ) : undefined
                  }
                >
                  An experiment tries the same cases with several arms: protocols, models, parameters. Its trials appear here
                  while they run, and stay on the record. It can also begin with the predictions of another system, or of people.
                </Empty>
                <OwnCopies />
              </div>
            ) : (
              <Rows summaries={experiments} label="Experiments" />
            )}
          </TabPanel>
          <TabPanel id="tries">
            {tries.length === 0 ? (
              <Empty
                title="No single case was tried yet"
                actions={isWritable ? <WritingLink href={routes.tryCase}>Try a case</WritingLink> : undefined}
              >
                Describe a case in your own words, ask a question, and see it argued.
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
