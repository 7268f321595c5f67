import { describe, expect, test } from 'vitest';
import { behindMark } from '../kit/plot.ts';
import { debateEndsFigure as figure, roundSettlementsFigure } from './debateEnds.ts';
import { dataOf, mark, pointsOf, seriesOf } from './report.fixture.ts';
import { sourcesOf } from './traces.fixture.ts';

const end = (arm: string, rounds: number, reason: string, trials: readonly string[]) => ({
  arm,
  protocol: 'evince',
  rounds,
  reason,
  trials: [...trials],
});

describe('ends of debates', () => {
  const ends = [end('a', 2, 'tolerance', ['t1', 't2']), end('a', 4, 'rounds', ['t3']), end('b', 2, 'rounds', ['t4'])];
  // Four rounds were allowed in `a`; of `b` it is not known.
  const arms = [{ arm: 'a', protocol: 'evince', version: 4, swap: null, settings: { maxRounds: 4 }, defaults: {} }];
  const data = dataOf(figure, sourcesOf({ ends, arms }));

  test('are counted by rounds and reason, rounds between them included', () => {
    const series = seriesOf(data);
    expect(series['0/tolerance']?.data).toEqual([2, 0, 0]);
    expect(series['0/rounds']?.data).toEqual([0, 0, 1]);
    expect(series['1/rounds']?.data).toEqual([1, 0, 0]);
    expect(data.table.rows[0]).toEqual(['a', 2, 'nothing moved any more', 2, 4]);
    expect(data.caption).toMatch(/^4 trials whose debate/);
    expect(data.caption).toContain('4 of the 12 rounds that were allowed were not held (33.3%).');
  });

  test('lead to their trials', () => {
    expect(behindMark(data, mark('0/tolerance', 0))).toEqual({ trials: ['t1', 't2'], counts: { n: 2, of: 'trials' } });
    expect(behindMark(data, mark('another', 0))).toBeNull();
    expect(data.table.behind(2)).toEqual({ trials: ['t4'], counts: { n: 1, of: 'trials' } });
    const many = end(
      'a',
      2,
      'rounds',
      Array.from({ length: 5001 }, (_none, index) => `t${index}`),
    );
    const crowd = dataOf(figure, sourcesOf({ ends: [many] }));
    expect(crowd.table.behind(0)).toMatchObject({ counts: { n: 5001, of: 'trials' } });
    expect(crowd.table.behind(0)?.trials).toHaveLength(5000);
    expect(crowd.caption).toContain('A mark opens the first 5,000 of its trials.');
  });
});

describe('rounds that pass', () => {
  const settlements = [
    { arm: 'a', round: 1, result: 'passed' as const, trials: ['t1', 't2', 't3'] },
    { arm: 'a', round: 1, result: 'unreliable' as const, trials: ['t4'] },
    { arm: 'a', round: 2, result: 'unheard' as const, trials: ['t1'] },
  ];
  const data = dataOf(roundSettlementsFigure, sourcesOf({ settlements }));

  test('are a share of all rounds, with its Wilson interval', () => {
    expect(pointsOf(seriesOf(data), '0/share')).toEqual([
      [1, 0.75],
      [2, 0],
    ]);
    // 3 of 4 and 0 of 1 at 95%, by statsmodels.
    const [first, second] = pointsOf(seriesOf(data), '0/share-interval');
    expect(first?.[1]).toBeCloseTo(0.3006, 4);
    expect(first?.[2]).toBeCloseTo(0.9544, 4);
    expect(second?.[2]).toBeCloseTo(0.7935, 4);
    expect(data.table.rows[0]?.slice(5)).toEqual([3, 1, 0]);
  });

  test('say how many had no answer to use, and lead to their trials', () => {
    expect(data.caption).toContain('1 round had no answer to use');
    expect(data.caption).toMatch(/^4 trials, each with/);
    expect(behindMark(data, mark('0/share', 0))).toEqual({
      trials: ['t1', 't2', 't3', 't4'],
      counts: { n: 4, of: 'trials' },
    });
    expect(data.table.behind(1)).toEqual({ trials: ['t1'], counts: { n: 1, of: 'trials' } });
  });
});
