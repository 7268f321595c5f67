import { expect, test } from 'vitest';
import { randomSource } from '../cases/shuffle.ts';
import { uncertainTime } from './uncertainTime.ts';

test('nothing is said until there are eight batches of two calls, and calls that are all alike leave no doubt', () => {
  const time = uncertainTime();
  for (let call = 1; call <= 15; call++) {
    time.add(call);
    expect(time.share(10)).toBeNull();
  }
  time.add(16);
  expect(time.share(10)).toBe(0);
});

test('the interval holds what the rest really takes in about 95 of 100 runs, whose calls take 1 to 9 s', () => {
  const random = randomSource(1, 'uncertainTime');
  const [runs, done, rest] = [2000, 150, 300];
  let held = 0;
  for (let run = 0; run < runs; run++) {
    const time = uncertainTime();
    let now = 0;
    const call = () => {
      now += 1 + 8 * random.next() ** 3;
    };
    for (let count = 0; count < done; count++) {
      call();
      time.add(now);
    }
    const before = now;
    for (let count = 0; count < rest; count++) call();
    const expected = (before * rest) / done;
    if (Math.abs(now - before - expected) <= (time.share(rest) ?? 0) * expected) held += 1;
  }
  expect(held / runs).toBeGreaterThan(0.93);
  expect(held / runs).toBeLessThan(0.98);
});
