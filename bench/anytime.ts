// Simulated runs that somebody watches: how often an interval of a paired difference misses the truth at some look, and how wide it is.
// Then how often the primary comparison shows what is not so, at the edge of its margin.
// Prints a line for each design: node bench/anytime.ts [RUNS] [looks|primary]
import { randomSource } from '../src/core/cases/shuffle.ts';
import { bootstrapDifference } from '../src/core/statistics/bootstrap.ts';
import { confidenceSequence } from '../src/core/statistics/confidenceSequence.ts';

const runs = Number(process.argv[2] ?? 1000);
const only = process.argv[3];
const [alpha, firstLook, most, z] = [0.05, 20, 1000, 1.959963984540054];
const random = randomSource(45, 'anytime');

interface Design {
  readonly difference: number;
  /** Share of trials on which the two differ. */
  readonly discordance: number;
  readonly replicates: number;
}

/** The difference of two arms on a case: the mean over its replicates. */
function drawn({ difference, discordance, replicates }: Design): number {
  let sum = 0;
  for (let replicate = 0; replicate < replicates; replicate++) {
    const u = random.next();
    if (u < (discordance + difference) / 2) sum += 1;
    else if (u < discordance) sum -= 1;
  }
  return sum / replicates;
}

/** One run, looked at after each case: which intervals missed the truth at some look, and both widths at the end. */
function watched(design: Design) {
  const sequence = confidenceSequence(alpha);
  const missed = { anytime: false, fixed: false, fixedAtEnd: false };
  let [sum, squares, halfWidth] = [0, 0, 0];
  for (let n = 1; n <= most; n++) {
    const value = drawn(design);
    sequence.add(value);
    sum += value;
    squares += value * value;
    if (n < firstLook) continue;
    const { low, high } = sequence.interval();
    if (design.difference < low || design.difference > high) missed.anytime = true;
    halfWidth = z * Math.sqrt(Math.max(0, squares - (sum * sum) / n) / (n - 1) / n);
    missed.fixedAtEnd = Math.abs(sum / n - design.difference) > halfWidth;
    if (missed.fixedAtEnd) missed.fixed = true;
  }
  const { low, high } = sequence.interval();
  return { ...missed, anytimeWidth: high - low, fixedWidth: 2 * halfWidth };
}

const designs: readonly Design[] = [
  { difference: 0, discordance: 0.1, replicates: 1 },
  { difference: 0, discordance: 0.3, replicates: 1 },
  { difference: 0.05, discordance: 0.3, replicates: 1 },
  { difference: 0.05, discordance: 0.3, replicates: 3 },
];
for (const design of only === 'primary' ? [] : designs) {
  const found = Array.from({ length: runs }, () => watched(design));
  const share = (of: 'anytime' | 'fixed' | 'fixedAtEnd') =>
    `${((100 * found.filter((each) => !each[of]).length) / runs).toFixed(1)}%`;
  const width = (of: 'anytimeWidth' | 'fixedWidth') => (found.reduce((sum, each) => sum + each[of], 0) / runs).toFixed(3);
  const { difference, discordance, replicates } = design;
  console.log(
    `difference ${difference}, discordant ${discordance}, ${replicates} replicates, looks after each of ${firstLook} to ${most} cases: anytime-valid interval right at all looks in ${share('anytime')}, fixed-n at all looks in ${share('fixed')}, at the end in ${share('fixedAtEnd')}; width at the end ${width('anytimeWidth')} and ${width('fixedWidth')}`,
  );
}

/** A mean over cases, and one that is always 0: their difference is the first. */
const meanOf = (values: readonly number[]) => ({
  cases: values.length,
  at(weights: Uint32Array) {
    let sum = 0;
    for (let place = 0; place < values.length; place++) sum += (values[place] ?? 0) * (weights[place] ?? 0);
    return sum / values.length;
  },
  without: (index: number) => (values.reduce((sum, value) => sum + value, 0) - (values[index] ?? 0)) / (values.length - 1),
});

/** The ends of the interval that the primary comparison has, around differences that are `difference` on average. */
function endsOf(design: Design, cases: number, seed: number) {
  const values = Array.from({ length: cases }, () => drawn(design));
  const nothing = { cases, at: () => 0, without: () => 0 };
  const { low, high } = bootstrapDifference(meanOf(values), nothing, { resamples: 2000, seed })(1 - alpha);
  return { low: low ?? Number.NaN, high: high ?? Number.NaN };
}

for (const cases of only === 'looks' ? [] : [50, 200, 1000]) {
  for (const replicates of [1, 3]) {
    const found = Array.from({ length: runs }, (_, seed) =>
      endsOf({ difference: -0.05, discordance: 0.3, replicates }, cases, seed),
    );
    const shown = found.filter(({ low }) => low > -0.05).length / runs;
    const held = found.filter(({ low, high }) => low <= -0.05 && high >= -0.05).length / runs;
    console.log(
      `primary, ${cases} cases x ${replicates}, truly worse by the margin: non-inferiority shown in ${(100 * shown).toFixed(1)}% (nominal 2.5%), interval right in ${(100 * held).toFixed(1)}%`,
    );
  }
}
