import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calledAsShown, shownArmNames, withShownArmNames } from './armNames.ts';

const shown = (...names: string[]) => [...shownArmNames(names).values()];

test('a generated name is shown by its parts, and a tag that distinguishes nothing is left out', () => {
  expect(shown('AgenticSimLLM, llama3.1:8b', 'StandardLLM · qwen2.5:7b')).toEqual([
    'AgenticSimLLM · llama3.1',
    'StandardLLM · qwen2.5',
  ]);
  expect(shown('AgenticSimLLM, llama3.1:8b', 'StandardLLM, llama3.1:70b')).toEqual([
    'AgenticSimLLM · llama3.1:8b',
    'StandardLLM · llama3.1:70b',
  ]);
});

test('what all arms share is left out, but a single arm keeps its whole name', () => {
  expect(shown('AgenticSimLLM, llama3.1:8b', 'AgenticSimLLM, qwen2.5:7b')).toEqual(['llama3.1', 'qwen2.5']);
  expect(shown('AgenticSimLLM, llama3.1:8b', 'StandardLLM, llama3.1:8b')).toEqual(['AgenticSimLLM', 'StandardLLM']);
  // Trials of a case name an arm once for each replicate.
  expect(shown('StandardLLM, m:8b', 'StandardLLM, m:8b', 'AgenticSimLLM, m:8b')).toEqual(['StandardLLM', 'AgenticSimLLM']);
  expect(shown('StandardLLM, hf.co/org/model:Q4')).toEqual(['StandardLLM · hf.co/org/model']);
  // With a name that a person chose, it is unknown what all share.
  expect(shown('StandardLLM, m:8b', 'my court')).toEqual(['StandardLLM · m', 'my court']);
});

test('a folder that all names begin with is left out, in sentences too', () => {
  const names = ['scholarship/logit', 'scholarship/tree/deep', 'scholarship/tree'];
  expect(shown(...names)).toEqual(['logit', 'tree/deep', 'tree']);
  expect(shown('a/b', 'a/b~sides')).toEqual(['a/b', 'a/b, sides exchanged']);
  expect(shown('a/b', 'ab')).toEqual(['a/b', 'ab']);
  expect(shown('a/', 'a/b')).toEqual(['a/', 'a/b']);
  expect(withShownArmNames('scholarship/tree/deep is better than scholarship/tree.', shownArmNames(names))).toBe(
    'tree/deep is better than tree.',
  );
});

test('variants of prompts and numbers stay, and names that would be alike', () => {
  expect(shown('StandardLLM, m:8b, plain words', 'StandardLLM, m:8b, terse')).toEqual(['plain words', 'terse']);
  expect(shown('StandardLLM, m:8b', 'StandardLLM, m:8b (2)')).toEqual(['m:8b', 'm:8b (2)']);
});

test('an arm that is called as another one would be leaves all names as they are', () => {
  expect(shown('court', 'court~sides', 'court, sides exchanged')).toEqual(['court', 'court~sides', 'court, sides exchanged']);
});

test('an arm with something exchanged is called after the arm it is paired with', () => {
  expect(shown('court', 'court~sides')).toEqual(['court', 'court, sides exchanged']);
  expect(shown('EVINCE, m:8b', 'EVINCE, m:8b~labels')[1]).toBe('EVINCE · m, labels listed the other way round');
});

test('an arm with one thing changed is called after its arm, which is not made shorter by it', () => {
  const changed = 'StandardLLM · demo (sex exchanged)';
  expect(shown('StandardLLM · demo', changed)).toEqual(['StandardLLM · demo', changed]);
  expect(shown('StandardLLM, m:8b', 'StandardLLM, m:8b (seeds 1)', 'EVINCE, m:8b')).toEqual([
    'StandardLLM',
    'StandardLLM (seeds 1)',
    'EVINCE',
  ]);
});

test('an arm without a speech is called after the arm it is paired with, and the speech as in the transcript', () => {
  const names = [
    'court',
    'court (without the speech turn-2/prosecutor, seeds 1)',
    'court (other words in the speech turn-1/defense)',
  ];
  expect(shown(...names).slice(1)).toEqual([
    'court · without Prosecution, turn 2, seeds 1',
    'court · other words in place of Defense, turn 1',
  ]);
  expect(shownArmNames(names, (speech, arm) => `${arm}’s ${speech}`).get(names[2] ?? '')).toBe(
    'court · other words in place of court’s turn-1/defense',
  );
});

test('a sentence names the arms as they are shown', () => {
  const names = shownArmNames(['EVINCE, m:8b', 'EVINCE, m:8b (2)', 'single']);
  expect(withShownArmNames('EVINCE, m:8b (2) beats EVINCE, m:8b and a single one', names)).toBe(
    'EVINCE · m:8b (2) beats EVINCE · m:8b and a single one',
  );
});

test('a report names the arms as they are shown in its texts and its fields, and keeps all else', () => {
  const report = { of: ['who/ash', 'who/elm beats who/ash'], names: { 'who/ash': { n: 1 } }, none: null };
  expect(calledAsShown(report, shownArmNames(['who/ash', 'who/elm']))).toEqual({
    of: ['ash', 'elm beats ash'],
    names: { ash: { n: 1 } },
    none: null,
  });
});

test('what a report quotes is kept, and so is a longer word with the name of an arm in it', () => {
  const shown = new Map([
    ['who/who/ash', 'who/ash'],
    ['who/ash', 'ash'],
  ]);
  const kept = { groups: [{ value: 'who/ash' }], ids: ['who/ash'], comments: [{ reviewer: 'A', text: 'who/ash is wrong' }] };
  expect(calledAsShown(kept, shown)).toEqual(kept);
  expect(withShownArmNames('who/who/ash, of who/ash.csv and of who/ash-2, beats who/ash.', shown)).toBe(
    'who/ash, of who/ash.csv and of who/ash-2, beats ash.',
  );
});

test('no two arms are called the same', () => {
  const part = fc.constantFrom('AgenticSimLLM', 'EVINCE', 'm:8b', 'm', 'm:7b', 'n:8b', '', 'a, b', ' · ');
  const name = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(', ')),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 6 }), (names) => {
      const called = shown(...names);
      expect(new Set(called).size).toBe(names.length);
      expect(called.length).toBe(names.length);
    }),
  );
});
