import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { groupName, titleIn } from '../../../core/cases/columnNames.ts';
import { countOf } from '../../../core/figures/measureScale.ts';
import { percent, roundedNote } from '../../../core/figures/shares.ts';
import { bothSubsets } from '../../../core/figures/subset.ts';
import { fewestInGroup } from '../../../core/statistics/measures/fairness.ts';
import {
  type AgreedPair,
  agreedText,
  amongText,
  byPairs,
  pairsLead,
  rightTogether,
  togetherTitle,
} from '../../../core/statistics/measures/shownAgreement.ts';
import { calibrationOrder, probabilityTexts } from '../../../core/telling/calibrationTables.ts';
import { binsText, rightShare, statedRange } from '../../../core/telling/confidenceBins.ts';
import {
  causeTexts,
  groupDifferences,
  groupRates,
  positiveIn,
  positiveTitle,
  ratedText,
  tellingColumns,
  tooFew,
  withoutPositive,
} from '../../../core/telling/groupTables.ts';
import { isWeighted } from '../../../core/telling/populationTables.ts';
import { capitalized, visibleText } from '../../../core/text/visible.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import { glossary } from '../../../shared/glossary.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { GroupStatistics, Measure, RaterAgreement } from '../../../shared/statistics.ts';
import { plainAmong } from '../../../shared/trialLine.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Isolated, Listed } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { MeasureNote, WordNote } from '../../ui/WordNote.tsx';
import { toFiltered } from '../dashboard/filter.ts';
import { ArmName, ArmParagraph, ArmParagraphs, ArmSentence, useArmNames } from './ArmNames.tsx';
import { EstimateCell } from './EstimateCell.tsx';
import { MeasuresTable } from './MeasuresTable.tsx';
import { PrevalenceTable, WeightedTable } from './PopulationTables.tsx';
import { SetsElsewhere } from './SetsElsewhere.tsx';

function ReliabilityTable({ arms, interval: { level } }: Pick<StatsReport, 'arms' | 'interval'>) {
  const rows = arms.flatMap(({ arm, reliability }) => reliability.map((bin, index) => ({ arm, index, ...bin })));
  if (rows.length === 0) return null;
  return (
    <DataTable
      label="Stated confidence and how often it was right"
      caption="Stated confidence in bins, and how often the verdicts in each were right"
      rows={rows}
      keyOf={({ arm, index }) => JSON.stringify([arm, index])}
      columns={[
        { title: 'arm', cell: ({ arm }) => <ArmName arm={arm} /> },
        { title: 'stated', number: statedRange },
        { title: 'trials', number: ({ n }) => n },
        { title: 'mean stated', number: ({ confidence }) => percent(confidence) },
        { title: 'right', number: (bin) => <EstimateCell estimate={rightShare(bin, level)} scale="share" over="trials" /> },
      ]}
    />
  );
}

function FairnessTable({ report: { arms, column_titles: titles, decided_by: by } }: { report: StatsReport }) {
  const rows = arms.flatMap(({ arm, fairness = [] }) => fairness.map((each) => ({ arm, ...each })));
  if (rows.length === 0) return null;
  return (
    <DataTable
      label="Largest differences between groups"
      caption={`Largest differences between groups, in points: 0 is equal, and above 0 on average also where groups are equal. A group with fewer than ${fewestInGroup} cases in a denominator is left out. ${roundedNote}`}
      rows={rows}
      keyOf={({ arm, attribute }) => JSON.stringify([arm, attribute])}
      columns={[
        { title: 'column', cell: ({ attribute }) => <Isolated text={titleIn(titles, attribute)} /> },
        { title: 'arm', cell: ({ arm }) => <ArmName arm={arm} /> },
        ...tellingColumns(groupDifferences, rows).map(
          ([name, over, title]): Column<(typeof rows)[number]> => ({
            title,
            note: <MeasureNote of={name} decidedBy={by} />,
            number: ({ measures }) => {
              const found = measures.find((measure) => measure.name === name && measure.over === over);
              return <EstimateCell estimate={found} scale="size" />;
            },
          }),
        ),
        {
          title: 'too few to say',
          cell: ({ arm: _arm, ...fairness }) => <TooFew groups={tooFew(fairness, titles)} />,
        },
      ]}
    />
  );
}

function TooFew({ groups }: { groups: ReturnType<typeof tooFew> }) {
  if (groups.length === 0) return 'none';
  return (
    <Listed of={groups} between="; ">
      {({ group, why }) => (
        <>
          <Isolated text={group} />
          {why}
        </>
      )}
    </Listed>
  );
}

function AgreedPairsTable({ pairs, report }: { pairs: readonly AgreedPair[]; report: StatsReport }) {
  if (pairs.length === 0) return null;
  return (
    <DataTable
      label="Agreement of two arms"
      caption={pairsLead.replace(/:$/, '.')}
      rows={pairs}
      keyOf={({ arms }) => JSON.stringify(arms)}
      columns={[
        { title: 'arms', cell: ({ arms }) => <ArmSentence text={arms.join('; ')} /> },
        { title: 'cases', number: ({ cases }) => cases },
        { title: 'agree in', number: agreedText },
        { title: 'share', number: ({ agreed }) => <EstimateCell estimate={agreed.share} scale="share" /> },
        { title: 'alpha', number: (each) => <EstimateCell estimate={each} scale="number" /> },
        ...(pairs.every((each) => rightTogether(each, report) === null)
          ? []
          : [
              {
                title: togetherTitle(report),
                number(each: AgreedPair) {
                  const found = rightTogether(each, report);
                  const estimate = found === null ? undefined : rightShare(found, report.interval.level);
                  return <EstimateCell estimate={estimate} scale="share" of={found?.n} />;
                },
              },
            ]),
      ]}
    />
  );
}

function AgreementTable({ agreement }: { agreement: readonly RaterAgreement[] }) {
  if (agreement.length === 0) return null;
  return (
    <DataTable
      label="Agreement beyond chance"
      caption="Krippendorff’s alpha: 1 is agreement everywhere, 0 is chance. It says nothing of who is right. Failures are missing."
      rows={agreement}
      keyOf={({ among, arms }) => JSON.stringify([among, arms])}
      columns={[
        { title: 'among', cell: ({ among }) => amongText[among] },
        { title: 'arms', cell: ({ arms }) => <ArmSentence text={arms.join('; ')} /> },
        { title: 'verdicts at most', number: ({ raters }) => raters },
        { title: 'cases', number: ({ cases }) => cases },
        {
          title: 'alpha, of verdicts',
          note: <WordNote term="Krippendorff's alpha" />,
          number: (each) => <EstimateCell estimate={each} scale="number" of={each.n} />,
        },
      ]}
    />
  );
}

type Group = Pick<GroupStatistics, 'attribute' | 'value'>;

const isAccuracy = ([name]: (typeof groupRates)[number]) => name === 'accuracy';
const keyOfGroup = ({ attribute, value }: Group) => JSON.stringify([attribute, value]);

function GroupTitle({ group: { attribute, value }, report }: { group: Group; report: StatsReport }) {
  return (
    <>
      <Isolated text={titleIn(report.column_titles, attribute)} />: <Isolated text={groupName(value)} />
    </>
  );
}

function RateCell({ measures, name, over }: { measures: readonly Measure[]; name: string; over: string }) {
  const found = measures.find((each) => each.name === name && each.over === over);
  const counted = found === undefined ? null : countOf(found);
  if (found === undefined || counted === null) {
    return <EstimateCell estimate={found} scale="share" of={found && ratedText(found)} />;
  }
  const of = found.cases < found.n ? `${found.n} trials, ${quantity(found.cases, 'case')}` : found.n;
  return <EstimateCell estimate={found} scale="share" count={counted} of={of} />;
}

/** In each group, how often each arm is right. */
function RightByGroup({ report }: { report: StatsReport }) {
  const names = useArmNames();
  const byArm = report.arms.map(({ arm, groups, intersections = [] }) => ({
    arm,
    groups: new Map([...groups, ...intersections].map((each) => [keyOfGroup(each), each])),
  }));
  const rows = new Map(byArm.flatMap(({ groups }) => [...groups]));
  return (
    <DataTable
      label="Right in each group"
      caption={`${capitalized(rightWords(report).accuracy)} in each group, of all finished trials: a failure counts as ${rightWords(report).not}`}
      rows={[...rows.values()]}
      keyOf={keyOfGroup}
      columns={[
        { title: 'group', cell: (group) => <GroupTitle {...{ group, report }} /> },
        ...byArm.map(
          ({ arm, groups }): Column<Group> => ({
            id: `arm ${arm}`,
            name: names.get(arm) ?? arm,
            title: <ArmName arm={arm} />,
            number: (group) => <RateCell measures={groups.get(keyOfGroup(group))?.measures ?? []} name="accuracy" over="all" />,
          }),
        ),
      ]}
    />
  );
}

function GroupsTable({ arm, report, subset }: { arm: ArmStatistics; report: StatsReport; subset: Subset }) {
  const { groups, intersections = [] } = arm;
  const name = visibleText(useArmNames().get(arm.arm) ?? arm.arm);
  const rows = [...groups, ...intersections];
  type Row = (typeof rows)[number];
  const toTrials = ({ attribute, value }: Row) =>
    toFiltered(report.experiment, {
      part: 'trials',
      subset: bothSubsets(subset, { arms: [arm.arm], groups: { [attribute]: [value] } }),
      behind: null,
    });
  return (
    <DataTable
      label={`Error rates by group: ${name}`}
      caption={`Arm ${name}`}
      rows={rows}
      keyOf={keyOfGroup}
      columns={[
        {
          title: 'group',
          cell: (row) => {
            const title = <GroupTitle group={row} report={report} />;
            return groups.includes(row) ? <Link href={toTrials(row)}>{title}</Link> : title;
          },
        },
        { title: 'decided', number: ({ n, decided }) => `${decided} of ${n}` },
        ...(rows.some(({ measures }) => positiveIn(measures) !== null)
          ? [
              {
                id: 'positive',
                title: <Isolated text={positiveTitle(report)} />,
                name: positiveTitle(report),
                number: ({ measures }: Row) => positiveIn(measures) ?? '–',
              },
            ]
          : []),
        ...tellingColumns(groupRates, rows)
          .filter((rate) => !isAccuracy(rate))
          .map(
            ([measure, over, title]): Column<Row> => ({
              title: retitled(title, report),
              note: <MeasureNote of={measure} decidedBy={report.decided_by} />,
              number: ({ measures }) => <RateCell measures={measures} name={measure} over={over} />,
            }),
          ),
      ]}
    />
  );
}

/** Everything beyond accuracy, folded until it is asked for. Arms with something exchanged or changed have separate sections. */
export function MeasuresSection({
  report: whole,
  subset,
  groupsAsked,
  onGroupsShown,
}: {
  report: StatsReport;
  subset: Subset;
  groupsAsked: boolean;
  onGroupsShown(): void;
}) {
  const groupsPart = useRef<HTMLDivElement>(null);
  const [groupsOpened, openGroups] = useState(0);
  useEffect(() => {
    if (!groupsAsked) return;
    openGroups((before) => before + 1);
    onGroupsShown();
  }, [groupsAsked, onGroupsShown]);
  useEffect(() => {
    if (groupsOpened === 0) return;
    groupsPart.current?.scrollIntoView();
    groupsPart.current?.querySelector('button')?.focus();
  }, [groupsOpened]);
  const report = { ...whole, arms: plainAmong(whole.arms) };
  const guarantee = report.arms.map(({ conformal }) => conformal?.guarantee).find((text) => typeof text === 'string');
  const cause = causeTexts(report);
  const bins = binsText([...report.arms, ...report.baselines]);
  const grouped = report.arms.some(({ groups }) => groups.length > 0);
  return (
    <Section
      title="Further measures"
      lead="Each with its n, and with its interval or the reason why it has none; how an interval was drawn is in the tip of its figure."
    >
      <ArmParagraphs texts={probabilityTexts(report)} />
      <Fold title="Labels" aside="precision, recall, F1, agreement beyond chance; of decided trials">
        <MeasuresTable report={report} group="labels" caption="Precision, recall, F1 and agreement" />
      </Fold>
      <Fold
        title="Calibration: how sure, and how rightly"
        aside="stated confidence and errors of calibration; of decided trials that stated a belief"
      >
        <p className="quiet">
          Belief: {glossary.belief} Confidence: {glossary.confidence}
        </p>
        <p className="quiet">{calibrationOrder}</p>
        <MeasuresTable report={report} group="beliefs" caption="Calibration: how sure, and how rightly" />
        <ArmParagraph className="quiet" text={bins} />
        <ReliabilityTable arms={report.arms} interval={report.interval} />
      </Fold>
      <Fold
        title="Calibration of each label"
        aside="whether beliefs are as high as outcomes are frequent; of decided trials with a distribution"
      >
        <MeasuresTable report={report} group="calibration" caption="Calibration" />
      </Fold>
      <Fold
        title="Answering only when sure"
        aside={retitled('how often the surest answers are right, and sets that hold the true label', report)}
      >
        <MeasuresTable report={report} group="declining" caption="Answering only when sure" />
        {guarantee === undefined ? null : (
          <p className="quiet">Sets are calibrated on half of the cases, drawn by lot, and tried on the others. {guarantee}</p>
        )}
        {report.arms.some(({ conformal }) => conformal !== undefined) ? <SetsElsewhere report={report} subset={subset} /> : null}
      </Fold>
      <Fold title="What deliberation did" aside="corrections, degradations, flips, what each speech moved">
        <MeasuresTable report={report} group="deliberation" caption="What deliberation did" />
      </Fold>
      <Fold title="How trials ended" aside="shares of failures, of forfeited turns, and of verdicts against the own belief">
        <MeasuresTable report={report} group="ends" caption="How trials ended" />
      </Fold>
      {report.agreement === undefined || report.agreement.length === 0 ? null : (
        <Fold title="Agreement among verdicts" aside="of arms, of replicates, and of the judges within a trial">
          <AgreementTable agreement={byPairs(report.agreement).sets} />
          <AgreedPairsTable pairs={byPairs(report.agreement).pairs} report={report} />
        </Fold>
      )}
      {report.arms.some(isWeighted) ? (
        <Fold title="Weighted" aside="of the population that the cases were sampled from">
          <WeightedTable {...report} />
        </Fold>
      ) : null}
      {report.positive === null ? null : (
        <Fold title="At another prevalence" aside="where the positive label is rarer or more frequent than here">
          <PrevalenceTable report={report} subset={subset} positive={report.positive} />
        </Fold>
      )}
      {grouped ? (
        <div ref={groupsPart}>
          <Fold
            key={groupsOpened}
            defaultExpanded={groupsOpened > 0}
            title="Rates by group"
            aside={
              report.positive === null
                ? 'how often each arm is right for each value of a column'
                : retitled(
                    'how often each arm is right for each value of a column; a false positive is a wrong verdict for the positive label',
                    report,
                  )
            }
          >
            <RightByGroup report={report} />
            {report.positive === null ? null : (
              <p className="pt-12">
                Selected means that the verdict is <Isolated text={report.positive} />. A failure is a trial without a verdict.
              </p>
            )}
            {report.arms.map((arm) =>
              arm.groups.length === 0 ? null : <GroupsTable key={arm.arm} {...{ arm, report, subset }} />,
            )}
            <FairnessTable report={report} />
            {report.positive === null ? <p className="quiet">{withoutPositive}</p> : null}
            {cause === null ? null : (
              <p className="quiet">
                {cause.limit} {cause.advice}
              </p>
            )}
          </Fold>
        </div>
      ) : null}
    </Section>
  );
}
