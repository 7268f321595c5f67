import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerFailureKind, AnswerSpec, ParseMethod } from './answer.ts';
import { readAnswer } from './read.ts';
import { type Verdict, verdictSpec } from './verdict.fixture.ts';

type Expected = readonly [ParseMethod, Verdict] | readonly [AnswerFailureKind, RegExp];

const yes70: Verdict = { prediction: 'YES', confidence: 70 };
const no20: Verdict = { prediction: 'NO', confidence: 20 };
const yes = '{"prediction":"YES","confidence":70}';
const no = '{"prediction":"NO","confidence":20}';

function check<T>(spec: AnswerSpec<T>, raw: string, expected: readonly [string, unknown], ended = false): void {
  const reading = readAnswer(spec, raw, ended);
  if (reading.ok) {
    expect([reading.method, reading.value]).toEqual(expected);
  } else {
    expect(reading.kind, reading.message).toBe(expected[0]);
    expect(reading.message).toMatch(expected[1] as RegExp);
  }
}

const table: Readonly<Record<string, readonly (readonly [string, Expected])[]>> = {
  'the whole text is JSON': [
    [yes, ['json', yes70]],
    [` \n${yes}\n\n`, ['json', yes70]],
    [`\ufeff${yes}`, ['json', yes70]],
    ['{"confidence":70,"prediction":"YES"}', ['json', yes70]],
    ['{"prediction":"YES","confidence":null}', ['json', { prediction: 'YES', confidence: null }]],
    ['{"prediction":"YES","confidence":7e1}', ['json', yes70]],
    ['{"prediction":"YES","confidence":70,"mood":"sure","extra":[1]}', ['json', yes70]],
    ['{"prediction":"YES","confidence":70,"__proto__":{"x":1}}', ['json', yes70]],
    [
      '{"reasoning":"say {\\"prediction\\":\\"NO\\"}","prediction":"YES","confidence":70}',
      ['json', { ...yes70, reasoning: 'say {"prediction":"NO"}' }],
    ],
    ['{"prediction":"YES","confidence":70,"prediction":"NO"}', ['malformed', /^prediction: given more than once/]],
    ['{"prediction":"YES"}', ['malformed', /^confidence: missing$/]],
    ['{}', ['malformed', /no complete answer/]],
    ['[]', ['malformed', /no complete answer/]],
    ['"YES"', ['malformed', /no complete answer/]],
    ['70', ['malformed', /no complete answer/]],
    [`[${yes}]`, ['embedded-json', yes70]],
    [`{"answer":${yes}}`, ['malformed', /no complete answer/]],
  ],
  'spelling of labels': [
    ['{"prediction":"yes","confidence":70}', ['json', yes70]],
    ['{"prediction":" Yes. ","confidence":70}', ['json', yes70]],
    ['{"prediction":"**YES**","confidence":70}', ['json', yes70]],
    ['{"prediction":"\'yes\'","confidence":70}', ['json', yes70]],
    ['{"prediction":"YES!","confidence":70}', ['invalid_label', /"YES!" is not one of the labels "NO", "YES"$/]],
    ['{"prediction":"YES, probably","confidence":70}', ['invalid_label', /"YES, probably"/]],
    ['{"prediction":"NOT YES","confidence":70}', ['invalid_label', /"NOT YES"/]],
    ['{"prediction":"MAYBE","confidence":70}', ['invalid_label', /^prediction: "MAYBE"/]],
    ['{"prediction":"","confidence":70}', ['invalid_label', /""/]],
    ['{"prediction":1,"confidence":70}', ['invalid_label', /^prediction: 1 is/]],
    ['{"prediction":{"label":"YES"},"confidence":70}', ['invalid_label', /an object/]],
    ['{"prediction":null,"confidence":70}', ['malformed', /^prediction: not one of/]],
    [`{"prediction":"${'x'.repeat(500)}","confidence":70}`, ['invalid_label', /^prediction: "x{79}\u2026" is/]],
  ],
  'open refusals to decide': [
    ['{"prediction":"UNKNOWN","confidence":0}', ['undecided', /^prediction: declined to decide: "UNKNOWN"$/]],
    ['{"prediction":"No decision.","confidence":0.5}', ['undecided', /"No decision\."/]],
    ['{"prediction":"NO_DECISION","confidence":null}', ['undecided', /NO_DECISION/]],
    ['{"prediction":"I can\u2019t decide","confidence":50}', ['undecided', /decide/]],
    ['{"prediction":"abstain"}', ['undecided', /abstain/]],
    ['{"prediction":"UNKNOWN, but probably YES","confidence":60}', ['invalid_label', /UNKNOWN, but/]],
    ['Prediction: undecided\nConfidence: 50\n', ['undecided', /undecided/]],
  ],
  numbers: [
    ['{"prediction":"YES","confidence":"70"}', ['json', yes70]],
    ['{"prediction":"YES","confidence":"70%"}', ['json', yes70]],
    ['{"prediction":"YES","confidence":" 70 % "}', ['json', yes70]],
    ['{"prediction":"YES","confidence":"about 70"}', ['malformed', /^confidence: /]],
    ['{"prediction":"YES","confidence":"seventy"}', ['malformed', /^confidence: /]],
    ['{"prediction":"YES","confidence":"070"}', ['malformed', /^confidence: /]],
    ['{"prediction":"YES","confidence":"70/100"}', ['malformed', /^confidence: /]],
    ['{"prediction":"YES","confidence":0.7}', ['malformed', /^confidence: .*between 0 and 1 is ambiguous/]],
    ['{"prediction":"YES","confidence":"0.7"}', ['malformed', /ambiguous/]],
    ['{"prediction":"YES","confidence":0}', ['json', { prediction: 'YES', confidence: 0 }]],
    ['{"prediction":"YES","confidence":1}', ['malformed', /^confidence: 1 is ambiguous .* a whole number from 0 to 100$/]],
    ['{"prediction":"YES","confidence":1.0}', ['malformed', /^confidence: 1 is ambiguous/]],
    ['Prediction: YES\nConfidence: 1\n', ['malformed', /^confidence: 1 is ambiguous/]],
    ['{"prediction":"YES","confidence":"1%"}', ['json', { prediction: 'YES', confidence: 1 }]],
    ['{"prediction":"YES","confidence":2}', ['json', { prediction: 'YES', confidence: 2 }]],
    ['{"prediction":"YES","confidence":700}', ['malformed', /^confidence: too large$/]],
    ['{"prediction":"YES","confidence":-5}', ['malformed', /^confidence: too small$/]],
    ['{"prediction":"YES","confidence":1e999}', ['malformed', /^confidence: /]],
    ['{"prediction":"YES","confidence":true}', ['malformed', /^confidence: /]],
  ],
  'an object in the text': [
    [`Here is my answer:\n\n\`\`\`json\n${yes}\n\`\`\`\nI hope this helps!`, ['embedded-json', yes70]],
    [`\`\`\`\n${yes}\n\`\`\``, ['embedded-json', yes70]],
    [`Sure! ${yes}`, ['embedded-json', yes70]],
    [`${yes}<|im_end|>`, ['embedded-json', yes70]],
    [`<think>Maybe ${no}? { Hm.</think>\n${yes}`, ['embedded-json', yes70]],
    [`Maybe ${no}? Hm.\n</think>\n\n${yes}`, ['embedded-json', yes70]],
    [`Maybe { Hm.\n</think>\n\n${yes}`, ['malformed', /cut off/]],
    [
      'Well: {"prediction":"NO","confidence":20,"reasoning":"</think>{\\"prediction\\":\\"YES\\",\\"confidence\\":70}"}',
      ['embedded-json', { ...no20, reasoning: '</think>{"prediction":"YES","confidence":70}' }],
    ],
    [`Well: {"prediction":"NO","confidence":20,"reasoning":"<think>"}`, ['embedded-json', { ...no20, reasoning: '<think>' }]],
    ['<think>a</think><THINK>b</THINK>', ['malformed', /nothing but thinking/]],
    [`<think>Maybe ${no}. I am`, ['malformed', /nothing but thinking/]],
    [`${yes}\n${yes}`, ['embedded-json', yes70]],
    [`${yes}\nSo:\n{"confidence": 70.0, "prediction": "yes"}`, ['embedded-json', yes70]],
    [`${no}\nOn reflection:\n${yes}`, ['malformed', /more than one complete answer/]],
    [`${no}\nOn reflection:\n{'prediction': 'YES', 'confidence': 70}`, ['malformed', /more than one complete answer/]],
    [`${yes} or {"prediction":"UNKNOWN","confidence":0}`, ['malformed', /more than one complete answer/]],
    [`The format is {"prediction": "<label>", "confidence": 0}. Mine: ${yes}`, ['embedded-json', yes70]],
    [`Schema: {"type":"object","properties":{}}\n${yes}`, ['embedded-json', yes70]],
    [`I choose {YES} from {NO, YES}. ${yes}`, ['embedded-json', yes70]],
    [`Text with a stray { brace. ${yes}`, ['malformed', /cut off/]],
    [`It's "certain". ${yes} It's "done".`, ['embedded-json', yes70]],
    [`${yes}\nActually: {"prediction":"NO","conf`, ['malformed', /cut off/]],
    [`Verdict: {"prediction":"MAYBE","confidence":5}`, ['invalid_label', /MAYBE/]],
  ],
  'slips that are repaired': [
    ["{'prediction': 'YES', 'confidence': 70}", ['tolerant-json', yes70]],
    ['{prediction: YES, confidence: 70}', ['tolerant-json', yes70]],
    ['{"prediction":"YES","confidence":70,}', ['tolerant-json', yes70]],
    ['{"prediction":"YES" "confidence":70}', ['tolerant-json', yes70]],
    ['{"prediction":"YES","confidence":70%}', ['tolerant-json', yes70]],
    ['{"prediction":"YES", // sure\n"confidence":70}', ['tolerant-json', yes70]],
    ['{\u201cprediction\u201d: \u201cYES\u201d, \u201cconfidence\u201d: 70}', ['tolerant-json', yes70]],
    ['{"prediction":"YES","confidence":None}', ['tolerant-json', { prediction: 'YES', confidence: null }]],
    ['{\\"prediction\\":\\"YES\\",\\"confidence\\":70}', ['tolerant-json', yes70]],
    [
      '{"reasoning":"he said "no" to me","prediction":"YES","confidence":70}',
      ['tolerant-json', { ...yes70, reasoning: 'he said "no" to me' }],
    ],
    ['{"reasoning":"two\nlines","prediction":"YES","confidence":70}', ['tolerant-json', { ...yes70, reasoning: 'two\nlines' }]],
    ["Sure:\n```json\n{'prediction': 'NO', 'confidence': 20}\n```", ['tolerant-json', no20]],
    ["{'prediction': 'MAYBE', 'confidence': 70}", ['invalid_label', /MAYBE/]],
  ],
  'what a repair would invent': [
    ['{"prediction":"YES","confidence":7', ['malformed', /cut off/]],
    ['{"prediction":"YES","confidence":', ['malformed', /cut off/]],
    ['{"prediction":"YE', ['malformed', /cut off/]],
    ['{"prediction":"YES","confidence":70', ['malformed', /cut off/]],
    ['```json\n{"prediction":"YES","confidence":70\n```', ['malformed', /cut off/]],
    ['{"prediction":"YES","confidence":}', ['malformed', /no complete answer/]],
    ['{"prediction":"YES","confidence":7.}', ['malformed', /no complete answer/]],
    ['{"prediction":"YES","confidence":...}', ['malformed', /./]],
    ['{"prediction":"Y" + "ES","confidence":70}', ['malformed', /no complete answer/]],
    ['{"prediction":"Y\\ES","confidence":70}', ['malformed', /no complete answer/]],
    ['{"prediction":"YES","confidence":70]', ['malformed', /cut off/]],
    ["{'prediction': 'YES', 'confidence': 70, 'prediction': 'NO'}", ['malformed', /no complete answer/]],
    ['{"prediction":"YES}', ['malformed', /cut off/]],
  ],
  'labelled fields': [
    ['Prediction: YES\nConfidence: 70\n', ['labelled-fields', yes70]],
    ['**Prediction:** YES\n**Confidence:** 70%\n', ['labelled-fields', yes70]],
    ['**Prediction**: **yes**\n**Confidence**: **70**', ['labelled-fields', yes70]],
    ['My verdict.\n\n- PREDICTION = "YES".\n- confidence = 70.\n\nThanks.', ['labelled-fields', yes70]],
    ['1. prediction: YES\n2. confidence: 70\n', ['labelled-fields', yes70]],
    ['Prediction: YES, Confidence: 70\n', ['labelled-fields', yes70]],
    ['{"Prediction": "YES", "Confidence": 70}', ['malformed', /no complete answer/]],
    ['{"analysis": "Prediction: YES, Confidence: 70"}', ['malformed', /no complete answer/]],
    ['{"prediction":"NO","confidence":}\nPrediction: YES\nConfidence: 70\n', ['malformed', /no complete answer/]],
    ['From {NO, YES}:\nPrediction: YES\nConfidence: 70\n', ['labelled-fields', yes70]],
    ['| Prediction: YES | Confidence: 70 |\n', ['labelled-fields', yes70]],
    [
      'Reasoning: Two priors.\nAnd young.\nPrediction: YES\nConfidence: 70\n',
      ['labelled-fields', { ...yes70, reasoning: 'Two priors.\nAnd young.' }],
    ],
    [
      '**Reasoning:** Two priors.\n\n**Prediction:** YES\n**Confidence:** 70\n',
      ['labelled-fields', { ...yes70, reasoning: 'Two priors.' }],
    ],
    ['Prediction: YES\nConfidence: null\n', ['labelled-fields', { prediction: 'YES', confidence: null }]],
    ['<think>Prediction: NO</think>Prediction: YES\nConfidence: 70\n', ['labelled-fields', yes70]],
    ['Prediction: YES\nConfidence: 7', ['malformed', /no complete answer/]],
    ['Confidence: 70\nPrediction: NO', ['malformed', /no complete answer/]],
    ['Prediction: YES\nConfidence: 70\nPrediction: NO\n', ['malformed', /no complete answer/]],
    ['Prediction: YES\nConfidence: 70 or 80\n', ['malformed', /^confidence: /]],
    ['Prediction: YES\nConfidence: 0.7\n', ['malformed', /ambiguous/]],
    ['Prediction: YES or NO\nConfidence: 70\n', ['invalid_label', /YES or NO/]],
    ['Prediction: YES\n', ['malformed', /no complete answer/]],
    ["Prediction: YES\nThe other side's confidence: 30\n", ['malformed', /no complete answer/]],
    ['Prediction: YES\nOverconfidence: 70\n', ['malformed', /no complete answer/]],
  ],
  'no answer': [
    ['', ['malformed', /^empty answer$/]],
    [' \n\t', ['malformed', /^empty answer$/]],
    ['I would say YES, with a confidence of 70.', ['malformed', /no complete answer with prediction, confidence/]],
    ["I'm sorry, but I can't help with that.", ['malformed', /no complete answer/]],
    ['```json\n```', ['malformed', /no complete answer/]],
    ['null', ['malformed', /no complete answer/]],
  ],
};

for (const [title, rows] of Object.entries(table)) {
  describe(title, () => {
    test.each(rows)('%j', (raw, expected) => check(verdictSpec, raw, expected));
  });
}

describe('a text that is known to have ended', () => {
  test.each([
    ['Prediction: YES\nConfidence: 70', ['labelled-fields', yes70]],
    ['Prediction: YES\nConfidence: 70\nReasoning: Two priors.', ['labelled-fields', { ...yes70, reasoning: 'Two priors.' }]],
    ['{"prediction":"YES","confidence":7', ['malformed', /cut off/]],
  ] as const)('%j', (raw, expected) => check(verdictSpec, raw, expected, true));
});

describe('other shapes of answers', () => {
  test('a label may be a word that declines, and differ from another only in case', () => {
    const labels = ['unknown', 'Us', 'US', 'U.S.'];
    const spec = { name: 'x', schema: z.object({ label: z.string().max(20) }), labelFields: ['label'], labels };
    check(spec, '{"label":"UNKNOWN"}', ['json', { label: 'unknown' }]);
    check(spec, '{"label":"US"}', ['json', { label: 'US' }]);
    check(spec, '{"label":"us"}', ['invalid_label', /"us"/]);
    check(spec, '{"label":"u.s."}', ['json', { label: 'U.S.' }]);
  });

  test('labels that are digits or truth values may come without quotes, in their own spelling', () => {
    const spec = { name: 'x', schema: z.object({ label: z.string().max(20) }), labelFields: ['label'], labels: ['10', 'True'] };
    check(spec, '{"label":10}', ['json', { label: '10' }]);
    check(spec, '{"label":true}', ['json', { label: 'True' }]);
    check(spec, '{"label":1e1}', ['invalid_label', /10/]);
  });

  test('several labels: each by the table', () => {
    const labels = ['theft', 'fraud'];
    const spec = { name: 'x', schema: z.object({ labels: z.array(z.enum(labels)).max(2) }), labelFields: ['labels'], labels };
    check(spec, '{"labels":["Fraud","theft"]}', ['json', { labels: ['fraud', 'theft'] }]);
    check(spec, '{"labels":["arson"]}', ['invalid_label', /"arson"/]);
    check(spec, '{"labels":["unknown"]}', ['undecided', /unknown/]);
    check(spec, '{"labels":["fraud","unknown"]}', ['invalid_label', /"unknown"/]);
    check(spec, "{'labels':['fraud', ...]}", ['malformed', /no complete answer/]);
    check(spec, '{"labels":["fraud","theft"}', ['malformed', /no complete answer/]);
  });

  test('a percent sign counts only where the scale runs to 100; names may be in camel case', () => {
    const spec = { name: 'x', schema: z.object({ ownScore: z.number().min(0).max(1) }), labelFields: [], labels: [] };
    check(spec, '{"ownScore":0.7}', ['json', { ownScore: 0.7 }]);
    check(spec, '{"ownScore":"0.7"}', ['json', { ownScore: 0.7 }]);
    check(spec, '{"ownScore":"1%"}', ['malformed', /^ownScore: /]);
    check(spec, 'Own score: 0.7\n', ['labelled-fields', { ownScore: 0.7 }]);
    check(spec, 'own_score: .7\n', ['malformed', /./]);
  });

  describe('labels and numbers inside objects of a list', () => {
    const percent = z.number().min(0).max(100);
    const part = z.object({ prediction: z.enum(['NO', 'YES']), confidence: percent });
    const spec = { ...verdictSpec, schema: z.object({ ...part.shape, updates: z.array(part).max(3) }) };
    const answer = (prediction: unknown, confidence: unknown) =>
      JSON.stringify({ ...yes70, updates: [{ prediction, confidence }] });

    test.each<[unknown, unknown, readonly [string, unknown]]>([
      ['yes', '70%', ['json', { ...yes70, updates: [yes70] }]],
      [' **No** ', ' 20 ', ['json', { ...yes70, updates: [no20] }]],
      ['YES', 0.8, ['malformed', /^updates\.0\.confidence: a number between 0 and 1 is ambiguous/]],
      ['YES', '0.8', ['malformed', /^updates\.0\.confidence: .* ambiguous/]],
      ['YES', 1, ['malformed', /^updates\.0\.confidence: 1 is ambiguous/]],
      ['YES', 'about 70', ['malformed', /^updates\.0\.confidence: expected number$/]],
      ['MAYBE', 70, ['invalid_label', /^updates\.0\.prediction: "MAYBE" is not one of/]],
      ['unknown', 70, ['invalid_label', /^updates\.0\.prediction: "unknown" is not one of/]],
    ])('%j with %j', (prediction, confidence, expected) => {
      check(spec, answer(prediction, confidence), expected);
    });

    test('a repair keeps their texts, and lists in lists are survived', () => {
      const slips = "{'prediction':'YES','confidence':70,'updates':[{'prediction':'no','confidence':'20%'},]}";
      check(spec, slips, ['tolerant-json', { ...yes70, updates: [no20] }]);
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      check(spec, `{"prediction":"YES","confidence":70,"updates":${deep}}`, ['malformed', /^updates/]);
    });

    test('a distribution may be in parts of one, but not half in percent', () => {
      const stated = z.strictObject({ confidence: percent, b: percent });
      const spread = { ...verdictSpec, schema: z.object({ distribution: stated }), labelFields: [], labels: [] };
      const reads = (confidence: unknown, b: unknown, expected: readonly [string, unknown]) =>
        check(spread, JSON.stringify({ distribution: { confidence, b } }), expected);
      reads(0.25, 0.75, ['json', { distribution: { confidence: 0.25, b: 0.75 } }]);
      reads(1, 0, ['json', { distribution: { confidence: 1, b: 0 } }]);
      reads('25%', '75', ['json', { distribution: { confidence: 25, b: 75 } }]);
      reads(0.25, '75%', ['malformed', /^distribution\.confidence: .* ambiguous/]);
    });
  });

  test('keys that a nested strict schema does not know are dropped; repairs keep nested numbers', () => {
    const reason = z.strictObject({ text: z.string().max(100), validity: z.int().min(1).max(10) });
    const spec = { name: 'x', schema: z.strictObject({ reasons: z.array(reason).max(5) }), labelFields: [], labels: [] };
    check(spec, '{"reasons":[{"text":"a","validity":7,"note":"b"}],"x":1}', ['json', { reasons: [{ text: 'a', validity: 7 }] }]);
    check(spec, "{'reasons':[{'text':'a','validity':7},]}", ['tolerant-json', { reasons: [{ text: 'a', validity: 7 }] }]);
    check(spec, '{"reasons":[{"text":"a","validity":11}]}', ['malformed', /^reasons\.0\.validity: too large$/]);
    check(spec, 'Reasons: a\n', ['malformed', /no complete answer/]);
  });
});
