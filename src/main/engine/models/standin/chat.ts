import { type Answer, answer, anyJson } from './answer.ts';
import { type ChatBody, keepAliveMs } from './bodies.ts';
import type { PromptMessage } from './brief.ts';
import type { Exchange } from './exchange.ts';
import { spoil } from './faults.ts';
import { logprobsOf, type TokenReport } from './logprobs.ts';
import { HttpError, type Lease, type Machine, pause } from './machine.ts';
import type { StandinModel } from './models.ts';
import type { FaultKind } from './profiles.ts';
import { unit } from './random.ts';
import { parseSchema, SchemaError, type SchemaNode } from './schema.ts';
import { countTokens, tokenize } from './tokens.ts';

export interface ChatJob {
  readonly exchange: Exchange;
  readonly body: ChatBody;
  readonly model: StandinModel;
  readonly machine: Machine;
  readonly fault: FaultKind | null;
  /** Hash of the exact body; the seed of all misbehaviour. */
  readonly content: string;
  /** Seed of the whole server, mixed into every answer. */
  readonly serverSeed: number;
}

interface Prompt {
  readonly messages: readonly PromptMessage[];
  readonly text: string;
  readonly tokens: number;
  readonly numCtx: number;
}

interface Piece {
  readonly text: string;
  readonly thinking: boolean;
  readonly count: number;
  readonly logprobs: readonly TokenReport[] | null;
}

function overflow(tokens: number, numCtx: number): HttpError {
  const message = `the request exceeds the available context size (${numCtx} tokens), try increasing it`;
  return new HttpError(
    400,
    JSON.stringify({ error: { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: tokens, n_ctx: numCtx } }),
  );
}

const tokensOf = (messages: readonly PromptMessage[]): number =>
  messages.reduce((sum, { content }) => sum + countTokens(content) + 4, 0);

/** The prompt as the model gets it: without `truncate: false` a long one silently loses its beginning. */
function fitPrompt({ body, model, fault }: ChatJob): Prompt {
  const numCtx = Math.max(16, Math.min(body.options.num_ctx ?? 4096, model.contextLength));
  let messages: PromptMessage[] = body.messages;
  let tokens = tokensOf(messages);
  if (fault === 'overflow' || (tokens >= numCtx && !body.truncate))
    throw overflow(Math.max(tokens, fault === 'overflow' ? numCtx + 1 : 0), numCtx);
  while (tokens >= numCtx && messages.length > 1) {
    const oldest = messages.findIndex(({ role }, index) => role !== 'system' && index < messages.length - 1);
    messages = messages.toSpliced(Math.max(0, oldest), 1);
    tokens = tokensOf(messages);
  }
  const last = messages.at(-1);
  if (tokens >= numCtx && last !== undefined) {
    messages = [
      {
        role: last.role,
        content: tokenize(last.content)
          .slice(-(numCtx - 5))
          .join(''),
      },
    ];
    tokens = numCtx - 1;
  }
  return { messages, text: messages.map(({ role, content }) => `${role}\n${content}\n`).join(''), tokens, numCtx };
}

function schemaOf(format: ChatBody['format']): SchemaNode | null {
  if (format === null || format === undefined || format === '') return null;
  return format === 'json' ? anyJson : parseSchema(format);
}

function wantsThinking(body: ChatBody, model: StandinModel): boolean {
  const able = model.capabilities.includes('thinking');
  if (body.think !== undefined && body.think !== null && body.think !== false && !able) {
    throw new HttpError(400, `"${body.model}" does not support thinking`);
  }
  return able && body.think !== false;
}

function writeAnswer(job: ChatJob, prompt: Prompt, budget: number): Answer {
  const { body, model, fault, content, serverSeed } = job;
  try {
    const schema = schemaOf(body.format);
    const written = answer({
      model: serverSeed === 0 ? model.name : `${model.name}#${serverSeed}`,
      messages: prompt.messages,
      schema,
      temperature: body.options.temperature ?? 0.8,
      seed: body.options.seed ?? 0,
      budget,
      thinking: wantsThinking(body, model),
    });
    return fault === null ? written : { ...written, text: spoil(fault, written, schema !== null, content) };
  } catch (error) {
    if (error instanceof SchemaError) throw new HttpError(400, error.message);
    throw error;
  }
}

/** The answer in streamed pieces, cut to the budget. */
function cutPieces(job: ChatJob, written: Answer, budget: number): { pieces: Piece[]; count: number; reason: 'stop' | 'length' } {
  const { body, fault, content, machine } = job;
  const thinking = tokenize(written.thinking);
  const tokens = tokenize(written.text);
  const total = thinking.length + tokens.length;
  const most = fault === 'truncated' ? Math.floor(total * (0.4 + 0.4 * unit('truncate', content))) : budget;
  const reports = body.logprobs ? logprobsOf(written.text, tokens, written.choices, body.top_logprobs) : null;
  const pieces: Piece[] = [];
  const add = (list: readonly string[], isThinking: boolean): void => {
    for (let at = 0; at < list.length; at += machine.chunkTokens) {
      const part = list.slice(at, at + machine.chunkTokens);
      const logprobs = isThinking || reports === null ? null : reports.slice(at, at + part.length);
      pieces.push({ text: part.join(''), thinking: isThinking, count: part.length, logprobs });
    }
  };
  add(thinking.slice(0, most), true);
  add(tokens.slice(0, Math.max(0, most - thinking.length)), false);
  return { pieces, count: Math.min(total, most), reason: total > most ? 'length' : 'stop' };
}

function head(body: ChatBody): { model: string; created_at: string } {
  return { model: body.model, created_at: new Date().toISOString() };
}

function lineOf(body: ChatBody, piece: Piece): object {
  const message = piece.thinking
    ? { role: 'assistant', content: '', thinking: piece.text }
    : { role: 'assistant', content: piece.text };
  return { ...head(body), message, done: false, ...(piece.logprobs === null ? {} : { logprobs: piece.logprobs }) };
}

/** Loads or unloads without a prompt. */
async function answerEmpty({ exchange, body, model, machine }: ChatJob): Promise<void> {
  const keepMs = keepAliveMs(body.keep_alive);
  const unload = body.keep_alive !== undefined && keepMs === 0;
  if (unload) {
    machine.unload(model.name);
  } else {
    const numCtx = Math.max(16, Math.min(body.options.num_ctx ?? 4096, model.contextLength));
    const lease = await machine.acquire(model, numCtx, '', exchange.signal);
    lease.release('', keepMs);
  }
  const reply = {
    ...head(body),
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: unload ? 'unload' : 'load',
  };
  if (body.stream) exchange.finish(reply);
  else exchange.json(200, reply);
}

/** Lets the stream go wrong where the fault says so; true when nothing more is to be sent. */
async function disturb({ exchange, body, fault }: ChatJob): Promise<boolean> {
  if (fault === 'hang') await exchange.hang();
  if (fault === 'cut') {
    await exchange.cut();
    return true;
  }
  if (fault === 'error-line') {
    const error = 'an error was encountered while running the model: unexpected EOF';
    if (!body.stream) throw new HttpError(500, error);
    exchange.finish({ error });
    return true;
  }
  if (fault !== 'garbage') return false;
  const garbage = '%PDF-1.7 {"model": \u0000 not a line of JSON';
  if (body.stream) await exchange.garbage(garbage);
  else exchange.text(200, 'application/json; charset=utf-8', garbage);
  return !body.stream;
}

async function stream(job: ChatJob, prompt: Prompt, written: Answer, budget: number, lease: Lease): Promise<void> {
  const { exchange, body, machine, fault } = job;
  const started = process.hrtime.bigint();
  const promptMs = Math.max(1, prompt.tokens * (1 - lease.cached)) * lease.promptMs();
  if (machine.timed) await pause(promptMs, exchange.signal);
  const { pieces, count, reason } = cutPieces(job, written, budget);
  const trouble = fault === null ? -1 : Math.floor(pieces.length / 2);
  let evalMs = 0;
  for (const [index, piece] of pieces.entries()) {
    if (index === trouble && (await disturb(job))) return;
    evalMs += piece.count * lease.decodeMs();
    // Paced by the clock and not by single waits, whose lateness would add up.
    const ahead = promptMs + evalMs - Number(process.hrtime.bigint() - started) / 1e6;
    if (machine.timed && ahead >= 1) await pause(ahead, exchange.signal);
    if (body.stream) await exchange.line(lineOf(body, piece));
  }
  const measured = Number(process.hrtime.bigint() - started);
  const load = Math.round(lease.loadMs * 1e6);
  const whole = (isThinking: boolean): string =>
    pieces
      .filter(({ thinking }) => thinking === isThinking)
      .map(({ text }) => text)
      .join('');
  const reports = pieces.flatMap(({ logprobs }) => logprobs ?? []);
  const message = body.stream
    ? { role: 'assistant', content: '' }
    : { role: 'assistant', content: whole(false), ...(written.thinking === '' ? {} : { thinking: whole(true) }) };
  const last = {
    ...head(body),
    message,
    done: true,
    done_reason: reason,
    total_duration: load + Math.max(measured, Math.round((promptMs + evalMs) * 1e6)),
    load_duration: load,
    prompt_eval_count: prompt.tokens,
    prompt_eval_duration: Math.max(1, Math.round(promptMs * 1e6)),
    eval_count: count,
    eval_duration: Math.max(1, Math.round(evalMs * 1e6)),
    ...(body.stream || reports.length === 0 ? {} : { logprobs: reports }),
  };
  if (body.stream) exchange.finish(last);
  else exchange.json(200, last);
}

/** Answers `/api/chat`. Throws `HttpError`. */
export async function answerChat(job: ChatJob): Promise<void> {
  const { exchange, body, model, machine, fault } = job;
  if (!model.capabilities.includes('completion')) throw new HttpError(400, `"${body.model}" does not support chat`);
  if (body.messages.length === 0) return answerEmpty(job);
  if (fault === 'http-500') throw new HttpError(500, 'llama runner process has terminated: exit status 2');
  if (fault === 'http-503') throw new HttpError(503, 'server busy, please try again.  maximum pending requests exceeded');
  const prompt = fitPrompt(job);
  const predict = body.options.num_predict ?? -1;
  const room = body.shift ? Number.POSITIVE_INFINITY : prompt.numCtx - prompt.tokens;
  const budget = Math.min(predict < 0 ? Number.POSITIVE_INFINITY : predict, room);
  const written = writeAnswer(job, prompt, budget);
  const lease = await machine.acquire(model, prompt.numCtx, prompt.text, exchange.signal);
  let held = '';
  try {
    await stream(job, prompt, written, budget, lease);
    held = prompt.text + written.text;
  } finally {
    lease.release(held, keepAliveMs(body.keep_alive));
  }
}
