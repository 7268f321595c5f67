import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstAnswerOf, isChangedLate, queuesOf } from './queues.ts';
import { trialEvents, yes } from './trajectory.fixture.ts';
import { trajectoryOf } from './trajectory.ts';
import { movementOf } from './verdictPath.ts';

const label = fc.constantFrom('NO', 'YES');
const decided = {
  ...({ outcome: 'decided', prediction: 'YES', correct: true, confidence: 0.9, truth: 'YES' } as const),
  ...{ belief: null, inconsistent: false },
};
const none = trajectoryOf([]);

test('a change is late in the last third of three answers or more, with others anywhere', () => {
  fc.assert(
    fc.property(fc.array(label, { maxLength: 12 }), (answers) => {
      const changes = answers.flatMap((answer, place) => (place > 0 && answer !== answers[place - 1] ? [place] : []));
      const last = changes.at(-1);
      expect(isChangedLate(answers)).toBe(answers.length >= 3 && last !== undefined && last / (answers.length - 1) > 2 / 3);
    }),
  );
  expect(
    isChangedLate([
      ['A', 'B'],
      ['B', 'A'],
      ['B', 'A'],
    ]),
  ).toBe(false);
  expect(isChangedLate([['A'], ['A'], ['A', 'B']])).toBe(true);
});

test('a trial is corrected or made wrong if truth is between first answer and verdict, and never both', () => {
  fc.assert(
    fc.property(label, label, label, (first, verdict, truth) => {
      const { events } = trialEvents()
        .believes('judge', 'prior', first, yes(0.5))
        .says('defense', 'one')
        .believes('judge', 'live', verdict, yes(0.5))
        .rules('judge', verdict, yes(0.5));
      const correct = verdict === truth;
      const queues = queuesOf({ ...decided, truth, correct, prediction: verdict, confidence: 0.7 }, trajectoryOf(events));
      expect(queues.includes('corrected')).toBe(first !== truth && correct);
      expect(queues.includes('made-wrong')).toBe(first === truth && !correct);
      const line = { ...decided, truth, prediction: verdict };
      const effect = first === truth ? (correct ? 'stayed_right' : 'degraded') : correct ? 'corrected' : 'stayed_wrong';
      expect(firstAnswerOf(line, trajectoryOf(events))).toEqual({ first_answer: first, deliberation: effect });
      expect(queues).not.toContain('wrong-and-sure');
    }),
  );
});

test('a judge moved as far as its last belief is from its first, for any beliefs of others or recalled ones', () => {
  const trial = () => trialEvents().believes('defense', 'prior', 'NO', yes(0.1)).believes('judge', 'prior', 'NO', yes(0.2));
  const moved = ({ events }: Pick<ReturnType<typeof trialEvents>, 'events'>) => movementOf(trajectoryOf(events));
  const there = trial().believes('judge', 'live', 'YES', yes(0.9)).believes('judge', 'retrospective', 'NO', yes(0));
  expect(moved(there)).toBeNull();
  expect(moved(there.rules('judge', 'NO', yes(0.1)))).toBe(0.1);
  expect(moved(trial().rules('judge', 'NO', null))).toBeNull();
  const three = { A: 0.2, B: 0.3, C: 0.5 };
  expect(moved(trialEvents().believes('judge', 'prior', 'C', three).rules('judge', 'A', { A: 0.6, B: 0.3, C: 0.1 }))).toBe(0.4);
});

test('a trial without a verdict has failed and is in no other queue', () => {
  const { events } = trialEvents().believes('judge', 'prior', 'NO', yes(0.1)).believes('judge', 'live', 'YES', yes(0.9));
  expect(
    queuesOf({ ...decided, outcome: 'timeout', prediction: null, correct: null, confidence: null }, trajectoryOf(events)),
  ).toEqual(['failed']);
});

test('wrong and sure takes a wrong verdict and a stated confidence of 80% or more', () => {
  const sure = (correct: boolean | null, confidence: number | null) => queuesOf({ ...decided, correct, confidence }, none);
  expect(sure(false, 0.8)).toEqual(['wrong-and-sure']);
  for (const [correct, confidence] of [
    [false, 0.79],
    [false, null],
    [true, 1],
    [null, 1],
  ] as const)
    expect(sure(correct, confidence)).toEqual([]);
});

test('a verdict is against its own percentage where another label has a higher one, be it of a model or imported', () => {
  const of = (yes: number, inconsistent = false) =>
    queuesOf({ ...decided, confidence: yes, belief: { NO: 1 - yes, YES: yes }, inconsistent }, none);
  expect(of(0.2)).toEqual(['against-own-percentage']);
  expect(queuesOf({ ...decided, inconsistent: true }, none)).toEqual(['against-own-percentage']);
  expect(of(0.5)).toEqual([]);
});

test('judges disagree where a bench gave more than one answer', () => {
  const bench = (counts: Record<string, number>) => {
    const votes = { counts, asked: 3, decidedBy: 'majority' as const, weighing: null };
    return queuesOf(decided, trajectoryOf(trialEvents().rules('judge', 'YES', null, { verbal: null, votes } as never).events));
  };
  expect(bench({ YES: 2, NO: 1 })).toEqual(['judges-disagree']);
  expect(bench({ YES: 3, NO: 0 })).toEqual([]);
  expect(bench({ YES: 1, NO: 0 })).toEqual([]);
});
