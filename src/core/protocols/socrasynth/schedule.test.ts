import { describe, expect, test } from 'vitest';
import { mostRounds, nextRound } from './schedule.ts';

const paper = { schedule: 'decay', contentiousness: 0.9, decay: 1.2, maxRounds: 1000 } as const;

describe('the schedule of a debate', () => {
  test('uncapped it is 12 rounds from 0.75 to 0.1009, ending at 0.0841', () => {
    const levels: number[] = [];
    let state = nextRound(paper, 0, []);
    for (; state.stopped === null; state = nextRound(paper, levels.length, [])) levels.push(state.contentiousness);
    // 0.9 / 1.2^n by hand
    expect(levels.map((level) => level.toFixed(4))).toEqual([
      '0.7500',
      '0.6250',
      '0.5208',
      '0.4340',
      '0.3617',
      '0.3014',
      '0.2512',
      '0.2093',
      '0.1744',
      '0.1454',
      '0.1211',
      '0.1009',
    ]);
    expect(state).toMatchObject({ rounds: 12, stopped: 'contentiousness' });
    expect(state.contentiousness.toFixed(4)).toBe('0.0841');
    expect(mostRounds(paper)).toBe(12);
  });

  test('four rounds at most end at the contentiousness of the fifth', () => {
    const capped = { ...paper, maxRounds: 4 };
    expect(nextRound(capped, 3, [])).toMatchObject({ rounds: 4, stopped: null });
    const end = nextRound(capped, 4, []);
    expect(end).toMatchObject({ rounds: 4, stopped: 'rounds' });
    expect(end.contentiousness.toFixed(4)).toBe('0.3617');
    expect(mostRounds(capped)).toBe(4);
    expect(mostRounds({ ...paper, maxRounds: 0 })).toBe(0);
  });

  test('a fall of G stops the next round; an equal or higher G does not', () => {
    expect(nextRound(paper, 1, [3]).stopped).toBeNull();
    expect(nextRound(paper, 2, [3, 3]).stopped).toBeNull();
    expect(nextRound(paper, 2, [3, 5]).stopped).toBeNull();
    expect(nextRound(paper, 3, [3, 5, 4.9])).toMatchObject({ rounds: 3, stopped: 'quality' });
    // The fall that ends a debate is the last one, not one before it.
    expect(nextRound(paper, 3, [5, 3, 4]).stopped).toBeNull();
  });

  test('contentiousness of exactly a tenth is the end, and no decay is none', () => {
    expect(nextRound({ ...paper, contentiousness: 0.2, decay: 2 }, 0, []).stopped).toBe('contentiousness');
    expect(nextRound({ ...paper, contentiousness: 0 }, 0, []).stopped).toBe('contentiousness');
    expect(mostRounds({ ...paper, decay: 1, maxRounds: 7 })).toBe(7);
  });
});
