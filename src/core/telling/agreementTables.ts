// Agreement of verdicts, and what is derived from them, in tables for the command line and for reports.
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import type { Measure, RaterAgreement } from '../../shared/statistics.ts';
import {
  type AgreedPair,
  againstText,
  agreedText,
  amongText,
  byPairs,
  derivedNote,
  derivedText,
  pairsLead,
  rightTogether,
  togetherTitle,
  undecidedText,
} from '../statistics/measures/shownAgreement.ts';
import { cautionLines, columnsOf, estimate, measureNamed, type Piece } from './cells.ts';
import { rightShare } from './confidenceBins.ts';

/** Listed with the arms, and marked: no trial of these ran. */
export function derivedTable({ derived = [], ...report }: StatsReport): Piece[] {
  const [first] = derived;
  if (first === undefined) return [];
  type Derived = (typeof derived)[number];
  const of = (name: string, over: Measure['over']) => (each: Derived) => estimate(measureNamed(each, name, { over }));
  return [
    '',
    `Derived from the recorded verdicts of ${first.arms.join(', ')}: ${derivedNote(first, derived)}`,
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
    ...derived.flatMap((each) => againstText(each, report) ?? []),
    ...derived.flatMap(({ method, measures }) =>
      cautionLines(
        measures.flatMap((each) =>
          each.name === 'accuracy' || each.name === 'macro_f1' ? [{ ...each, name: `${derivedText[method]}, ${each.name}` }] : [],
        ),
      ),
    ),
  ];
}

const alphaText = (alpha: RaterAgreement) => (alpha.value === null ? `- (${alpha.why_null})` : estimate(alpha));

function pairsTable(pairs: readonly AgreedPair[], report: StatsReport): Piece[] {
  if (pairs.length === 0) return [];
  const together = (each: AgreedPair) => {
    const found = rightTogether(each, report);
    return found === null ? '-' : `${estimate(rightShare(found, report.interval.level))} of ${count(found.n)}`;
  };
  return [
    '',
    pairsLead,
    columnsOf(pairs, [
      ['arms', ({ arms }) => arms.join(' and ')],
      ['cases', ({ cases }) => count(cases)],
      ['agree in', agreedText],
      ['share', ({ agreed }) => estimate(agreed.share, 'share')],
      ['alpha', alphaText],
      ...(pairs.every((each) => rightTogether(each, report) === null) ? [] : [[togetherTitle(report), together] as const]),
    ]),
  ];
}

/** How far verdicts on the same cases agree beyond chance. */
export function agreementTable(report: StatsReport): Piece[] {
  const { agreement = [] } = report;
  const { sets, pairs } = byPairs(agreement);
  if (sets.length === 0) return pairsTable(pairs, report);
  return [
    '',
    "Agreement beyond chance, Krippendorff's alpha (1: always, 0: as by chance). It says nothing of who is right; failures are missing:",
    columnsOf(sets, [
      ['among', ({ among }) => amongText[among]],
      ['arms', ({ arms }) => arms.join(', ')],
      ['verdicts at most', ({ raters }) => count(raters)],
      ['cases', ({ cases }) => count(cases)],
      ['verdicts compared', ({ n }) => count(n)],
      ['alpha', alphaText],
    ]),
    ...cautionLines(
      sets.map(({ among, caution }) => ({ name: `alpha among ${among}`, ...(caution === undefined ? {} : { caution }) })),
    ),
    ...pairsTable(pairs, report),
  ];
}
