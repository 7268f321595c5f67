import { describe, expect, test } from 'vitest';
import reference from '../../../docs/reference/values/wilcoxon.json' with { type: 'json' };
import { expectAgreement } from './agreement.fixture.ts';
import { wilcoxonSignedRank } from './wilcoxonSignedRank.ts';

describe('wilcoxonSignedRank', () => {
  test.each(reference.sets)('scipy wilcoxon: $name', ({ differences, expected }) => {
    const given = wilcoxonSignedRank(differences);
    if (expected === null) return expect(given).toBeNull();
    expect(given).toMatchObject({ n: expected.n, statistic: expected.statistic, zeros: differences.length - expected.n });
    expect(given?.method).toBe(expected.exact === null ? 'normal' : 'exact');
    expectAgreement(given?.p ?? null, expected.exact ?? expected.normal);
    expectAgreement(wilcoxonSignedRank(differences, 'normal')?.p ?? null, expected.normal);
  });

  test('all differences alike: only two of the 2^5 sign patterns are as far out', () => {
    expect(wilcoxonSignedRank([0, -4, -4, -4, -4, -4])).toMatchObject({ positive: 0, negative: 15, n: 5, zeros: 1, p: 2 / 32 });
  });

  test('differences that differ by rounding alone are tied', () => {
    expect(0.3 - 0.1).not.toBe(0.4 - 0.2);
    expect(wilcoxonSignedRank([0.3 - 0.1, 0.2 - 0.4, 1])).toMatchObject({ positive: 4.5, negative: 1.5 });
  });

  test('a difference that rounding alone leaves is a zero', () => {
    expect(0.8 - 0.7 - 0.1).not.toBe(0);
    expect(wilcoxonSignedRank([0.8 - 0.7 - 0.1, 0.5])).toMatchObject({ n: 1, zeros: 1 });
    expect(wilcoxonSignedRank([0.8 - 0.7 - 0.1])).toBeNull();
  });

  test('the sign of all differences turns nothing but the two sums', () => {
    const differences = [0.3, -1.2, 2.5, 0.7, -0.1];
    const turned = wilcoxonSignedRank(differences.map((difference) => -difference));
    const given = wilcoxonSignedRank(differences);
    expect(turned).toEqual({ ...given, positive: given?.negative, negative: given?.positive });
  });

  test('nothing to rank, and nonsense', () => {
    expect(wilcoxonSignedRank([])).toBeNull();
    expect(wilcoxonSignedRank([0, -0])).toBeNull();
    expect(() => wilcoxonSignedRank([1, Number.NaN])).toThrow(/difference 1 is NaN/);
    expect(() => wilcoxonSignedRank(new Array(51).fill(1), 'exact')).toThrow(RangeError);
  });
});
