import { expect, test } from 'vitest';
import { confidenceOption, seriesOf } from './confidenceOption.ts';

const bins = Array.from({ length: 10 }, (_none, index) => ({
  from: index / 10,
  to: (index + 1) / 10,
  correct: index === 7 ? 3 : 0,
  wrong: index === 6 ? 2 : 0,
  unknown: 0,
}));

test('kinds without a trial have no series', () => {
  expect(seriesOf(bins).map(({ kind }) => kind)).toEqual(['correct', 'wrong']);
});

test('bars keep every trial, and begin at a half or lower where there are trials', () => {
  const option = confidenceOption(bins, (token) => token);
  expect(option.series).toMatchObject([{ data: [0, 0, 3, 0, 0] }, { data: [0, 2, 0, 0, 0] }]);
  const low = confidenceOption(
    bins.map((bin, index) => (index === 1 ? { ...bin, wrong: 1 } : bin)),
    (token) => token,
  );
  expect(low.series).toMatchObject([{ data: [0, 0, 0, 0, 0, 0, 3, 0, 0] }, { data: [1, 0, 0, 0, 0, 2, 0, 0, 0] }]);
});

test('tooltips are drawn and never HTML', () => {
  expect(confidenceOption(bins, (token) => token).tooltip).toMatchObject({ renderMode: 'richText' });
});
