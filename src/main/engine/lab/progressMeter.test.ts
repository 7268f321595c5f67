import { expect, test } from 'vitest';
import { progressMeter, type RunProgress } from './progressMeter.ts';

test('the time left follows from calls: two arms of one and of nine calls', () => {
  let ms = 0;
  const states: RunProgress[] = [];
  const meter = progressMeter({
    planned: 5,
    done: 1,
    decided: 1,
    callsOf: new Map([
      ['single', 1],
      ['hearing', 9],
      ['later', 10],
    ]),
    begunBefore: new Set(),
    elapsedMs: () => ms,
    onProgress: (state) => states.push(state),
  });
  const last = () => states.at(-1);
  meter.send();
  expect(last()).toMatchObject({ planned: 5, done: 1, calls: 0, per_minute: null, seconds_left: null });
  ms = 1000;
  meter.wrote(40);
  meter.answered('single');
  expect(last()).toMatchObject({ calls: 1, seconds_left: null, tokens_per_second: 40 });
  meter.finished('single', 'decided');
  // One of 20 calls took 1 s.
  expect(last()).toMatchObject({ done: 2, decided: 2, finished_now: 1, per_minute: 60, seconds_left: 19 });
  ms = 5000;
  for (let call = 0; call < 4; call++) meter.answered('hearing');
  expect(last()).toMatchObject({ calls: 5, seconds_left: 15 });
  // Asked again and again, a trial still is no more than its planned calls.
  ms = 10_000;
  for (let call = 0; call < 9; call++) meter.answered('hearing');
  expect(last()?.seconds_left).toBe(10);
  // A trial that ends before its time has taken no longer than it did.
  meter.finished('later', 'malformed');
  expect(last()).toMatchObject({ done: 3, decided: 2, seconds_left: 0 });
  meter.answered(null);
  expect(last()).toMatchObject({ calls: 15, paused: null });
  meter.paused({ backend: 'default', reason: 'refused', minutes: 10 });
  expect(last()?.paused).toEqual({ backend: 'default', reason: 'refused', minutes: 10 });
});

test('the range of the time left grows with how unlike the calls are, and closes at the end', () => {
  let ms = 0;
  let last: RunProgress | undefined;
  const trials = Array.from({ length: 40 }, (_, index) => String(index));
  const callsOf = new Map(trials.map((trial) => [trial, 1]));
  const onProgress = (state: RunProgress) => {
    last = state;
  };
  const meter = progressMeter({
    planned: 40,
    done: 0,
    decided: 0,
    callsOf,
    begunBefore: new Set(),
    elapsedMs: () => ms,
    onProgress,
  });
  for (const trial of trials) {
    ms += Number(trial) % 2 === 0 && Number(trial) < 20 ? 1000 : 3000;
    meter.answered(trial);
    meter.finished(trial, 'decided');
    if (trial === '19') {
      const [low, high] = last?.seconds_left_range ?? [0, 0];
      expect(last?.seconds_left).toBe(40);
      // Pairs of calls are all alike.
      expect([low, high]).toEqual([40, 40]);
    }
    if (trial === '29') {
      const [low, high] = last?.seconds_left_range ?? [0, 0];
      expect(low).toBeLessThan(last?.seconds_left ?? 0);
      expect(high).toBeGreaterThan(last?.seconds_left ?? 0);
    }
  }
  expect(last).toMatchObject({ seconds_left: 0, seconds_left_range: null });
});

test('after a run is resumed, what was left of the trials begun before does not make the others look short', () => {
  let ms = 0;
  let last: RunProgress | undefined;
  const whole = Array.from({ length: 10 }, (_, index) => `whole ${index}`);
  const meter = progressMeter({
    ...{ planned: 14, done: 0, decided: 0, elapsedMs: () => ms },
    // Four were begun, each with one call left of the six that it takes; it may take up to twelve.
    callsOf: new Map([
      ...['a', 'b', 'c', 'd'].map((trial) => [trial, 7] as const),
      ...whole.map((trial) => [trial, 12] as const),
    ]),
    begunBefore: new Set(['a', 'b', 'c', 'd']),
    onProgress: (state) => {
      last = state;
    },
  });
  const call = (trial: string) => {
    ms += 1000;
    meter.answered(trial);
  };
  for (const trial of ['a', 'b', 'c', 'd']) {
    call(trial);
    meter.finished(trial, 'decided');
    expect(last?.seconds_left).toBeNull();
  }
  for (const [place, trial] of whole.entries()) {
    for (let calls = 0; calls < 6; calls++) call(trial);
    meter.finished(trial, 'decided');
    const truly = 6 * (whole.length - 1 - place);
    expect(last?.seconds_left).toBeGreaterThanOrEqual(truly);
    expect(last?.seconds_left).toBeLessThanOrEqual(1.5 * truly);
  }
});
