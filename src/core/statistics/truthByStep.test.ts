import { expect, test } from 'vitest';
import { trialEvents, yes } from '../trajectory/trajectory.fixture.ts';
import { trajectoryOf } from '../trajectory/trajectory.ts';
import { verdictPath } from '../trajectory/verdictPath.ts';
import { truthByStep } from './truthByStep.ts';

/** Beliefs of the judge in YES, the ruling last. */
function trial(truth: string | string[] | null, ...beliefs: (number | null)[]) {
  let events = trialEvents();
  for (const belief of beliefs.slice(0, -1))
    events = events.believes('judge', 'live', 'YES', belief === null ? null : yes(belief));
  return { truth, path: verdictPath(trajectoryOf(events.rules('judge', 'YES', yes(beliefs.at(-1) ?? 0)).events)) };
}

test('each step is the mean of P(truth), and a trial that ended earlier keeps its last belief', () => {
  // Truth YES: 0.5, 0.75. Truth NO: P(NO) is 0.75, 0.5, 0.25. Means: 0.625, 0.625, (0.75 + 0.25) / 2 = 0.5.
  expect(truthByStep([trial('YES', 0.5, 0.75), trial('NO', 0.25, 0.5, 0.75)], [1, 1])).toEqual([
    { value: 0.625, n: 2 },
    { value: 0.625, n: 2 },
    { value: 0.5, n: 1 },
  ]);
});

test('weights make replicates of a case count as one', () => {
  // The case of two trials: (0.25 + 0.25) / 2; the other 0.75. Mean over cases 0.5, over trials it would be 0.417.
  const [first] = truthByStep([trial('YES', 0.25, 0.5), trial('YES', 0.25, 0.5), trial('YES', 0.75, 0.5)], [0.5, 0.5, 1]);
  expect(first).toEqual({ value: 0.5, n: 3 });
});

test('a belief without a distribution is no step, and what has no way or no truth is left out', () => {
  expect(truthByStep([trial('YES', 0.25, null, 0.75)], [1]).map(({ value }) => value)).toEqual([0.25, 0.75]);
  expect(truthByStep([trial(null, 0.25, 0.75), trial('YES', 0.5), { truth: 'YES', path: null }], [1, 1, 1])).toEqual([]);
});
