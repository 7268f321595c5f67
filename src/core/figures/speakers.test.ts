import { expect, it } from 'vitest';
import { sideOf, speakerName } from './speakers.ts';

it.each([
  ['prosecutor', 'prosecution'],
  ['affirmative2', 'prosecution'],
  ['defense', 'defense'],
  ['defence', 'defense'],
  ['judge', 'neutral'],
  ['defense-witness', 'neutral'],
])('puts %s on the side %s', (role, side) => expect(sideOf(role)).toBe(side));

it('names the prosecutor by the side and others by their role', () => {
  expect(['prosecutor', 'judge-2', ''].map(speakerName)).toEqual(['Prosecution', 'Judge-2', '']);
});
