import type { Found } from './found.ts';

/**
 * Markup that chat templates give a meaning of their own: a text that holds it could end its message and begin
 * another one in a foreign role. Written from the published templates of Llama 2-4, Mistral, Gemma, Qwen (ChatML),
 * Phi, DeepSeek, gpt-oss (Harmony), Command R, Granite, Zephyr and Alpaca.
 *
 * Limits: a template whose markup is plain words (`USER:`) cannot be told from prose by its tokens alone.
 */
const named = [
  's',
  'bos',
  'eos',
  'pad',
  'unk',
  'mask',
  'sep',
  'cls',
  'eot',
  'eom',
  'sop',
  'think',
  'thinking',
  'reasoning',
  'reflection',
  'answer',
  'start_of_turn',
  'end_of_turn',
  'start_of_role',
  'end_of_role',
  'start_of_image',
  'end_of_image',
  'end_of_utterance',
  'end_of_text',
  'tool_call',
  'tool_calls',
  'tool_response',
  'tools',
  'function_call',
  'system',
  'user',
  'assistant',
  'human',
].join('|');

const bracketed = [
  'INST',
  'SYS',
  'SYSTEM_PROMPT',
  'AVAILABLE_TOOLS',
  'TOOL_CALLS',
  'TOOL_RESULTS',
  'TOOL_CONTENT',
  'IMG',
  'THINK',
];

const tokens = new RegExp(
  [
    // <|im_start|>, <|eot_id|>, <|channel|>; with the full-width bar of DeepSeek
    String.raw`<[|｜][^<>|｜‹›\s]{1,64}[|｜]>`,
    // <<SYS>>, <</SYS>>
    String.raw`<<\/?SYS>>`,
    String.raw`<\/?(?:${named})>`,
    // <0x0A>, <unused12>, <extra_id_3>, <reserved_7>
    String.raw`<(?:0x[0-9a-f]{2}|(?:unused|extra_id_|reserved_|reserved_special_token_)\d{1,5})>`,
    String.raw`\[\/?(?:${bracketed.join('|')})\]`,
    // ### Instruction:
    String.raw`(?<![^\r\n])[ \t]*#{2,6}[ \t]*(?:instruction|response|input|system|user|assistant|human)s?[ \t]*:`,
  ].join('|'),
  'giu',
);

/** Every control token of a text, in order, without overlaps. */
export function controlTokensIn(text: string): Found[] {
  return [...text.matchAll(tokens)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    rule: 'control-token',
  }));
}
