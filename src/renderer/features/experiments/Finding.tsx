import { useState } from 'react';
import { Link } from 'wouter';
import { ownProbabilityText } from '../../../core/imported/ownProbability.ts';
import { lackText, unlabelledText } from '../../../core/statistics/caseCoverage.ts';
import { trustTexts } from '../../../core/telling/calibrationTables.ts';
import { isAdvice } from '../../../core/telling/cells.ts';
import { changeDetails, mainTexts } from '../../../core/telling/changeTables.ts';
import { hasNoGroups, noGroupsText } from '../../../core/telling/fairnessFinding.ts';
import {
  baselineColumnTexts,
  constantTexts,
  errorPieces,
  firstAnswerTexts,
  missingBaselineTexts,
  triedAgainTexts,
} from '../../../core/telling/findingTexts.ts';
import type { FairnessPart } from '../../../core/telling/groupCalibration.ts';
import { groupFindings } from '../../../core/telling/groupFindings.ts';
import { fitTexts, mostPairs, pairDetails, pairModels, pairTexts } from '../../../core/telling/pairSentences.ts';
import { selectionText } from '../../../core/telling/populationTables.ts';
import { swapFinding } from '../../../core/telling/swapTables.ts';
import { missingTexts } from '../../../core/telling/unsettledPart.ts';
import { isUnderWay, type Run } from '../../../shared/api/engine.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { accuracyNote, hasTruths, rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../../shared/sizes.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { HiddenText, Isolated, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Section.tsx';
import { toFiltered } from '../dashboard/filter.ts';
import { ArmParagraph, ArmParagraphs, ArmSentence } from './ArmNames.tsx';
import { ArmsTable } from './ArmsTable.tsx';
import { CausesSection, TurnsSection } from './CausesSection.tsx';
import { ChangesSection } from './ChangesSection.tsx';
import { ComparisonsTable } from './ComparisonsTable.tsx';
import { CounterbalanceSection } from './CounterbalanceSection.tsx';
import styles from './Experiment.module.css';
import { FactsSection } from './FactsSection.tsx';
import { MeasuresSection } from './MeasuresSection.tsx';
import { PrimaryPart } from './PrimaryPart.tsx';
import { noFilter } from './trialFilter.ts';
import type { Statistics } from './useStatistics.ts';

/** Why only counts are there, and what shows the rest. */
export const HiddenResults = ({ report, onShow }: { report: Pick<StatsReport, 'decided_by'>; onShow: () => void }) => (
  <Notice tone="plain">
    <span>
      How often verdicts <Isolated text={rightWords(report).are} />, figures and comparisons are hidden until the planned end,
      because a comparison was decided beforehand. Each look on this screen is counted and reported, and each by a command while
      no run is under way. Watching the progress of the run is no look. Single trials can be opened, and say whether they{' '}
      <Isolated text={rightWords(report).are} />; that is not counted.
    </span>
    <Button size="small" onPress={onShow}>
      Show results so far
    </Button>
  </Notice>
);

/** How far the figures are that take their time, and what stops or starts them. */
export function StatisticsProgress({
  statistics,
  underWay,
}: {
  statistics: Pick<Statistics, 'report' | 'isComputing' | 'isHidden' | 'isWhole' | 'progress' | 'stop' | 'compute'>;
  underWay: boolean;
}) {
  const { isComputing, isHidden, isWhole, progress, stop, compute } = statistics;
  if (statistics.report === undefined) return null;
  if (isHidden) return <HiddenResults report={statistics.report} onShow={compute} />;
  if (isComputing) {
    const share = progress?.share ?? 0;
    return (
      <div className={`row gap-6-14 ${styles.computing}`}>
        <progress max={1} value={share} aria-label="Computing intervals and comparisons" />
        <p className="quiet">
          Computing intervals and comparisons
          {progress === null ? null : (
            <>
              , <Isolated text={progress.what} />
            </>
          )}
          …
        </p>
        <Button size="small" onPress={stop}>
          Stop computing
        </Button>
      </div>
    );
  }
  if (isWhole && !underWay) return null;
  return (
    <div className={`row gap-6-14 ${styles.computing}`}>
      <p className="quiet">
        {isWhole
          ? 'Intervals, baselines and comparisons cover the trials that had ended when they were computed.'
          : underWay
            ? 'Accuracies have their intervals already. Those of other measures, baselines and comparisons are computed when the run is over.'
            : 'Accuracies have their intervals. Those of other measures, baselines and comparisons are not computed.'}
      </p>
      <Button size="small" onPress={compute}>
        Compute them now
      </Button>
    </div>
  );
}

/** Lines of differences between groups that are in view; the smaller ones are folded away. */
const fairnessLines = 12;

function FairnessLines({ heading, lines, fold }: FairnessPart) {
  const list = (some: readonly string[]) => (
    <ul className={`stack gap-4 ${styles.differences}`}>
      {some.map((line) => (
        <li key={line}>
          <ArmSentence text={`${line}.`} />
        </li>
      ))}
    </ul>
  );
  const inView = fold === undefined ? fairnessLines : 0;
  const more = lines.slice(inView);
  return (
    <div className="stack gap-4 max-w-90ch">
      <ArmParagraph text={heading} />
      {lines.length === more.length ? null : list(lines.slice(0, inView))}
      {more.length === 0 ? null : <Fold title={fold ?? `${more.length} more`}>{list(more)}</Fold>}
    </div>
  );
}

/** The main sentences; that a part shows no finding is said by the filter. */
function MainFinding({ report }: { report: StatsReport }) {
  const { sentence } = report.finding;
  const pairs = [...pairTexts(report).slice(0, mostPairs), ...pairModels(report)];
  const texts = mainTexts(report, missingTexts(report), pairs).filter(
    (text) => text !== sentence || report.part === undefined || report.damage !== undefined,
  );
  return (
    <div className="stack gap-4">
      {texts.map((text) => (
        <ArmParagraph
          key={text}
          {...(text === sentence ? { role: 'status', className: styles.findingSentence } : {})}
          text={text}
        />
      ))}
    </div>
  );
}

/** What each arm answered for each label that is the true one. */
const ErrorTable = ({ report }: { report: StatsReport }) =>
  errorPieces(report).map((piece) =>
    typeof piece === 'string' ? (
      piece !== '' && <Paragraph key={piece} text={piece} />
    ) : isAdvice(piece) ? null : (
      <DataTable
        key="errors"
        label="Answers of each arm by the label"
        rows={piece.rows}
        keyOf={(row) => row.slice(0, 2).join(' ')}
        columns={piece.head.map((title, place) => {
          const cell = (row: readonly string[]) => (
            <bdi>{place === 0 ? <ArmSentence text={row[0] ?? ''} /> : <HiddenText text={row[place] ?? ''} />}</bdi>
          );
          return { id: title, title: <HiddenText text={title} />, ...(place < 2 ? { cell } : { number: cell }) };
        })}
      />
    ),
  );

/** What else is said of the arms: of single labels, of their probabilities and of groups. */
function FindingNote({ report, subset, onGroups }: { report: StatsReport; subset: Subset; onGroups(): void }) {
  const fairness = groupFindings(report);
  const against = ownProbabilityText(report.arms, report);
  const selection = selectionText(report);
  const { arms, finding, contamination, notes } = report;
  const trust = [...trustTexts(report), ...fitTexts(report)];
  const textsOf = (found: boolean) => trust.filter(({ isFound }) => isFound === found).map(({ text }) => text);
  const unfound = textsOf(false);
  const [pairs, details] = [pairTexts(report).slice(mostPairs), pairDetails(report)];
  const onPairs = [
    ...(pairs.length === 0 ? [] : ['further pairs']),
    ...(details.length === 0 ? [] : ['intervals, and how many cases would show a difference']),
  ];
  const lacks = arms.flatMap(({ arm, cases }) => {
    const lacked = cases === undefined ? null : lackText(cases);
    return lacked === null ? [] : [`${arm} ${lacked}.`];
  });
  return (
    <div className="stack gap-4">
      <ErrorTable report={report} />
      {onPairs.length === 0 ? null : (
        <Fold title="More on the pairs of arms" aside={onPairs.join('; ')}>
          <div className="stack gap-4">
            <ArmParagraphs className="max-w-90ch" texts={[...pairs, ...details]} />
          </div>
        </Fold>
      )}
      <ArmParagraphs
        className="max-w-90ch"
        texts={[
          ...changeDetails(report),
          ...constantTexts(report),
          ...(selection === null ? [] : [selection]),
          ...textsOf(true),
          ...firstAnswerTexts(report),
          ...triedAgainTexts(report),
          ...swapFinding(report),
        ]}
      />
      {arms.some(({ repeated }) => repeated !== undefined && repeated.differed > 0) ? (
        <p>
          <Link
            href={toFiltered(report.experiment, {
              ...{ part: 'trials', subset, behind: null },
              list: { ...noFilter, queue: 'repeats-differ', order: 'case' },
            })}
          >
            The trials of cases that did not end the same way each time
          </Link>
        </p>
      ) : null}
      {unfound.length === 0 ? null : (
        <Fold title={`${quantity(unfound.length, 'sentence')} on the probabilities: no fault or difference is shown`}>
          <div className="stack gap-4">
            <ArmParagraphs className="max-w-90ch" texts={unfound} />
          </div>
        </Fold>
      )}
      <ArmParagraph className="max-w-90ch" text={against} />
      {report.labels.length === 0 || !hasTruths(report) ? null : (
        <Paragraph className="muted" text={accuracyNote(report.decided_by)} />
      )}
      {hasNoGroups(report) ? <p className="muted">{noGroupsText}</p> : null}
      {arms.every(({ groups }) => groups.length === 0) ? null : (
        <p>
          <Button size="small" onPress={onGroups}>
            Show how often each arm is right in each group
          </Button>
        </p>
      )}
      {fairness.map((part) => (
        <FairnessLines key={part.heading} {...part} />
      ))}
      <Paragraph className="muted" text={contamination?.text} />
      <Fold title="How this was found" level={3}>
        <div className="stack gap-6 muted max-w-90ch">
          <ArmParagraphs
            texts={[
              ...notes,
              ...(notes.some((note) => note.endsWith(finding.rule)) ? [] : [finding.rule]),
              ...lacks,
              ...baselineColumnTexts(report),
              ...missingBaselineTexts(report),
            ]}
          />
        </div>
      </Fold>
    </div>
  );
}

const FindingToCome = () => (
  <div className={styles.findingToCome}>
    <p className="quiet">The finding is computed first, then the other intervals.</p>
  </div>
);

/** In the place of a section that is computed at last. */
const ToCome = ({ title, what }: { title: string; what: string }) => (
  <Section title={title}>
    <p className="quiet">{what}</p>
  </Section>
);

/** What came out, the finding first: arms and baselines, how they compare, and what else can be measured. */
export function StatisticsPart({
  experiment,
  arms,
  definition,
  statistics,
  subset,
  run,
}: {
  experiment: string;
  subset: Subset;
  /** With the counts of the trials that are shown. */
  arms: ExperimentView['arms'];
  definition: ExperimentView['definition'];
  statistics: Statistics;
  run: Run | null;
}) {
  const underWay = isUnderWay(run);
  const { report, isFound, isWhole, isComputing, error, retry } = statistics;
  const [groupsAsked, askForGroups] = useState(false);
  const toCome = isComputing && !isWhole;
  if (statistics.isAwaited) return <FindingToCome />;
  const unlabelled = report === undefined ? null : unlabelledText(report);
  return (
    <>
      {statistics.isHidden && report !== undefined ? <HiddenResults report={report} onShow={statistics.compute} /> : null}
      <Paragraph className="quiet" text={unlabelled} />
      {report === undefined ? <p className="quiet">&nbsp;</p> : <PrimaryPart report={report} />}
      <Section title="Arms">
        {isFound && report !== undefined ? <MainFinding report={report} /> : null}
        {isComputing && !isFound ? <FindingToCome /> : null}
        <FailureNotice error={error} onRetry={retry} />
        {statistics.isHidden ? null : <StatisticsProgress statistics={statistics} underWay={underWay} />}
        <ArmsTable arms={arms} definition={definition} report={report} run={run} />
        {isFound && report !== undefined ? (
          <FindingNote report={report} subset={subset} onGroups={() => askForGroups(true)} />
        ) : null}
      </Section>
      {isFound && report !== undefined && report.comparisons.length > 0 ? (
        <ComparisonsTable experiment={experiment} report={report} />
      ) : null}
      {isFound && report !== undefined && report.swaps.length > 0 ? (
        <CounterbalanceSection experiment={experiment} report={report} />
      ) : null}
      {toCome && report?.swaps.length === 0 && arms.some(({ swap }) => swap !== null) ? (
        <ToCome title="Counterbalancing" what="Flip rates come after the comparisons." />
      ) : null}
      {isFound && report?.changes !== undefined ? <ChangesSection experiment={experiment} report={report} /> : null}
      {isFound ? report?.facts?.map((each) => <FactsSection key={each.arm} of={each} />) : null}
      {isFound && report?.speech_worth !== undefined ? <CausesSection speeches={report.speech_worth} /> : null}
      {isFound && report?.turn_effects !== undefined ? <TurnsSection turns={report.turn_effects} /> : null}
      {toCome && report?.changes === undefined && arms.some(({ change }) => change !== null) ? (
        <ToCome title="Declared changes" what="They are compared after the comparisons of arms." />
      ) : null}
      {isFound && report !== undefined ? (
        <MeasuresSection report={report} subset={subset} groupsAsked={groupsAsked} onGroupsShown={() => askForGroups(false)} />
      ) : null}
    </>
  );
}
