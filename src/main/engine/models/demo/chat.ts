import { isRecord } from '../../../../core/answers/fields.ts';
import { randomSource } from '../../../../core/cases/shuffle.ts';
import type { Bias } from './bias.ts';
import { type ChatBody, keepAliveMs } from './bodies.ts';
import { type Exchange, Failure } from './exchange.ts';
import type { DemoModel } from './models.ts';
import { type FaultKind, faultKinds, type Pace, type Profile } from './profiles.ts';
import { readBrief } from './prompt.ts';
import { pause, type Slots } from './slots.ts';
import { countTokens, tokenize, unit } from './tokens.ts';
import { type Choice, type Written, writeAnswer } from './write.ts';

/** Whether a request of this content is hit, and by what: the shares lie side by side on [0, 1). */
export function drawFault(shares: Profile['faults'], content: string): FaultKind | null {
  let at = unit(`fault ${content}`);
  for (const kind of faultKinds) {
    const share = shares[kind] ?? 0;
    if (at < share) return kind;
    at -= share;
  }
  return null;
}

function relabelled({ value, choices }: Written, label: string): string {
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return choices.some((choice) => choice.key === key && choice.chosen === part) ? label : part;
    if (Array.isArray(part)) return part.map((item) => walk(item, key));
    return isRecord(part) ? Object.fromEntries(Object.entries(part).map(([name, item]) => [name, walk(item, name)])) : part;
  };
  return JSON.stringify(walk(value, ''));
}

const loopedWords = 'and so it goes on, ';
/** Longer than any limit of tokens: the reader has to end it. */
const loops = 5000;

const spoilt: Readonly<Partial<Record<FaultKind, (text: string, written: Written) => string>>> = {
  malformed: (text) => text.replace(/"(\w+)":/g, '$1:'),
  prose: (text) => `Sure! Here is my answer:\n\n\`\`\`json\n${text}\n\`\`\`\n\nI hope this helps.`,
  declining: (_text, written) => (written.choices.length > 0 ? relabelled(written, 'NO DECISION') : 'NO DECISION'),
  'wrong-label': (_text, written) => relabelled(written, 'option 3'),
  loop: (text) => `${text.slice(0, text.indexOf(':') + 1)}"${loopedWords.repeat(loops)}`,
  empty: () => '',
};

const spoil = (kind: FaultKind | null, written: Written, text: string): string =>
  (kind === null ? undefined : spoilt[kind]?.(text, written)) ?? text;

export interface Job<Body> {
  readonly exchange: Exchange;
  readonly body: Body;
  readonly model: DemoModel;
  readonly slots: Slots;
  readonly pace: Pace;
  /** Seed of the whole server; another one changes every answer to a chat. */
  readonly serverSeed: number;
  readonly biases: readonly Bias[];
  readonly decide: () => FaultKind | null;
}

/** How a request goes wrong, if at all. Throws `Failure` where that leaves it without an answer. */
export function refuse<Body>({ decide }: Job<Body>): FaultKind | null {
  const fault = decide();
  if (fault === 'http-500') throw new Failure(500, 'llama runner process has terminated: exit status 2');
  if (fault === 'reset') throw new Failure('reset');
  if (fault === 'http-503') throw new Failure(503, 'server busy, please try again.  maximum pending requests exceeded');
  return fault;
}

/** Tokens in one streamed line: one, or as many as take 4 ms; at most 24, which is so where nothing takes time. */
const perLine = ({ timed, decodeRate }: Pace): number => Math.max(1, Math.min(24, timed ? Math.floor(decodeRate / 250) : 24));
const anyJson = { type: 'object', properties: { answer: { type: 'string', maxLength: 240 } } };

/** Tokens of context of a call, and those that its prompt takes. Throws `Failure` where they are too many and must not be cut. */
function roomOf({ body, model }: Job<ChatBody>, overflows: boolean): { numCtx: number; tokens: number } {
  const numCtx = Math.max(16, Math.min(body.options.num_ctx ?? 4096, model.contextLength));
  const tokens = body.messages.reduce((sum, { content }) => sum + countTokens(content) + 4, 0);
  if (!overflows && (tokens < numCtx || body.truncate)) return { numCtx, tokens: Math.min(tokens, numCtx - 1) };
  const message = `the request exceeds the available context size (${numCtx} tokens), try increasing it`;
  const counts = { n_prompt_tokens: Math.max(tokens, numCtx + 1), n_ctx: numCtx };
  throw new Failure(400, JSON.stringify({ error: { code: 400, message, type: 'exceed_context_size_error', ...counts } }));
}

/** Thoughts and answer in tokens, before any limit. */
function speak(job: Job<ChatBody>, fault: FaultKind | null): { thoughts: Token[]; tokens: Token[] } {
  const { body, model, serverSeed, biases } = job;
  const temperature = body.options.temperature ?? 0.8;
  const plain = body.format === null || body.format === undefined || body.format === '';
  const schema = plain || body.format === 'json' ? anyJson : body.format;
  const seed = temperature === 0 ? 0 : (body.options.seed ?? 0);
  const random = randomSource(seed, `stand-in ${serverSeed} ${model.name} ${body.messages.at(-1)?.content ?? ''}`);
  const able = model.capabilities.includes('thinking');
  if (body.think && !able) throw new Failure(400, `"${body.model}" does not support thinking`);
  const thoughts =
    able && body.think !== false ? 'The facts come first, then what was said. I count both, and then I answer.' : '';
  const written = writeAnswer(schema, { brief: readBrief(body.messages), biases, temperature, random });
  const text = plain ? Object.values(written.value as Record<string, string>).join(' ') : JSON.stringify(written.value);
  return { thoughts: certainTokens(thoughts), tokens: tokensOf(spoil(fault, written, text), written.choices) };
}

/** A message with these thoughts and tokens, and the report of its tokens where one was asked for. */
function saying({ model, logprobs, top_logprobs }: ChatBody, thoughts: readonly Token[], tokens: readonly Token[]): object {
  const text = (of: readonly Token[]) => of.reduce((sum, token) => sum + token.text, '');
  const thinking = thoughts.length === 0 ? {} : { thinking: text(thoughts) };
  const reports = logprobs && tokens.length > 0 ? { logprobs: tokens.map((token) => reportOf(token, top_logprobs)) } : {};
  const message = { role: 'assistant', content: text(tokens), ...thinking };
  return { model, created_at: new Date().toISOString(), message, ...reports };
}

async function answerEmpty({ exchange, body, model, slots }: Job<ChatBody>): Promise<void> {
  const keepMs = keepAliveMs(body.keep_alive);
  const unload = body.keep_alive !== undefined && keepMs === 0;
  if (unload) slots.unload(model.name);
  else (await slots.acquire(model, Math.min(body.options.num_ctx ?? 4096, model.contextLength), exchange.signal)).release(keepMs);
  exchange.json(200, { ...saying(body, [], []), done: true, done_reason: unload ? 'unload' : 'load' });
}

/** Lets the answer go wrong in its middle where the fault says so; true when nothing more is to be sent. */
async function disturb({ exchange, body }: Job<ChatBody>, fault: FaultKind | null): Promise<boolean> {
  if (fault === 'hang') await pause(2 ** 31 - 1, exchange.signal);
  if (fault === 'cut') throw new Failure('cut');
  if (fault === 'error-line') throw new Failure(500, 'an error was encountered while running the model: unexpected EOF');
  if (fault !== 'garbage') return false;
  const garbage = '%PDF-1.7 {"model": \u0000 not a line of JSON';
  if (body.stream) exchange.garbage(garbage);
  else exchange.text(200, garbage);
  return !body.stream;
}

/** Answers a chat. Throws `Failure`. */
export async function answerChat(job: Job<ChatBody>): Promise<void> {
  const { exchange, body, model, slots, pace } = job;
  if (!model.capabilities.includes('completion')) throw new Failure(400, `"${body.model}" does not support chat`);
  if (body.messages.length === 0) return answerEmpty(job);
  const fault = refuse(job);
  const room = roomOf(job, fault === 'overflow');
  const { thoughts, tokens } = speak(job, fault);
  const whole = thoughts.length + tokens.length;
  const predict = body.options.num_predict ?? -1;
  const budget = Math.min(
    fault === 'truncated' ? Math.floor(whole * 0.6) : whole,
    predict < 0 ? whole : predict,
    body.shift ? whole : room.numCtx - room.tokens,
  );
  const said = [...thoughts, ...tokens].slice(0, budget);
  const lease = await slots.acquire(model, room.numCtx, exchange.signal);
  try {
    const started = performance.now();
    const promptMs = (room.tokens / pace.promptRate) * 1000;
    let busyMs = promptMs;
    // Paced by the clock and not by single waits, whose lateness would add up.
    const keepPace = async (): Promise<void> => {
      const ahead = busyMs - (performance.now() - started);
      await pause(pace.timed && ahead >= 1 ? ahead : 0, exchange.signal);
    };
    await keepPace();
    let trouble = Math.floor(said.length / 2);
    for (let at = 0; at < said.length; ) {
      const end = at < thoughts.length ? thoughts.length : said.length;
      const part = said.slice(at, Math.min(end, at + perLine(pace)));
      busyMs += (part.length / pace.decodeRate) * 1000;
      await keepPace();
      if (body.stream)
        exchange.line({ ...(at < thoughts.length ? saying(body, part, []) : saying(body, [], part)), done: false });
      at += part.length;
      if (at <= trouble) continue;
      trouble = said.length;
      if (await disturb(job, fault)) return;
    }
    const nanoseconds = (ms: number): number => Math.max(1, Math.round(ms * 1e6));
    const figures = {
      ...(body.stream ? saying(body, [], []) : saying(body, said.slice(0, thoughts.length), said.slice(thoughts.length))),
      done: true,
      done_reason: whole > budget ? 'length' : 'stop',
      total_duration: nanoseconds(lease.loadMs + Math.max(busyMs, performance.now() - started)),
      load_duration: Math.round(lease.loadMs * 1e6),
      prompt_eval_count: room.tokens,
      prompt_eval_duration: nanoseconds(promptMs),
      eval_count: budget,
      eval_duration: nanoseconds(busyMs - promptMs),
    };
    exchange.finish(figures, body.stream);
  } finally {
    lease.release(keepAliveMs(body.keep_alive));
  }
}

export interface Token {
  readonly text: string;
  readonly alternatives: readonly (readonly [string, number])[];
}

export const certainTokens = (text: string): Token[] =>
  tokenize(text).map((token) => ({ text: token, alternatives: [[token, 1]] }));

/** A label as it is written after its opening quote: one token, so that the token's probability is the belief. */
const ending = (label: string): string => JSON.stringify(label).slice(1);

/** An answer in tokens. Where a label was chosen, the token says how likely each of the labels was. */
export function tokensOf(text: string, choices: readonly Choice[]): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (const { key, chosen, options, belief } of choices) {
    const written = `${JSON.stringify(key)}:${JSON.stringify(chosen)}`;
    const at = text.indexOf(written, from);
    // What a fault has changed has no choice any more.
    if (at < 0) continue;
    tokens.push(...certainTokens(text.slice(from, at + written.length - ending(chosen).length)));
    const ranked = options.map((option, index): [string, number] => [ending(option), belief[index] ?? 0]);
    tokens.push({ text: ending(chosen), alternatives: ranked.toSorted(([, one], [, other]) => other - one) });
    from = at + written.length;
  }
  return [...tokens, ...certainTokens(text.slice(from))];
}

const reported = ([token, share]: readonly [string, number]) => ({
  token,
  logprob: Number(Math.log(Math.max(share, 1e-9)).toFixed(6)),
  bytes: [...Buffer.from(token)],
});

export const reportOf = ({ text, alternatives }: Token, top: number) => ({
  ...reported(alternatives.find(([token]) => token === text) ?? [text, 1]),
  top_logprobs: alternatives.slice(0, top).map(reported),
});
