import { expect, test } from 'vitest';
import { progressMeter, type RunProgress } from './progressMeter.ts';

type Options = Parameters<typeof progressMeter>[0];
type Queue = Options['queues'][number];

const trialsOf = (arm: string, number: number, calls = 1): Queue['trials'] =>
  Array.from({ length: number }, (_none, index) => ({ id: `${arm} ${index}`, arm, calls, made: 0 }));

/** A run under a clock that the test moves, one trial at a time in each queue. */
function metered(queues: readonly Queue[], more: Partial<Options> = {}) {
  let ms = 0;
  let last: RunProgress | undefined;
  const meter = progressMeter({
    planned: queues.reduce((sum, { trials }) => sum + trials.length, 0),
    done: 0,
    outcomes: {},
    queues,
    spent: [],
    modelsOf: (arm) => [`model of ${arm}`],
    elapsedMs: () => ms,
    onProgress: (state) => {
      last = state;
    },
    ...more,
  });
  const serverOf = (id: string) => queues.find(({ trials }) => trials.some((each) => each.id === id))?.servers[0] ?? '';
  return {
    ...meter,
    last: () => last,
    wait: (seconds: number) => {
      ms += 1000 * seconds;
    },
    /** A call that is under way until it is answered. */
    ask(id: string, seconds: number) {
      const call = meter.call(id, `model of ${id.split(' ')[0]}`);
      call.underWay(true);
      return () => {
        call.answered(seconds, serverOf(id), 40);
        call.end();
      };
    },
    /** Trials of calls of so many seconds, one after the other. */
    try(ids: readonly string[], seconds: number, calls = 1) {
      for (const id of ids) {
        meter.begin(id);
        for (let number = 0; number < calls; number++) {
          const answer = this.ask(id, seconds);
          this.wait(seconds);
          answer();
        }
        meter.finished(id, 'decided');
      }
    },
  };
}

const ids = (arm: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_none, index) => `${arm} ${from + index}`);

test('two servers of unlike speed: the time left is that of the slow one, with a range only after three of its trials', () => {
  const run = metered([
    { servers: ['quick'], trials: trialsOf('a', 1000) },
    { servers: ['slow'], trials: trialsOf('b', 1000) },
  ]);
  run.send();
  expect(run.last()).toMatchObject({ done: 0, per_minute: null, seconds_left: null, seconds_left_range: null });
  const round = (number: number) => {
    run.begin(`b ${number}`);
    const answer = run.ask(`b ${number}`, 10);
    run.try(ids('a', 100 * number, 100 * number + 100), 0.1);
    if (number === 0) expect(run.last()?.seconds_left, 'no trial of the slow one has ended').toBeNull();
    answer();
    run.finished(`b ${number}`, 'decided');
  };
  round(0);
  expect(run.last()).toMatchObject({ seconds_left: 9_990, seconds_left_range: null });
  round(1);
  expect(run.last()).toMatchObject({ seconds_left: 9_980, seconds_left_range: null });
  round(2);
  expect(run.last()?.seconds_left_range?.[1]).toBeGreaterThanOrEqual(9_970);
  expect(run.last()?.queues).toMatchObject([
    { servers: [{ name: 'quick', tokens_per_second: 400 }], per_minute: 600, seconds_left: expect.closeTo(70, 5) },
    { servers: [{ name: 'slow', tokens_per_second: 4 }], per_minute: 6, seconds_left: 9_970 },
  ]);
});

test('a slow model after a quick one: its trials weigh what they took, and until they did, the time is a first guess', () => {
  const run = metered([{ servers: ['one'], trials: [...trialsOf('quick', 20), ...trialsOf('slow', 100)] }]);
  run.try(ids('quick', 0, 20), 1);
  expect(run.last()).toMatchObject({ seconds_left: expect.closeTo(100, 5), seconds_left_range: null });
  run.try(ids('slow', 0, 2), 20);
  expect(run.last()).toMatchObject({ seconds_left: expect.closeTo(1960, 5), seconds_left_range: null });
  run.try(['slow 2'], 21);
  const [least = 0, most = 0] = run.last()?.seconds_left_range ?? [];
  expect(least).toBeLessThan(1940);
  expect(most).toBeGreaterThan(1940);
  expect(run.last()?.arms).toMatchObject([
    { name: 'quick', per_minute: 60, seconds_left: 0 },
    { name: 'slow', per_minute: expect.closeTo(180 / 61, 5), seconds_left: run.last()?.seconds_left },
  ]);
});

test('a run that continues knows the arms from earlier runs, and what is left of trials that were begun', () => {
  const trials = [...trialsOf('begun', 4).map((each) => ({ ...each, calls: 7, made: 5 })), ...trialsOf('whole', 10, 12)];
  const spent = [{ arm: 'whole', trials: 10, calls: 60, wallMs: 600_000, wallMsSquared: 10 * 60_000 ** 2 }];
  const run = metered([{ servers: ['one'], trials }], { spent });
  run.send();
  expect(run.last()?.seconds_left).toBeNull();
  run.try(ids('begun', 0, 4), 10);
  // Ten trials of six calls of 10 s: no trial has taken all the calls that it may.
  expect(run.last()).toMatchObject({ seconds_left: 600, seconds_left_range: [600, 600] });
  run.try(['whole 0'], 10, 6);
  expect(run.last()?.seconds_left).toBeCloseTo(540, 5);
  run.begin('whole 1');
  const answer = run.ask('whole 1', 10);
  run.wait(10);
  answer();
  expect(run.last()?.seconds_left, 'five of its six calls are to come').toBeCloseTo(530, 5);
});

test('an outage is no work, neither of its queue nor of the others, and shared calls by themselves are none', () => {
  const run = metered([
    { servers: ['away'], trials: trialsOf('a', 10) },
    { servers: ['there'], trials: trialsOf('b', 100) },
  ]);
  run.try(ids('a', 0, 4), 10);
  run.paused({ backend: 'away', reason: 'refused', minutes: 10 }, new Set(['away']));
  expect(run.last()?.paused).toEqual({ backend: 'away', reason: 'refused', minutes: 10 });
  run.try(ids('b', 0, 50), 20);
  run.paused(null, new Set());
  const preparing = run.call(null, 'embedder');
  run.wait(5_000);
  preparing.answered(5_000, 'there', 0);
  preparing.end();
  run.try(['a 4'], 10);
  const [away, there] = run.last()?.queues ?? [];
  expect(away).toMatchObject({ per_minute: 6, seconds_left: 50 });
  expect(there?.per_minute).toBeCloseTo((50 * 60) / 1050, 5);
  expect(run.last()).toMatchObject({ done: 55, finished_now: 55, calls: 56, paused: null, outcomes: { decided: 55 } });
});

test('what is asked now and next follows the schedule, and a trial that is left out or waits takes no time', () => {
  const trials = [...trialsOf('a', 3), ...trialsOf('b', 2), ...trialsOf('c', 2)];
  const run = metered([{ servers: ['one'], trials }], {
    outcomes: { decided: 2, timeout: 1 },
    modelsOf: (arm) => (arm === 'c' ? ['model of b', 'third'] : [`model of ${arm}`]),
  });
  run.begin('a 0');
  const answer = run.ask('a 0', 10);
  expect(run.last()?.queues).toMatchObject([{ models: ['model of a'], next: ['model of b'] }]);
  const turn = run.call('a 0', 'waits');
  run.wait(10);
  answer();
  run.finished('a 0', 'timeout');
  expect(run.last()?.queues, 'between two calls the last one stays').toMatchObject([{ models: ['model of a'], next: ['waits'] }]);
  turn.end();
  run.leave(['a 1', 'a 2', 'b 1', 'c 1']);
  run.begin('b 0');
  run.ask('b 0', 10);
  expect(run.last()?.queues).toMatchObject([{ models: ['model of b'], next: ['third'] }]);
  run.parked('b 0');
  run.stopped(3);
  expect(run.last()).toMatchObject({ stoppedAfter: 3, decided: 2, outcomes: { decided: 2, timeout: 2 } });
  run.try(['c 0'], 10);
  expect(run.last()).toMatchObject({ seconds_left: 0, seconds_left_range: null });
});
