import { describe, expect, test } from 'vitest';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { isUnderWay } from '../../../shared/api/engine.ts';
import { outcomes } from '../../../shared/domain.ts';
import { countsOf, progressOf, remedyFor, stateText } from './outcomes.ts';

describe('countsOf', () => {
  test('every finished trial is in exactly one count', () => {
    const tally = { planned: 20, done: 12, running: 2, outcomes: { decided: 7, timeout: 1, malformed: 4 } };
    expect(countsOf(tally)).toEqual({
      decided: 7,
      failed: 5,
      failures: [
        { outcome: 'malformed', trials: 4 },
        { outcome: 'timeout', trials: 1 },
      ],
      queued: 6,
    });
  });

  test('nothing has started', () => {
    expect(countsOf({ planned: 3, done: 1, running: 0, outcomes: { decided: 1 }, altered: 1 }).queued).toBe(1);
    expect(countsOf({ planned: 3, done: 0, running: 0, outcomes: {} })).toEqual({
      decided: 0,
      failed: 0,
      failures: [],
      queued: 3,
    });
  });
});

test('every outcome has its own words', () => {
  expect(new Set(outcomes.map(outcomeText)).size).toBe(outcomes.length);
  expect(outcomeText('toString')).toBe('toString');
  expect(remedyFor('decided')).toBeNull();
});

const run = {
  experiment: 'e',
  backend: 'standin',
  concurrency: 1,
  planned: 1,
  done: 1,
  decided: 1,
  calls: 1,
  finished_now: 1,
  per_minute: null,
  tokens_per_second: null,
  energy: null,
  warnings: [],
  between: null,
  seconds_left: null,
  seconds_left_range: null,
  arms: [],
  queues: [],
  waiting_for: null,
  gives_way: false,
  error: null,
  paused_until: null,
  resumed: 0,
  closed: false,
} as const;

test('a run that has ended is not under way', () => {
  expect(isUnderWay(null)).toBe(false);
  expect(isUnderWay({ ...run, state: 'finished' })).toBe(false);
  expect(isUnderWay({ ...run, state: 'waiting' })).toBe(true);
});

test('an experiment with open trials is not finished, also after a restart or the try of one trial; one that its rule ended is', () => {
  const left = { run: null, planned: 6, done: 2, erased: null, stopped_by_rule: false, open_run: false, server_away: false };
  expect(stateText(left)).toBe('not finished');
  expect(stateText({ ...left, done: 6 })).toBe('finished');
  expect(stateText({ ...left, open_run: true })).toBe('not finished');
  expect(stateText({ ...left, open_run: true, run: { ...run, state: 'failed' } }, true)).toBe('another program is running this');
  expect(stateText({ ...left, open_run: true, server_away: true }, true)).toBe(
    'another program is running this; a server does not answer',
  );
  expect(stateText({ ...left, server_away: true }, true)).toBe('not finished');
  expect(stateText({ ...left, erased: { at: '2026-01-01T00:00:00.000Z', scope: 'case' } })).toBeNull();
  expect(stateText({ ...left, stopped_by_rule: true })).toBeNull();
  const ended = { ...run, state: 'finished', planned: 6, done: 2 } as const;
  expect(stateText({ ...left, run: ended })).toBe('not finished');
  expect(stateText({ ...left, run: ended, stopped_by_rule: true })).toBe('finished');
  expect(stateText({ ...left, run: { ...ended, done: 6 } })).toBe('finished');
  const part = { number: 1, of: 2, planned: 3, done: 2, running: 0, outcomes: {} };
  expect(stateText({ ...left, part })).toBe('not finished');
  expect(stateText({ ...left, part: { ...part, done: 3 } })).toBe('part 1 of 2 finished');
  const held = { ...run, state: 'paused', paused_until: '2026-01-03T02:00:00.000Z' } as const;
  expect(stateText({ ...left, run: held })).toMatch(/^planned for (Fri|Sat) \d\d:00$/);
});

test('imported trials are counted apart from those that are planned', () => {
  const whole = { planned: 22, done: 18, running: 2, outcomes: { decided: 10, timeout: 3, undecided: 5 }, imported: false };
  expect(progressOf({ ...whole, imported_outcomes: { decided: 5, undecided: 5 } })).toEqual({
    ...{ planned: 12, running: 2, done: '8 of 12 trials', imported: ', and 10 imported' },
    ...{ decided: 5, failed: 3, failures: [{ outcome: 'timeout', trials: 3 }], queued: 2 },
  });
  expect(progressOf({ ...whole, imported_outcomes: {} })).toMatchObject({ done: '18 of 22 trials', imported: '' });
  const part = { number: 1, of: 2, planned: 11, done: 7, running: 1, outcomes: { decided: 5, timeout: 2 } };
  expect(progressOf({ ...whole, imported_outcomes: {}, part })).toMatchObject({
    ...{ done: 'part 1 of 2: 7 of 11 trials', decided: 5, failed: 2, queued: 3, running: 1 },
  });
  const only = { planned: 2, done: 2, running: 0, outcomes: { decided: 1, undecided: 1 }, imported: true };
  expect(progressOf({ ...only, imported_outcomes: only.outcomes })).toMatchObject({
    ...{ done: '2 imported trials', imported: '' },
    ...{ decided: 1, failed: 1, queued: 0 },
  });
});
