// The time and memory of a whole report, by its cases: node bench/statistics.ts [CASES ...]
import { randomSource } from '../src/core/cases/shuffle.ts';
import { statisticsReport } from '../src/core/statistics/measures/statisticsReport.ts';
import { line } from '../src/core/statistics/measures/trials.fixture.ts';

const arms = 4;
const resamples = 2000;
const sizes = process.argv.slice(2).map(Number);

function seconds(cases: number): number {
  const random = randomSource(1, 'bench');
  const names = Array.from({ length: arms }, (_, index) => `arm ${index}`);
  const truths = Array.from({ length: cases }, () => (random.next() < 0.4 ? 'YES' : 'NO'));
  const lines = names.flatMap((arm, place) =>
    truths.map((truth, index) => {
      const share = Math.min(0.999, Math.max(0.001, (truth === 'YES' ? 0.6 : 0.4) + (random.next() - 0.5) * (0.8 + place / 10)));
      const prediction = share >= 0.5 ? 'YES' : 'NO';
      const belief = { NO: 1 - share, YES: share };
      const stated = { belief, confidence: Math.max(share, 1 - share), groups: { sex: index % 2 === 0 ? 'f' : 'm' } };
      const decided = { case: `c${index}`, outcome: 'decided' as const, incomplete: false, inconsistent: false, path: null };
      return line(arm, { ...decided, truth, prediction, ...stated });
    }),
  );
  const before = process.cpuUsage().user;
  statisticsReport(
    {
      experiment: 'e',
      lines,
      arms: names,
      paths: new Map(),
      terms: { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: ['sex'] },
      baselines: { baselines: [], missing: [] },
      resampling: { resamples, seed: 1, level: 0.95 },
    },
    () => undefined,
  );
  return (process.cpuUsage().user - before) / 1e6;
}

for (const cases of sizes.length === 0 ? [5_000, 25_000, 100_000] : sizes) {
  const spent = seconds(cases).toFixed(1);
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(`${arms} arms x ${cases} cases, ${resamples} resamples: ${spent} s of the processor, ${memory} MiB\n`);
}
