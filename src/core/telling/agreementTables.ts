// Agreement of verdicts, and what is derived from them, in tables for the command line and for reports.
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { amongText, derivedNote, derivedText, undecidedText } from '../statistics/measures/shownAgreement.ts';
import { cautionLines, columnsOf, estimate, measureNamed, type Piece, table } from './cells.ts';

/** Listed with the arms, and marked: no trial of these ran. */
export function derivedTable({ derived = [] }: StatsReport): Piece[] {
  const [first] = derived;
  if (first === undefined) return [];
  type Derived = (typeof derived)[number];
  const of = (name: string, over: Measure['over']) => (each: Derived) => estimate(measureNamed(each, name, { over }));
  return [
    '',
    `Derived from the recorded verdicts of ${first.arms.join(', ')}: ${derivedNote}`,
    columnsOf(derived, [
      ['', ({ method }) => `${derivedText[method]} (derived)`],
      ['n', ({ n }) => count(n)],
      ['cases', ({ cases }) => count(cases)],
      ['decided', ({ decided }) => count(decided)],
      ['accuracy of all', of('accuracy', 'all')],
      ['accuracy of decided', of('accuracy', 'decided')],
      ['macro-F1', of('macro_f1', 'decided')],
      ['undecided', undecidedText],
    ]),
    ...derived.flatMap(({ method, measures }) =>
      cautionLines(
        measures.flatMap((each) =>
          each.name === 'accuracy' || each.name === 'macro_f1' ? [{ ...each, name: `${derivedText[method]}, ${each.name}` }] : [],
        ),
      ),
    ),
  ];
}

/** How far verdicts on the same cases agree beyond chance. */
export function agreementTable({ agreement = [] }: StatsReport): Piece[] {
  if (agreement.length === 0) return [];
  const rows = agreement.map(({ among, arms, raters, cases, n, ...alpha }) => [
    amongText[among],
    arms.join(', '),
    count(raters),
    count(cases),
    count(n),
    alpha.value === null ? `- (${alpha.why_null})` : estimate(alpha),
  ]);
  return [
    '',
    "Agreement beyond chance, Krippendorff's alpha (1: always, 0: as by chance). It says nothing of who is right; failures are missing:",
    table(['among', 'arms', 'verdicts at most', 'cases', 'verdicts compared', 'alpha'], rows),
    ...cautionLines(
      agreement.map(({ among, caution }) => ({ name: `alpha among ${among}`, ...(caution === undefined ? {} : { caution }) })),
    ),
  ];
}
