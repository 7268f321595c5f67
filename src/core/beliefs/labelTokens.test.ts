import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TokenReport } from '../../shared/model.ts';
import { labelTokens, readLabelTokens, writeLabelTokens, writtenLabel } from './labelTokens.ts';

const reports = (...tokens: string[]): TokenReport[] => tokens.map((token) => ({ token, logprob: -0.25, top: [] }));
const at = (answer: string, tokens: TokenReport[], labels = ['NO', 'YES', 'YES!']) =>
  labelTokens(answer, tokens, ['prediction'], labels).map(({ path, lead, steps }) => ({
    path,
    lead,
    tokens: steps.map(([token]) => token),
  }));

describe('the tokens of a label', () => {
  test.each([
    { name: 'cut at its quotes', tokens: ['{"prediction":', '"', 'NO', '"', '}'], lead: '"', found: ['"', 'NO'] },
    { name: 'with the quote and what follows', tokens: ['{"prediction', '":"', 'N', 'O"}'], lead: '":"', found: ['":"', 'N'] },
    { name: 'all in one', tokens: ['{"prediction":"NO"}'], lead: '{"prediction":"', found: ['{"prediction":"NO"}'] },
    { name: 'started in the token of its quote', tokens: ['{"prediction":', '"N', 'O', '"}'], lead: '"', found: ['"N'] },
  ])('$name', ({ tokens, lead, found }) => {
    expect(at('{"prediction":"NO"}', reports(...tokens))).toEqual([{ path: 'prediction', lead, tokens: found }]);
  });

  test('continue while another label is possible: up to the closing quote if one begins like another', () => {
    expect(at('{"prediction": "YES"}', reports('{"prediction":', ' "', 'YES', '"', '}'))[0]?.tokens).toEqual([' "', 'YES', '"']);
    expect(at('{"prediction": "YES!"}', reports('{"prediction":', ' "', 'YES', '!', '"}'))[0]?.tokens).toEqual([
      ' "',
      'YES',
      '!',
    ]);
  });

  test('are found at any depth, by path', () => {
    const answer = '{"prediction":"NO","rest":[{"prediction":"YES!"},{"prediction":"NO"}]}';
    expect(at(answer, reports(...answer)).map(({ path }) => path)).toEqual([
      'prediction',
      'rest.0.prediction',
      'rest.1.prediction',
    ]);
  });

  test('are found in a fenced object, and after the thinking', () => {
    for (const answer of ['```json\n{"prediction":"NO"}\n```', '<think>{"prediction":"YES"}</think>\n{"prediction":"NO"}']) {
      expect(at(answer, reports(...answer))).toEqual([{ path: 'prediction', lead: '"', tokens: ['"', 'N'] }]);
    }
  });

  test('may be preceded and followed by tokens that the server left out of the text', () => {
    const tokens = reports('\n', ...'{"prediction":"NO"}', '');
    expect(at('{"prediction":"NO"}', tokens)[0]?.tokens).toEqual(['"', 'N']);
  });

  test('are those of the answer and not of a draft, in a thought that the server keeps apart or in the text', () => {
    const answer = '{"prediction":"NO"}';
    const drafted = (own: number): TokenReport[] =>
      [...answer].map((token) => ({ token, logprob: own, top: [{ token: 'x', logprob: own }] }));
    const thought = [...reports('<think>', 'Perhaps '), ...drafted(-3), ...reports('? Yes.', '</think>', '\n')];
    const tokens = [...thought, ...drafted(-1), ...reports('<|im_end|>', '')];
    const whole = `<think>Perhaps ${answer}? Yes.</think>\n${answer}`;
    for (const text of [answer, whole]) {
      const places = labelTokens(text, tokens, ['prediction'], ['NO', 'YES']);
      expect(places.map(({ steps }) => steps.map(([, logprob]) => logprob))).toEqual([[-1, -1]]);
    }
  });

  test('are none if the tokens continue after the only place that spells the answer', () => {
    const answer = '{"prediction":"NO"}';
    expect(at(answer, reports('<think>', ...answer, ' is', ' a', ' draft.', '</think>'))).toEqual([]);
    expect(at(answer, reports(...answer, ' \n', '<|eot_id|>', '\n'))).toHaveLength(1);
  });

  test('are none where the last object is one of a thought that follows', () => {
    const answer = '{"prediction":"NO"}';
    const text = `${answer}\n<think>I said ${answer}</think>`;
    expect(at(text, reports(...text))).toEqual([]);
  });

  test('are bytes where a token ends inside a character, and found by the text if there are no bytes', () => {
    const labels = ['né', 'nè'];
    const cut: TokenReport[] = [
      ...reports('{"prediction":"'),
      { token: 'n\ufffd', logprob: -0.5, bytes: [0x6e, 0xc3], top: [{ token: '\ufffd', logprob: -0.5, bytes: [0x6e, 0xc3] }] },
      { token: '\ufffd', logprob: -1, bytes: [0xa9], top: [] },
      ...reports('"}'),
    ];
    expect(at('{"prediction":"né"}', cut, labels)[0]?.tokens).toEqual(['{"prediction":"', 'n\u00c3', '\u00a9']);
    expect(at('{"prediction":"né"}', reports('{"prediction":"', 'né', '"}'), labels)[0]?.tokens).toEqual([
      '{"prediction":"',
      'n\u00c3\u00a9',
    ]);
  });

  test.each([
    ['a label in another spelling', '{"prediction":"no"}'],
    ['a label that is no string', '{"prediction":1}'],
    ['a label as a key, or in a list, or in a text', '{"NO":1,"prediction":["NO"],"reason":"prediction: \\"NO\\""}'],
    ['two objects', '{"prediction":"NO"} {"prediction":"NO"}'],
    ['no object', 'prediction: "NO"'],
    ['a cut object', '{"prediction":"NO"'],
    ['an object that had to be repaired', "{'prediction':'NO'}"],
  ])('%s has none', (_name, answer) => {
    expect(at(answer, reports(...answer))).toEqual([]);
  });

  test('of another text are none', () => {
    expect(at('{"prediction":"NO"}', reports('{"prediction":"', 'YES', '"}'))).toEqual([]);
    expect(at('{"prediction":"NO"}', [])).toEqual([]);
  });
});

test('however an answer is cut into tokens, those of the label spell it, and no others are taken', () => {
  const labels = ['NO', 'NOT "GUILTY"', 'né', 'nè'];
  const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.constantFrom(...labels), fc.string({ unit: 'grapheme' }), cuts, (label, reason, lengths) => {
      const answer = JSON.stringify({ reason, prediction: label, again: reason });
      const bytes = [...new TextEncoder().encode(answer)];
      const tokens: TokenReport[] = [];
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.slice(at, at + (lengths[tokens.length % lengths.length] ?? 1));
        tokens.push({ token: '\ufffd', logprob: -1, bytes: part, top: [] });
        at += part.length;
      }
      const [place, ...others] = labelTokens(answer, tokens, ['prediction'], labels);
      expect(others).toEqual([]);
      const said = place?.steps.map(([token]) => token).join('') ?? '';
      expect(said.startsWith(place?.lead ?? '?')).toBe(true);
      expect(place?.lead.endsWith('"')).toBe(true);
      const rest = said.slice(place?.lead.length);
      const whole = writtenLabel(label);
      expect(whole.startsWith(rest) || rest.startsWith(whole)).toBe(true);
      expect(labels.filter((other) => writtenLabel(other).startsWith(rest.slice(0, whole.length)))).toEqual([label]);
    }),
  );
});

test('what is recorded is read as it was written, with six digits', () => {
  const answer = '{"prediction":"NO"}';
  const tokens = [...answer].map((token) => ({ token, logprob: -0.123456789, top: [{ token: 'é', logprob: -2.00000049 }] }));
  const places = labelTokens(answer, tokens, ['prediction'], ['NO', 'YES']);
  expect(places[0]?.steps[0]).toEqual(['"', -0.123457, [['\u00c3\u00a9', -2]]]);
  expect(readLabelTokens(writeLabelTokens(places))).toEqual(places);
  expect(() => readLabelTokens('{"v":2,"places":[]}')).toThrow();
});
