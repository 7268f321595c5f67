import { describe, expect, it } from 'vitest';
import type { DatasetCase } from '../../shared/domain.ts';
import { baselineNames } from './baseline.ts';
import { learnEncoding } from './features.ts';
import { fitBaselines } from './fitBaselines.ts';
import { boostedProbabilities } from './gradientBoosting.ts';
import type { BaselineTask } from './learning.ts';
import { referenceSets } from './reference.fixture.ts';

const [, fourLabels] = referenceSets;
if (fourLabels === undefined) throw new Error('there are no reference sets');

const task: BaselineTask = {
  kind: 'tabular',
  labels: fourLabels.labels,
  multiLabel: false,
  training: fourLabels.training.slice(0, 120),
  onTrial: fourLabels.onTrial.slice(0, 25),
  seed: 3,
};

const kase = (id: string, truth: DatasetCase['truth'], facts: Record<string, string> = {}): DatasetCase => ({
  id,
  truth,
  facts: Object.entries(facts).map(([name, value]) => ({ name, value })),
  question: null,
  groups: { sex: 'f' },
});

const small = (training: readonly DatasetCase[], more: Partial<BaselineTask> = {}) =>
  fitBaselines({ ...task, labels: ['NO', 'YES'], training, onTrial: [kase('t', 'YES', { age: '30' })], ...more });

const two = [
  kase('a', 'NO', { age: '20' }),
  kase('b', 'YES', { age: '40' }),
  kase('c', 'NO', { age: '21' }),
  kase('d', 'YES', { age: '39' }),
];

describe('fitBaselines', () => {
  const fitted = fitBaselines(task);

  it('has all but that of texts for a table, each with a prediction and a distribution for every case on trial', () => {
    expect(fitted.baselines.map(({ name }) => name)).toEqual(baselineNames.slice(0, -1));
    expect(fitted.missing).toEqual([
      {
        name: 'tfidf-logistic-regression',
        why: 'it is for cases that are texts, and no baseline reads the words of a long text in a column of a table',
      },
    ]);
    for (const { predictions } of fitted.baselines) {
      expect(predictions.map((each) => each.case)).toEqual(task.onTrial.map(({ id }) => id));
      for (const { prediction, belief } of predictions) {
        expect(Object.keys(belief ?? {})).toEqual(task.labels);
        expect(Object.values(belief ?? {}).reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
        expect(task.labels).toContain(prediction);
      }
    }
  });

  it('predicts the most likely label with the learned ones', () => {
    for (const { predictions } of fitted.baselines.slice(2)) {
      for (const { prediction, belief } of predictions) {
        expect(belief?.[String(prediction)]).toBe(Math.max(...Object.values(belief ?? {})));
      }
    }
  });

  it('says how each was trained', () => {
    const [majority, , logistic, forest, boosting] = fitted.baselines;
    expect(majority?.about).toMatchObject({ trained_on: 120, columns: [], seed: null });
    expect(logistic?.about).toMatchObject({ trained_on: 120, seed: null, parameters: { C: 1 } });
    expect(logistic?.about.columns.toSorted()).toEqual(fourLabels.columns.toSorted());
    expect(forest?.about).toMatchObject({ seed: 3, parameters: { trees: 200, fewestInLeaf: 1 } });
    // Chance holds cases out only where they are many.
    expect(boosting?.about).toMatchObject({ seed: null, parameters: { learningRate: 0.1, rounds: 100 } });
  });

  it('boosts over the encoded columns, with an empty cell of a number as missing', () => {
    const encoding = learnEncoding(task.training);
    const [rows, cases] = [encoding.encode(task.training, Number.NaN), encoding.encode(task.onTrial, Number.NaN)];
    const { probabilities } = boostedProbabilities(rows, fourLabels.classes.slice(0, 120), 4, cases, { seed: 3 });
    expect(fitted.baselines[4]?.predictions.flatMap(({ belief }) => Object.values(belief ?? {}))).toEqual([...probabilities]);
  });

  it('gives the same again, and does not look at the truths or the groups of the cases on trial', () => {
    const [first = ''] = task.labels;
    const blind = task.onTrial.map((each) => ({ ...each, truth: first, groups: { sex: 'other' } }));
    expect(fitBaselines({ ...task, onTrial: blind })).toEqual(fitted);
  });

  it('gives a case the same with any others on trial', () => {
    const fewer = fitBaselines({ ...task, onTrial: task.onTrial.slice(5, 9) });
    expect(fewer.baselines.map(({ predictions }) => predictions)).toEqual(
      fitted.baselines.map(({ predictions }) => predictions.slice(5, 9)),
    );
  });

  it('leaves training cases out that are on trial themselves, and those without a label', () => {
    const training = [...two, kase('t', 'YES', { age: '31' }), kase('e', null, { age: '50' })];
    const { baselines } = small(training);
    expect(baselines.map(({ about }) => about.trained_on)).toEqual([4, 4, 4, 4, 4]);
    expect(baselines).toEqual(small(two).baselines);
  });

  it('has none without a training split, or where none of it is left', () => {
    const why = (training: readonly DatasetCase[]) => {
      const { baselines, missing } = small(training);
      expect(baselines).toEqual([]);
      expect(missing.map(({ name }) => name)).toEqual([...baselineNames]);
      return missing[0]?.why;
    };
    expect(why([])).toBe('the training split is empty: "split" gives "train" no cases');
    expect(why([kase('t', 'YES')])).toBe('every labelled case of the training split is on trial itself');
    expect(why([kase('a', null)])).toBe('no case of the training split has a label');
  });

  it('has none for open cases', () => {
    expect(small([kase('a', null)], { kind: 'open', labels: [] }).missing[3]?.why).toBe('open cases have no labels');
  });

  it('learns from columns only where there are some, of cases with one label', () => {
    const whyLearned = (training: readonly DatasetCase[], more: Partial<BaselineTask> = {}) => {
      const { baselines, missing } = small(training, more);
      expect(baselines.map(({ name }) => name)).toEqual(['majority', 'stratified-random']);
      expect(missing.map(({ name }) => name)).toEqual(baselineNames.slice(2));
      return missing[0]?.why;
    };
    expect(whyLearned([kase('a', ['NO', 'YES']), kase('b', [])], { multiLabel: true })).toMatch(/can have several/);
    expect(whyLearned([kase('a', 'NO'), kase('b', 'YES')])).toBe('no column of the training cases tells them apart');
    expect(whyLearned([kase('a', 'NO', { age: '1' }), kase('b', 'NO', { age: '2' })])).toBe(
      'every training case has the label "NO"',
    );
  });

  it('takes a value that no training case has for none of the known ones', () => {
    const training = Array.from({ length: 80 }, (_, index) =>
      kase(`c${index}`, index % 2 === 0 ? 'NO' : 'YES', { colour: index % 2 === 0 ? 'red' : 'blue', age: String(index) }),
    );
    const onTrial = [kase('t', 'YES', { colour: 'blue', age: '7' }), kase('u', 'NO', { colour: 'green' })];
    for (const { predictions } of small(training, { onTrial }).baselines.slice(2)) {
      expect(predictions[0]?.prediction).toBe('YES');
      expect(Object.values(predictions[1]?.belief ?? {}).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    }
  });

  it.each(['text', 'pair', 'sections'] as const)('learns from the words of cases of kind %s', (kind) => {
    const words = { NO: 'he returned the money', YES: 'he took the money again' };
    const training = Array.from({ length: 20 }, (_, index) => {
      const truth = index % 2 === 0 ? 'NO' : 'YES';
      return kase(`c${index}`, truth, { first: `case ${index}`, second: words[truth] });
    });
    const onTrial = [kase('t', 'YES', { second: 'He took it AGAIN.' }), kase('u', 'NO', { first: '' })];
    const { baselines, missing } = small(training, { kind, onTrial });
    expect(missing.map(({ name }) => name)).toEqual(['logistic-regression', 'random-forest', 'gradient-boosting']);
    expect(missing[0]?.why).toBe('only the cases of a table have columns to learn from');
    const [, , texts] = baselines;
    expect(texts?.about).toMatchObject({ columns: ['first', 'second'], trained_on: 20, seed: null });
    expect(texts?.predictions[0]?.prediction).toBe('YES');
    // Of a case without words there is only how frequent the labels are: the intercept.
    expect(texts?.predictions[1]?.belief?.YES).toBeGreaterThan(0.3);
    expect(texts?.predictions[1]?.belief?.YES).toBeLessThan(0.7);
  });

  it('says why no words can be learned from', () => {
    const why = (training: readonly DatasetCase[]) =>
      small(training, { kind: 'text' }).missing.find(({ name }) => name === 'tfidf-logistic-regression')?.why;
    expect(why([kase('a', 'NO', { text: 'one thing' }), kase('b', 'YES', { text: '' })])).toBe(
      'no word is in two training cases',
    );
    expect(why([kase('a', 'NO', { text: 'same' }), kase('b', 'NO', { text: 'same' })])).toBe(
      'every training case has the label "NO"',
    );
  });

  it('does not boost a tree for each of too many labels', () => {
    const labels = Array.from({ length: 700 }, (_, index) => `L${index}`);
    const training = labels.map((label, index) => kase(label, label, { colour: index % 2 === 0 ? 'red' : 'blue' }));
    expect(small(training, { labels }).missing[0]).toEqual({
      name: 'gradient-boosting',
      why: 'a tree for each of 700 labels in every round is too much for 700 training cases',
    });
  });

  it('gives a label that no training case has no probability, and says so', () => {
    const [, , logistic] = small(two, { labels: ['NO', 'MAYBE', 'YES'] }).baselines;
    expect(logistic?.predictions[0]?.belief?.MAYBE).toBe(0);
    expect(logistic?.about.notes).toEqual(['no training case has "MAYBE"']);
  });

  it('reports its progress, and ends when that throws', () => {
    const shares: number[] = [];
    small(two, { onProgress: (share) => shares.push(share) });
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const stop = () => {
      throw new Error('stopped');
    };
    expect(() => small(two, { onProgress: stop })).toThrow('stopped');
  });
});
