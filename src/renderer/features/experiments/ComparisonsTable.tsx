import { useState } from 'react';
import { Link } from 'wouter';
import { percent, pointsOf, roundedNote } from '../../../core/figures/shares.ts';
import {
  chanceText,
  disagreementText,
  exactTestText,
  rightTitle,
  shownAdjusted,
  shownComparisons,
} from '../../../core/statistics/measures/shownComparisons.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { Button } from '../../ui/Button.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { Isolated } from '../../ui/HiddenText.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { toFiltered } from '../dashboard/filter.ts';
import { ArmName, ArmParagraph, useArmNames } from './ArmNames.tsx';
import { DifferingCases } from './DifferingCases.tsx';
import { EstimateCell } from './EstimateCell.tsx';

function Name({ name, baseline = false }: { name: string; baseline?: boolean }) {
  return (
    <>
      {baseline ? <Isolated text={name} /> : <ArmName arm={name} />}
      {baseline ? <span className="quiet"> (baseline)</span> : null}
    </>
  );
}

function RightAlone({ comparison: { a, b, mcnemar }, onShow }: { comparison: Comparison; onShow: () => void }) {
  const { a_only, b_only } = mcnemar;
  const names = useArmNames();
  const [first, second] = [names.get(a) ?? a, names.get(b) ?? b];
  if (a_only + b_only === 0) return <span className="quiet">none</span>;
  return (
    <Button size="small" onPress={onShow} aria-label={`${a_only} : ${b_only}, show on which cases ${first} and ${second} differ`}>
      {a_only} : {b_only}
    </Button>
  );
}

export function ComparisonsTable({ experiment, report }: { experiment: string; report: StatsReport }) {
  const { comparisons, family, resampling } = report;
  const { shown: rows, more } = shownComparisons(comparisons);
  const disagreement = disagreementText(rows);
  const words = rightWords(report);
  const [shown, setShown] = useState<Comparison | null>(null);
  return (
    <Section
      title="Exploratory comparisons"
      lead={`Difference of ${words.accuracy} over all cases that both have, a failure counted as ${words.not}, with its ${percent(resampling.level)} interval (BCa bootstrap over cases, ${resampling.resamples.toLocaleString('en-GB')} resamples, seed ${resampling.seed}). ${exactTestText(report, family.text)} Differences of macro-F1 and of the Brier score (lower is better) are over the cases of which both have them; Compare has further measures. Detectable from: the difference that such a comparison finds four times in five, at the level at which it is tested among the others; “none” where so few cases show no difference. ${roundedNote}`}
    >
      <DataTable
        label="Comparisons of arms and baselines"
        rows={rows}
        keyOf={({ a, b }) => JSON.stringify([a, b])}
        columns={[
          {
            title: 'pair',
            cell: (comparison) => (
              <Link href={toFiltered(experiment, { part: 'compare', subset: {}, behind: null, pair: comparison })}>
                <Name name={comparison.a} /> <span className="quiet">against</span>{' '}
                <Name name={comparison.b} baseline={comparison.baseline} />
              </Link>
            ),
          },
          { title: 'cases', number: ({ paired_cases }) => paired_cases },
          { title: 'difference, points', number: ({ difference }) => <EstimateCell estimate={difference} scale="points" /> },
          {
            title: rightTitle(report),
            number: (comparison) => <RightAlone comparison={comparison} onShow={() => setShown(comparison)} />,
          },
          {
            title: 'adjusted p',
            number: (comparison) =>
              comparison.in_family || comparison.primary === true ? chanceText(shownAdjusted(comparison), '–') : 'not tested',
          },
          ...(
            [
              ['macro_f1', 'macro-F1'],
              ['brier', 'Brier score'],
            ] as const
          ).map(
            ([wanted, title]): Column<Comparison> => ({
              title,
              yields: wanted === 'brier',
              number: ({ differences }) => (
                <EstimateCell estimate={differences.find(({ name }) => name === wanted)} scale="number" />
              ),
            }),
          ),
          {
            title: 'detectable from',
            number: ({ smallest_detectable_difference: least }) => (least === null ? 'none' : pointsOf(least)),
          },
        ]}
      >
        <ArmParagraph className="quiet" text={disagreement} />
        {more === 0 ? null : (
          <p className="quiet">
            {quantity(more, 'further pair')} with larger p-values not shown here. Nothing is left out of the finding, of the
            adjustment, and of the statistics in an exported bundle.
          </p>
        )}
      </DataTable>
      {shown === null ? null : (
        <DifferingCases experiment={experiment} comparison={shown} is={words.is} onClose={() => setShown(null)} />
      )}
    </Section>
  );
}
