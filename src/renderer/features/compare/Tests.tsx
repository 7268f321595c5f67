import { written } from '../../../core/figures/measureScale.ts';
import { chanceText, shownAdjusted } from '../../../core/statistics/measures/shownComparisons.ts';
import { ranksText } from '../../../core/telling/pairSentences.ts';
import type { Compared } from '../../../shared/api/compared.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import type { Term } from '../../../shared/glossary.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { Paragraph } from '../../ui/HiddenText.tsx';
import { WordNote } from '../../ui/WordNote.tsx';
import { measureText } from '../experiments/estimateText.ts';
import { familyText, paperStyleLabel, paperStyleWhy } from './compareText.ts';

const ranked = { brier: 'Brier losses', correctness: 'how often each case was right' } as const;

interface Row {
  readonly term?: Term;
  readonly test: string;
  readonly of: string;
  readonly differ: number | null;
  readonly p: number | null;
  readonly adjusted: number | null;
}

function rowsOf(comparison: Comparison, replicated: boolean, labelled: Pick<StatsReport, 'decided_by'>): Row[] {
  const { a, b, mcnemar, wilcoxon } = comparison;
  const rows: Row[] = [
    {
      test: replicated ? 'Permutation of signs, exact' : 'McNemar, exact',
      ...(replicated ? {} : { term: "McNemar's test" }),
      of: retitled(
        replicated ? 'how much more often one is right on each case than the other' : 'cases on which only one is right',
        labelled,
      ),
      differ: mcnemar.a_only + mcnemar.b_only,
      p: mcnemar.p,
      adjusted: shownAdjusted(comparison),
    },
  ];
  if (wilcoxon !== null) {
    const { method, of, cases, statistic, n, p, p_adjusted: adjusted, favours } = wilcoxon;
    const direction = favours === null ? '' : `, the ranks are better for ${favours === 'a' ? a : b}`;
    const what = `${retitled(ranked[of], labelled)} of ${cases} cases; statistic ${statistic}${direction}`;
    rows.push({ term: "Wilcoxon's test", test: `Wilcoxon signed ranks, ${method}`, of: what, differ: n, p, adjusted });
  }
  return rows;
}

/** The tests of a pair, and apart from them the papers' own, which is none. */
export function Tests({
  comparison,
  report,
  isInReport,
  replicated,
  paperStyle,
}: {
  comparison: Comparison;
  report: StatsReport | null;
  isInReport: boolean;
  /** Whether some case was tried more than once. */
  replicated: boolean;
  /** Null while it is computed. */
  paperStyle: Compared['paper_style'] | null;
}) {
  return (
    <>
      <DataTable
        label="Tests of this pair"
        rows={rowsOf(comparison, replicated, report ?? {})}
        keyOf={({ test }) => test}
        columns={[
          {
            title: 'test',
            cell: ({ test, term }) => (
              <>
                {test} {term === undefined ? null : <WordNote term={term} />}
              </>
            ),
          },
          { title: 'of', cell: ({ of }) => of },
          { title: 'that differ', number: ({ differ }) => differ ?? '–' },
          {
            title: 'adjusted p',
            note: <WordNote term="adjusted p-value" />,
            number: ({ adjusted }) => chanceText(adjusted, '–'),
          },
          {
            title: 'p before adjustment',
            note: <WordNote term="p-value" />,
            number: ({ p }) => chanceText(p, '–'),
          },
        ]}
      />
      <p className="quiet">p-values are {familyText(report, isInReport ? comparison : null)}.</p>
      <Paragraph className="quiet" text={ranksText([comparison])} />
      {paperStyle?.length === 0 ? null : (
        <Fold title="Wilcoxon over 20 bootstrap replicates" aside={paperStyleLabel} level={3}>
          <div className="stack gap-8 max-w-80ch">
            <p>
              <strong>{paperStyleLabel}</strong>. {paperStyleWhy}
            </p>
            {paperStyle === null ? <p className="quiet">It is being computed.</p> : null}
            <ul>
              {paperStyle?.map(({ measure, mean_difference, replicates, statistic, p, seed }) => (
                <li key={measure}>
                  {measure === 'accuracy'
                    ? retitled('Accuracy', report ?? {})
                    : measureText({ name: measure, label: null, side: null, turn: null })}
                  : mean difference {written(mean_difference, 'points')} points over {replicates} replicates
                  {statistic === null ? ', none of which differs' : `, statistic ${statistic}, p ${chanceText(p, '–')}`}; seed{' '}
                  {seed}.
                </li>
              ))}
            </ul>
          </div>
        </Fold>
      )}
    </>
  );
}
