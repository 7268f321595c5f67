import { describe, expect, test } from 'vitest';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { ambiguityStatistics } from './ambiguity.ts';
import { measured } from './statisticsReport.ts';
import { drawing, line, trial } from './trials.fixture.ts';

const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: [] };

/** Lines of an arm over cases c0, c1, …: `+` right, `-` wrong, `x` failed; `?` in `found`: not known. */
function armOf(name: string, answers: string, found = '') {
  const lines = [...answers].map((answer, index) => {
    const mark = found[index];
    const ambiguous = mark === undefined || mark === '?' ? null : mark === 'a';
    const own =
      answer === 'x' ? { outcome: 'timeout' as const, prediction: null } : { prediction: answer === '+' ? 'NO' : 'YES' };
    return line(name, trial(`c${index}`, own), { ambiguous } satisfies Partial<TrialLine>);
  });
  return { name, lines, trials: measured(lines, new Map()) };
}

const of = (arms: readonly ReturnType<typeof armOf>[], reference: string | null, resamples = 0) =>
  ambiguityStatistics(arms, { reference, terms, resampling: drawing(resamples) });

describe('ambiguous cases', () => {
  // Two of six are ambiguous, of c6 it is not known; the clerk of one arm speaks for all arms.
  const court = armOf('court', '++-x++-', 'aannnn?');
  const single = armOf('single', '+--+-++');

  test('are counted among those of which it is known', () => {
    const found = of([single, court], 'single');
    expect(found).toMatchObject({ why_null: null, unknown: 1, disagreeing: 0, reference: 'single' });
    expect(found.share).toMatchObject({ count: 2, n: 6, interval_method: 'wilson' });
    // scipy 1.17.1: binomtest(2, 6).proportion_ci(method='wilson')
    expect(found.share.low).toBeCloseTo(0.096771, 5);
    expect(found.share.high).toBeCloseTo(0.700007, 5);
  });

  test('have separate accuracies, a failure as not right, and the gain over the arm that answers alone', () => {
    const rows = of([single, court], 'single').arms.map(({ arm, part, n, accuracy, gain }) => [
      arm,
      part,
      n,
      accuracy.value,
      gain === null ? null : [gain.paired_cases, gain.value === null ? null : Number(gain.value.toFixed(6))],
    ]);
    expect(rows).toEqual([
      // c0 to c5: + - - + - +
      ['single', 'total', 6, 0.5, null],
      ['single', 'normal', 4, 0.5, null],
      ['single', 'ambiguous', 2, 0.5, null],
      // c0 to c5: + + - x + +; (4/6 - 3/6) / (3/6), (2/4 - 2/4) / (2/4), (2/2 - 1/2) / (1/2)
      ['court', 'total', 6, 4 / 6, [6, 0.333333]],
      ['court', 'normal', 4, 0.5, [4, 0]],
      ['court', 'ambiguous', 2, 1, [2, 1]],
    ]);
  });

  test('are ambiguous once found so, and cases on which arms differ are counted', () => {
    const found = of([armOf('one', '++', 'an'), armOf('other', '++', 'na')], null);
    expect(found).toMatchObject({ share: { count: 2, n: 2 }, disagreeing: 2, reference: null });
    expect(found.arms.every(({ gain }) => gain === null)).toBe(true);
  });

  test('have no gain where the reference is never right, and the reason is said', () => {
    const [, , , total] = of([armOf('single', '--'), armOf('court', '++', 'an')], 'single').arms;
    expect(total?.gain).toMatchObject({
      paired_cases: 2,
      value: null,
      why_null: 'the reference is right on none of these cases',
    });
  });

  test('are absent with the setting that records them', () => {
    const none = of([single], 'single');
    expect(none).toMatchObject({
      why_null: expect.stringContaining('"ambiguity": 5'),
      share: { count: 0, n: 0, value: null },
      arms: [],
    });
  });
});
