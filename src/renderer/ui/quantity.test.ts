import { describe, expect, it } from 'vitest';
import { quantity, quantityOf, quantityRange } from './quantity.ts';

describe('quantities in words', () => {
  it.each([
    [0, '0 cases'],
    [1, '1 case'],
    [1204, '1,204 cases'],
  ])('says %i with its noun', (count, words) => expect(quantity(count, 'case')).toBe(words));

  it('takes a special plural', () => expect(quantity(2, 'box', 'boxes')).toBe('2 boxes'));

  it('says a part with its whole', () => {
    expect(quantityOf(3518, 12_500, 'trial')).toBe('3,518 of 12,500 trials');
    expect(quantityOf(0, 1, 'trial')).toBe('0 of 1 trial');
  });

  it('says a range once where both ends are the same', () => {
    expect(quantityRange({ min: 13, max: 13 }, 'call')).toBe('13 calls');
    expect(quantityRange({ min: 1, max: 26 }, 'call')).toBe('1 to 26 calls');
  });
});
