import { expect, test } from 'vitest';
import { progressAsText } from './knownRecord.ts';

const at = (stage: 'texts' | 'events', done: number, of: number) => ({ kind: 'progress', stage, done, of }) as const;

test('progress is shown by step, count, rate and time left', () => {
  expect(progressAsText(null, 0)).toBe('Reading the record…');
  // 4,000 texts in 2 s are 2,000 a second; 6,000 are left: 3 s.
  expect(progressAsText(at('texts', 4_000, 10_000), 2_000)).toBe(
    'Step 1 of 2: texts, 4,000 of 10,000, 2,000 a second, about 3 seconds left of this step',
  );
  expect(progressAsText(at('texts', 500, 10_000), 300)).toBe('Step 1 of 2: texts, 500 of 10,000');
  expect(progressAsText(at('events', 0, 7), 9_000)).toBe('Step 2 of 2: events and results, 0 of 7');
});
