import { describe, expect, test } from 'vitest';
import { messagesAsText, messagesIn, PromptFileError, parsePromptFile, promptsHash } from './promptFile.ts';

const front = '---\nid: speech\nprotocol: p\nstep: turn-N\nslots:\n  facts: The facts.\n---\n';
const file = `${front}
=== system ===

You speak.


Twice.

=== user ===
{{facts}}

{{task}}

=== text: task ===

Speak.
`;

test('a file has messages and texts without the blank lines around them; what lies between stays as it is', () => {
  expect(parsePromptFile(file)).toEqual({
    id: 'speech',
    protocol: 'p',
    step: 'turn-N',
    slots: { facts: 'The facts.' },
    needed: [],
    messages: [
      { role: 'system', body: 'You speak.\n\n\nTwice.' },
      { role: 'user', body: '{{facts}}\n\n{{task}}' },
    ],
    texts: { task: 'Speak.' },
  });
});

test('ends of lines and a byte order mark are no part of the words', () => {
  expect(parsePromptFile(`\uFEFF${file.replaceAll('\n', '\r\n')}`)).toEqual(parsePromptFile(file));
});

describe('what is wrong is said with its line', () => {
  const cases: readonly (readonly [string, string, number, RegExp])[] = [
    ['no front matter', 'Speak.', 1, /must begin with front matter/],
    ['front matter without end', '---\nid: a\n', 1, /must begin with front matter/],
    ['YAML that is none', '---\nid: "a\nprotocol: p\n---\n', 3, /quote/i],
    ['an alias of nothing', '---\nid: *a\n---\n', 1, /front matter: .*alias/i],
    [
      'aliases that grow without end',
      `---\na: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}*a]\nc: [${'*b,'.repeat(9)}*b]\n---\n`,
      1,
      /front matter: .*alias/i,
    ],
    ['a key that occurs twice', '---\nid: a\nid: b\n---\n', 3, /front matter: .*unique/],
    ['a field that is unknown', front.replace('slots:', 'slot:'), 1, /slot/],
    ['a field of another kind', front.replace('protocol: p', 'protocol: [p]'), 3, /front matter, protocol/],
    ['a meaning that is a list', front.replace('The facts.', '[a]'), 6, /front matter, slots.facts/],
    ['text above the markers', `${front}\nHello.\n=== user ===\nx`, 9, /above the first marker/],
    ['a marker that is none', `${front}=== tool ===\nx`, 8, /"=== tool ===" is no marker/],
    ['an empty part', `${front}=== user ===\n\n=== text: a ===\nx`, 8, /is empty/],
    ['a text that occurs twice', `${front}=== text: a ===\nx\n=== text: a ===\ny`, 10, /a is there twice/],
    ['a prompt inside a prompt', `${front}=== prompt: a ===\n`, 8, /one prompt already/],
  ];
  test.each(cases)('%s', (_name, content, line, message) => {
    const error = (() => {
      try {
        return parsePromptFile(content);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(PromptFileError);
    expect(error).toMatchObject({ line, message: expect.stringMatching(message) });
  });
});

test('names of objects that JavaScript has already are names like any other', () => {
  expect(parsePromptFile(`${front}=== text: constructor ===\nx`).texts).toEqual({ constructor: 'x' });
});

test('messages are the same after they were kept as one text', () => {
  const { messages } = parsePromptFile(file);
  expect(messagesIn(messagesAsText(messages))).toEqual(messages);
});

test('the version follows roles, slots and words alone', () => {
  const prompt = parsePromptFile(file);
  const hash = promptsHash({ speech: prompt });
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  const hashOf = (content: string) => promptsHash({ speech: parsePromptFile(content) });
  for (const same of [file.replace('The facts.', 'All facts.'), file.replace('turn-N', 'x'), `${file}\n\n`]) {
    expect(hashOf(same)).toBe(hash);
  }
  for (const other of [
    file.replace('=== system', '=== assistant'),
    file.replace('{{task}}', '{{work}}'),
    file.replace('Twice.', 'twice.'),
  ]) {
    expect(hashOf(other)).not.toBe(hash);
  }
  expect(promptsHash({ reply: prompt })).not.toBe(hash);
});
