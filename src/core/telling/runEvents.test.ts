import { expect, test } from 'vitest';
import { detailText as detailTextIn, eventText, lostEnds } from './runEvents.ts';

const detailText = (entry: Parameters<typeof detailTextIn>[0]) => detailTextIn(entry, (at) => `[${at}]`);

const machine = { gpus: ['NVIDIA A40', 'NVIDIA A40'], drivers: ['535.183.01'], servers: { default: 'ollama 0.33.0' } };

test('a start describes the machine in words', () => {
  expect(
    detailText({
      event: 'run-start',
      detail: {
        trials: 3,
        concurrency: 1,
        calls_at_a_time: { default: 2 },
        addresses: { default: 'http://192.0.2.2:21434' },
        machine: { ...machine, slots: 4 },
      },
    }),
  ).toBe(
    '3 trials to run, 1 trial at a time, 2 calls at a time at default, default at http://192.0.2.2:21434, on NVIDIA A40, NVIDIA A40 (driver 535.183.01), default: ollama 0.33.0, 4 slots',
  );
  const own = { gpus: [], drivers: [], servers: {}, slots: 1, ollama_log: 'memory' };
  expect(detailText({ event: 'run-start', detail: { machine: own } })).toBe(
    "on a machine without a GPU, 1 slot, Ollama's own log kept in memory only",
  );
  expect(detailText({ event: 'run-start', detail: { machine: { gpus: [], drivers: [], servers: {} } } })).toBe(
    'on a machine without a GPU',
  );
});

test('a start of an earlier version, and one in another form, are shown unchanged', () => {
  expect(detailText({ event: 'run-start', detail: { trials: 3, concurrency: 1 } })).toBe('3 trials to run, 1 trial at a time');
  expect(detailText({ event: 'run-wave', detail: { trials: 5 } })).toBe('5 trials at a time');
  expect(detailText({ event: 'run-start', detail: { some_thing: 1 } })).toBe('some thing: 1');
  expect(detailText({ event: 'run-start', detail: { machine: { odd: true } } })).toBe('machine: {"odd":true}');
});

test('a time is written as its reader asks for', () => {
  expect(detailText({ event: 'run-hold', detail: { until: '2026-05-04T22:00:00.000Z' } })).toBe(
    'until [2026-05-04T22:00:00.000Z]',
  );
  expect(detailText({ event: 'run-continue', detail: { planned: '2026-05-04T22:00:00.000Z' } })).toBe(
    'late: planned for [2026-05-04T22:00:00.000Z]',
  );
  const daily = { event: 'run-continue', detail: { between: '22:00-07:00' } };
  expect(`${eventText(daily.event, daily.detail)}: ${detailText(daily)}`).toBe('Its hours began: every day from 22:00 to 07:00');
});

test('a warning is its sentence, and energy is in watt-hours', () => {
  expect(detailText({ event: 'run-energy', detail: { watt_hours: 12.5 } })).toContain('about 12.5 Wh');
  expect(detailText({ event: 'run-energy', detail: {} })).toBe('');
  expect(eventText('run-warning')).toBe('Warning');
  expect(detailText({ event: 'run-warning', detail: { kind: 'hot', model: null, sentence: 'It is hot.' } })).toBe('It is hot.');
  expect(eventText('run-of-the-future')).toBe('run-of-the-future');
});

test('the end of a run says who ended it; a start without an end is known', () => {
  expect(['user', 'close'].map((by) => eventText('run-interrupt', { by }))).toEqual(['Stopped', 'The program was closed']);
  expect([eventText('run-interrupt'), detailText({ event: 'run-interrupt', detail: { by: 'user' } })]).toEqual([
    'Stopped, or the program was closed',
    '',
  ]);
  expect(eventText('run-interrupt', { by: 'user', done: 57, planned: 96 })).toBe('Stopped: 57 of 96 trials done');
  const limited = { event: 'run-end', detail: { trials: 10, left: 6, done: 43, planned: 49 } };
  expect([eventText('run-end', limited.detail), detailText(limited)]).toEqual([
    'Ended after 10 trials, as asked: 43 of 49 trials done',
    '',
  ]);
  expect(eventText('run-end', { trials: 10, left: 2 })).toBe('Ended after 10 trials, as asked; 2 trials left');
  expect(eventText('run-end')).toBe('The run ended');
  const spared = { event: 'run-pause', detail: { backend: 'gpu', reason: 'gone', waits: false } };
  expect([eventText('run-pause', { waits: true }), eventText('run-pause', spared.detail), detailText(spared)]).toEqual([
    'The run waits for a server',
    'A server gets no calls, and others have them',
    'server gpu, gone',
  ]);
  const log = (...events: string[]) => events.map((event) => ({ event }));
  expect([[], log('run-start', 'run-interrupt'), log('run-start', 'run-recover')].map((each) => lostEnds(each).size)).toEqual([
    0, 0, 0,
  ]);
  expect([...lostEnds(log('run-start', 'run-end', 'run-start', 'run-hold'))]).toEqual([[3, 'open']]);
  // A start that was refused is of no run.
  expect([...lostEnds(log('run-start', 'run-pause', 'run-refuse', 'run-start', 'run-end'))]).toEqual([[1, 'broke']]);
});
