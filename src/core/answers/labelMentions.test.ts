import { describe, expect, test } from 'vitest';
import { signs, withSigns } from './labelMentions.ts';

const { other, otherPlain, own, ownPlain } = signs;

describe('withSigns', () => {
  test.each([
    ['The answer is NO.', `the answer is ${other}.`],
    ['The answer is no.', `the answer is ${otherPlain}.`],
    ['"no" and **yes**', `"${other}" and **${own}**`],
    ['yes or No', `${ownPlain} or ${otherPlain}`],
    ['No, thanks', `${otherPlain}, thanks`],
    ['nothing, not, noes', 'nothing, not, noes'],
    ['NO-one', `${other}-one`],
    ['\ue000 YES', `  ${own}`],
    ['', ''],
  ])('%j', (text, signed) => {
    expect(withSigns(text, new Set(['YES']), ['NO', 'YES'])).toBe(signed);
  });

  test('the longest label counts, in whatever joints', () => {
    const charges = ['theft', 'theft of a vehicle', 'not guilty', 'guilty'];
    const signed = withSigns('Theft_of_a-vehicle, theft of a bag, not\nguilty', new Set(['guilty']), charges);
    expect(signed).toBe(`${other}, ${otherPlain} of a bag, ${other}`);
  });

  test('numbers and signs are labels only as a whole', () => {
    expect(withSigns('1, 1.5, 21', new Set(['0']), ['0', '1'])).toBe(`${otherPlain}, 1.5, 21`);
    expect(withSigns('<=50K and >50K', new Set(['>50K']), ['<=50K', '>50K'])).toBe(`${other} and ${own}`);
  });

  test('labels that differ in case alone are told apart where they stand in their own letters', () => {
    expect(withSigns('US Us us', new Set(['US']), ['Us', 'US'])).toBe(`${own} ${other} ${ownPlain}`);
  });

  test('long labels are never plain where that is asked for', () => {
    expect(withSigns('a theft', new Set(), ['theft'], 5)).toBe(`a ${other}`);
    expect(withSigns('a theft', new Set(), ['theft'], 6)).toBe(`a ${otherPlain}`);
  });
});
