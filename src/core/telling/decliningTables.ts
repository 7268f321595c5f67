// What answering only when sure would bring, and sets of labels, in tables.
import { retitled } from '../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { countOf } from '../figures/measureScale.ts';
import { percent } from '../figures/shares.ts';
import { accuracyAtName, accuracyWhenSureName, answeredFrom, coverages, sureLevels } from '../statistics/riskCoverage.ts';
import {
  type Column,
  cautionLines,
  columnsOf,
  countedEstimate,
  estimate,
  estimateOf,
  measureNamed,
  ofArms,
  type Piece,
} from './cells.ts';
import { lacksTruths } from './confidenceBins.ts';

/** What an arm would gain by answering only where it is sure, and sets that hold the true label as often as is promised. */
export function decliningPieces({ arms, baselines, agreement = [], decided_by }: StatsReport): Piece[] {
  const all = [...arms, ...baselines];
  const curves = all.flatMap((arm) => (arm.declining === undefined ? [] : [{ arm, found: arm.declining }]));
  const sets = all.flatMap((arm) => {
    const { conformal: found } = arm;
    return found === undefined || found.why_null !== null ? [] : [{ arm, found }];
  });
  const of =
    (name: string) =>
    ({ arm }: { readonly arm: ArmStatistics }) =>
      estimate(measureNamed(arm, name, { label: null }));
  const guarantee = all.find(({ conformal }) => typeof conformal?.guarantee === 'string')?.conformal?.guarantee ?? '';
  const elsewhere = arms.find(({ conformal }) => conformal?.calibrated_in !== undefined)?.conformal?.calibrated_in;
  const without = all.flatMap(({ arm, conformal }) =>
    typeof conformal?.why_null === 'string' ? [`${arm}: no sets of labels: ${conformal.why_null}.`] : [],
  );
  return [
    ...(curves.length === 0
      ? []
      : [
          '',
          retitled('Of the trials in which an arm says so much for its answer, or more, those in which it is right:', {
            decided_by,
          }),
          columnsOf(curves, [
            ['arm', ({ arm }) => arm.arm],
            ...sureLevels.map(
              (level): Column<(typeof curves)[number]> => [
                `at least ${percent(level)}`,
                ({ arm }) => {
                  const found = measureNamed(arm, accuracyWhenSureName(level), { label: null });
                  if (found?.n === 0) return lacksTruths(arm) ? 'none with a known truth' : 'never said';
                  return found !== undefined && countOf(found) === null ? estimateOf(found) : countedEstimate(found);
                },
              ],
            ),
          ]),
          '',
          retitled(
            'Answering only when sure: "surest 80%: right" is the share right if only the surest 80% of all finished trials are answered and the others are left without an answer, as all failures are; equal confidences are answered together; "from" is the least stated confidence among the answered. Risk is the share wrong among the answered; "area" is the area under it over all shares, 0 at best.' +
              (agreement.some(({ agreed }) => agreed !== undefined)
                ? ' For accuracy where two arms agree, see “Agreement”.'
                : ''),
            { decided_by },
          ),
          columnsOf(curves, [
            ['arm', ({ arm }) => arm.arm],
            ['can answer', ({ found }) => `${count(found.answerable)}/${count(found.finished)}`],
            ['area', of('area_under_risk_coverage')],
            ['above best order', of('excess_area_under_risk_coverage')],
            ...coverages.map(
              (coverage): Column<(typeof curves)[number]> => [
                retitled(`surest ${100 * coverage}%: right`, { decided_by }),
                ({ arm }) => {
                  const found = measureNamed(arm, accuracyAtName(coverage), { label: null });
                  const from = found && answeredFrom(arm, found);
                  return `${estimateOf(found)}${from === undefined ? '' : ` from ${percent(from)}`}`;
                },
              ],
            ),
          ]),
          ...cautionLines(ofArms(all).filter(({ name }) => /coverage|when_sure_/.test(name))),
        ]),
    ...(sets.length === 0
      ? []
      : [
          '',
          `Sets of labels. ${guarantee} ${elsewhere === undefined ? 'They were calibrated on half of the cases, drawn by lot, and tried on the others' : `Those of the arms were calibrated on the cases of ${elsewhere}, those of baselines on half of the cases of this experiment`}:`,
          columnsOf(sets, [
            ['arm', ({ arm }) => arm.arm],
            ['calibrated on', ({ found }) => count(found.calibrated_on)],
            ['label needs', ({ found }) => (found.least_probability === null ? '-' : percent(found.least_probability))],
            ['tried on', ({ found }) => count(found.held_out)],
            [retitled('hold the truth', { decided_by }), of('conformal_coverage')],
            ['mean size', of('conformal_set_size')],
            ['one label', of('conformal_one_label')],
            ['empty', of('conformal_empty')],
            ['all labels', of('conformal_all_labels')],
          ]),
        ]),
    ...(without.length === 0 ? [] : ['', ...without]),
  ];
}
