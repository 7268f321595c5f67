import { anyCase } from './anyCase.ts';
import { searched } from './fold.ts';
import { type Found, type GuardRules, matchesOf } from './found.ts';

/**
 * Markup that has a special meaning in chat templates: a text that holds it could end its message and begin
 * another one in a foreign role. Written from the published templates of Llama 2-4, Mistral, Gemma, Qwen (ChatML and
 * its XML calls), Phi, DeepSeek, GLM, gpt-oss (Harmony), Seed, Kimi, MiniMax, EXAONE, Command R, Granite, StarCoder,
 * Zephyr and Alpaca.
 *
 * No token reaches over a line end, admits `‹` or `›`, or holds another token; `neutralise` is built on that.
 *
 * Limits: a template whose markup is plain words (`USER:`) cannot be distinguished from prose by its tokens alone.
 */
const named = [
  ...['s', 'bos', 'eos', 'pad', 'unk', 'mask', 'sep', 'cls', 'eot', 'eom', 'sop', 'eop', 'eod'],
  ...['think', 'thinking', 'reasoning', 'reflection', 'answer', 'escape', 'role'],
  ...['system', 'user', 'assistant', 'human'],
  ...['start_of_turn', 'end_of_turn', 'start_of_role', 'end_of_role', 'start_of_image', 'end_of_image'],
  ...['end_of_utterance', 'begin_of_text', 'end_of_text', 'begin_of_sentence', 'end_of_sentence'],
  ...['tools', 'tool_call', 'tool_calls', 'tool_response', 'tool_responses', 'tool_result', 'tool_results', 'tool_sep'],
  ...['function_call', 'function_calls', 'function_response', 'function_result', 'function_results'],
  ...['start_function_call', 'end_function_call', 'start_function_response', 'end_function_response'],
  ...['start_function_declaration', 'end_function_declaration', 'arg_key', 'arg_value'],
  ...['fim_prefix', 'fim_middle', 'fim_suffix', 'fim_pad', 'repo_name', 'file_sep', 'jupyter_start'],
].join('|');

/** Those that carry a bar on one side: `<|turn>`, `<channel|>`. */
const barred = ['turn', 'channel', 'message', 'tool', 'tool_call', 'tool_response', 'think', 'image', 'audio', 'video'].join('|');

/** Written in capitals by their templates; in small letters they are prose or markup of other kinds. */
const bracketed = [
  ...['INST', 'SYS', 'SYSTEM_PROMPT', 'MODEL_SETTINGS', 'AVAILABLE_TOOLS', 'TOOL_CALLS', 'TOOL_RESULTS', 'TOOL_CONTENT'],
  ...['ARGS', 'CALL_ID', 'THINK', 'REASONING', 'PREFIX', 'MIDDLE', 'SUFFIX'],
  ...['IMG', 'IMG_BREAK', 'IMG_END', 'AUDIO', 'BEGIN_AUDIO', 'TRANSCRIBE'],
  ...['BOS', 'EOS', 'PAD', 'UNK', 'CLS', 'SEP', 'MASK', 'gMASK', 'sMASK'],
].join('|');

/** A character within a token of free wording. */
const inner = String.raw`[^<>[\]|｜‹›◁▷\s]`;

/** Names within `<| … |>` that differ from code even with spaces between. */
const spaced = ['im', 'start', 'end', 'begin', 'eot', 'eom', 'eos', 'bos', 'pad', 'system', 'user', 'assistant', 'human'].join(
  '|',
);

const lineStart = String.raw`(?<![^\r\n\u2028\u2029])[ \t]*`;

const patterns = [
  // <|im_start|>, <|eot_id|>, <|channel|>; with the full-width bar of DeepSeek
  `<[|｜]${inner}+[|｜]>`,
  String.raw`<[|｜]\/?(?:${barred})>|<\/?(?:${barred})[|｜]>`,
  // [|user|], [|endofturn|]
  String.raw`\[\|${inner}+\|\]`,
  // <<SYS>>, <</SYS>>
  String.raw`<<\/?SYS>>`,
  String.raw`<\/?(?:${named})>`,
  // <seed:think>, <minimax:tool_call>, <longcat_think>
  String.raw`<\/?(?:(?:seed|minimax):|longcat_)\w+>`,
  // <function=name>, <parameter=name>
  String.raw`<(?:function|parameter|tool|invoke)=${inner}+>|<\/(?:function|parameter|invoke)>`,
  // <0x0A>, <unused12>, <extra_id_3>, <reserved_7>, <SPECIAL_20>
  String.raw`<(?:0x[0-9a-fA-F]{2}|(?:unused|extra_|extra_id_|reserved_|reserved_special_token_|special_)\d{1,5})>`,
  // ◁think▷
  String.raw`◁\/?${inner}+▷`,
  // ]~b], ]~!b[, [e~[
  String.raw`\]~!?b[[\]]|\[e~\[`,
  // ### Instruction:
  String.raw`${lineStart}#{2,6}[ \t]*(?:instruction|response|input|system|user|assistant|human)s?[ \t]*:`,
];

const bracketedPatterns = [String.raw`\[\/?(?:${bracketed})\]`, String.raw`\[(?:control_|UNUSED_TOKEN_)\d{1,5}\]`];

/** Added by version 2 of the rules. */
const morePatterns = [
  // <|im start|>, <| end of turn |>
  String.raw`<\|[ ]*(?:${spaced})(?:[ _-]+\w+){0,4}[ ]*\|>`,
  // <[EOS_never_used_51bce0c7]>
  String.raw`<\[\w{1,10}_never_used_\w+\]>`,
  // <_user>, <_bot>
  '</?_(?:system|user|bot|assistant|human|start|end)>',
  // ### Human
  String.raw`${lineStart}#{3,6}[ \t]*(?:human|user|assistant|system|instruction)[ \t]*(?![^\r\n\u2028\u2029])`,
];

const patternOf = (...inAnyCase: readonly string[]) =>
  new RegExp([...inAnyCase.map(anyCase), ...bracketedPatterns].join('|'), 'gu');

const tokens: Readonly<Record<GuardRules, RegExp>> = {
  1: patternOf(...patterns),
  2: patternOf(...morePatterns, ...patterns),
};

/** What no token is without: a quick look, since most texts hold none. */
const signs = /[<[\]◁]|##/;

/** Every control token of a text, in order, without overlaps. */
export function controlTokensIn(text: string, rules: GuardRules): Found[] {
  const search = searched(text, rules);
  if (!signs.test(search.text)) return [];
  return matchesOf(search.text, tokens[rules]).map(({ index, 0: token }) => ({
    ...search.original(index, index + token.length),
    rule: 'control-token',
  }));
}
