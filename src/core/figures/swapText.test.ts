import { expect, test } from 'vitest';
import { drawnLabel } from './swapText.ts';

test('the line of a belief runs towards the label of the prosecution, also where sides were exchanged', () => {
  expect(drawnLabel({ prosecutor: 'YES', defense: 'NO', judge: null }, 'YES')).toBe('YES');
  expect(drawnLabel({ prosecutor: 'NO', defense: 'YES', judge: null }, 'YES')).toBe('NO');
  // Where the trial itself settles who argues for what, and where no one argues.
  expect(drawnLabel({ prosecutor: null, attorney: null }, 'YES')).toBe('YES');
  expect(drawnLabel({}, null)).toBeNull();
});
