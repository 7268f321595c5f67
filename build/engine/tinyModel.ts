// A language model of a third of a megabyte for tests with real engines: it knows nothing, and writes
// short sentences and JSON that ends.
//
// Architecture llama, one layer. All weights of the layer are zero, so that what goes in comes out; a
// token's embedding is 1 at the place of its character, and the output matrix is a table of how likely
// each character is to follow each. So the model is a Markov chain of the first order over characters:
//
//   token_embd    [96, 258]  row of a token: 1 at the place of its last character; the places are the 95
//                            printable characters of ASCII and one for everything else
//   output_norm   [96]       1/sqrt(96), which undoes the norm's scaling: a 1 comes out as a 1
//   output        [96, 258]  row of a token: how likely it is after each of the 96, as logits
//   blk.0.*                  zeros; three heads of 32, one of them for keys and values; 32 hidden units
//
// Its vocabulary is one token a byte in the spelling of GPT-2, one pair of spaces (an engine refuses a
// vocabulary of this kind without a merge), and one token that ends the text. The likeliest way through
// letters has no circle, so that also an answer without randomness reaches its full stop. After a
// letter comes a letter, after a full stop a quotation mark; a number is a percentage of two digits or one;
// a JSON grammar of the engine does the rest.
import { type GgufTensor, type GgufValue, gguf } from './gguf.ts';

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(0x20 + index));
export const width = printable.length + 1;
export const headSize = 32;
export const hidden = 32;
const never = -30;
export const endName = '<|end|>';

/** The character of a byte in GPT-2's vocabulary: bytes that do not print are moved up, in order, to 256. */
function byteNames(): string[] {
  const prints = (byte: number) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(prints(byte) ? byte : 256 + moved++));
}

export const spaceName = byteNames()[0x20] ?? '';
export const vocabulary = [...byteNames(), spaceName + spaceName, endName];
export const endToken = vocabulary.length - 1;
const placeOf = (character: string) => {
  const place = printable.indexOf(character);
  return place < 0 ? width - 1 : place;
};

const letters = 'abcdefghijklmnopqrstuvwxyz';
const capitals = letters.toUpperCase();
const digits = '0123456789';
/** Logits of the letters that begin the two labels, after a quotation mark: the model's belief is their softmax. */
export const firstLetter = { NO: 6.5, YES: 6 } as const;

/** Character -> the likeliest to follow it. Letters lead to `just claim.` and never back. */
const likeliest: Readonly<Record<string, string>> = {
  j: 'u',
  u: 's',
  s: 't',
  t: ' ',
  ' ': 'c',
  c: 'l',
  l: 'a',
  a: 'i',
  i: 'm',
  m: '.',
  b: 'u',
  d: 'a',
  e: 'a',
  f: 'i',
  g: 'u',
  h: 'a',
  k: 'i',
  n: 't',
  o: 'u',
  p: 'l',
  q: 'u',
  r: 'i',
  v: 'a',
  w: 'a',
  x: 't',
  y: ' ',
  z: 'a',
  '.': '"',
  '0': '.',
  '6': '4',
  '7': '2',
  '8': '5',
  '9': '1',
};

/** How likely characters are after one another, as logits; what is not listed is as good as impossible. */
function follows(before: string): Map<string, number> {
  const logits = new Map<string, number>();
  const set = (characters: string, value: number) => {
    for (const character of characters) logits.set(character, value);
  };
  // What a label or a key is made of, where the grammar leaves nothing else.
  set(`${letters}${capitals}${digits}_-`, -6);
  if (letters.includes(before) || before === ' ' || before === '_' || before === '-') {
    set(letters, -1);
    set('aeiou', 0);
    if (letters.includes(before)) {
      set(' ', 0.5);
      set('.', 0.5);
    }
  } else if (capitals.includes(before)) {
    set(letters, 0);
  } else if (before === '"') {
    // After an opening mark a letter, after a closing one anything that the grammar allows; an empty text seldom.
    // The first letters of YES and NO stand out, so that a belief can be read off their probabilities.
    set(capitals, 0);
    set(letters, 0);
    set(digits, -4);
    logits.set('N', firstLetter.NO).set('Y', firstLetter.YES).set(']', -7).set(',', -8).set('}', -9).set(':', -9).set('"', -10);
  } else if (digits.includes(before)) {
    set(digits, -6);
    logits.set('.', -8).set(',', 2).set('}', 1).set(']', 1).set('"', 0).set(' ', -2);
  } else if (before === ',' || before === ':' || before === '[' || before === '{') {
    set('6789', 1);
    logits.set('"', 5).set('[', 1).set('{', 1).set(' ', -2);
  } else if (before === '.') {
    set('56789', -5);
    logits.set(' ', -3);
  } else if (before === '}' || before === ']') {
    logits.set(']', 2).set(',', 1).set('}', 1).set(' ', -8);
  } else {
    logits.set('J', 2).set('{', 1).set('"', 0);
  }
  const first = likeliest[before];
  if (first !== undefined) logits.set(first, 3);
  return logits;
}

/** How likely the text is to end after a character. */
function endLogit(before: string): number {
  if (before === '}' || before === ']') return 0;
  if (before === '.') return 4;
  return before === '"' ? 1 : never;
}

function table(): { embeddings: Float32Array; output: Float32Array } {
  const embeddings = new Float32Array(vocabulary.length * width);
  const output = new Float32Array(vocabulary.length * width).fill(never);
  for (const token of vocabulary.keys()) {
    const character = token < 256 ? String.fromCharCode(token) : token === endToken ? '' : ' ';
    embeddings[token * width + placeOf(character)] = 1;
  }
  for (const [place, before] of [...printable, ''].entries()) {
    for (const [character, logit] of follows(before)) output[character.charCodeAt(0) * width + place] = logit;
    output[endToken * width + place] = endLogit(before);
  }
  return { embeddings, output };
}

/** All of its tensors, by their names in GGUF. */
export function tinyTensors(): GgufTensor[] {
  const { embeddings, output } = table();
  const filled = (name: string, shape: readonly number[], value: number): GgufTensor => ({
    name,
    shape,
    values: new Float32Array(shape.reduce((product, size) => product * size, 1)).fill(value),
  });
  return [
    { name: 'token_embd.weight', shape: [width, vocabulary.length], values: embeddings },
    filled('output_norm.weight', [width], 1 / Math.sqrt(width)),
    { name: 'output.weight', shape: [width, vocabulary.length], values: output },
    filled('blk.0.attn_norm.weight', [width], 1),
    filled('blk.0.attn_q.weight', [width, width], 0),
    filled('blk.0.attn_k.weight', [width, headSize], 0),
    filled('blk.0.attn_v.weight', [width, headSize], 0),
    filled('blk.0.attn_output.weight', [width, width], 0),
    filled('blk.0.ffn_norm.weight', [width], 1),
    filled('blk.0.ffn_gate.weight', [width, hidden], 0),
    filled('blk.0.ffn_up.weight', [width, hidden], 0),
    filled('blk.0.ffn_down.weight', [hidden, width], 0),
  ];
}

export const chatTemplate =
  '{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}{% if add_generation_prompt %}assistant: {% endif %}';

/** Tokens that the model was made for; engines offer no more than this. */
export const tinyContext = 65_536;

/** @param pooling whether the model is one for embeddings: a text's is the mean of its characters' */
export function tinyModel({ pooling }: { pooling: boolean }): Buffer {
  const keys: Record<string, GgufValue> = {
    'general.architecture': { text: 'llama' },
    'general.name': { text: 'tiny' },
    'llama.context_length': { u32: tinyContext },
    'llama.embedding_length': { u32: width },
    'llama.block_count': { u32: 1 },
    'llama.feed_forward_length': { u32: hidden },
    'llama.attention.head_count': { u32: width / headSize },
    'llama.attention.head_count_kv': { u32: 1 },
    'llama.attention.layer_norm_rms_epsilon': { f32: 1e-6 },
    ...(pooling ? { 'llama.pooling_type': { u32: 1 } } : {}),
    'tokenizer.ggml.model': { text: 'gpt2' },
    'tokenizer.ggml.pre': { text: 'gpt-2' },
    'tokenizer.ggml.tokens': { texts: vocabulary },
    // 1 is an ordinary token, 3 one that steers the engine.
    'tokenizer.ggml.token_type': { i32s: vocabulary.map((_, token) => (token === endToken ? 3 : 1)) },
    'tokenizer.ggml.merges': { texts: [`${spaceName} ${spaceName}`] },
    'tokenizer.ggml.eos_token_id': { u32: endToken },
    'tokenizer.ggml.add_bos_token': { bool: false },
    'tokenizer.chat_template': { text: chatTemplate },
  };
  return gguf(keys, tinyTensors());
}
