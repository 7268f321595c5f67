import { expect, it } from 'vitest';
import { percent, points, pointsOf } from './shares.ts';

it('tells shares to a tenth of a percent', () => {
  expect([0, 0.7, 0.705, 1].map(percent)).toEqual(['0%', '70%', '70.5%', '100%']);
});

it('tells changes in points with their sign', () => {
  expect([0.17, -0.045, 0, -0.0001].map(points)).toEqual(['+17', '−4.5', '0', '0']);
  expect([0.17, -0.045, 0, -0.01].map(pointsOf)).toEqual(['17 points', '4.5 points', '0 points', '1 point']);
});
