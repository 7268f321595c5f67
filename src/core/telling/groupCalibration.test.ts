import { expect, test } from 'vitest';
import type { StatsReport } from '../../shared/outputs.ts';
import { groupCalibration } from './groupCalibration.ts';

const group = (value: string, found: number | null, half = 0.3, cases = 196) => ({
  ...{ attribute: 'abroad', value },
  measures:
    found === null
      ? []
      : [
          { name: 'calibration_in_the_large', value: found, low: found - half, high: found + half, level: 0.95, n: 196, cases },
          ...Object.entries({ mean_probability: 0.5 - found / 5, observed_share: 0.5, probability_excess: -found / 5 }).map(
            ([name, value]) => ({
              name,
              label: 'yes',
              value,
              low: value - half / 5,
              high: value + half / 5,
              level: 0.95,
              n: 196,
            }),
          ),
        ],
});
const of = (...groups: ReturnType<typeof group>[]) =>
  groupCalibration({ arms: [{ arm: 'score', groups }], positive: 'yes' } as unknown as StatsReport);

test('errors that cancel out on the whole are named by group, after correction', () => {
  expect(of(group('yes', 0.57), group('no', -0.5))?.lines).toEqual([
    expect.stringMatching(
      /^abroad = yes: 38\.6% on average, where it was so in 50% of 196: too low by 11\.4 points \(95% interval 5\.4 to 17\.4; adjusted p/,
    ),
    expect.stringMatching(/^abroad = no: .* too high by 10 points/),
  ]);
  // p is 0.022 for a group alone, and 0.066 among three.
  expect(of(group('yes', 0.35))?.lines).toHaveLength(1);
  expect(of(group('yes', 0.35), group('no', 0), group('?', 0.1))).toMatchObject({
    heading: expect.stringContaining('In no group'),
    lines: [],
  });
});

test('without probabilities, and over a part, nothing is said', () => {
  expect(of(group('yes', null))).toBeNull();
  const arms = [{ arm: 'score', groups: [group('yes', 0.57)] }];
  expect(groupCalibration({ arms, positive: 'yes', part: 'truth yes' } as unknown as StatsReport)).toBeNull();
});

test('the heading says of what the comparisons are, and which groups are left out', () => {
  const groups = [group('yes', 0.1), group('no', 0), group('?', 0.1, 0.3, 6)];
  const headingOf = (...arms: (typeof groups)[]) =>
    groupCalibration({
      arms: arms.map((each, place) => ({ arm: `arm ${place}`, groups: each })),
      positive: 'yes',
    } as unknown as StatsReport)?.heading;
  expect(headingOf(groups, groups)).toContain(
    '(corrected for 4 comparisons of probabilities (2 groups, 2 arms), which are counted apart from those of decisions, left out as too small: abroad = ? (6 cases))',
  );
  expect(headingOf(groups.slice(0, 1), groups.slice(0, 1))).toContain(
    '(corrected for 2 comparisons of probabilities (1 group, 2 arms), which are counted apart from those of decisions)',
  );
  expect(headingOf(groups, [...groups.slice(0, 2), group('?', 0.1, 0.3, 3)])).toContain('abroad = ? (3 to 6 cases)');
  expect(headingOf(groups, groups.slice(0, 1))).toContain(
    '3 comparisons of probabilities (2 groups, 2 arms; 1 of the 4 is not tested)',
  );
});

test('an arm is named at a group although it is the only one with enough cases, and where a group is too small in it', () => {
  const found = groupCalibration({
    arms: [
      { arm: 'plumb', groups: [group('yes', 0.1, 0.3, 5)] },
      { arm: 'kestrel', groups: [group('yes', 0.57, 0.3, 12)] },
    ],
    positive: 'yes',
  } as unknown as StatsReport);
  expect(found?.heading).toContain('left out as too small: abroad = yes, plumb (5 cases))');
  expect(found?.lines).toEqual([expect.stringMatching(/^abroad = yes, kestrel: 38\.6% on average/)]);
});
