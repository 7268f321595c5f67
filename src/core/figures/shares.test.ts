import { expect, it } from 'vitest';
import { percent, points, pointsOf, wholePercent, wholeRange } from './shares.ts';

it('shows shares to a tenth of a percent', () => {
  expect([0, 0.7, 0.705, 1].map(percent)).toEqual(['0%', '70%', '70.5%', '100%']);
});

it('rounds to whole percents, and what is not all or nothing never to it', () => {
  expect([0, 0.004, 0.493, 0.67, 0.995, 1].map(wholePercent)).toEqual(['0%', '<1%', '49%', '67%', '>99%', '100%']);
});

it('shows changes in points with their sign', () => {
  expect([0.17, -0.045, 0, -0.0001].map(points)).toEqual(['+17', '−4.5', '0', '0']);
  expect([0.17, -0.045, 0, -0.01].map(pointsOf)).toEqual(['17 points', '4.5 points', '0 points', '1 point']);
});

it('rounds a range outward, and no further than it is', () => {
  expect(wholeRange({ low: 0.647, high: 0.911 })).toBe('64 to 92');
  expect(wholeRange({ low: 0.29, high: 0.57 })).toBe('29 to 57');
});
