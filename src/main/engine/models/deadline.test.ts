import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startDeadline } from './deadline.ts';

const hour = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = () => new AbortController().signal;

/** The machine sleeps, so that timers fire late by the clock on the wall. */
const sleepFor = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('total time', () => {
  test('runs from the start, also while text arrives', () => {
    const deadline = startDeadline(never(), 1000, 600);
    vi.advanceTimersByTime(500);
    deadline.touch();
    vi.advanceTimersByTime(499);
    expect([deadline.expired(), deadline.signal.aborted]).toEqual([null, false]);
    vi.advanceTimersByTime(1);
    expect([deadline.expired(), deadline.signal.aborted]).toEqual(['total', true]);
    deadline.clear();
  });

  test('may be longer than a timer can be', () => {
    const deadline = startDeadline(never(), 1e13, 1e13);
    deadline.touch();
    vi.advanceTimersByTime(24 * hour);
    expect(deadline.expired()).toBe(null);
    deadline.clear();
  });
});

describe('idle time', () => {
  test('does not run before the first touch', () => {
    const deadline = startDeadline(never(), 10_000, 100);
    vi.advanceTimersByTime(9999);
    expect(deadline.expired()).toBe(null);
    deadline.clear();
  });

  test('starts again at each touch', () => {
    const deadline = startDeadline(never(), 10_000, 100);
    for (let touch = 0; touch < 5; touch++) {
      deadline.touch();
      vi.advanceTimersByTime(99);
      expect(deadline.expired()).toBe(null);
    }
    vi.advanceTimersByTime(1);
    expect([deadline.expired(), deadline.signal.aborted]).toEqual(['idle', true]);
    vi.advanceTimersByTime(20_000);
    expect(deadline.expired(), 'what ran out first stays').toBe('idle');
    deadline.clear();
  });
});

describe('sleep of the machine', () => {
  test.each(['total', 'idle'] as const)('starts the %s time again', (kind) => {
    const deadline = kind === 'total' ? startDeadline(never(), 1000, 5000) : startDeadline(never(), 10 * hour, 1000);
    if (kind === 'idle') deadline.touch();
    vi.advanceTimersByTime(400);
    sleepFor(hour);
    vi.advanceTimersByTime(1599);
    expect(deadline.expired()).toBe(null);
    vi.advanceTimersByTime(1);
    expect(deadline.expired()).toBe(kind);
    deadline.clear();
  });

  test('gives no more time than it took', () => {
    const deadline = startDeadline(never(), 20_000, 1000);
    sleepFor(5000);
    vi.advanceTimersByTime(24_999);
    expect(deadline.expired()).toBe(null);
    vi.advanceTimersByTime(1);
    expect(deadline.expired()).toBe('total');
    deadline.clear();
  });

  test('a timer that is late by no more than a second was not held up', () => {
    const deadline = startDeadline(never(), 1000, 1000);
    sleepFor(1000);
    vi.advanceTimersByTime(1000);
    expect(deadline.expired()).toBe('total');
    deadline.clear();
  });

  test('a second sleep counts like the first', () => {
    const deadline = startDeadline(never(), 1000, 1000);
    for (let night = 0; night < 3; night++) {
      sleepFor(8 * hour);
      vi.advanceTimersByTime(1000);
      expect(deadline.expired()).toBe(null);
    }
    vi.advanceTimersByTime(1000);
    expect(deadline.expired()).toBe('total');
    deadline.clear();
  });
});

describe('outer signal', () => {
  test('ends the call without anything having run out', () => {
    const outer = new AbortController();
    const deadline = startDeadline(outer.signal, 1000, 1000);
    outer.abort();
    expect([deadline.expired(), deadline.signal.aborted]).toEqual([null, true]);
    deadline.clear();
  });

  test('that fired before ends it at once', () => {
    const deadline = startDeadline(AbortSignal.abort(), 1000, 1000);
    expect(deadline.signal.aborted).toBe(true);
    deadline.clear();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('clear leaves no timer and no listener, and ends what still runs', () => {
  const { signal } = new AbortController();
  const deadlines = Array.from({ length: 3 }, () => startDeadline(signal, 1000, 1000));
  for (const deadline of deadlines) {
    deadline.touch();
    deadline.touch();
  }
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([6, 3]);
  for (const deadline of deadlines) deadline.clear();
  expect([vi.getTimerCount(), getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  expect(deadlines.map(({ signal: own, expired }) => [own.aborted, expired()])).toEqual(Array(3).fill([true, null]));
});
