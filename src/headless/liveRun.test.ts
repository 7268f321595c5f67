import { expect, test } from 'vitest';
import { followRun } from './liveRun.ts';

/** A run that is followed under a clock which the test moves. */
function followed() {
  let time = 0;
  const run = followRun(() => time);
  return {
    ...run,
    /** A call that is sent at once. */
    speaker(...call: Parameters<typeof run.onCall>) {
      const listener = run.onCall(...call);
      listener.underWay?.(true);
      return listener;
    },
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

const state = {
  planned: 12,
  done: 4,
  decided: 3,
  calls: 40,
  outcomes: { decided: 3, timeout: 1 },
  finished_now: 4,
  per_minute: null,
  tokens_per_second: null,
  seconds_left: 240,
  seconds_left_range: null,
  arms: [],
  queues: [],
  paused: null,
};
const trial = { id: 'ab12', arm: 'court', caseId: '17' };

test('a terminal sees the newest words of the answer, its pace and its age', () => {
  const run = followed();
  run.onProgress(state);
  expect(run.text.line()).toEqual({
    head: '4/12 trials · 3 decided · 1 failed (timeout) · 40 calls · 4 min left, a first guess',
    tail: '',
  });
  run.onProgress({ ...state, seconds_left_range: [180, 420] });
  expect(run.text.line().head).toMatch(/4 min left \(3 min to 7 min\)$/);
  const call = run.speaker({ role: 'judge' }, trial);
  run.wait(2000);
  expect(run.text.line()).toMatchObject({ head: expect.stringMatching(/left · judge · court · case 17 · 2 s$/), tail: '' });
  call.text('{"label": "NO", "reasoning": "The');
  for (const words of ['The first', 'The first fact', 'The first fact weighs', 'The first fact weighs more']) {
    run.wait(500);
    call.text(`{"label": "NO", "reasoning": "${words}`);
  }
  expect(run.text.line()).toEqual({
    head: '4/12 · 1 failed · 4 min left · judge · court · case 17 · 4 s, 2.0 tokens/s',
    tail: 'The first fact weighs more',
  });
  call.end();
  expect(run.text.line().tail).toBe('');
});

test('a line has the pace and what failed, and leaves out what matters least before it is longer than 100 characters', () => {
  const run = followed();
  const pace = { per_minute: 2, tokens_per_second: 84.6, seconds_left_range: [180, 420] as const };
  run.onProgress({ ...state, ...pace });
  expect(run.text.line().head).toBe(
    '4/12 trials · 1 failed (timeout) · 120 trials/h · 85 tokens/s · 4 min left (3 min to 7 min)',
  );
  const outcomes = { decided: 100_000, timeout: 3_000, malformed: 20_456 };
  run.onProgress({ ...state, ...pace, outcomes, planned: 200_000, done: 123_456, decided: 100_000, calls: 1_234_567 });
  expect(run.text.line().head).toBe(
    '123456/200000 trials · 23456 failed · 120 trials/h · 85 tokens/s · 4 min left (3 min to 7 min)',
  );
  run.onProgress({ ...state, ...pace });
  const call = run.speaker({ role: 'judge' }, trial);
  expect(run.text.line().head).toBe('4/12 · 1 failed · 120 trials/h · 85 tokens/s · 4 min left · judge · court · case 17 · 0 s');
  call.end();
  run.onProgress({ ...state, outcomes: { decided: 3, timeout: 1, malformed: 2 }, done: 6, stoppedAfter: 3 });
  expect(run.text.line().head).toBe(
    '6/12 trials · 3 decided · 3 failed (2 malformed, 1 timeout) · 40 calls · stopped by its rule after 3 cases',
  );
});

test('the line stays with one speaker until that call ends; the others are counted', () => {
  const run = followed();
  const [first, second] = [run.speaker({ role: 'prosecutor' }, trial), run.speaker({ role: 'clerk' }, null)];
  first.text('no JSON at all');
  second.text('{"text": "a shared answer');
  expect(run.text.line()).toMatchObject({ tail: 'a shared answer', head: expect.stringContaining('(+1 more)') });
  first.text('no JSON at all, still');
  expect(run.text.line().tail).toBe('a shared answer');
  second.end();
  expect(run.text.line()).toMatchObject({ tail: 'no JSON at all, still', head: expect.stringContaining('prosecutor') });
});

test('a log names the oldest call over 30 s, and counts the others', () => {
  const run = followed();
  expect(run.text.report()).toBe('starting');
  run.onProgress({ ...state, seconds_left: null, seconds_left_range: null });
  const call = run.speaker({ role: 'defense' }, trial);
  call.text('{');
  call.text('{"');
  run.wait(30_000);
  expect(run.text.report()).toBe('4/12 trials · 3 decided · 1 failed (timeout) · 40 calls');
  run.wait(15_000);
  run.speaker({ role: 'judge' }, trial);
  expect(run.text.report()).toBe(
    '4/12 trials · 3 decided · 1 failed (timeout) · 40 calls; defense in trial ab12, arm court, case 17 has been speaking for 45 s, about 2 tokens so far',
  );
  run.wait(31_000);
  expect(run.text.report()).toContain('about 2 tokens so far; 1 more call older than 30 s');
});

test('an answer that restarts after an outage is counted from zero; a pause is reported, and no waiting call is named', () => {
  const run = followed();
  const call = run.speaker({ role: 'judge' }, trial);
  for (const text of ['one', 'one two', 'one two three']) call.text(text);
  call.underWay?.(false);
  run.onProgress({
    ...state,
    paused: { backend: 'default', reason: 'no connection to http://127.0.0.1:2: ECONNREFUSED', minutes: 10 },
  });
  run.wait(400_000);
  expect(run.text.report()).toMatch(
    /paused until backend default answers: no connection to http:\/\/127\.0\.0\.1:2: ECONNREFUSED$/,
  );
  expect(run.text.line()).toMatchObject({
    head: expect.stringContaining('paused until backend default answers: no connection'),
    tail: '',
  });
  run.onProgress(state);
  call.underWay?.(true);
  run.wait(31_000);
  expect(run.text.report()).toMatch(/; judge .* was asked 31 s ago and has not begun to answer$/);
  call.text('one two three four');
  expect(run.text.report()).toMatch(/; judge .* has been speaking for 31 s, about 1 token so far$/);
});

test('a call that waits for its place is not said to speak, however long it waits', () => {
  const run = followed();
  run.onProgress({ ...state, seconds_left: null, seconds_left_range: null });
  const calls = [1, 2].map(() => run.onCall({ role: 'judge' }, trial));
  run.wait(40_000);
  expect(run.text.report()).toBe('4/12 trials · 3 decided · 1 failed (timeout) · 40 calls; 2 calls waiting for their turn');
  expect(run.text.line().head).toMatch(/judge · court · case 17 \(\+1 more\) · waiting for its turn$/);
  calls[1]?.underWay?.(true);
  run.wait(31_000);
  expect(run.text.line().head, 'who was sent goes before who waits').toMatch(/ · 31 s$/);
  expect(run.text.report()).toMatch(/; judge .* asked 31 s ago .*; 1 call waiting for its turn$/);
});
