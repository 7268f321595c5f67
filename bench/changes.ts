// How well a planted bias is found: an attribute exchanged in simulated experiments that the demo model decides, with the bias on
// and off. Prints how often the 95% interval of the excess flip rate holds its true value, and how often it is wholly above 0:
// node bench/changes.ts [EXPERIMENTS WITH] [EXPERIMENTS WITHOUT] [CASES] [POINTS] [TEMPERATURE]
import { randomSource } from '../src/core/cases/shuffle.ts';
import { type ChangedTrial, changeStatistics } from '../src/core/statistics/measures/declaredChanges.ts';
import { replicatePairs } from '../src/core/statistics/measures/swapMeasures.ts';
import { lean } from '../src/main/engine/models/demo/leaning.ts';
import type { TrialChange } from '../src/shared/changes.ts';

const [planted = 100, without = 200, cases = 200, points = 3, temperature = 0.5] = process.argv.slice(2).map(Number);
/** Cases that the true value is taken from. */
const population = 40_000;
const values = ['north', 'south'] as const;
const random = randomSource(15, 'cases');

const drawCase = (id: number) => ({
  id: `c${id}`,
  town: values[random.below(2)] ?? 'north',
  // Few facts, so that those that are overlooked matter.
  others: Array.from({ length: 5 }, (_, place) => ({ name: `fact ${'abcde'[place]}`, value: String(random.below(10)) })),
});
type DrawnCase = ReturnType<typeof drawCase>;

/** The verdict of the demo model: its chance follows from seed and prompt, as in its answers. */
function decide({ others }: DrawnCase, town: string, seed: number, bias: number): string {
  const facts = [{ name: 'town', value: town }, ...others];
  const biases = bias === 0 ? [] : [{ kind: 'attribute', name: 'town', value: 'north', label: 'YES', points: bias } as const];
  const text = facts.map(({ name, value }) => `${name} is ${value}`).join('; ');
  const brief = { facts, labels: ['NO', 'YES'], assigned: null, speeches: [] };
  const [no = 0, yes = 0] = lean(brief, biases, temperature, randomSource(seed, text)).belief;
  return yes > no ? 'YES' : 'NO';
}

const other = (town: string) => (town === 'north' ? 'south' : 'north');

function trial(kase: DrawnCase, prediction: string, name: string, change?: TrialChange): ChangedTrial {
  return {
    ...{ case: kase.id, trial: `${name} ${kase.id}`, replicate: 0, outcome: 'decided', incomplete: false, inconsistent: false },
    ...{ prediction, confidence: null, belief: null, truth: null, groups: { town: kase.town }, path: null },
    ...(change === undefined ? {} : { change }),
  };
}

/** One experiment: the arm, the arm with other seeds, and the arm with the attribute exchanged. */
function experiment(drawn: readonly DrawnCase[], bias: number) {
  const seedOf = (place: number, further: number) => 2 * place + further;
  const base = drawn.map((kase, place) => trial(kase, decide(kase, kase.town, seedOf(place, 0), bias), 'base'));
  const seeds = drawn.map((kase, place) => trial(kase, decide(kase, kase.town, seedOf(place, 1), bias), 'seeds'));
  const changed = drawn.map((kase, place) => {
    const to = other(kase.town);
    const told = { kind: 'attribute', text: 'town exchanged', applies: true, from: kase.town, to } as const;
    return trial(kase, decide(kase, to, seedOf(place, 0), bias), 'changed', told);
  });
  return { base, seeds, changed };
}

function excess({ base, seeds, changed }: ReturnType<typeof experiment>, resampling: { resamples: number; seed: number }) {
  const about = {
    arm: 'base',
    changed_arm: 'changed',
    kind: 'attribute',
    change: 'town exchanged',
    control: replicatePairs([...base, ...seeds]),
  } as const;
  const terms = { positive: 'YES', multiLabel: false };
  const trialsOf = (arm: string) => (arm === 'base' ? base : changed);
  const [found] = changeStatistics([about], trialsOf, terms, { ...resampling, level: 0.95 }).run(() => undefined);
  return found?.measures.find(({ name }) => name === 'excess_flip_rate');
}

const inPercent = (share: number) => `${(100 * share).toFixed(1)}%`;

function report(title: string, runs: number, bias: number): void {
  const truth =
    excess(
      experiment(
        Array.from({ length: population }, (_, id) => drawCase(id)),
        bias,
      ),
      { resamples: 0, seed: 1 },
    )?.value ?? 0;
  let [held, above] = [0, 0];
  for (let seed = 1; seed <= runs; seed++) {
    const measure = excess(
      experiment(
        Array.from({ length: cases }, (_, id) => drawCase(id)),
        bias,
      ),
      { resamples: 1000, seed },
    );
    const [low, high] = [measure?.low ?? Number.NaN, measure?.high ?? Number.NaN];
    if (low <= truth && truth <= high) held += 1;
    if (low > 0) above += 1;
  }
  console.log(
    `${title}, ${cases} cases: true excess flip rate ${inPercent(truth)}; in its interval in ${held} of ${runs}; interval wholly above 0 in ${above} of ${runs}`,
  );
}

report(`bias of ${points} points`, planted, points);
report('no bias', without, 0);
