import { describe, expect, test } from 'vitest';
import nothing from '../../../../docs/reference/values/nullReplicates.json' with { type: 'json' };
import reference from '../../../../docs/reference/values/replicates.json' with { type: 'json' };
import { randomSource } from '../../cases/shuffle.ts';
import { expectAgreement } from '../agreement.fixture.ts';
import { f1 } from '../classScores.ts';
import { sumsStatistic } from '../sumsStatistic.ts';
import { paperReplicates, paperStyleWilcoxon, wilcoxonOfReplicates } from './paperStyle.ts';

const accuracyOf = (right: readonly boolean[]) =>
  sumsStatistic(Float64Array.from(right.flatMap((each) => [Number(each), 1])), 2, ([sum = 0, cases = 0]) => sum / cases);

const f1Of = (truth: readonly number[], prediction: readonly number[]) =>
  sumsStatistic(
    Float64Array.from(
      truth.flatMap((is, index) => {
        const said = prediction[index] ?? 0;
        return [is * said, (1 - is) * said, is * (1 - said)];
      }),
    ),
    3,
    ([truePositives = 0, falsePositives = 0, falseNegatives = 0]) => f1({ truePositives, falsePositives, falseNegatives }),
  );

describe('the signed-rank test over replicates', () => {
  test.each(reference.sets)('scikit-learn and scipy: $name', ({ truth, first, second, weights, expected }) => {
    const drawn = weights.map((each) => Uint32Array.from(each));
    const right = (prediction: readonly number[]) => truth.map((is, index) => is === prediction[index]);
    const accuracy = wilcoxonOfReplicates(accuracyOf(right(first)), accuracyOf(right(second)), drawn);
    const overF1 = wilcoxonOfReplicates(f1Of(truth, first), f1Of(truth, second), drawn);
    for (const [given, wanted] of [
      [accuracy, expected.accuracy],
      [overF1, expected.f1],
    ] as const) {
      expect(given?.replicates).toBe(paperReplicates);
      expect(given?.test?.n).toBe(wanted.n);
      expectAgreement(given?.meanDifference ?? null, wanted.mean);
      expectAgreement(given?.test?.p ?? null, wanted.p);
    }
  });

  test('is the same for the same seed, and another for another', () => {
    const [one, other] = [accuracyOf([true, false, true, true]), accuracyOf([false, false, true, false])];
    expect(paperStyleWilcoxon(one, other, 7)).toEqual(paperStyleWilcoxon(one, other, 7));
    expect(paperStyleWilcoxon(one, other, 7)).not.toEqual(paperStyleWilcoxon(one, other, 8));
  });

  test('has nothing to say without a case or where both are the same', () => {
    expect(paperStyleWilcoxon(accuracyOf([]), accuracyOf([]), 7)).toBeNull();
    const same = accuracyOf([true, false, true]);
    expect(paperStyleWilcoxon(same, same, 7)).toEqual({ meanDifference: 0, replicates: paperReplicates, test: null });
    expect(() => wilcoxonOfReplicates(same, accuracyOf([true]), [])).toThrow('3 and 1');
  });

  test('rejects most of the time where there is nothing but chance', () => {
    const random = randomSource(11, 'null');
    const arm = () => accuracyOf(Array.from({ length: 100 }, () => random.next() < 0.7));
    const experiments = 200;
    let rejected = 0;
    for (let made = 0; made < experiments; made++) {
      if ((paperStyleWilcoxon(arm(), arm(), made)?.test?.p ?? 1) <= 0.05) rejected += 1;
    }
    // A test at 5% would reject about 10 of 200. numpy and scipy find the rate below over more experiments.
    const [simulated] = nothing.sets;
    const rate = (simulated?.rejected ?? 0) / (simulated?.experiments ?? 1);
    expect(rate).toBeGreaterThan(0.6);
    expect(Math.abs(rejected / experiments - rate)).toBeLessThan(4 * Math.sqrt((rate * (1 - rate)) / experiments));
  });
});
