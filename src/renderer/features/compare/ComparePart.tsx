import { ArrowLeftRight } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { isEverything, subsetText } from '../../../core/figures/subset.ts';
import { comparisonToCome } from '../../../core/statistics/measures/intervalsToCome.ts';
import { isDecidedPair } from '../../../core/statistics/measures/primaryText.ts';
import { modelsText, nothingKnown } from '../../../core/telling/pairSentences.ts';
import { exploratoryPairText } from '../../../core/telling/primaryPart.ts';
import { missesText } from '../../../core/telling/sharedMisses.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { Compared, Standing } from '../../../shared/api/compared.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import { demoMark } from '../../../shared/demoModel.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { comparisonsForestFigure } from '../../charts/figures/comparisonsForest.ts';
import { FigureFrame, useDrawn } from '../../charts/kit/FigureFrame.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenText, Isolated, Paragraph } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { Select } from '../../ui/Select.tsx';
import { useDebounced } from '../../ui/useDebounced.ts';
import { toFiltered } from '../dashboard/filter.ts';
import { recordedTrials, shownSources } from '../dashboard/shownSources.ts';
import { useArmNames } from '../experiments/ArmNames.tsx';
import { AllPairs } from '../experiments/DifferingCases.tsx';
import { DecidedSection } from '../experiments/PrimaryPart.tsx';
import { noFilter } from '../experiments/trialFilter.ts';
import { CasesPart } from './CasesPart.tsx';
import { ChangeSection } from './ChangeSection.tsx';
import styles from './Compare.module.css';
import { type CaseFilter, partOf, useCompared, useComparison, usualFilter } from './compareQueries.ts';
import { fewWords, inReport, mostlyText, pairedCases, standingText, verdictAsText } from './compareText.ts';
import { DifferenceScale, DifferencesTable } from './Differences.tsx';
import { baseOf, changedFirst, isOfImported, type Pair, wholePair } from './pair.ts';
import { Tests } from './Tests.tsx';

/** With replicates a case is not simply right or not. */
const byFrequency = ['both_right', 'a_only', 'b_only', 'equally', 'both_wrong'] as const;

/** McNemar's table: on how many cases both, one or none is right, or who is right more often. Each count leads to its cases. */
function OutcomeTable({ pair, compared, onShow }: { pair: Pair; compared: Compared; onShow: (standing: Standing) => void }) {
  const { counts, replicated } = compared;
  const words = rightWords(compared);
  const cell = (standing: Standing) => (
    <td key={standing} className={standing === 'a_only' || standing === 'b_only' ? 'sunken' : undefined}>
      {counts[standing] === 0 ? (
        <span className="muted">0</span>
      ) : (
        <Button
          size="small"
          onPress={() => onShow(standing)}
          aria-label={`${quantity(counts[standing], 'case')}: ${standingText(standing, pair, compared)}; list them`}
        >
          {counts[standing]}
        </Button>
      )}
    </td>
  );
  const of = (who: string, word: string) => (
    <>
      <Isolated text={who} /> {word}
    </>
  );
  const rows: readonly { head: ReactNode; standings: readonly Standing[] }[] = replicated
    ? byFrequency.map((each) => ({ head: <Isolated text={standingText(each, pair, compared)} />, standings: [each] }))
    : [
        { head: of(pair.a, words.right), standings: ['both_right', 'a_only'] },
        { head: of(pair.a, words.wrong), standings: ['b_only', 'both_wrong'] },
      ];
  return (
    <table className={styles.outcomes}>
      <caption className="quiet">{`Cases by who ${words.is}${replicated ? ' more often' : ''}`}</caption>
      {replicated ? null : (
        <thead>
          <tr>
            <td />
            <th scope="col">{of(pair.b, words.right)}</th>
            <th scope="col">{of(pair.b, words.wrong)}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ head, standings }) => (
          <tr key={standings[0]}>
            <th scope="row">{head}</th>
            {standings.map(cell)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const idOf = (name: string, baseline: boolean) => JSON.stringify([name, baseline]);

function PairChoice({
  pair,
  arms,
  baselines,
  invented,
  isOrdered,
  onChoose,
}: {
  pair: Pair;
  /** A changed arm is always before the unchanged one. */
  isOrdered: boolean;
  arms: readonly string[];
  baselines: readonly string[];
  /** Arms in which the demo model answered. */
  invented: readonly string[];
  onChoose: (pair: Pair) => void;
}) {
  const names = useArmNames();
  const shown = (name: string) => `${names.get(name) ?? name}${demoMark(invented.includes(name))}`;
  const first = arms.map((name) => ({ id: name, label: shown(name), disabled: !pair.baseline && name === pair.b }));
  const others = [...arms.map((b) => ({ b, baseline: false })), ...baselines.map((b) => ({ b, baseline: true }))];
  const second = others.map(({ b, baseline }) => ({
    ...{ id: idOf(b, baseline), disabled: !baseline && b === pair.a },
    label: baseline ? `${b} (baseline)` : shown(b),
  }));
  const chooseSecond = (id: string) => {
    const chosen = others.find(({ b, baseline }) => idOf(b, baseline) === id);
    if (chosen !== undefined) onChoose({ ...pair, ...chosen });
  };
  return (
    <div className="off-paper stack gap-6">
      <div className={`flex flex-wrap gap-10 items-end ${styles.choice}`}>
        <Select label="Compare" choices={first} value={pair.a} onChange={(a) => onChoose({ ...pair, a })} />
        {isOrdered ? null : (
          <Button
            icon={ArrowLeftRight}
            aria-label="Exchange the two"
            isDisabled={pair.baseline}
            onPress={() => onChoose({ a: pair.b, b: pair.a, baseline: false })}
          />
        )}
        <Select label="with" choices={second} value={idOf(pair.b, pair.baseline)} onChange={chooseSecond} />
      </div>
      {isOrdered ? <p className="quiet">A changed arm is always listed before the arm that it changes.</p> : null}
    </div>
  );
}

interface Properties {
  readonly experiment: string;
  readonly view: ExperimentView;
  /** With comparisons; null while they are computed. */
  readonly report: StatsReport | null;
  /** The part of the trials that is shown; the pair alone names the arms. */
  readonly subset: Subset;
  readonly soFar: boolean;
  /** What the address says; null where it says nothing. */
  readonly asked: Pair | null;
  onChoose(pair: Pair): void;
}

function Chosen({
  experiment,
  view,
  report,
  subset,
  soFar,
  pair,
}: Pick<Properties, 'experiment' | 'view' | 'report' | 'subset' | 'soFar'> & { pair: Pair }) {
  const [filter, setFilter] = useState<CaseFilter>(usualFilter);
  const search = useDebounced(filter.search, 250);
  const reading = useCompared(experiment, pair, subset, { ...filter, search });
  const drawn = useComparison(experiment, pair, subset, reading.data !== undefined && pairedCases(reading.data) > 0);
  const cases = useRef<HTMLDivElement>(null);
  const names = useArmNames();
  if (reading.data === undefined) {
    return reading.isError ? <FailureNotice error={reading.error} /> : <p className="quiet">Comparing…</p>;
  }
  const compared = reading.data;
  const reported = inReport(report, pair);
  const shown = {
    ...pair,
    a: names.get(pair.a) ?? pair.a,
    b: pair.baseline ? pair.b : (names.get(pair.b) ?? pair.b),
  };
  const ofPair = drawn.data?.comparison ?? comparisonToCome(compared.comparison);
  const changes = pair.baseline ? null : <ChangeSection experiment={experiment} {...{ view, report, pair, subset }} />;
  if (pairedCases(compared) === 0)
    return (
      <>
        <Section title="The difference">
          <p role="status">
            {soFar ? 'So far: ' : ''}
            {nothingKnown} So it is not known which of them is right more often.
          </p>
        </Section>
        {changes}
        {pair.baseline ? null : (
          <Section title="Cases side by side" lead="What each decided, whether the verdicts differ or not.">
            <AllPairs
              query={{ experiment, base: pair.b, swapped: pair.a, subset: partOf(subset), all: true }}
              names={{ base: shown.b, swapped: shown.a }}
            />
          </Section>
        )}
      </>
    );
  const comparison = { ...(reported ?? ofPair), a: shown.a, b: shown.b };
  const toCases = (standings: readonly Standing[]) => {
    setFilter({ ...usualFilter, standings });
    cases.current?.scrollIntoView({ block: 'start' });
    cases.current?.focus({ preventScroll: true });
  };
  const apart = usualFilter.standings.reduce((sum, standing) => sum + compared.counts[standing], 0);
  const primary = report?.primary && isDecidedPair(report.primary, pair) ? report.primary : null;
  const few = fewWords(pairedCases(compared));
  const verdict = verdictAsText(comparison, !isEverything(subset), compared.decided_by);
  const models = report === null || pair.baseline ? null : modelsText([pair], report);
  const misses = missesText(compared.misses, shown, {
    ...compared,
    ...(isEverything(subset) ? {} : { part: subsetText(subset) }),
  });
  const words = rightWords(compared);
  return (
    <>
      <FailureNotice error={drawn.error} />
      {report === null || primary === null ? null : (
        <>
          <DecidedSection primary={primary} report={report} />
          <p>{exploratoryPairText(primary, comparison)}</p>
        </>
      )}
      <Section
        title={primary?.planned === undefined ? 'The difference' : 'The difference, exploratory'}
        lead={`${capitalized(words.accuracy)} over the ${quantity(pairedCases(compared), 'case')} that both have, a failure counted as ${words.not}.${comparison.smallest_detectable_difference === null ? '' : ' The bar at 0 ends at the difference that such a comparison would find four times in five.'}`}
      >
        <p className={`max-w-80ch wrap-anywhere ${styles.verdictAsText}`} role="status">
          <HiddenText text={[soFar ? 'So far:' : [], verdict, models ?? [], misses ?? []].flat().join(' ')} /> {few}
        </p>
        {apart === 0 ? null : (
          <div>
            <Button size="small" onPress={() => toCases(usualFilter.standings)}>
              Show the {quantity(apart, 'case')} on which they differ, side by side
            </Button>
          </div>
        )}
        <DifferenceScale comparison={comparison} decidedBy={compared.decided_by} />
        <DifferencesTable comparison={comparison} decidedBy={compared.decided_by} />
      </Section>
      <div className={styles.columns}>
        <Section title="On which cases">
          <OutcomeTable pair={shown} compared={compared} onShow={(standing) => toCases([standing])} />
          <Paragraph text={mostlyText(shown, compared)} />
          <p>
            <Link href={toFiltered(experiment, { part: 'trials', subset, behind: null, list: { ...noFilter, rows: 'cases' } })}>
              All cases, one row a case
            </Link>
          </p>
        </Section>
        <Section title="Tests">
          <Tests
            comparison={comparison}
            report={report}
            isInReport={reported !== null}
            replicated={compared.replicated}
            paperStyle={isOfImported(view.arms, pair) ? [] : (drawn.data?.paper_style ?? null)}
          />
        </Section>
      </div>
      {changes}
      <div ref={cases} tabIndex={-1}>
        <CasesPart pair={shown} kind={view.definition.dataset.kind} compared={compared} filter={filter} onFilter={setFilter} />
      </div>
    </>
  );
}

const forest = [comparisonsForestFigure];

export default function ComparePart({ experiment, view, report, subset, soFar, asked, onChoose }: Properties) {
  const names = useArmNames();
  const sources = useMemo(
    () => (report === null ? null : shownSources({ view, report, deliberation: null, protocols: null }, names)),
    [view, report, names],
  );
  const drawn = useDrawn(forest, sources);
  const arms = view.arms.map(({ name }) => name);
  const invented = report?.arms.flatMap(({ arm, standin }) => (standin ? [arm] : [])) ?? [];
  const baselines = report?.baselines.map(({ arm }) => arm) ?? [];
  // A baseline that is asked for is compared before the report knows it.
  const known = asked?.baseline && report === null ? [asked.b] : baselines;
  const pair = changedFirst(wholePair(asked, arms, known, view.definition.primary?.compare), view.arms);
  if (pair === null) return <Notice>There is only one arm and no trained baseline to compare it with.</Notice>;
  return (
    <div className="stack gap-22 max-w-wide">
      <PairChoice
        {...{ pair, arms, invented, onChoose }}
        baselines={known}
        isOrdered={!pair.baseline && baseOf(view.arms, pair.a) === pair.b}
      />
      <Chosen key={JSON.stringify(pair)} {...{ experiment, view, report, subset, soFar, pair }} />
      {drawn === null || drawn.length === 0 ? null : (
        <FigureFrame
          experiment={experiment}
          title={comparisonsForestFigure.title}
          drawn={drawn}
          standin={report?.standin ?? false}
          error={null}
          part={isEverything(subset) ? null : subsetText(subset)}
          soFar={soFar}
          onTrials={(behind) => {
            const { pair: compared } = recordedTrials(behind, names);
            if (compared !== undefined) onChoose(compared);
          }}
          narrows={() => false}
          onNarrow={() => undefined}
          onLegend={() => undefined}
        />
      )}
    </div>
  );
}
