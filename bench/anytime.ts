// Simulated runs that somebody watches: how often an interval of a paired difference misses the truth at some look, and how wide it is.
// Prints a line for each design: node bench/anytime.ts [RUNS]
import { randomSource } from '../src/core/cases/shuffle.ts';
import { confidenceSequence } from '../src/core/statistics/confidenceSequence.ts';

const runs = Number(process.argv[2] ?? 1000);
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
for (const design of designs) {
  const found = Array.from({ length: runs }, () => watched(design));
  const share = (of: 'anytime' | 'fixed' | 'fixedAtEnd') =>
    `${((100 * found.filter((each) => !each[of]).length) / runs).toFixed(1)}%`;
  const width = (of: 'anytimeWidth' | 'fixedWidth') => (found.reduce((sum, each) => sum + each[of], 0) / runs).toFixed(3);
  const { difference, discordance, replicates } = design;
  console.log(
    `difference ${difference}, discordant ${discordance}, ${replicates} replicates, looks after each of ${firstLook} to ${most} cases: anytime-valid interval right at all looks in ${share('anytime')}, fixed-n at all looks in ${share('fixed')}, at the end in ${share('fixedAtEnd')}; width at the end ${width('anytimeWidth')} and ${width('fixedWidth')}`,
  );
}
