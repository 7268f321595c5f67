import { describe, expect, test } from 'vitest';
import { agenticSim } from '../protocols/agentic-sim/protocol.ts';
import { findProtocol, protocols } from '../protocols/index.ts';
import { PromptFileError, promptsHash } from './promptFile.ts';
import { readVariant, variantAsText } from './variant.ts';

const promptsOf = (id: string) => findProtocol(id)?.prompts;
const read = (content: string) => readVariant(content, promptsOf);
const front = '---\nvariant: plain-2\nprotocol: agentic-sim\nabout: Shorter.\n---\n';
const speech = `=== prompt: speech ===
=== system ===
You speak in court. {{question}}

{{answers}}
=== user ===
## Facts
{{facts}}

{{record}}

{{task}}
=== text: opening ===
Begin.
`;

test('what a variant has takes the place of the shipped words; all else stays', () => {
  const { prompts, hash, parts: _parts, ...about } = read(front + speech);
  expect(about).toEqual({
    name: 'plain-2',
    protocol: 'agentic-sim',
    about: 'Shorter.',
    warnings: [{ line: 6, message: '{{rules}} is missing: The rules of the debate, the same for every role.' }],
  });
  expect(prompts.speech).toEqual({
    messages: [
      { role: 'system', body: 'You speak in court. {{question}}\n\n{{answers}}' },
      { role: 'user', body: '## Facts\n{{facts}}\n\n{{record}}\n\n{{task}}' },
    ],
    texts: { ...agenticSim.prompts.speech?.texts, opening: 'Begin.' },
  });
  expect(prompts.ruling).toEqual({ messages: agenticSim.prompts.ruling?.messages, texts: agenticSim.prompts.ruling?.texts });
  expect(hash).toBe(promptsHash(prompts));
});

test.each(protocols.map(({ id, prompts }) => [id, prompts] as const))(
  '%s: a variant without changes has the hash of the shipped prompts, and all shipped words make a variant without warnings',
  (protocol, shipped) => {
    const same = read(`---\nvariant: same\nprotocol: ${protocol}\n---\n`);
    expect(same.hash).toBe(promptsHash(shipped));
    const whole = Object.entries(shipped).map(([id, { messages, texts }]) =>
      [
        `=== prompt: ${id} ===`,
        ...messages.map(({ role, body }) => `=== ${role} ===\n${body}`),
        ...Object.entries(texts).map(([name, text]) => `=== text: ${name} ===\n${text}`),
      ].join('\n\n'),
    );
    const copy = read(`---\nvariant: copy\nprotocol: ${protocol}\n---\n${whole.join('\n\n')}`);
    expect(copy).toMatchObject({ hash: same.hash, prompts: same.prompts, warnings: [] });
    expect(variantAsText(copy, shipped)).toBe(`---\nvariant: "copy"\nprotocol: ${protocol}\n---\n`);
  },
);

test('a variant that was written to a file and read again is the same', () => {
  const variant = read(`${front}${speech}=== prompt: ruling ===\n=== text: ruling ===\n`);
  expect(variant.prompts.ruling?.texts.ruling).toBe('');
  const { warnings: _lines, parts: _parts, ...again } = read(variantAsText(variant, agenticSim.prompts));
  expect(variant).toMatchObject(again);
});

describe('refused, with the line', () => {
  const user = (text: string) => `${front}=== prompt: speech ===\n=== user ===\n${text}`;
  const whole = '{{facts}} {{record}} {{task}}';
  const cases: readonly (readonly [string, string, number, RegExp])[] = [
    ['an unknown protocol', front.replace('agentic-sim', 'jury'), 3, /no protocol "jury"/],
    ['a name that is no name of a file', front.replace('plain-2', '../plain'), 2, /a name has letters/],
    ['a name of a device', front.replace('plain-2', 'Con'), 2, /Windows keeps this name/],
    ['an unknown prompt', `${front}=== prompt: verdict ===\n=== user ===\nx`, 6, /no prompt verdict; it has .*speech/],
    [
      'a prompt that occurs twice',
      `${front}${speech}=== prompt: speech ===\n=== text: closing ===\nx`,
      20,
      /speech is there twice/,
    ],
    ['parts of no prompt', `${front}=== user ===\nx`, 6, /name the prompt first/],
    ['words of no part', `${front}=== prompt: speech ===\n\nx`, 8, /begin with a line such as/],
    [
      'an unknown text',
      `${front}=== prompt: speech ===\n=== text: ruling ===\nx`,
      7,
      /speech has no text ruling; it has .*opening/,
    ],
    ['a name that every object has', `${front}=== prompt: speech ===\n=== text: constructor ===\nx`, 7, /no text constructor/],
    [
      'no facts',
      user('{{record}} {{task}}'),
      6,
      /\{\{facts\}\} is missing: The facts of the case. The role cannot do without it/,
    ],
    [
      'no facts and no record',
      user('{{task}}'),
      6,
      /\{\{facts\}\} is missing.*\{\{record\}\} is missing.*cannot do without them/,
    ],
    ['an unknown slot', user(`${whole}\n\n{{truth}}`), 10, /\{\{truth\}\} is no slot of this text\. This text has/],
    [
      'a slot of another role',
      user(`${whole}\n{{verdict}}`),
      9,
      /belongs to the prompt (update|ruling), which may know what this one may not/,
    ],
    [
      'a slot of another part',
      `${front}=== prompt: speech ===\n=== text: defense ===\n{{denial}} {{accusation}}`,
      8,
      /belongs to another part of this prompt\. This text has \{\{denial\}\}/,
    ],
    ['a control token', user(`${whole}\n<|im_start|>system`), 9, /"<\|im_start\|>" is a control token/],
    ['messages where there are none', `${front}=== prompt: hearing ===\n=== user ===\nx`, 6, /hearing has texts alone/],
  ];
  test.each(cases)('%s', (_name, content, line, message) => {
    expect(() => read(content)).toThrow(PromptFileError);
    expect(() => read(content)).toThrow(expect.objectContaining({ line, message: expect.stringMatching(message) }));
  });
});
