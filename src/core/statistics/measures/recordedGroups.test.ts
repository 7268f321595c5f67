import { describe, expect, test } from 'vitest';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { recordedFinding } from '../../telling/groupFindings.ts';
import type { CaseTerms } from './armMeasures.ts';
import { recordedGroups } from './recordedGroups.ts';
import { drawing, line, trial } from './trials.fixture.ts';

const terms: CaseTerms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: ['town'] };
/** So many cases of a town, of which some have the label YES; all answers are NO. */
const town = (name: string, of: number, hits: number, tries: number, change: Partial<TrialLine> = {}) =>
  Array.from({ length: of * tries }, (_, place) =>
    line(
      `arm ${place % tries}`,
      trial(`${name}${Math.floor(place / tries)}`, {
        truth: Math.floor(place / tries) < hits ? 'YES' : 'NO',
        groups: { town: name, half: place % (2 * tries) < tries ? 'a' : 'b' },
      }),
      { replicate: place, ...change },
    ),
  );
const told = (lines: readonly TrialLine[], change: Partial<CaseTerms & StatsReport> = {}, resamples = 999) => {
  const recorded = recordedGroups(lines, { ...terms, ...change }, drawing(resamples));
  const report = { positive: 'YES', resampling: drawing(resamples), recorded_labels: recorded, ...change };
  return recorded && recordedFinding(report as unknown as StatsReport);
};

describe('recorded labels by group', () => {
  const apart = [...town('east', 30, 24, 3), ...town('west', 30, 6, 1), ...town('isle', 4, 0, 2)];

  test('count each case once, name small groups, and tell a difference from chance', () => {
    const found = told(apart, { decided_by: 'the office' });
    expect(found?.heading).toBe('How often the office decided YES, each case once (no arm had a part in this):');
    expect(found?.lines).toHaveLength(1);
    // Wilson's intervals of 24 and 6 of 30.
    expect(found?.lines[0]).toMatch(
      /^town: east 80% of 30 \(62\.7 to 90\.5\), west 20% of 30 \(9\.5 to 37\.3\), left out as too small: isle \(n = 4\); east is 60 points above west \(interval \d.*; p at most 0\.001\): chance does not explain it$/,
    );
    const same = told([...town('east', 20, 11, 2), ...town('west', 20, 10, 1)]);
    expect(same?.heading).toMatch(/^How often the recorded label is YES/);
    expect(same?.lines[0]).toMatch(/5 points above west \(interval 0 to .*; p [01]\.\d+\): this can be chance$/);
  });

  test('are corrected over the columns', () => {
    const found = told(apart, { groups: ['town', 'half'] });
    expect(found?.heading).toContain('each case once, corrected for 2 columns');
    expect(found?.lines.map((text) => text.split(':')[0])).toEqual(['town', 'half']);
    expect(found?.lines[0]).toContain('adjusted p');
  });

  test('leave out what has no label, what was erased, exchanged or did not end', () => {
    const lines = [
      ...town('east', 12, 6, 1),
      ...town('west', 12, 6, 1),
      ...town('north', 12, 6, 1, { truth: null }),
      ...town('south', 12, 6, 1, { swap: 'sides' }),
      ...town('shore', 12, 6, 1, { status: 'queued' }),
    ];
    const found = recordedGroups(lines, { ...terms, erased: new Set(['east0']) }, drawing(0));
    expect(found?.groups.map(({ value, n }) => [value, n])).toEqual([
      ['east', 11],
      ['west', 12],
    ]);
    expect(told(lines, {}, 0)?.lines[0]).toMatch(/; not compared: no resamples were asked for$/);
  });

  test('say why they are not compared, and name only the ends of many groups', () => {
    expect(told([...town('east', 4, 0, 3), ...town('west', 20, 9, 1)])?.lines[0]).toMatch(
      /^town: west 45% of 20 \(.*\), left out as too small: east \(n = 4\); not compared: fewer than two groups have 10 cases that count$/,
    );
    expect(told([...town('east', 4, 0, 1), ...town('west', 3, 0, 1)])?.lines[0]).toMatch(/^town: left out as too small: east/);
    const many = told(['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name, place) => town(name, 10, place + 1, 1)));
    expect(many?.lines[0]).toMatch(/^town: 6 groups; f \(60% of 10\) is 50 points above a \(10% of 10\)/);
  });

  test('are not looked at without one positive label, groups or known labels', () => {
    for (const change of [{ positive: null }, { multiLabel: true }, { groups: [] }]) {
      expect(recordedGroups(apart, { ...terms, ...change }, drawing(9))).toBeUndefined();
    }
    expect(recordedGroups(town('east', 12, 6, 1, { truth: null }), terms, drawing(9))).toBeUndefined();
    const three = { ...terms, labels: ['NO', 'YES', 'PERHAPS'] };
    expect(recordedGroups(apart, three, drawing(0))?.groups[0]?.measures[0]?.value).toBe(0.8);
  });
});
