import { Fragment, lazy, Suspense, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { bothSubsets, isEverything } from '../../../core/figures/subset.ts';
import { isOneTrial } from '../../../core/telling/forReaders.ts';
import { detailText, eventText, lostEnds, lostEndText } from '../../../core/telling/runEvents.ts';
import { isUnderWay, type Run } from '../../../shared/api/engine.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { energyWords } from '../../../shared/energy.ts';
import { useConnection } from '../../api/ApiContext.tsx';
import { useWrittenElsewhere } from '../../app/engineStatus.ts';
import { experimentsCrumb } from '../../app/routes.ts';
import { useSettings } from '../../app/theme.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { secondText } from '../../ui/moments.ts';
import { DemoBanner, FailureNotice, Notice, Unread } from '../../ui/Notice.tsx';
import { Pill } from '../../ui/Pill.tsx';
import { timeOfDay } from '../../ui/PlanAt.tsx';
import { quantity } from '../../ui/quantity.ts';
import { AfterFirst, LongHeading, Screen } from '../../ui/Screen.tsx';
import { Section } from '../../ui/Section.tsx';
import { conditionsOf, narrowedByName } from '../dashboard/conditions.ts';
import dashboard from '../dashboard/Dashboard.module.css';
import { FilterBar } from '../dashboard/FilterBar.tsx';
import {
  behindText,
  countedText,
  type DashboardFilter,
  type Part,
  parseFilter,
  stateOf,
  toFiltered,
  withinSubset,
} from '../dashboard/filter.ts';
import { ErasedNotice } from '../erasing/ErasedNotice.tsx';
import { CopiedFrom } from '../recordCheck/CopyOfYourOwn.tsx';
import { ArmNamesProvider } from './ArmNames.tsx';
import { AssistantSection } from './AssistantSection.tsx';
import { CasesSection } from './CasesSection.tsx';
import { ComparisonsTable } from './ComparisonsTable.tsx';
import { DamageNotice } from './DamageNotice.tsx';
import { ExperimentHeading } from './ExperimentHeading.tsx';
import { ExperimentMenu } from './ExperimentMenu.tsx';
import { useLiveExperiment } from './experimentQueries.ts';
import { HiddenResults, StatisticsPart, StatisticsProgress } from './Finding.tsx';
import { armsOfPart, isOpen, stateText } from './outcomes.ts';
import { RunPanel } from './RunPanel.tsx';
import { titleOf } from './shownExperiments.ts';
import { TrialsSection } from './TrialsSection.tsx';
import { type Filter, noFilter } from './trialFilter.ts';
import { type Statistics, useCounts, useStatistics } from './useStatistics.ts';
import { WhoAnswered } from './WhoAnswered.tsx';

/** Starts, pauses and ends of runs. They are outside the trials' chains, so that a resumed trial equals an uninterrupted one. */
function RunLog({ view: { log, energy, summary, definition }, underWay }: { view: ExperimentView; underWay: boolean }) {
  const ends = lostEnds(log.toReversed());
  const isLost = (index: number) => {
    const end = ends.get(log.length - 1 - index);
    return end === 'broke' || (end === 'open' && !underWay);
  };
  const notes = log.length === 0 ? [] : [log.length === 200 ? 'the last 200 notes' : quantity(log.length, 'note')];
  const hasRun = summary.running + summary.done > Object.values(summary.imported_outcomes).reduce((sum, n) => sum + n, 0);
  return (
    <Fold title="History of the runs" aside={[...notes, `seed ${definition.seed}`].join(', ')} level={2}>
      {log.length === 0 ? (
        <p className="quiet">
          {hasRun
            ? 'Only the store that made the runs has it: bundles, copies and joined stores do not carry it.'
            : 'No run has begun.'}
        </p>
      ) : (
        <ol className="stack gap-4">
          {energy === undefined ? null : <li>GPU energy of all runs: {energyWords(energy)}.</li>}
          {log.map(({ at, event, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two entries can be equal in all their parts
            <Fragment key={index}>
              {isLost(index) ? (
                <li>
                  After {secondText(at)}: {lostEndText}
                </li>
              ) : null}
              <li>
                <time dateTime={at} className="mono-12-5">
                  {secondText(at)}
                </time>{' '}
                {eventText(event, detail)} <span className="quiet">{detailText({ event, detail }, timeOfDay)}</span>
              </li>
            </Fragment>
          ))}
        </ol>
      )}
    </Fold>
  );
}

function useFilter(
  experiment: string,
): [DashboardFilter, (change: Partial<DashboardFilter>, options?: { replace?: boolean }) => void] {
  // As in the address: the router has undone a part of the escapes.
  const [address] = useHashLocation();
  const [, navigate] = useLocation();
  const look = useMemo(() => {
    const [, , , part, state] = address.split('/');
    return parseFilter(part, state);
  }, [address]);
  return [look, (change, options) => navigate(toFiltered(experiment, { ...look, ...change }), options)];
}

const ComparePart = lazy(() => import('../compare/ComparePart.tsx'));
const FiguresPart = lazy(() => import('../dashboard/FiguresPart.tsx'));

const partTitles: Readonly<Record<Part, string>> = {
  overview: 'Overview',
  figures: 'Figures',
  compare: 'Compare',
  trials: 'Trials',
};

/** Parts of the screen as addresses; the filter goes along. */
function Parts({ experiment, look }: { experiment: string; look: DashboardFilter }) {
  return (
    <nav className={`flex flex-wrap gap-4 ruled-below ${dashboard.parts}`} aria-label="Parts of the experiment">
      {(Object.keys(partTitles) as Part[]).map((part) => (
        <Link
          key={part}
          className="tab"
          href={toFiltered(experiment, { ...look, part, behind: null })}
          aria-current={look.part === part ? 'page' : undefined}
        >
          {partTitles[part]}
        </Link>
      ))}
    </nav>
  );
}

export default function ExperimentScreen({ experiment }: { experiment: string }) {
  const { view, run, failure } = useLiveExperiment(experiment);
  const isConnected = useConnection().state === 'ready';
  const settings = useSettings();
  const writtenElsewhere = useWrittenElsewhere();
  if (view.data === undefined) {
    return (
      <Screen
        title={experiment}
        heading={
          <LongHeading crumbs={[experimentsCrumb]} here={experiment} question={null}>
            {null}
          </LongHeading>
        }
        slim
      >
        <Unread of={view} words="Reading the record…" />
      </Screen>
    );
  }
  const { summary } = view.data;
  const state = isConnected ? stateText({ ...summary, run }, writtenElsewhere) : 'state not known';
  const title = titleOf(settings.data?.experiments ?? [], experiment);
  const invented = summary.standin || (run !== null && isUnderWay(run) && run.backend === 'standin');
  return (
    <Screen
      title={title}
      pills={state === null ? undefined : <Pill tone={run?.state === 'failed' ? 'bad' : 'plain'}>{state}</Pill>}
      actions={<ExperimentMenu summary={summary} isRunning={isUnderWay(run)} isWide />}
      heading={<ExperimentHeading view={view.data} title={title} />}
      slim
    >
      <div className="stack gap-22 max-w-wide">
        {invented ? (
          <DemoBanner
            more={view.data.arms.some(({ change }) => change !== null) ? ', and does not follow the sense of words' : ''}
          />
        ) : null}
        <DamageNotice experiment={experiment} />
        <ErasedNotice erased={summary.erased} of="experiment" />
        <FailureNotice error={failure} />
        <Looked experiment={experiment} view={view.data} run={run} />
      </div>
    </Screen>
  );
}

/** The part of the experiment that the address names, over the trials that the filter leaves. */
function Looked({ experiment, view, run }: { experiment: string; view: ExperimentView; run: Run | null }) {
  const [look, change] = useFilter(experiment);
  const { part, list = noFilter } = look;
  const underWay = isUnderWay(run);
  const writtenElsewhere = useWrittenElsewhere();
  const whole = useCounts(experiment).data;
  const statistics = useStatistics(experiment, underWay, look.subset, view.definition.primary !== undefined);
  const { report, subset } = statistics;
  // An address can ask for a mark of a figure, which is a result.
  const behind = statistics.isHidden ? null : look.behind;
  const isPart = !isEverything(subset);
  const arms = isPart && report !== undefined ? armsOfPart(view.arms, report) : view.arms;
  const trials = report?.arms.reduce((sum, { n }) => sum + n, 0) ?? null;
  const { summary, definition } = view;
  const onList = (filter: Filter, replace = false) => change({ list: filter }, { replace });
  const trialList =
    list.rows === 'cases' && behind === null ? (
      <CasesSection
        view={view}
        titles={whole?.column_titles}
        subset={subset}
        filter={list}
        isHidden={statistics.isHidden}
        underWay={underWay}
        onFilter={onList}
        from={toFiltered(experiment, { ...look, part: 'trials' })}
      />
    ) : (
      <TrialsSection
        key={behind === null ? 'all' : JSON.stringify(behind)}
        view={view}
        whole={whole}
        underWay={underWay}
        within={withinSubset(behind?.trials ?? {}, subset)}
        filter={list}
        isHidden={statistics.isHidden}
        onFilter={onList}
        state={stateOf({ ...look, part: 'trials' })}
        mark={
          behind === null
            ? null
            : {
                words: `${behind.title}: ${behindText(behind.trials)}`,
                counted: (listed) => countedText(behind.trials.counts, listed),
                back: toFiltered(experiment, { part: 'figures', subset, behind: { ...behind, trials: {} } }),
                clear: () => change({ behind: null }),
              }
        }
      />
    );
  return (
    <ArmNamesProvider arms={view.arms.map(({ name }) => name)} speeches={report?.speech_names}>
      <Parts experiment={experiment} look={look} />
      <FilterBar
        view={view}
        whole={whole}
        subset={subset}
        trials={trials}
        isHidden={statistics.isHidden}
        onChange={(changed) => change({ subset: changed, behind: null })}
      />
      {part === 'overview' ? (
        <>
          {definition.arms.length === 0 ? null : <RunPanel summary={summary} run={run} of={view} />}
          <StatisticsPart
            experiment={experiment}
            arms={arms}
            definition={definition}
            statistics={statistics}
            subset={subset}
            run={run}
          />
          {statistics.isAwaited ? null : (
            <AfterFirst>
              <AssistantSection experiment={experiment} underWay={underWay} />
              {trialList}
              {view.adopted === undefined ? null : (
                <Section title="Where it came from">
                  <CopiedFrom adopted={view.adopted} />
                </Section>
              )}
              <WhoAnswered experiment={experiment} />
              <RunLog view={view} underWay={underWay || writtenElsewhere} />
            </AfterFirst>
          )}
        </>
      ) : null}
      {part === 'figures' ? (
        <>
          <StatisticsProgress statistics={statistics} underWay={underWay} />
          {statistics.isHidden ? null : trials === 0 ? (
            <NothingToDraw isPart={isPart} />
          ) : (
            <Suspense fallback={<p className="quiet">Drawing…</p>}>
              <FiguresPart
                experiment={experiment}
                view={view}
                report={statistics.drawable}
                reportError={statistics.error}
                subset={subset}
                soFar={underWay}
                back={behind?.figure ?? null}
                onTrials={(trialsBehind, { id, title }) =>
                  change({ part: 'trials', behind: { trials: trialsBehind, figure: id, title }, list: noFilter })
                }
                onNarrow={(narrowed) => change({ subset: bothSubsets(subset, narrowed), behind: null })}
                onLegend={(name) => {
                  const narrowed = narrowedByName(
                    name,
                    conditionsOf(view, whole, subset, (outcome) => outcome),
                  );
                  if (narrowed !== null) change({ subset: narrowed, behind: null });
                }}
              />
            </Suspense>
          )}
        </>
      ) : null}
      {part === 'compare' ? (
        <>
          <StatisticsProgress statistics={statistics} underWay={underWay} />
          {statistics.isHidden ? null : (
            <Suspense fallback={<p className="quiet">Drawing…</p>}>
              <ComparePart
                experiment={experiment}
                view={view}
                report={statistics.isFound ? (report ?? null) : null}
                subset={subset}
                soFar={underWay || isOpen(summary)}
                asked={look.pair ?? null}
                onChoose={(pair) => change({ pair }, { replace: true })}
              />
            </Suspense>
          )}
          <Comparisons experiment={experiment} statistics={statistics} />
        </>
      ) : null}
      {part === 'trials' ? (
        <>
          {statistics.isHidden && report !== undefined ? <HiddenResults report={report} onShow={statistics.compute} /> : null}
          {trialList}
        </>
      ) : null}
    </ArmNamesProvider>
  );
}

/** Why no figure has anything, said once: what each of them would say is about experiments that have trials. */
function NothingToDraw({ isPart }: { isPart: boolean }) {
  return isPart ? (
    <Notice tone="plain">No finished trial meets every condition of the filter. Take one out to see figures.</Notice>
  ) : (
    <Notice tone="plain">No trial has ended yet: figures are drawn from finished trials.</Notice>
  );
}

function Comparisons({ experiment, statistics }: { experiment: string; statistics: Statistics }) {
  const { report, isFound } = statistics;
  return (
    <>
      {isFound && report !== undefined && report.comparisons.length > 0 ? (
        <ComparisonsTable experiment={experiment} report={report} />
      ) : null}
      {isFound && report?.comparisons.length === 0 ? (
        <p className="quiet">
          {isOneTrial(report)
            ? report.finding.sentence
            : 'There is nothing to compare: it takes two arms, or an arm and a baseline, over cases with a known truth.'}
        </p>
      ) : null}
    </>
  );
}
