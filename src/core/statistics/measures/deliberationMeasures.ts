// What deliberation changed, for the figures.
import { benchSplits, type DeliberationFigures, type DeliberationMeasure } from '../../../shared/api/deliberation.ts';
import type { Belief, Prediction, Truth } from '../../../shared/domain.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import { meanShare } from '../../figures/beliefChanges.ts';
import { pairAgreement, splitOf } from '../../figures/benchVotes.ts';
import { type DeliberationTerms, type EndedTrial, flipsOf } from '../../figures/endedTrials.ts';
import { estimates } from './estimates.ts';
import { type PlannedMeasure, plannedMean, plannedShare } from './planned.ts';
import { type CasedTrials, casedTrials } from './trials.ts';

type Trial = EndedTrial & { readonly case: string; readonly row: number };
type Planned = Omit<DeliberationMeasure, 'measure'> & { readonly measure: PlannedMeasure };
type Places = Pick<DeliberationFigures, 'arms' | 'roles' | 'steps'>;

const noPath = 'no decided trial in which the role that rules held beliefs one after the other';
const noBench = 'no decided trial with several judges or voters who answered';
const noSplit = 'no decided trial with a known truth whose bench split so';
const noBelief = 'no decided trial with such a belief';

const benchSplit = ({ decided }: Trial) => (decided?.votes == null ? null : splitOf(decided.votes));

function flipMeasures(arm: number, trials: CasedTrials<Trial>, multiLabel: boolean): Planned[] {
  const countOf = ({ decided }: Trial) => (multiLabel ? null : (flipsOf(decided)?.flips ?? null));
  const some = (count: number | null) => (count === null ? null : count > 0);
  return [
    plannedShare({ name: 'flipped', over: 'paths' }, trials, (trial) => some(countOf(trial)), noPath),
    plannedMean({ name: 'flips', over: 'paths' }, trials, countOf, noPath),
  ].map((measure) => ({ arm, split: null, role: null, step: null, measure }));
}

function benchMeasures(arm: number, trials: CasedTrials<Trial>): Planned[] {
  const none = { arm, role: null, step: null };
  const agreement = plannedMean(
    { name: 'bench_agreement', over: 'decided' },
    trials,
    ({ decided }) => (decided?.votes == null ? null : pairAgreement(decided.votes)),
    noBench,
  );
  if (agreement.n === 0) return [];
  const shareOf = (wanted: string) => (trial: Trial) => {
    const split = benchSplit(trial);
    return split === null ? null : split === wanted;
  };
  return [
    { ...none, split: null, measure: agreement },
    ...benchSplits.flatMap((split): Planned[] => [
      { ...none, split, measure: plannedShare({ name: 'split', over: 'decided' }, trials, shareOf(split), noBench) },
      {
        ...none,
        split,
        measure: plannedShare(
          { name: 'accuracy', over: 'decided' },
          trials,
          (trial) => (benchSplit(trial) === split ? trial.line.correct : null),
          noSplit,
        ),
      },
    ]),
  ];
}

const leading = (belief: Belief) => Math.max(...Object.values(belief));

const setOf = (labels: Prediction | Truth): readonly string[] => (Array.isArray(labels) ? labels : []);

/**
 * Of each role and round: the mean probability of the true label, and of the one that it holds likeliest. Where several
 * labels can apply, of the labels that are true and of those of the verdict, each trial with the mean over its labels.
 */
function roundMeasures(arm: number, trials: CasedTrials<Trial>, { arms, roles, steps }: Places, multiLabel: boolean): Planned[] {
  const isOfRounds = (place: number) => /^(?:round|opening|first)/.test(steps[place]?.name ?? '');
  const own = arms[arm]?.steps ?? [];
  if (!own.some(isOfRounds)) return [];
  return roles.flatMap((role, rolePlace) =>
    own.flatMap((step): Planned[] => {
      const heldBy = ({ decided }: Trial): Belief | null =>
        decided?.lines.find((line) => line.role === role)?.points.find((point) => point.step.name === steps[step]?.name)
          ?.belief ?? null;
      const measured = (
        name: string,
        over: 'believed' | 'decided',
        measureOf: (trial: Trial, belief: Belief) => number | null,
      ): Planned => {
        const value = (trial: Trial): number | null => {
          const belief = heldBy(trial);
          return belief === null ? null : measureOf(trial, belief);
        };
        const rows = trials.trials.flatMap((trial) => (value(trial) === null ? [] : trial.row));
        const measure = plannedMean({ name, over }, trials, value, noBelief);
        return { arm, split: null, role: rolePlace, step, rows, measure };
      };
      return [
        measured('true_probability', 'believed', ({ line: { truth } }, belief) => {
          if (multiLabel) return meanShare(belief, setOf(truth));
          return typeof truth === 'string' ? (belief[truth] ?? 0) : null;
        }),
        multiLabel
          ? measured('verdict_probability', 'decided', ({ line }, belief) => meanShare(belief, setOf(line.prediction)))
          : measured('leading_probability', 'decided', (_trial, belief) => leading(belief)),
      ].filter(({ measure }) => measure.n > 0);
    }),
  );
}

/**
 * Measures of deliberation that a figure needs in addition to those of the report, with their intervals: how often the lead
 * changed, how the bench split and how right it was then, and what was held from round to round. Each case weighs the same.
 */
export function deliberationMeasures(
  trials: readonly EndedTrial[],
  { arms, multiLabel }: Pick<DeliberationTerms, 'arms' | 'multiLabel'>,
  places: Places,
  resampling: Resampling,
): DeliberationMeasure[] {
  const placed = trials.map((trial, row): Trial => ({ ...trial, case: trial.line.case, row }));
  const byArm = Map.groupBy(placed, ({ line }) => line.arm);
  return arms.flatMap(({ name }, arm) => {
    const mine = casedTrials(byArm.get(name) ?? []);
    if (mine.trials.length === 0) return [];
    const planned = [
      ...flipMeasures(arm, mine, multiLabel),
      ...benchMeasures(arm, mine),
      ...roundMeasures(arm, mine, places, multiLabel),
    ];
    const found = estimates(
      planned.map(({ measure }) => measure),
      resampling,
    );
    return planned.flatMap((plan, place) => {
      const measure = found[place];
      return measure === undefined ? [] : [{ ...plan, measure }];
    });
  });
}
