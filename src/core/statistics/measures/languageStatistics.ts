import { type LanguageMeasure, type LanguageStatistics, languageMeasures } from '../../../shared/languageStatistics.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { randomSource } from '../../cases/shuffle.ts';
import { lexiconVersion } from '../../text/debateLanguage.ts';
import { benjaminiHochberg } from '../adjustedPValues.ts';
import { meanOf } from '../meanOverSets.ts';
import { isSame } from '../sameNumber.ts';
import { estimates } from './estimates.ts';
import { plannedContrast, plannedMean } from './planned.ts';
import { casedTrials } from './trials.ts';

/** A speech as it was put; `values` is null in a language that is not counted. */
export interface MeasuredSpeech {
  readonly role: string;
  /** Turn or round: the first part of its key. */
  readonly step: string;
  /** 0-1; null if its speaker was given no level. */
  readonly contentiousness: number | null;
  readonly values: Readonly<Record<LanguageMeasure, number | null>> | null;
}

export interface SpokenTrial extends Pick<TrialLine, 'case' | 'groups'> {
  readonly speeches: readonly MeasuredSpeech[];
}

/** The trials of an arm whose speeches were read, of how many with speeches. */
export interface SpokenArm {
  readonly arm: string;
  readonly trials: readonly SpokenTrial[];
  readonly of: number;
}

const known = (values: readonly (number | null | undefined)[]) => values.flatMap((value) => value ?? []);

/** Slope of a line of least squares through a trial's speeches over their contentiousness; null where that does not vary. */
function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number | null {
  const [x, y] = [meanOf(points.map((point) => point.x)) ?? 0, meanOf(points.map((point) => point.y)) ?? 0];
  const spread = points.reduce((sum, point) => sum + (point.x - x) ** 2, 0);
  return isSame(spread, 0) ? null : points.reduce((sum, point) => sum + (point.x - x) * (point.y - y), 0) / spread;
}

const exchanges = 2000;

/**
 * Whether a group differs from all others: two-sided p of the difference of means over cases, by exchanging the groups between cases at
 * random; (1 + as far or farther) / (1 + exchanges), Phipson and Smyth 2010. Null where one side has no case.
 */
function exchangeTest(cases: readonly { readonly isIn: boolean; readonly value: number }[], seed: number): number | null {
  const inside = cases.filter(({ isIn }) => isIn).length;
  if (inside === 0 || inside === cases.length) return null;
  const values = cases.map(({ value }) => value);
  const total = values.reduce((sum, value) => sum + value, 0);
  const distance = (own: number) => Math.abs(own / inside - (total - own) / (cases.length - inside));
  const seen = distance(cases.reduce((sum, { isIn, value }) => sum + (isIn ? value : 0), 0));
  const random = randomSource(seed, 'language');
  let farther = 0;
  for (let run = 0; run < exchanges; run++) {
    // The first places of a shuffle, as far as the group goes.
    let own = 0;
    for (let place = 0; place < inside; place++) {
      const other = place + random.below(values.length - place);
      const value = values[other] ?? 0;
      values[other] = values[place] ?? 0;
      values[place] = value;
      own += value;
    }
    if (distance(own) >= seen - 1e-12) farther += 1;
  }
  return (1 + farther) / (1 + exchanges);
}

type Named = { readonly case: string; readonly values: Partial<Record<LanguageMeasure, number | null>> };

/** The mean of each measure over speeches or trials, each case weighing the same. */
const meansOf = (items: readonly Named[], over: 'speeches' | 'finished', resampling: Resampling) =>
  estimates(
    languageMeasures.map((name) =>
      plannedMean({ name, over }, casedTrials(items), ({ values }) => values[name] ?? null, 'no such speech was measured'),
    ),
    resampling,
  );

const trialMeans = ({ case: id, groups, speeches }: SpokenTrial) => ({
  ...{ case: id, groups },
  values: Object.fromEntries(languageMeasures.map((name) => [name, meanOf(known(speeches.map(({ values }) => values?.[name])))])),
});

function byGroup(trials: readonly SpokenTrial[], attributes: readonly string[], resampling: Resampling) {
  const means = trials.map(trialMeans);
  const all = attributes.flatMap((attribute) => {
    // Of two values, the second differs from the first as the first from the second: that is one test.
    const values = [...new Set(means.flatMap(({ groups }) => groups[attribute] ?? []))].toSorted();
    return values.length < 2
      ? []
      : values.map((value, place) => ({ attribute, value, isTested: values.length > 2 || place === 1 }));
  });
  const compared = all.map(({ attribute, value, isTested }) => {
    const grouped = means.filter(({ groups }) => groups[attribute] !== undefined);
    const isIn = ({ groups }: (typeof means)[number]) => groups[attribute] === value;
    const differences = estimates(
      (isTested ? languageMeasures : []).map((name) =>
        plannedContrast(
          { name, over: 'finished' },
          casedTrials(grouped),
          (trial) => ({ isFirst: isIn(trial), value: trial.values[name] ?? null }),
          { hasSecond: true, none: 'no such speech was measured' },
        ),
      ),
      resampling,
    );
    const testOf = (name: LanguageMeasure) => {
      const byCase = Map.groupBy(grouped, (trial) => trial.case);
      const cases = [...byCase.values()].flatMap((mine) => {
        const mean = meanOf(known(mine.map(({ values }) => values[name])));
        return mean === null ? [] : [{ isIn: mine.some(isIn), value: mean }];
      });
      return resampling.resamples === 0 ? null : exchangeTest(cases, resampling.seed);
    };
    return {
      ...{ attribute, value, measures: meansOf(grouped.filter(isIn), 'finished', resampling) },
      differences: differences.map((measure, place) => ({ ...measure, p_value: testOf(languageMeasures[place] ?? 'words') })),
    };
  });
  const adjusted = benjaminiHochberg(compared.flatMap(({ differences }) => differences.map(({ p_value: p }) => p))).values();
  return compared.map((group) => ({
    ...group,
    differences: group.differences.map((each) => ({ ...each, p_adjusted: adjusted.next().value ?? null })),
  }));
}

/** How the debates of an arm are put: by role and round, over contentiousness, and by group. Intervals resample the cases. */
export function languageStatistics(
  { arm, trials, of }: SpokenArm,
  attributes: readonly string[],
  resampling: Resampling,
): LanguageStatistics {
  const speeches = trials.flatMap(({ case: id, speeches: mine }) => mine.map((speech) => ({ ...speech, case: id })));
  const placed = Map.groupBy(speeches, ({ role, step }) => JSON.stringify([step, role]));
  const steps = [...placed.values()].flatMap((mine) => {
    const [first] = mine;
    if (first === undefined) return [];
    const contentiousness = meanOf(known(mine.map(({ contentiousness }) => contentiousness)));
    const items = mine.map(({ case: id, values }) => ({ case: id, values: values ?? {} }));
    return [{ role: first.role, step: first.step, contentiousness, measures: meansOf(items, 'speeches', resampling) }];
  });
  const roles = [...new Set(speeches.flatMap(({ role, contentiousness }) => (contentiousness === null ? [] : [role])))];
  const over = roles.map((role) => {
    const slopes = trials.map(({ case: id, speeches: mine }) => ({
      case: id,
      values: Object.fromEntries(
        languageMeasures.map((name) => {
          const points = mine.flatMap((speech) => {
            const [x, y] = [speech.contentiousness, speech.values?.[name] ?? null];
            return speech.role !== role || x === null || y === null ? [] : [{ x, y }];
          });
          return [name, slopeOf(points)];
        }),
      ),
    }));
    return { role, measures: meansOf(slopes, 'finished', resampling) };
  });
  return {
    ...{ arm, trials: trials.length, of, speeches: speeches.length, lexicon: lexiconVersion },
    unmeasured: speeches.filter(({ values }) => values === null).length,
    steps,
    over_contentiousness: over.filter(({ measures }) => measures.some(({ value }) => value !== null)),
    groups: byGroup(trials, attributes, resampling),
  };
}
