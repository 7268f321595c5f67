import type { ArmStatistics } from '../../../shared/outputs.ts';
import { estimates } from '../kit/dotRows.ts';
import { figure } from '../kit/plot.ts';
import { plainArms, pointOf } from '../kit/points.ts';

interface Row {
  readonly arm: ArmStatistics;
  readonly label: string;
}

const pointIn =
  (name: string) =>
  ({ arm, label }: Row) =>
    pointOf(arm, name, 'believed', label);
const slope = { id: 'slope', name: 'slope', of: pointIn('calibration_slope') };
const large = { id: 'in-the-large', name: 'intercept alone', of: pointIn('calibration_in_the_large') };

/** Slope and intercept of the logistic recalibration of P(label). */
export const calibrationSlopeFigure = figure({
  id: 'calibration-slope',
  title: 'Beliefs against outcomes: too extreme, or too high',
  requires: 'decided trials of known truth with a distribution over the labels, in which beliefs and outcomes vary',
  plot({ report }) {
    const rows = plainArms(report).flatMap((arm) =>
      report.labels.map((label) => ({ arm, label })).filter((row) => slope.of(row) !== null || large.of(row) !== null),
    );
    const several = new Set(rows.map(({ label }) => label)).size > 1;
    return estimates({
      rows,
      name: ({ arm, label }) => (several ? label : arm.arm),
      ...(several ? { group: ({ arm }: Row) => arm.arm } : {}),
      panels: [
        {
          id: 'slope',
          title: 'slope; below 1 too extreme',
          scale: 'free',
          channels: [slope],
          lines: [{ value: 1, name: 'best' }],
        },
        {
          id: 'large',
          title: 'intercept alone; below 0 too high',
          scale: 'free',
          channels: [{ ...large, colour: 1 }],
          lines: [{ value: 0, name: 'best' }],
        },
      ],
      columns: 2,
      legend: false,
      noun: 'decided trial',
      level: report.interval.level,
      says: ` Of P(label) on the logit scale${several ? ', each label by itself' : ''}; beliefs under 0.1% and over 99.9% count as those.`,
    });
  },
});
