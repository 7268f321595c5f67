import { expect, test } from 'vitest';
import { progressAsText } from './recordProgress.ts';

const at = (stage: 'events' | 'texts' | 'trials', done: number, of: number) => ({ kind: 'progress', stage, done, of }) as const;

test('progress is told by step, count, rate and time left', () => {
  expect(progressAsText(null, 0)).toBe('Reading the record…');
  // 4,000 events in 2 s are 2,000 a second; 6,000 are left: 3 s.
  expect(progressAsText(at('events', 4_000, 10_000), 2_000)).toBe(
    'Step 1 of 3: events, 4,000 of 10,000, 2,000 a second, about 3 seconds left of this step',
  );
  expect(progressAsText(at('events', 500, 10_000), 300)).toBe('Step 1 of 3: events, 500 of 10,000');
  expect(progressAsText(at('trials', 0, 7), 9_000)).toBe('Step 3 of 3: results of trials, 0 of 7');
});
