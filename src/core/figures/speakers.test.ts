import { expect, it } from 'vitest';
import { sideOf, speakerName, speechName, speechNames } from './speakers.ts';

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

it('calls speeches as the transcript does, by their keys, with a number where several have one name', () => {
  const said = (key: string, turn: string) => ({ key: `${key}/utterance`, role: key.split('/')[1] ?? '', turn });
  const debate = [
    said('turn-1/prosecutor', 'opening'),
    said('turn-2/prosecutor', 'rebuttal'),
    said('turn-2/defense', 'rebuttal'),
    said('turn-3/prosecutor', 'rebuttal'),
  ];
  expect([...speechNames(debate)]).toEqual([
    ['turn-1/prosecutor', 'Prosecution, opening'],
    ['turn-2/prosecutor', 'Prosecution, rebuttal 1'],
    ['turn-2/defense', 'Defense, rebuttal'],
    ['turn-3/prosecutor', 'Prosecution, rebuttal 2'],
  ]);
  const rounds = [said('round-1/agentA', 'opening'), said('round-2/agentA', 'answer'), said('round-3/agentA', 'answer')];
  expect([...speechNames(rounds).values()]).toEqual([
    'Agent A, opening',
    'Agent A, answer in round 2',
    'Agent A, answer in round 3',
  ]);
  const parts = ['argument1', 'argument2'].map((part) => ({ key: `opening/agentA/${part}`, role: 'agentA', turn: 'opening' }));
  expect([...speechNames(parts)]).toEqual([['opening/agentA', 'Agent A, opening 1']]);
  expect(speechName('turn-2/prosecutor')).toBe('Prosecution, turn 2');
});
