import { expect, it } from 'vitest';
import { percent, points, pointsOf, wholePercent, wholeRange } from './shares.ts';

it('shows shares to a tenth of a percent', () => {
  expect([0, 0.7, 0.705, 1].map(percent)).toEqual(['0%', '70%', '70.5%', '100%']);
});

it('rounds a share and what is left of it alike, whatever the last bits of a double are', () => {
  const units = Array.from({ length: 2001 }, (_none, unit) => unit / 2000);
  const together = units.map((share) => Number.parseFloat(percent(share)) + Number.parseFloat(percent(1 - share)));
  expect(together.filter((sum) => Math.abs(sum - 100) > 1e-9)).toEqual([]);
  expect([0.3675, 1 - 0.6325, 0.6325, 0.6325000000000001].map(percent)).toEqual(['36.8%', '36.8%', '63.2%', '63.2%']);
  expect([0.365, 0.635, 0.375].map(wholePercent)).toEqual(['36%', '64%', '38%']);
});

it('rounds to whole percents, and what is not all or nothing never to it', () => {
  expect([0, 0.004, 0.493, 0.67, 0.995, 1].map(wholePercent)).toEqual(['0%', '<1%', '49%', '67%', '>99%', '100%']);
  const some = Array.from({ length: 999 }, (_none, part) => (part + 1) / 1000);
  expect(some.map(wholePercent).filter((text) => ['0%', '100%'].includes(text))).toEqual([]);
});

it('shows changes in points with their sign', () => {
  expect([0.17, -0.045, 0, -0.0001, 0.0125, -0.0125, -0.0135].map(points)).toEqual([
    '+17',
    '−4.5',
    '0',
    '0',
    '+1.2',
    '−1.2',
    '−1.4',
  ]);
  expect([0.17, -0.045, 0, -0.01].map(pointsOf)).toEqual(['17 points', '4.5 points', '0 points', '1 point']);
});

it('rounds a range outward, and no further than it is', () => {
  expect(wholeRange({ low: 0.647, high: 0.911 })).toBe('64 to 92');
  expect(wholeRange({ low: 0.29, high: 0.57 })).toBe('29 to 57');
});
