import { expect, test } from 'vitest';
import sentences from './debateLanguage.fixture.json' with { type: 'json' };
import { languageOf, repetitionIn } from './debateLanguage.ts';

/** Sentences as they are said in debates, among them 27 of small models, each labelled by its author before the lists were written. */
test.each([
  // Precision 34 of 38 and recall 34 of 37; precision 26 of 27 and recall 26 of 28.
  { kind: 'hedging', label: 'hedge', counts: { both: 34, found: 38, labelled: 37 } },
  { kind: 'concession', label: 'concession', counts: { both: 26, found: 27, labelled: 28 } },
] as const)('$kind is found in sentences that were labelled by hand', ({ kind, label, counts }) => {
  const found = sentences.filter(({ text }) => (languageOf(text)?.[kind] ?? 0) > 0);
  const labelled = sentences.filter((sentence) => sentence[label]);
  expect({ both: found.filter((sentence) => sentence[label]).length, found: found.length, labelled: labelled.length }).toEqual(
    counts,
  );
});

test('rates do not depend on case of letters, and other languages are not counted', () => {
  expect(languageOf('PERHAPS he is right that it was late.')).toMatchObject({
    hedging: 1,
    concession: 1,
    agreement: 1,
    words: 8,
  });
  expect(languageOf('Vielleicht hat er den Schaden selbst verursacht, aber das steht nirgends in den Akten.')).toBeNull();
  expect(languageOf('Het is mogelijk dat de huurder in de war was en we hem niet geloven.')).toBeNull();
  expect(languageOf('Il est possible que le locataire ait menti, mais on ne le sait pas.')).toBeNull();
  expect(languageOf('Es posible que el inquilino no haya dicho la verdad sobre los hechos.')).toBeNull();
  expect(languageOf('彼はおそらく正しい。')).toBeNull();
  expect(languageOf('')).toBeNull();
  expect(languageOf('I do not agree, and nobody else agrees with that.')).toMatchObject({ agreement: 0 });
});

test('by hand: what was said before is a repetition, whoever said it', () => {
  // Five words have two runs of four: the first stands in the first text, the second does not.
  expect(repetitionIn(['He was there on Monday.', 'Was there on Monday evening', 'No.'])).toEqual([0, 0.5, null]);
});
