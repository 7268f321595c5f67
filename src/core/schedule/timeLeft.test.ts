import { expect, test } from 'vitest';
import { randomSource } from '../cases/shuffle.ts';
import { type Durations, longestOf, noTime, timeLeft } from './timeLeft.ts';

const ended = (seconds: readonly number[]): Durations => ({
  trials: seconds.length,
  seconds: seconds.reduce((sum, each) => sum + each, 0),
  squares: seconds.reduce((sum, each) => sum + each ** 2, 0),
});

test('two arms of unlike speed each weigh as long as their own trials take, and a range needs three of each', () => {
  const quick = { ended: ended([1, 1, 1, 1]), each: 1, trials: 96, underWay: 2 };
  const slow = { ended: ended([20, 20]), each: 20, trials: 98, underWay: 2 };
  expect(timeLeft([quick, slow], 4, 20)).toEqual({ seconds: (96 + 1960) / 4, range: null });
  const [least, most] = timeLeft([quick, { ...slow, ended: ended([19, 20, 21]) }], 4, 20).range ?? [0, 0];
  expect(least).toBeLessThan(514);
  expect(most).toBeGreaterThan(514);
  expect(timeLeft([{ ...quick, underWay: 5 }], 8, 1).range, 'the shortest of many end first').toBeNull();
  expect(timeLeft([{ ...quick, trials: 0 }], 4, 0), 'nothing left').toEqual(noTime);
  expect(timeLeft([{ ...quick, trials: 2 }], 8, 1).seconds, 'a trial takes its time however many are under way').toBe(1);
});

test('queues side by side take as long as the longest, and what is unknown of one is unknown of all', () => {
  const known = { seconds: 32, range: [30, 34] } as const;
  expect(longestOf([known, { seconds: 9_970, range: null }])).toEqual({ seconds: 9_970, range: null });
  expect(longestOf([known, { seconds: 31, range: [10, 60] }, noTime])).toEqual({ seconds: 32, range: [30, 60] });
  expect(longestOf([known, null])).toBeNull();
});

test('the range holds what the rest really takes in about 95 of 100 runs, from few ended trials and from many', () => {
  const random = randomSource(1, 'timeLeft');
  const share = (done: number, rest: number) => {
    const runs = 2000;
    let held = 0;
    for (let run = 0; run < runs; run++) {
      const arms = [1, 20].map((scale) => {
        const draw = () => scale * (1 + random.next());
        return { ended: ended(Array.from({ length: done }, draw)), draw };
      });
      const work = arms.map((arm) => ({ ended: arm.ended, each: arm.ended.seconds / done, trials: rest, underWay: 0 }));
      const truly = arms.reduce((sum, { draw }) => sum + Array.from({ length: rest }, draw).reduce((a, b) => a + b, 0), 0);
      const [least, most] = timeLeft(work, 1, 0).range ?? [0, 0];
      if (truly >= least && truly <= most) held += 1;
    }
    return held / runs;
  };
  for (const [done, rest] of [
    [3, 100],
    [12, 60],
    [60, 10],
  ] as const) {
    expect(share(done, rest), `${done} ended`).toBeGreaterThan(0.92);
    expect(share(done, rest), `${done} ended`).toBeLessThan(0.98);
  }
});
