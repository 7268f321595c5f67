import { describe, expect, it } from 'vitest';
import { majorityClass } from './frequencyBaselines.ts';
import { referenceSets } from './reference.fixture.ts';

const training = (...truths: (string | string[])[]) => truths.map((truth) => ({ truth }));
const labels = ['NO', 'MAYBE', 'YES'];
const cases = [{ id: 'a' }, { id: 'b' }];

describe('majorityClass', () => {
  it('says the most frequent label of every case, with the shares of the training split as belief', () => {
    const { predictions, about } = majorityClass(training('YES', 'NO', 'YES', 'YES'), cases, labels);
    const belief = { NO: 0.25, MAYBE: 0, YES: 0.75 };
    expect(predictions).toEqual([
      { case: 'a', prediction: 'YES', belief },
      { case: 'b', prediction: 'YES', belief },
    ]);
    expect(about).toMatchObject({ trained_on: 4, seed: null, parameters: { count: 3 } });
  });

  it('takes the first of equally frequent labels in the order of the labels', () => {
    expect(majorityClass(training('YES', 'MAYBE', 'YES', 'MAYBE'), cases, labels).predictions[0]?.prediction).toBe('MAYBE');
  });

  it('takes the most frequent set where cases can have several labels, with the share of each label by itself as belief', () => {
    const sets = training(['NO', 'YES'], ['YES'], ['NO', 'YES'], []);
    expect(majorityClass(sets, cases, labels).predictions[0]).toEqual({
      case: 'a',
      prediction: ['NO', 'YES'],
      belief: { NO: 0.5, MAYBE: 0, YES: 0.75 },
    });
    expect(majorityClass(training(['YES'], ['NO', 'YES'], ['NO'], []), cases, labels).predictions[0]?.prediction).toEqual([]);
  });

  it('refuses an empty training split', () => {
    expect(() => majorityClass([], cases, labels)).toThrow(RangeError);
  });

  // scikit-learn 1.9.1, DummyClassifier(strategy="prior").
  it.each(referenceSets)('has the prior of scikit-learn: $name', (set) => {
    const known = set.trainLabels.map((truth) => ({ truth }));
    const [first] = majorityClass(known, set.onTrial, set.labels).predictions;
    expect(Object.values(first?.belief ?? {})).toEqual(set.prior.map((share) => expect.closeTo(share, 12)));
  });
});
