import { expect, test } from 'vitest';
import { randomGenerator } from '../../../core/cases/shuffle.ts';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import type { MeasuredTrial } from '../../../core/statistics/measures/trials.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { Figure, FigureSources } from '../kit/figure.ts';
import { labelReliabilityFigure, reliabilityFigure } from './calibration.ts';
import { correctionsDegradationsFigure } from './firstAnswers.ts';
import { pairedEnsembleFigure } from './pairedEnsemble.ts';
import { rankingMeasuresFigure } from './rankingMeasures.ts';
import { dataOf, linesOf, sourcesOf } from './report.fixture.ts';
import { swapsFigure } from './swaps.ts';

const experiments = exhaustive ? 200 : 40;
const cases = 40;
const confidences = [0.55, 0.65, 0.8, 0.9];
const meanConfidence = 0.725;
/** The decisions hang on the exact tests; the intervals next to them can be rough. */
const resamples = 10;

const chance = (seed: number) => {
  const generator = randomGenerator(seed, 'null');
  return () => (generator.next() >>> 0) / 2 ** 32;
};

const answer = (right: boolean, truth: string) => (right ? truth : truth === 'YES' ? 'NO' : 'YES');

/** Trials that are right as often as their confidence says, in every arm. */
const honest = (random: () => number): MeasuredTrial[] =>
  Array.from({ length: cases }, (_none, place) => {
    const truth = place % 2 === 0 ? 'YES' : 'NO';
    const confidence = confidences[Math.floor(random() * confidences.length)] ?? 0.55;
    const prediction = answer(random() < confidence, truth);
    const belief = { [prediction]: confidence, [answer(false, prediction)]: 1 - confidence };
    return trial(`c${place}`, { truth, confidence, prediction, belief });
  });

/** Five arms without a difference; their first answers are right as often as their verdicts. */
function alike(seed: number): FigureSources {
  const random = chance(seed);
  const arm = (name: string, models: string[], protocol: string) => linesOf(name, honest(random), { models, protocol });
  const lines = [
    ...arm('cot a', ['a'], 'standard'),
    ...arm('cot b', ['b'], 'standard'),
    ...arm('court a', ['a'], 'agentic-sim'),
    ...arm('court b', ['b'], 'agentic-sim'),
    ...arm('pair', ['a', 'b'], 'evince'),
  ];
  const paths = new Map(
    lines.map(({ trial: id, truth }) => [id, { steps: [], initial: answer(random() < meanConfidence, String(truth)) }]),
  );
  return sourcesOf(lines, { paths, resamples });
}

/** Two replicates of an arm and of its three swaps, among which nothing differs but chance. */
function exchanged(seed: number): FigureSources {
  const random = chance(seed);
  const twice = (name: string, change: Partial<TrialLine> = {}) =>
    [0, 1].flatMap((replicate) =>
      linesOf(name, honest(random), change).map((line) => ({ ...line, replicate, trial: `${line.trial}/${replicate}` })),
    );
  const swap = (each: 'sides' | 'order' | 'labels') => twice(`court~${each}`, { swap: each, base_arm: 'court' });
  return sourcesOf([...twice('court'), ...swap('sides'), ...swap('order'), ...swap('labels')], { resamples });
}

function sentences(figure: Figure, all: readonly FigureSources[]): number {
  return all.filter((sources) => (dataOf(figure, sources).finding ?? null) !== null).length;
}

test(`of ${experiments} experiments without a difference at most one in twenty gets a sentence`, {
  tags: 'exhaustive',
  timeout: 300_000,
}, () => {
  const all = Array.from({ length: experiments }, (_none, seed) => alike(seed));
  const most = experiments / 20;
  expect(sentences(pairedEnsembleFigure, all)).toBeLessThanOrEqual(most);
  expect(sentences(rankingMeasuresFigure, all)).toBeLessThanOrEqual(most);
  expect(sentences(correctionsDegradationsFigure, all)).toBeLessThanOrEqual(most);
  expect(sentences(reliabilityFigure, all)).toBeLessThanOrEqual(most);
  expect(sentences(labelReliabilityFigure, all)).toBeLessThanOrEqual(most);
});

test(`of ${3 * experiments} swaps without an effect under one in a hundred is named`, {
  tags: 'exhaustive',
  timeout: 300_000,
}, () => {
  const all = Array.from({ length: experiments }, (_none, seed) => exchanged(seed));
  expect(sentences(swapsFigure, all)).toBeLessThan((3 * experiments) / 100);
});

test('the same rules say a sentence where there is a difference', () => {
  const random = chance(1);
  const all = honest(random).map((each) => ({ ...each, confidence: 0.9 }));
  const wrong = all.map((each, place) => ({ ...each, prediction: answer(place % 5 === 0, String(each.truth)) }));
  const right = all.map((each, place) => ({ ...each, prediction: answer(place % 10 !== 3, String(each.truth)) }));
  const lines = ['a', 'b'].flatMap((model) => [
    ...linesOf(`cot ${model}`, wrong, { models: [model] }),
    ...linesOf(`court ${model}`, right, { models: [model], protocol: 'agentic-sim' }),
  ]);
  const sources = sourcesOf(lines, { resamples });
  expect(sentences(pairedEnsembleFigure, [sources])).toBe(1);
  expect(sentences(reliabilityFigure, [sources])).toBe(1);
});
