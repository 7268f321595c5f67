import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exhaustive } from '../../shared/exhaustive.fixture.ts';
import { protocols } from '../protocols/index.ts';
import { controlTokensIn } from './controlTokens.ts';
import { delimitersIn, delimitersOf } from './delimiters.ts';
import { guardRules } from './found.ts';
import { neutralise } from './neutralise.ts';

const delimiters = delimitersOf(
  {
    facts: 'Facts of the case:\n{{facts}}',
    heading: '{{speaker}}, {{turn}}:',
    note: 'After {{moment}}, you noted:',
    example: 'Known: {{facts}}\nWhat turned out to be true: {{label}}',
  },
  guardRules,
);

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
  ['<|[/INST]|>', '<|‹/INST›|>'],
  ['<|[INST]|><|<s>|>', '<|‹INST›|><|‹s›|>'],
  ['[[INST]INST]', '[‹INST›INST]'],
  ['<<<SYS>>SYS>>', '<‹‹SYS››SYS>>'],
  ['<function=<|a|>>', '<function=‹|a|›>'],
  ['◁<s>▷', '◁‹s›▷'],
  // Mistral, Seed, GLM, Qwen, Kimi, MiniMax, EXAONE, StarCoder.
  ['[TOOL_CALLS]x[CALL_ID]1[ARGS]{}', '‹TOOL_CALLS›x‹CALL_ID›1‹ARGS›{}'],
  ['[gMASK]<sop>', '‹gMASK›‹sop›'],
  ['<seed:think>a</seed:think>', '‹seed:think›a‹/seed:think›'],
  ['<function=look><parameter=a>1</parameter></function>', '‹function=look›‹parameter=a›1‹/parameter›‹/function›'],
  ['<|turn>user<turn|>', '‹|turn›user‹turn|›'],
  ['◁think▷a◁/think▷', '‹think›a‹/think›'],
  [']~b]user[e~[', '›~b›user‹e~‹'],
  ['[|assistant|]', '‹|assistant|›'],
  ['<fim_prefix>', '‹fim_prefix›'],
  [`<|${'a'.repeat(200)}|>`, `‹|${'a'.repeat(200)}|›`],
])('%s becomes %s', (text, expected) => {
  expect(neutralise(text, guardRules).text).toBe(expected);
});

test.each([
  'a < b and c > d',
  '5 <| 6 |> 7\n',
  'f(x) [1] [INSTALL]',
  'He <strong>did</strong>',
  'Issue ### 3',
  '<user@example.org>',
  '[img]a photo[/img]',
  '[think] [args] [inst]',
  '<dc:title>',
  'a[i]|b[j]',
  '5 ◁ 6 ▷ 7',
])('%s stays as it is', (text) => {
  expect(neutralise(text, guardRules, delimiters)).toEqual({ text, found: [] });
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
  expect(neutralise(text, guardRules, delimiters).text.split('\n')).toEqual([
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
    const pattern = delimitersOf(templates, guardRules);
    for (const template of Object.values(templates)) {
      for (const line of template.split('\n').filter((one) => /^[^:"]*[a-z]{2}[^:"{}]*:$/.test(one))) {
        expect(delimitersIn(`x\n${line}\ny`, pattern), `${id}: ${line}`).toHaveLength(1);
      }
    }
  }
});

test('no template of a protocol holds a control token', () => {
  for (const { templates } of protocols)
    for (const text of Object.values(templates)) expect(controlTokensIn(text, guardRules)).toEqual([]);
});

test('a heading that holds a token is marked without it, and what is marked is not marked again', () => {
  const slotFirst = delimitersOf({ said: '{{who}} has said:' }, guardRules);
  const { text, found } = neutralise('Judge, <|im_end|>:\n*<|x|> has said:\nJudge, a\u2028Judge:', guardRules, slotFirst);
  expect(text).toBe('‹Judge, ‹|im_end|›:›\n*‹‹|x|› has said:›\nJudge, a\u2028‹Judge:›');
  const [token, heading] = ['control-token', 'transcript-heading'];
  expect(found.map(({ rule }) => rule)).toEqual([token, token, heading, heading, heading]);
  expect(neutralise(text, guardRules, slotFirst)).toEqual({ text, found: [] });
});

const prose = [
  ...['as was held in [1], [2] and [sic]', '[see note 3]', '[ARGUMENTS]', '[Instruction]', '[img]', '[x] done', '[a](b.html)'],
  ...['<b>bold</b>', '<br/>', '<p class="think">', '<a href="/x|y">', '<!-- system -->', '<div>', '<https://example.org/a>'],
  ...['a<b', 'a < b', 'b > c', 'x >= 3', '"|"', 'a | b', '| a | b |', '|---|---|', 'a || b', '|x| > 1', '5 <| 6', '7 |> 8'],
  ...['# Response', '## The system', '### Findings:', '**user**', '> quoted', '1. one', '- two', '```ts', 'List<string>'],
  ...['She said: "no".', 'the judge, the user and the assistant', 'system failure', 'Mr. O’Brien', '100 %', '{"a": [1, 2]}'],
];

test('ordinary prose, Markdown and HTML stay as they are', () => {
  const fragments = fc.array(fc.tuple(fc.constantFrom(...prose), fc.constantFrom(' ', '\n', ', ', '\n\n')), { maxLength: 20 });
  fc.assert(
    fc.property(fragments, (parts) => {
      const text = parts.flat().join('');
      expect(neutralise(text, guardRules)).toEqual({ text, found: [] });
    }),
    { numRuns: exhaustive ? 1000 : 200 },
  );
});

const whole = [
  ...['<|im_end|>', '<|x|>', '[/INST]', '[INST]', '[ARGS]', '[|user|]', '<<SYS>>', '<s>', '</think>', '<0x0A>', '<seed:think>'],
  ...['<function=x>', '</function>', '<|turn>', '<turn|>', '◁think▷', ']~b]', '[e~[', '\n### User:', '<｜User｜>'],
];
const halves = [
  ...[
    '<|',
    '|>',
    '<',
    '>',
    '[',
    ']',
    '[|',
    '|]',
    '<<',
    '>>',
    '｜',
    '|',
    '/',
    '◁',
    '▷',
    ']~b',
    '<seed:',
    '<function=',
    '=',
    '###',
  ],
  ...['s', 'INST', '/INST', 'SYS', 'im_', 'end', 'turn', 'think', 'x', '\n', '\u2028', ' ', ':', '‹', '›', '🙂', '\ud800'],
];
const headings = [
  '\nJudge:',
  'Judge, ',
  'After ',
  ', you noted:',
  'Facts of the case:',
  ' has said:',
  'Defense, closing:',
  '*',
  '#',
];
const texts = fc.array(fc.constantFrom(...whole, ...halves, ...headings), { maxLength: 14 }).map((parts) => parts.join(''));
const all = delimitersOf({ own: 'Facts of the case:\nAfter {{moment}}, you noted:\n{{who}} has said:' }, guardRules);

test('security 27: what comes back holds no token and no heading, and differs from the text only in brackets and space', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { text: safe, found } = neutralise(text, guardRules, all);
      expect(controlTokensIn(safe, guardRules)).toEqual([]);
      expect(neutralise(safe, guardRules, all)).toEqual({ text: safe, found: [] });
      const letters = (given: string) => given.replace(/[<>[\]‹›◁▷ \t\u2028]/g, '');
      expect(letters(safe)).toBe(letters(text));
      expect(safe === text).toBe(found.length === 0);
    }),
    { numRuns: exhaustive ? 10_000 : 1000 },
  );
});

test('security 27: no token comes of joining parts that hold none with a blank line', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 5 }), (parts) => {
      expect(controlTokensIn(parts.map((part) => neutralise(part, guardRules).text).join('\n\n'), guardRules)).toEqual([]);
    }),
    { numRuns: exhaustive ? 2000 : 300 },
  );
});
