// How often the 95% interval of each measure holds the true value, over simulated experiments whose population is known.
// Prints a line for each measure: node bench/coverage.ts [RUNS] [RESAMPLES] [CASES x REPLICATES,...] [PART,...]
import { randomSource } from '../src/core/cases/shuffle.ts';
import { armMeasures, planArm } from '../src/core/statistics/measures/armMeasures.ts';
import { comparisonsOf, contender } from '../src/core/statistics/measures/comparisons.ts';
import { derivedArms } from '../src/core/statistics/measures/derivedArms.ts';
import { estimates } from '../src/core/statistics/measures/estimates.ts';
import { prevalenceMeasures } from '../src/core/statistics/measures/prevalenceMeasures.ts';
import { type RatingArm, raterAgreement } from '../src/core/statistics/measures/raterAgreement.ts';
import { casedTrials, type MeasuredTrial } from '../src/core/statistics/measures/trials.ts';
import { weightedMeasures } from '../src/core/statistics/measures/weightedMeasures.ts';
import { normalQuantile } from '../src/core/statistics/normalQuantile.ts';
import type { Resampling } from '../src/shared/statistics.ts';

const runs = Number(process.argv[2] ?? 1000);
const resamples = Number(process.argv[3] ?? 400);
const designs = (process.argv[4] ?? '50x1,200x1,1000x1,50x3,200x3,1000x3').split(',').map((each) => {
  const [cases = 0, times = 0] = each.split('x').map(Number);
  return { cases, times };
});
const level = 0.95;
const random = randomSource(44, 'coverage');
const normal = () => normalQuantile(Math.max(1e-12, random.next()));
const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: ['group'] };

/** Cases of two groups, the second with more noise: what is hard about a case is hard for both arms. */
const casesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const isSecond = random.next() < 0.4;
    return {
      id: `c${index}`,
      truth: random.next() < 0.4 ? 'YES' : 'NO',
      group: isSecond ? 'second' : 'first',
      hard: normal() * (isSecond ? 1.1 : 0.8),
    };
  });

/** Verdicts with beliefs in hundredths that are too extreme and too high; some trials fail, more of them in the second group. */
function trialsOf(cases: ReturnType<typeof casesOf>, strength: number, times: number): MeasuredTrial[] {
  return cases.flatMap(({ id, truth, group, hard }) =>
    Array.from({ length: times }, (): MeasuredTrial => {
      const signal = (truth === 'YES' ? strength : -strength) + hard + 0.6 * normal();
      const exact = 1 / (1 + Math.exp(-(1.5 * signal + 0.3)));
      const yes = Math.min(0.99, Math.max(0.01, Math.round(100 * exact) / 100));
      const failed = random.next() < (group === 'second' ? 0.12 : 0.06);
      const shared = { case: id, incomplete: false, inconsistent: false, truth, groups: { group }, path: null };
      if (failed) return { ...shared, outcome: 'timeout', prediction: null, confidence: null, belief: null };
      const confidence = Math.max(yes, 1 - yes);
      return {
        ...shared,
        outcome: 'decided',
        prediction: yes >= 0.5 ? 'YES' : 'NO',
        confidence,
        belief: { YES: yes, NO: 1 - yes },
      };
    }),
  );
}

interface Found {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

type Named = [name: string, found: Found];
type Simulated = Readonly<Record<'a' | 'b' | 'c', MeasuredTrial[]>> & { readonly times: number };

const ratingArms = (experiment: Simulated): RatingArm[] =>
  (['a', 'b', 'c'] as const).map((name) => ({
    name,
    imported: false,
    lines: experiment[name].map((trial, place) => ({ ...trial, trial: `${name}${place}`, replicate: place % experiment.times })),
  }));

/** What is simulated, each by itself where the last argument names it. */
const parts = {
  arm: ({ a }, resampling) => {
    const { measures, groups, fairness, conformal } = armMeasures(planArm(a, terms), resampling);
    const named: Named[] = [
      ...measures.map(
        (each): Named => [
          `${each.name}${each.name === 'accuracy' ? ` of ${each.over}` : ''}${each.label === null ? '' : ' by label'}`,
          each,
        ],
      ),
      ...groups.flatMap(({ value, measures: own }) =>
        own.map((each): Named => [`${value} group: ${each.name}, ${each.over}`, each]),
      ),
      ...(fairness ?? []).flatMap(({ measures: own }) => own.map((each): Named => [`${each.name}, ${each.over}`, each])),
    ];
    return { named, least: conformal?.least_probability ?? null };
  },
  paired: ({ a, b }, resampling) => {
    const contenders = [contender('a', false, () => a, terms), contender('b', false, () => b, terms)];
    const { comparisons } = comparisonsOf(contenders, resampling);
    const differences = comparisons[0]?.differences ?? [];
    return { named: differences.map((each): Named => [`paired difference: ${each.name}, ${each.over}`, each]) };
  },
  // Weights as where cases of the second group were drawn a third as often.
  population: ({ a }, resampling) => {
    const weighted = casedTrials(a.map((trial) => ({ ...trial, weight: trial.groups.group === 'second' ? 3 : 1 })));
    const planned = [...weightedMeasures(weighted, 'YES'), ...prevalenceMeasures(weighted, 'YES', 0.1)];
    const found = estimates(planned, resampling);
    return {
      named: found.map(
        (each): Named => [each.name.startsWith('weighted') ? `${each.name}, ${each.over}` : `${each.name} at 10%`, each],
      ),
    };
  },
  derived: (experiment, resampling) => {
    const found = derivedArms(ratingArms(experiment), terms, resampling);
    return {
      named: found.flatMap(({ method, measures }) =>
        measures.map((each): Named => [`${method}: ${each.name}${each.label === null ? '' : ' by label'}, ${each.over}`, each]),
      ),
    };
  },
  agreement: (experiment, resampling) => {
    const found = raterAgreement(ratingArms(experiment), new Map(), resampling);
    return {
      named: found
        .filter(({ among, arms }) => among === 'arms' || arms[0] === 'a')
        .map((each): Named => [`alpha among ${each.among}`, each]),
    };
  },
} as const satisfies Record<string, (experiment: Simulated, resampling: Resampling) => { named: Named[]; least?: number | null }>;

type Part = keyof typeof parts;
const chosen = (process.argv[5]?.split(',') ?? Object.keys(parts)) as Part[];

/** All that is said of one experiment, by name. */
function experiment(count: number, times: number, settings: { resamples: number; seed: number }, of = chosen) {
  const cases = casesOf(count);
  const simulated = {
    a: trialsOf(cases, 1, times),
    b: trialsOf(cases, 0.8, times),
    c: of.some((each) => each === 'derived' || each === 'agreement') ? trialsOf(cases, 0.6, times) : [],
    times,
  };
  const answers: { named: Named[]; least?: number | null }[] = of.map((part) => parts[part](simulated, { ...settings, level }));
  return {
    found: new Map(answers.flatMap(({ named }) => named)),
    least: answers.find((each) => each.least !== undefined)?.least ?? null,
    trials: simulated.a,
  };
}

const population = experiment(200_000, 1, { resamples: 0, seed: 0 });
// Alpha among replicates is known only where there are some.
const replicated = experiment(100_000, 3, { resamples: 0, seed: 0 }, chosen.includes('agreement') ? ['agreement'] : []);
const truths = new Map([...replicated.found, ...population.found]);
const beliefs = population.trials.filter(({ belief }) => belief !== null);
const ofTruth = ({ belief, truth }: MeasuredTrial) => belief?.[String(truth)] ?? 0;
const sizeAt = (trial: MeasuredTrial, least: number) =>
  Object.values(trial.belief ?? {}).filter((each) => each >= least - 1e-9).length;
const share = (fits: (trial: MeasuredTrial) => boolean) => beliefs.filter(fits).length / beliefs.length;

/** Measures of sets are of the threshold that an experiment found, so that their truth differs from one to the next. */
const conformalTruth: Readonly<Record<string, (least: number) => number>> = {
  conformal_coverage: (least) => share((trial) => ofTruth(trial) >= least - 1e-9),
  conformal_set_size: (least) => beliefs.reduce((sum, trial) => sum + sizeAt(trial, least), 0) / beliefs.length,
  conformal_one_label: (least) => share((trial) => sizeAt(trial, least) === 1),
  conformal_empty: (least) => share((trial) => sizeAt(trial, least) === 0),
  conformal_all_labels: (least) => share((trial) => sizeAt(trial, least) === 2),
};
const known = new Map<string, number>();
function truthOf(name: string, least: number | null): number | null {
  const own = conformalTruth[name];
  if (own === undefined) return truths.get(name)?.value ?? null;
  if (least === null) return null;
  const key = `${name} ${least.toFixed(6)}`;
  const truth = known.get(key) ?? own(least);
  known.set(key, truth);
  return truth;
}

/** Of the runs with an interval, the share that holds the truth; and how many have one. */
function coverage(count: number, times: number): Map<string, { held: number; drawn: number }> {
  const tallies = new Map<string, { held: number; drawn: number }>();
  for (let seed = 0; seed < runs; seed++) {
    const { found, least } = experiment(count, times, { resamples, seed });
    for (const [name, { low, high }] of found) {
      const truth = truthOf(name, least);
      if (truth === null || low === null || high === null) continue;
      const tally = tallies.get(name) ?? { held: 0, drawn: 0 };
      tallies.set(name, {
        held: tally.held + Number(low - 1e-9 <= truth && truth <= high + 1e-9),
        drawn: tally.drawn + 1,
      });
    }
  }
  return tallies;
}

const columns = designs.map(({ cases, times }) => ({ title: `${cases}x${times}`, tallies: coverage(cases, times) }));
process.stdout.write(
  `${runs} simulated experiments of CASES x REPLICATES each, ${resamples} resamples, nominal 95%; (N) have an interval\n`,
);
process.stdout.write(`${['measure', ...columns.map(({ title }) => title)].join('\t')}\n`);
for (const name of truths.keys()) {
  const cells = columns.map(({ tallies }) => {
    const tally = tallies.get(name);
    if (tally === undefined) return '-';
    return `${((100 * tally.held) / tally.drawn).toFixed(1)}${tally.drawn < runs ? ` (${tally.drawn})` : ''}`;
  });
  if (cells.some((cell) => cell !== '-')) process.stdout.write(`${[name, ...cells].join('\t')}\n`);
}
