import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/casesForPower.json' with { type: 'json' };
import { casesForPower } from './casesForPower.ts';
import { mcnemarPower } from './mcnemarPower.ts';

test.each(reference.sets)('going through all numbers: power $power, $discordance, $difference', ({ expected, most, ...set }) => {
  expect(casesForPower(set.power, set, most)).toBe(expected);
});

test('thousands of cases: the number and the 49 after it reach the power, the one before does not', () => {
  const design = { discordance: 0.2, difference: 0.02 };
  const cases = casesForPower(0.8, design) ?? 0;
  // Normal approximation (Connor 1987): (1.96 sqrt(0.2) + 0.8416 sqrt(0.2 - 0.0004))² / 0.0004 = 3922
  expect(Math.abs(cases - 3922)).toBeLessThan(200);
  expect(mcnemarPower(cases - 1, design)).toBeLessThan(0.8);
  for (let more = 0; more < 50; more++) expect(mcnemarPower(cases + more, design)).toBeGreaterThanOrEqual(0.8);
});

test('what cannot be found, and nonsense', () => {
  expect(casesForPower(0.8, { discordance: 0.2, difference: 0 })).toBeNull();
  expect(() => casesForPower(0, { discordance: 0.2, difference: 0.1 })).toThrow(RangeError);
  expect(() => casesForPower(0.8, { discordance: 0.2, difference: 0.3 })).toThrow(RangeError);
});
