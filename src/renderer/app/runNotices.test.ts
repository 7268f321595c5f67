import { expect, it } from 'vitest';
import { type Run, runStates } from '../../shared/api/engine.ts';
import { endedSince, noticeOf } from './runNotices.ts';

const run = (state: Run['state'], rest: Partial<Run> = {}): Run => ({
  ...{
    experiment: 'rain',
    state,
    backend: 'standin',
    concurrency: 1,
    planned: 6,
    done: 6,
    decided: 5,
    calls: 9,
    finished_now: 6,
  },
  ...{
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
    paused_until: null,
    error: null,
    resumed: 0,
    closed: false,
    gives_way: false,
    ...rest,
  },
});

it('reports each run that ended once, and none that the page did not see under way', () => {
  for (const state of runStates) {
    const isEnd = ['finished', 'stopped', 'failed', 'interrupted'].includes(state);
    expect(endedSince([run('running')], [run(state)])).toHaveLength(isEnd ? 1 : 0);
    expect(endedSince([], [run(state)])).toEqual([]);
    expect(endedSince([run('finished')], [run(state)])).toEqual([]);
  }
});

it('says what ended, and how', () => {
  expect(noticeOf(run('finished'), 'Rain')).toEqual({
    title: '“Rain” is finished',
    body: '6 trials: 6 done, 5 decided, 1 failed.',
  });
  expect(noticeOf(run('stopped', { done: 2, decided: 2 }), 'Rain')).toEqual({
    title: '“Rain” was stopped',
    body: '6 trials: 2 done, 2 decided.',
  });
  expect(noticeOf(run('interrupted', { done: 2, decided: 2 }), 'Rain')).toEqual({
    title: '“Rain” was interrupted',
    body: 'The program ended before the run did. Resume it on its screen. 6 trials: 2 done, 2 decided.',
  });
});

it('keeps the words of an error to the screens', () => {
  const error = { code: 'bad-input', message: `case “Jane Doe”: ${'too long '.repeat(300)}` };
  expect(noticeOf(run('failed', { error, done: 0, decided: 0 }), 'Rain')).toEqual({
    title: '“Rain” ended with an error',
    body: 'Its screen says why. 6 trials: 0 done, 0 decided.',
  });
});
