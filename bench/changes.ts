// How well what is planted is found, in simulated experiments that the demo model decides: an attribute exchanged with a bias on and off,
// and debates cut at random where one speech counts for more and where all count alike. Prints how often the 95% interval holds the true
// value, and how often it is wholly above 0:
// node bench/changes.ts [EXPERIMENTS WITH] [EXPERIMENTS WITHOUT] [CASES] [POINTS] [TEMPERATURE]
import { randomSource } from '../src/core/cases/shuffle.ts';
import { heardSpeeches } from '../src/core/record/withheld.ts';
import { type ChangedTrial, changeStatistics } from '../src/core/statistics/measures/declaredChanges.ts';
import { replicatePairs } from '../src/core/statistics/measures/swapMeasures.ts';
import { turnEffects } from '../src/core/statistics/measures/turnEffects.ts';
import { lean } from '../src/main/engine/models/demo/write.ts';
import { defaultResamples } from '../src/main/engine/report/statistics.ts';
import type { TrialChange } from '../src/shared/changes.ts';

const [planted = 1000, without = 1000, cases = 400, points = 3, temperature = 0.5] = process.argv.slice(2).map(Number);
/** Cases that the true value is taken from. */
const population = 100_000;
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
    const change = { kind: 'attribute', text: 'town exchanged', applies: true, from: kase.town, to } as const;
    return trial(kase, decide(kase, to, seedOf(place, 0), bias), 'changed', change);
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
  const [found] = changeStatistics([about], trialsOf, terms, { ...resampling, level: 0.95 });
  return found?.measures.find(({ name }) => name === 'excess_flip_rate');
}

const inPercent = (share: number) => `${(100 * share).toFixed(1)}%`;

const speeches = ['turn-1/prosecutor', 'turn-1/defense', 'turn-2/prosecutor', 'turn-2/defense'];
const speaker = 'prosecutor, turn 2';

/** P(YES) of the demo model that has heard the first speeches: the prosecution says YES, the defense NO; without points both say nothing. */
function believe({ others }: DrawnCase, seed: number, heard: number, points: number): number {
  const biases = points === 0 ? [] : [{ kind: 'speech', speaker, points } as const];
  const claim = (role: string) => (points === 0 ? '' : role === 'defense' ? 'NO' : 'YES');
  const said = speeches.slice(0, heard).map((speech) => {
    const [turn = '', role = ''] = speech.split('/');
    return { heading: `${role}, ${turn.replace('-', ' ')}`, text: claim(role) };
  });
  const brief = { facts: others, labels: ['NO', 'YES'], assigned: null, speeches: said };
  return lean(brief, biases, temperature, randomSource(seed, `after ${heard}`)).belief[1] ?? 0;
}

/** What each speech adds to P(YES) by debates cut at random, with so many draws of each case. */
function turns(drawn: readonly DrawnCase[], points: number, draws: number, resampling: { resamples: number; seed: number }) {
  const seedOf = (place: number) => resampling.seed * drawn.length + place;
  const believed = (kase: DrawnCase, place: number, heard: number, cut?: number): ChangedTrial => {
    const yes = believe(kase, seedOf(place), heard, points);
    const about = { kind: 'truncate', text: 'cut at random', applies: true, from: null, to: null } as const;
    const change = cut === undefined ? undefined : { ...about, truncated: { heard, of: speeches } };
    return { ...trial(kase, yes > 0.5 ? 'YES' : 'NO', `cut ${cut}`, change), belief: { NO: 1 - yes, YES: yes } };
  };
  const cuts = Array.from({ length: draws }, (_, place) => place + 1);
  const armOf = (draw: number) =>
    drawn.map((kase, place) => {
      const heard = heardSpeeches({ of: 'base', kind: 'truncate', speeches, draw }, seedOf(place));
      return believed(kase, place, heard, draw);
    });
  const arms = new Map([['base', drawn.map((kase, place) => believed(kase, place, speeches.length))]]);
  for (const draw of cuts) arms.set(`draw ${draw}`, armOf(draw));
  const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false };
  const truncated = [{ arm: 'base', cuts: cuts.map((draw) => `draw ${draw}`) }];
  const all = { ...resampling, level: 0.95 };
  const effects = turnEffects(truncated, (arm) => arms.get(arm) ?? [], terms, all);
  return effects.map(({ measures }) => measures.find(({ name }) => name === 'turn_belief'));
}

const drawn = (count: number) => Array.from({ length: count }, (_, id) => drawCase(id));

function reportTurns(title: string, runs: number, [size, draws]: readonly [number, number], points: number): void {
  const whole = drawn(population);
  const truths = turns(whole, points, speeches.length, { resamples: 0, seed: 1 }).map((measure) => measure?.value ?? 0);
  const seen = speeches.map(() => ({ intervals: 0, held: 0, apart: 0 }));
  for (let seed = 1; seed <= runs; seed++) {
    for (const [place, measure] of turns(drawn(size), points, draws, { resamples: defaultResamples, seed }).entries()) {
      const [count, truth] = [seen[place], truths[place] ?? 0];
      // With too few cases on a side there is none.
      if (count === undefined || measure?.low == null || measure.high === null) continue;
      count.intervals += 1;
      if (measure.low <= truth && truth <= measure.high) count.held += 1;
      if (measure.low > 0 || measure.high < 0) count.apart += 1;
    }
  }
  const lines = seen.map(
    ({ intervals, held, apart }, place) =>
      `${speeches[place]} ${inPercent(truths[place] ?? 0)}, held in ${held} of ${intervals} intervals, wholly apart from 0 in ${apart}`,
  );
  console.log(`${title}, ${size} cases, ${draws} draws, ${runs} experiments: ${lines.join('; ')}`);
}

function report(title: string, runs: number, bias: number): void {
  const truth = bias === 0 ? 0 : (excess(experiment(drawn(population), bias), { resamples: 0, seed: 1 })?.value ?? 0);
  let [held, above] = [0, 0];
  for (let seed = 1; seed <= runs; seed++) {
    const measure = excess(experiment(drawn(cases), bias), { resamples: defaultResamples, seed });
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
for (const design of [
  [200, 1],
  [40, 3],
] as const) {
  reportTurns(`a speech with ${points} more points`, planted, design, points);
  reportTurns('speeches that say nothing', without, design, 0);
}
