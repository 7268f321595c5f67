import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownProbabilities, ownProbabilityText } from './ownProbability.ts';

const labels = { labels: ['NO', 'YES'], positive: 'YES' };
type Predicted = readonly [prediction: string, risk: number];

function found(predicted: readonly Predicted[], among = labels) {
  const own = ownProbabilities(among);
  for (const [prediction, risk] of predicted) own.add(prediction, { NO: 1 - risk, YES: risk });
  return own.found();
}

const thousandths = fc.integer({ min: 0, max: 1000 }).map((number) => number / 1000);

test('predictions by a threshold are explained by a range that holds it, and those that 50% would not give are counted', () => {
  fc.assert(
    fc.property(fc.array(thousandths, { minLength: 1 }), fc.integer({ min: 1, max: 999 }), (risks, half) => {
      // Between two thousandths: no risk is equal to it.
      const threshold = half / 1000 + 0.0005;
      const predicted = risks.map((risk): Predicted => [risk > threshold ? 'YES' : 'NO', risk]);
      const result = found(predicted);
      expect(result?.threshold?.from ?? 1).toBeLessThan(threshold);
      expect(result?.threshold?.to ?? 0).toBeGreaterThan(threshold);
      expect(result?.against).toBe(risks.filter((risk) => risk !== 0.5 && risk > 0.5 !== risk > threshold).length);
    }),
  );
});

test('no threshold explains predictions that are not in the order of their probabilities', () => {
  const mixed: Predicted[] = [
    ['YES', 0.2],
    ['NO', 0.4],
    ['YES', 0.9],
  ];
  expect(found(mixed)).toMatchObject({ of: 3, against: 1, threshold: null });
  expect(found([])).toBeNull();
  // Of one label always there is none to find, not even at the ends.
  expect(
    found([
      ['YES', 0],
      ['YES', 0.7],
    ]),
  ).not.toHaveProperty('threshold');
  expect(found([['NO', 1]])).not.toHaveProperty('threshold');
});

test('the sentence names the thresholds that explain all, rounded inward, and is not there where no prediction is against', () => {
  const at = (...predicted: Predicted[]) => {
    const own = found(predicted);
    return ownProbabilityText([{ arm: 'model', ...(own === null ? {} : { own_probability: own }) }]);
  };
  expect(at(['YES', 0.4123], ['NO', 0.3081])).toBe(
    '1 of 2 predictions of model is not the label with the highest probability (all 2 agree with a threshold for YES between 30.9% and 41.2%). By direction: 1 is YES although NO was likelier. Assize takes predictions as they are; authors often use another threshold or rule than the highest probability.',
  );
  expect(at(['YES', 0.3502], ['NO', 0.3496])).toContain('a threshold for YES of 35%)');
  expect(at(['YES', 0.35024], ['NO', 0.35021])).toContain('between 35.022% and 35.024%)');
  expect(at(['YES', 0.3504], ['NO', 0.35])).toContain('between 35.01% and 35.04%)');
  expect(at(['YES', 0.2], ['NO', 0.4])).toMatch(
    /no single threshold agrees .* check which label the column is the probability of, or whether it is the confidence of each prediction\./,
  );
  expect(at(['YES', 0.6], ['NO', 0.4])).toBeNull();
  expect(at()).toBeNull();
});

test('says how often such predictions are right, with an interval where each case has one', () => {
  const said = (cases: readonly string[], by?: string) => {
    const own = ownProbabilities(labels);
    for (const [place, id] of cases.entries()) own.add('YES', { NO: 0.7, YES: 0.3 }, { case: id, correct: place < 3 });
    own.add('YES', { NO: 0.1, YES: 0.9 }, { case: 'agreeing', correct: false });
    return ownProbabilityText([{ arm: 'model', own_probability: own.found() ?? { of: 0, against: 0 } }], { decided_by: by });
  };
  const ten = Array.from({ length: 10 }, (_, place) => `c${place}`);
  expect(said(ten)).toContain('Of these predictions, 3 of 10 are right and 7 wrong (30%, 95% interval 10.8% to 60.3%).');
  expect(said([...ten, 'c0'], 'the bank')).toContain(
    'Of these predictions, 3 of 11 agree with the bank and 8 do not (no interval: some are of the same case).',
  );
});

test('says each direction with how many are right, and doubts the label only where the area under the curve does not speak against it', () => {
  const own = ownProbabilities(labels);
  const against = (prediction: string, yes: number, right: number, wrong: number) => {
    for (let place = 0; place < right + wrong; place += 1)
      own.add(prediction, { NO: 1 - yes, YES: yes }, { case: `${prediction} ${place}`, correct: place < right });
  };
  against('NO', 0.8, 1, 3);
  against('YES', 0.3, 2, 0);
  own.add('YES', { NO: 0.1, YES: 0.9 }, { case: 'agreeing', correct: true });
  const said = (area: number) =>
    ownProbabilityText([
      {
        ...{ arm: 'model', own_probability: own.found() ?? { of: 0, against: 0 } },
        measures: [{ name: 'area_under_curve', over: 'believed', value: area }] as never,
      },
    ]);
  expect(said(0.9)).toContain(
    'By direction: 4 are NO although YES was likelier, 1 of them right (25%, 95% interval 4.6% to 69.9%); 2 are YES although NO was likelier, 2 of them right (100%, 95% interval 34.2% to 100%).',
  );
  expect(said(0.9)).not.toContain('check which label');
  expect(said(0.4)).toContain('check which label');
});

test('arms that go against their probabilities are named in one sentence, and with many the rest is counted', () => {
  const arms = Array.from({ length: 10 }, (_, place) => ({ arm: `arm ${place}`, own_probability: { of: 9, against: 2 } }));
  expect(ownProbabilityText(arms.slice(0, 2))).toMatch(
    /^2 of 9 predictions of arm 0 are not .*; nor are 2 of 9 of arm 1\. Assize/,
  );
  expect(ownProbabilityText(arms)).toContain('nor are some of 2 more arms.');
});
