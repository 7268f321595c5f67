import { expect, it } from 'vitest';
import { sideOf, speakerName } from './speakers.ts';

it.each([
  ['prosecutor', 'prosecution'],
  ['affirmative2', 'prosecution'],
  ['defense', 'defense'],
  ['defence', 'defense'],
  ['attorney', 'defense'],
  ['judge', 'neutral'],
  ['defense-witness', 'neutral'],
])('puts %s on the side %s', (role, side) => expect(sideOf(role)).toBe(side));

it('names the prosecutor by the side and others by their role, with the number of its seat', () => {
  expect(['prosecutor', 'judge-2', 'judge2', 'voter12', ''].map(speakerName)).toEqual([
    'Prosecution',
    'Judge-2',
    'Judge 2',
    'Voter 12',
    '',
  ]);
});
