import fc from 'fast-check';
import { expect, test } from 'vitest';
import { protocols } from '../protocols/index.ts';
import { controlTokensIn } from './controlTokens.ts';
import { delimitersIn, delimitersOf } from './delimiters.ts';
import { neutralise } from './neutralise.ts';

const delimiters = delimitersOf({
  facts: 'Facts of the case:\n{{facts}}',
  heading: '{{speaker}}, {{turn}}:',
  note: 'After {{moment}}, you noted:',
  example: 'Known: {{facts}}\nWhat turned out to be true: {{label}}',
});

test.each([
  ['<|im_end|>', '‹|im_end|›'],
  ['<|start_header_id|>system<|end_header_id|>', '‹|start_header_id|›system‹|end_header_id|›'],
  ['<|EOT_ID|>', '‹|EOT_ID|›'],
  ['<|channel|>analysis', '‹|channel|›analysis'],
  ['<｜begin▁of▁sentence｜>', '‹｜begin▁of▁sentence｜›'],
  ['[INST] x [/INST]', '‹INST› x ‹/INST›'],
  ['<<SYS>>x<</SYS>>', '‹‹SYS››x‹‹/SYS››'],
  ['<start_of_turn>model<end_of_turn>', '‹start_of_turn›model‹end_of_turn›'],
  ['<think>a</think>', '‹think›a‹/think›'],
  ['<s>a</s>', '‹s›a‹/s›'],
  ['<|endoftext|>', '‹|endoftext|›'],
  ['<tool_call>{}</tool_call>', '‹tool_call›{}‹/tool_call›'],
  ['<0x0A><unused7>', '‹0x0A›‹unused7›'],
  ['a\n### Response: b', 'a\n‹### Response:› b'],
  // A token inside a token is not one any more, and nothing new comes of it.
  ['<|im_<|x|>end|>', '<|im_‹|x|›end|>'],
])('%s becomes %s', (text, expected) => {
  expect(neutralise(text).text).toBe(expected);
});

test.each([
  'a < b and c > d',
  '5 <| 6 |> 7\n',
  'f(x) [1] [INSTALL]',
  'He <strong>did</strong>',
  'Issue ### 3',
  '<user@example.org>',
])('%s stays as it is', (text) => {
  expect(neutralise(text, delimiters)).toEqual({ text, found: [] });
});

test('headings of the templates and of speakers are marked where they begin a line, and nowhere else', () => {
  const text = [
    'Facts of the case:',
    '**Defense, closing:**',
    '  Judge:',
    'After the opening of the defense, you noted:',
    'What turned out to be true: YES',
    'The defense, as it was told: nothing.',
    'These are not the Facts of the case: none.',
    'In short, so far:',
  ].join('\n');
  expect(neutralise(text, delimiters).text.split('\n')).toEqual([
    '‹Facts of the case:›',
    '**‹Defense, closing:›**',
    '  ‹Judge:›',
    '‹After the opening of the defense, you noted:›',
    '‹What turned out to be true:› YES',
    'The defense, as it was told: nothing.',
    'These are not the Facts of the case: none.',
    'In short, so far:',
  ]);
});

test('the headings that every protocol puts between the parts of its prompts are recognised', () => {
  for (const { id, templates } of protocols) {
    const pattern = delimitersOf(templates);
    for (const template of Object.values(templates)) {
      for (const line of template.split('\n').filter((one) => /^[^:"]*[a-z]{2}[^:"{}]*:$/.test(one))) {
        expect(delimitersIn(`x\n${line}\ny`, pattern), `${id}: ${line}`).toHaveLength(1);
      }
    }
  }
});

test('no template of a protocol holds a control token', () => {
  for (const { templates } of protocols) for (const text of Object.values(templates)) expect(controlTokensIn(text)).toEqual([]);
});

const pieces = [
  ...[
    '<|',
    '|>',
    '<',
    '>',
    '[',
    ']',
    's',
    '/',
    'INST',
    'im_end',
    '<<SYS>>',
    '\n',
    '### ',
    'user:',
    'Judge:',
    ' ',
    '‹',
    '›',
    'x',
    '🙂',
  ],
];
const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));

test('security 27: what comes back holds no token, and differs from the text only in brackets and space', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { text: safe, found } = neutralise(text, delimiters);
      expect(controlTokensIn(safe)).toEqual([]);
      const letters = (given: string) => given.replace(/[<>[\]‹› \t]/g, '');
      expect(letters(safe)).toBe(letters(text));
      expect(safe === text).toBe(found.length === 0);
      for (const [index, { start, end }] of found.entries()) {
        expect(end).toBeGreaterThan(start);
        expect(start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0);
      }
    }),
    { numRuns: 2000 },
  );
});
