import type { RaterAgreement, Resampling } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { CaseStatistic } from '../caseStatistic.ts';
import { alphaSums, krippendorffAlpha } from '../krippendorffAlpha.ts';
import { sumsStatistic } from '../sumsStatistic.ts';
import { cautionOf } from './cautions.ts';
import { drawnEstimates, estimates, missingEstimate } from './estimates.ts';
import { mostLabels } from './labelMeasures.ts';
import { plannedShare } from './planned.ts';
import { casedTrials } from './trials.ts';

/** An arm whose verdicts are compared with those of others. */
export interface RatingArm {
  readonly name: string;
  readonly imported: boolean;
  readonly lines: readonly RatedTrial[];
}

interface RatedSet extends Pick<RaterAgreement, 'among'> {
  readonly of: readonly RatingArm[];
  readonly units: readonly Unit[];
  readonly agreed?: readonly NonNullable<RaterAgreement['agreed']>[];
}

export type RatedTrial = Pick<TrialLine, 'trial' | 'case' | 'replicate' | 'outcome' | 'prediction' | 'truth' | 'groups'>;

interface Unit {
  readonly case: string;
  readonly values: Readonly<Record<string, number>>;
}

/** The verdict as one value, several labels as their set; null without one. */
export const verdictOf = ({ outcome, prediction }: Pick<RatedTrial, 'outcome' | 'prediction'>): string | null =>
  outcome !== 'decided' || prediction === null
    ? null
    : typeof prediction === 'string'
      ? prediction
      : JSON.stringify(prediction.toSorted());

const raterCount = ({ values }: Unit) => Object.values(values).reduce((sum, times) => sum + times, 0);

function unitsOf(lines: readonly RatedTrial[], keyOf: (line: RatedTrial) => string): Unit[] {
  const units = new Map<string, { readonly case: string; readonly values: Record<string, number> }>();
  for (const line of lines) {
    const key = keyOf(line);
    const unit = units.get(key) ?? { case: line.case, values: {} };
    units.set(key, unit);
    const value = verdictOf(line);
    if (value !== null) unit.values[value] = (unit.values[value] ?? 0) + 1;
  }
  return [...units.values()];
}

/** Over the cases of units that have two values or more; null where there are too many different ones. */
function alphaOver(byCase: readonly (readonly Unit[])[]): CaseStatistic | null {
  const kinds = [...new Set(byCase.flat().flatMap(({ values }) => Object.keys(values)))];
  if (kinds.length > mostLabels) return null;
  const width = kinds.length + 1;
  const rows = new Float64Array(byCase.length * width);
  byCase.forEach((own, place) => {
    for (const { values } of own) {
      const { counts, disagreed } = alphaSums(kinds.map((kind) => values[kind] ?? 0));
      [...counts, disagreed].forEach((sum, column) => {
        rows[place * width + column] = (rows[place * width + column] ?? 0) + sum;
      });
    }
  });
  return sumsStatistic(rows, width, (sums) =>
    krippendorffAlpha({ counts: [...sums.subarray(0, kinds.length)], disagreed: sums[kinds.length] ?? 0 }),
  );
}

const placeOf = ({ case: id, replicate }: RatedTrial) => JSON.stringify([id, replicate]);

function verdictPairs(one: RatingArm, other: RatingArm) {
  const verdicts = new Map(one.lines.map((line) => [placeOf(line), verdictOf(line)]));
  return other.lines.flatMap((line) => {
    const [first = null, second] = [verdicts.get(placeOf(line)), verdictOf(line)];
    return first === null || second === null ? [] : [{ case: line.case, isSame: first === second }];
  });
}

const mostPairs = 10;

/** The pairs of arms with verdicts on the same cases, those over the most cases first. */
const pairsOf = (arms: readonly RatingArm[]) =>
  arms
    .flatMap((one, place) =>
      arms.slice(place + 1).map((other) => ({ of: [one, other], pairs: casedTrials(verdictPairs(one, other)) })),
    )
    .filter(({ pairs }) => pairs.trials.length > 0)
    .toSorted((one, other) => other.pairs.cases.length - one.pairs.cases.length)
    .slice(0, mostPairs);

const tooMany = `there are more than ${mostLabels} different verdicts`;
const noPair = 'no case with a verdict of both';
const alike = 'alpha is undefined where all verdicts are the same one';

/**
 * How far verdicts on the same case agree beyond chance: Krippendorff's alpha, with bootstrap intervals over cases. Verdicts that
 * are missing are missing: a failure agrees with nothing. What has no two verdicts to compare is left out.
 *
 * - `arms`: verdicts of different arms on the same case and replicate; `imported` those of imported arms alone, such as people; `pair`
 *   those of two arms, with how often they are the same.
 * - `replicates`: the verdicts of one arm on the same case with other seeds.
 * - `judges`: the votes of a bench or panel within one trial of an arm.
 * @param votes how many voted for each label, by trial
 */
export function raterAgreement(
  arms: readonly RatingArm[],
  votes: ReadonlyMap<string, Readonly<Record<string, number>>>,
  resampling: Resampling,
): RaterAgreement[] {
  const people = arms.filter(({ imported }) => imported);
  const across = (some: readonly RatingArm[]) =>
    unitsOf(
      some.flatMap(({ lines }) => lines),
      placeOf,
    );
  const sets: RatedSet[] = [
    ...(people.length < arms.length ? [{ among: 'arms' as const, of: arms, units: across(arms) }] : []),
    { among: 'imported' as const, of: people, units: across(people) },
    ...pairsOf(arms).map(({ of, pairs }) => {
      const same = plannedShare({ name: 'agreed', over: 'pairs' }, pairs, ({ isSame }) => isSame, noPair);
      const agreed = estimates([same], resampling).map((share) => ({
        count: pairs.trials.filter(({ isSame }) => isSame).length,
        share,
      }));
      return { among: 'pair' as const, of, units: across(of), agreed };
    }),
    ...arms.flatMap((arm) => [
      { among: 'replicates' as const, of: [arm], units: unitsOf(arm.lines, ({ case: id }) => id) },
      {
        among: 'judges' as const,
        of: [arm],
        units: arm.lines.flatMap(({ trial, case: id }) => {
          const own = votes.get(trial);
          return own === undefined ? [] : [{ case: id, values: own }];
        }),
      },
    ]),
  ];
  return sets.flatMap(({ among, of, units: all, agreed: [agreed] = [] }): RaterAgreement[] => {
    const units = all.filter((unit) => raterCount(unit) > 1);
    if (units.length === 0) return [];
    const byCase = [...Map.groupBy(units, (unit) => unit.case).values()];
    const statistic = alphaOver(byCase);
    const counts = units.map(raterCount);
    const raters = counts.reduce((most, count) => Math.max(most, count), 0);
    const n = counts.reduce((sum, count) => sum + count, 0);
    const cases = byCase.length;
    const [drawn] = drawnEstimates(statistic === null ? [] : [statistic], resampling);
    const found = drawn ?? missingEstimate(resampling.level, tooMany);
    return [
      {
        ...{ among, arms: of.map(({ name }) => name), raters, cases, n },
        ...found,
        ...(agreed === undefined ? {} : { agreed }),
        ...(drawn?.value === null ? { why_null: alike } : {}),
        // Several verdicts of each rater on a case: it was tried several times.
        ...cautionOf('agreement', { ...found, name: among, n: n / raters, cases }),
      },
    ];
  });
}
