import { expect, test } from 'vitest';
import sentences from './debateLanguage.fixture.json' with { type: 'json' };
import { languageOf, repetitionIn } from './debateLanguage.ts';

/** Sentences as they are said in debates, among them 27 of small models, each labelled by its author before the lists were written. */
test.each([
  // Precision 35 of 37 and recall 35 of 37; precision 26 of 27 and recall 26 of 28.
  { kind: 'hedging', label: 'hedge', counts: { both: 35, found: 37, labelled: 37 } },
  { kind: 'concession', label: 'concession', counts: { both: 26, found: 27, labelled: 28 } },
] as const)('$kind is found in sentences that were labelled by hand', ({ kind, label, counts }) => {
  // Some sentences by themselves are too short to show their language: speeches continue.
  const found = sentences.filter(
    ({ text }) => (languageOf(`${text} These are the facts that both sides know.`)?.[kind] ?? 0) > 0,
  );
  const labelled = sentences.filter((sentence) => sentence[label]);
  expect({ both: found.filter((sentence) => sentence[label]).length, found: found.length, labelled: labelled.length }).toEqual(
    counts,
  );
});

test('rates do not depend on case of letters, and other languages are not counted', () => {
  expect(languageOf('PERHAPS she is right that they were late.')).toMatchObject({
    hedging: 1,
    concession: 1,
    agreement: 1,
    words: 8,
  });
  for (const text of ['May be that they know the end. Might these be so?', 'They say that this may or might be the end.']) {
    expect([text, text.toUpperCase(), text.toLowerCase()].map((each) => languageOf(each)?.hedging)).toEqual([2, 2, 2]);
  }
  expect(languageOf('They moved there in May 2020, on 3 May, and again in May or June.')).toMatchObject({ hedging: 0 });
  expect(languageOf('Vielleicht hat er den Schaden selbst verursacht, aber das steht nirgends in den Akten.')).toBeNull();
  expect(languageOf('Het is mogelijk dat de huurder in de war was en we hem niet geloven.')).toBeNull();
  expect(languageOf('Il est possible que le locataire ait menti, mais on ne le sait pas.')).toBeNull();
  expect(languageOf('Es posible que el inquilino no haya dicho la verdad sobre los hechos.')).toBeNull();
  expect(languageOf('彼はおそらく正しい。')).toBeNull();
  expect(languageOf('')).toBeNull();
  // Too short to judge.
  expect(languageOf('Perhaps guilty.')).toBeNull();
  expect(languageOf('I do not agree, and nobody else agrees with that.')).toMatchObject({ agreement: 0 });
});

test('by hand: words said before count as repeated, no matter who said them', () => {
  // Five words have two runs of four: the first is in the first text, the second is not.
  expect(repetitionIn(['He was there on Monday.', 'Was there on Monday evening', 'No.'])).toEqual([0, 0.5, null]);
});

test.each([
  'To nie jest prawda, że oskarżony by to zrobił, bo być może go tam nie było.',
  'El are probabil dreptate, dar inculpatul are un cazier lung.',
  'Tiltalte har for få domme, og det taler for en mild dom; måske er han for ung.',
  'Quizás he dicho que no has probado nada contra el acusado.',
  'Talvez seja possível, se for verdade, que o réu volte; se não for, absolva.',
  'Der Angeklagte hat sie in der Stadt getroffen, also war er da, und will es nicht sagen.',
  'De verdachte is in de stad geweest, dus hij was er, of hij had het over een ander.',
  'On a dit que le prévenu est sous pression, but et raison y sont, comme son dire.',
  'Han var der, men hun er ikke enig, og vi ser at de er her; af den grund over alt.',
  'Lui ha detto che il caso era chiaro, ma non si sa se in fine sia vero.',
])('not counted as English: %s', (text) => expect(languageOf(text)).toBeNull());

test.each([
  ['The report must be signed by both of them.', { certainty: 0 }],
  ['It is not clearly proven that they were there.', { certainty: 0 }],
  ['It is clearly proven that they were there.', { certainty: 1 }],
  ['He did not admit that the prosecution is right about this, and they do not agree.', { agreement: 0, concession: 0 }],
])('what is denied does not count: %s', (text, counts) => expect(languageOf(text)).toMatchObject(counts));
