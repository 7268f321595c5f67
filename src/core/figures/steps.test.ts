import { expect, test } from 'vitest';
import { inOrder, type PlacedStep, stepOf, verdictStep } from './steps.ts';

const step = (key: string, prior = false): PlacedStep => {
  const found = stepOf(key, prior);
  if (found === null) throw new Error(`${key} is no step`);
  return found;
};

test('a step is recognised by the key of its belief', () => {
  const named = (key: string, prior = false) => stepOf(key, prior)?.name ?? null;
  expect(named('prior/judge/belief', true)).toBe('start');
  expect(named('turn-2/after-defense/belief')).toBe('D2');
  expect(named('turn-10/after-prosecutor/belief')).toBe('P10');
  expect(named('round-3/agentA/belief')).toBe('round 3');
  expect(named('opening/agentB/belief')).toBe('opening');
  expect(named('first-answer')).toBe('first answer');
  // Beliefs of others than the one whose mind is followed.
  expect(named('hearing/clerk/belief')).toBeNull();
  expect(named('judgement/judge-2/belief')).toBeNull();
});

test('steps are in the order of the protocol, even if some are missing', () => {
  const names = (ways: readonly (readonly PlacedStep[])[]) => inOrder(ways).map(({ name }) => name);
  const [start, p1, d1, p2, d2] = [
    step('prior/judge/belief', true),
    step('turn-1/after-prosecutor/belief'),
    step('turn-1/after-defense/belief'),
    step('turn-2/after-prosecutor/belief'),
    step('turn-2/after-defense/belief'),
  ];
  const whole = [start, p1, d1, p2, d2, verdictStep];
  expect(names([whole])).toEqual(['start', 'P1', 'D1', 'P2', 'D2', 'verdict']);
  // Lost updates make a late step an early one of its trial; its place is still that of the protocol.
  expect(names([[verdictStep], [d2, verdictStep], [d2], whole])).toEqual(['start', 'P1', 'D1', 'P2', 'D2', 'verdict']);
  expect(
    names([
      [d1, p1, d2, p2, verdictStep],
      [p1, p2],
    ]),
  ).toEqual(['D1', 'P1', 'D2', 'P2', 'verdict']);
  expect(names([[step('round-10/belief')], [step('round-2/belief'), verdictStep]])).toEqual(['round 2', 'round 10', 'verdict']);
});
