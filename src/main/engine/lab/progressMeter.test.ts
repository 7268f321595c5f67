import { expect, test } from 'vitest';
import { progressMeter, type RunProgress } from './progressMeter.ts';

test('the time left follows from calls: two arms of one and of nine calls', () => {
  let ms = 0;
  const told: RunProgress[] = [];
  const meter = progressMeter({
    planned: 5,
    done: 1,
    decided: 1,
    callsOf: new Map([
      ['single', 1],
      ['hearing', 9],
      ['later', 10],
    ]),
    elapsedMs: () => ms,
    onProgress: (state) => told.push(state),
  });
  const last = () => told.at(-1);
  meter.send();
  expect(last()).toMatchObject({ planned: 5, done: 1, calls: 0, perMinute: null, secondsLeft: null });
  ms = 1000;
  meter.answered('single');
  // One of 20 calls took 1 s.
  expect(last()).toMatchObject({ calls: 1, secondsLeft: 19 });
  meter.finished('single', 'decided');
  expect(last()).toMatchObject({ done: 2, decided: 2, finishedNow: 1, perMinute: 60, secondsLeft: 19 });
  ms = 5000;
  for (let call = 0; call < 4; call++) meter.answered('hearing');
  expect(last()).toMatchObject({ calls: 5, secondsLeft: 15 });
  // Asked again and again, a trial still is no more than its planned calls.
  ms = 10_000;
  for (let call = 0; call < 9; call++) meter.answered('hearing');
  expect(last()?.secondsLeft).toBe(10);
  // A trial that ends before its time has taken no longer than it did.
  meter.finished('later', 'malformed');
  expect(last()).toMatchObject({ done: 3, decided: 2, secondsLeft: 0 });
  meter.answered(null);
  expect(last()).toMatchObject({ calls: 15, paused: null });
  meter.paused({ backend: 'default', reason: 'refused' });
  expect(last()?.paused).toEqual({ backend: 'default', reason: 'refused' });
});
