import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kept, keptFolder } from '../../testing/kept.ts';
import { type DemoServer, type DemoServerOptions, startDemoServer } from './demoServer.ts';
import type { FaultKind } from './profiles.ts';

const start = async (options: Partial<DemoServerOptions> = {}) => kept(await startDemoServer(options));

const format = {
  type: 'object',
  properties: {
    utterance: { type: 'string', maxLength: 800 },
    prediction: { type: 'string', enum: ['guilty', 'not guilty'] },
    confidence: { type: 'number', minimum: 0, maximum: 1 },
  },
  required: ['utterance', 'prediction', 'confidence'],
};
const narrative = 'sex is male; age is 22; numberofarrestsby2002 is 6; cocaine is True';
const prompt = `Possible answers:\n- "guilty"\n- "not guilty"\n\nFacts of the case:\n${narrative}\n\nYou are the judge.`;
const chatBody = {
  model: 'llama3.1:8b',
  messages: [{ role: 'user', content: prompt }],
  format,
  options: { temperature: 0, seed: 5, num_ctx: 4096, num_predict: 600 },
};
const reply = z.object({
  model: z.string(),
  created_at: z.iso.datetime(),
  message: z.object({ role: z.literal('assistant'), content: z.string(), thinking: z.string().optional() }),
  done: z.boolean(),
  done_reason: z.string().optional(),
  total_duration: z.int().positive().optional(),
  load_duration: z.int().optional(),
  prompt_eval_count: z.int().optional(),
  prompt_eval_duration: z.int().positive().optional(),
  eval_count: z.int().optional(),
  eval_duration: z.int().positive().optional(),
  logprobs: z
    .array(
      z.object({
        token: z.string(),
        logprob: z.number(),
        top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })).optional(),
      }),
    )
    .optional(),
  standin: z.literal(true),
});
const failure = z.object({ error: z.string(), standin: z.literal(true) });
const verdict = z.object({ utterance: z.string(), prediction: z.enum(['guilty', 'not guilty']), confidence: z.number() });

function post(
  standin: DemoServer,
  path: string,
  body: object | string,
  method = 'POST',
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(standin.url + path, {
    method,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

function linesOf(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

async function chat(
  standin: DemoServer,
  changes: object = {},
): Promise<{ text: string; last: z.infer<typeof reply>; lines: z.infer<typeof reply>[] }> {
  const response = await post(standin, '/api/chat', { ...chatBody, ...changes });
  expect(response.status).toBe(200);
  const lines = linesOf(await response.text()).map((line) => reply.parse(line));
  const last = lines.at(-1);
  if (last === undefined) throw new Error('no line');
  return { text: lines.map(({ message }) => message.content).join(''), last, lines };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('endpoints', () => {
  it('says that it runs, and what it is', async () => {
    const standin = await start();
    expect(await (await fetch(standin.url)).text()).toBe('Ollama is running');
    expect((await fetch(standin.url, { method: 'HEAD' })).status).toBe(200);
    expect(await (await fetch(`${standin.url}/api/version`)).json()).toEqual({
      version: '0.0.0-standin',
      any_model: true,
      standin: true,
    });
    expect(await (await fetch(`${standin.url}/api/status`)).json()).toMatchObject({ cloud: { disabled: true }, standin: true });
    const unknown = await fetch(`${standin.url}/api/nothing`);
    expect(unknown.status).toBe(404);
    failure.parse(await unknown.json());
  });

  it('embeds like texts close together', async () => {
    const standin = await start();
    const inputs = [narrative, narrative.replace('22', '23'), 'The bridge was closed after the storm.'];
    const response = await post(standin, '/api/embed', { model: 'nomic-embed-text', input: inputs, truncate: false });
    const { embeddings } = z
      .object({ embeddings: z.array(z.array(z.number())), prompt_eval_count: z.int(), standin: z.literal(true) })
      .parse(await response.json());
    const cosine = (left: number[] = [], right: number[] = []): number =>
      left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
    expect(embeddings.map((vector) => vector.length)).toEqual([768, 768, 768]);
    expect(cosine(embeddings[0], embeddings[0])).toBeCloseTo(1, 3);
    expect(cosine(embeddings[0], embeddings[1])).toBeGreaterThan(cosine(embeddings[0], embeddings[2]) + 0.3);
    expect(
      (await post(standin, '/api/embed', { model: 'nomic-embed-text', input: 'word '.repeat(9000), truncate: false })).status,
    ).toBe(400);
    expect((await post(standin, '/api/chat', { ...chatBody, model: 'nomic-embed-text' })).status).toBe(400);
  });
});

describe('chat', () => {
  it('streams lines and ends with the counts and durations', async () => {
    const standin = await start();
    const { text, last, lines } = await chat(standin);
    verdict.parse(JSON.parse(text));
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.slice(0, -1).every(({ done }) => !done)).toBe(true);
    expect(last).toMatchObject({ done: true, done_reason: 'stop' });
    for (const field of [
      'total_duration',
      'load_duration',
      'prompt_eval_count',
      'prompt_eval_duration',
      'eval_count',
      'eval_duration',
    ] as const)
      expect(last[field]).toBeDefined();
    const whole = reply.parse(await (await post(standin, '/api/chat', { ...chatBody, stream: false })).json());
    expect(whole.message.content).toBe(text);
    expect((await chat(standin, { options: { ...chatBody.options, seed: 6 } })).text).toBe(text);
    expect((await chat(standin, { format: undefined })).text).toMatch(/\w/);
    JSON.parse((await chat(standin, { format: 'json' })).text);
  });

  it('loads and unloads without messages', async () => {
    const standin = await start();
    const ps = async (): Promise<unknown> => (await fetch(`${standin.url}/api/ps`)).json();
    expect((await chat(standin, { messages: [] })).last.done_reason).toBe('load');
    expect(await ps(), 'it imitates no memory unless asked to').toMatchObject({ models: [] });
    standin.showGpuShare(1);
    expect(await ps()).toMatchObject({ models: [{ name: 'llama3.1:8b', context_length: 4096 }] });
    const unloaded = await post(standin, '/api/chat', { model: chatBody.model, keep_alive: 0 });
    expect(await unloaded.json()).toMatchObject({ done: true, done_reason: 'unload' });
    expect(await ps()).toMatchObject({ models: [] });
  });

  it('refuses what Ollama refuses', async () => {
    const standin = await start({ anyModel: false });
    const refusal = async (body: object | string): Promise<[number, string]> => {
      const response = await post(standin, '/api/chat', body);
      return [response.status, failure.parse(await response.json()).error];
    };
    expect(await refusal({ ...chatBody, model: 'nobody' })).toEqual([404, "model 'nobody' not found"]);
    expect((await refusal('{"model":'))[0]).toBe(400);
    expect(await refusal({ messages: [] })).toEqual([400, 'model is required']);
    expect((await refusal({ ...chatBody, messages: [{ role: 'king', content: '' }] }))[0]).toBe(400);
    expect((await refusal({ ...chatBody, think: true }))[1]).toContain('does not support thinking');
    expect((await refusal({ ...chatBody, format: { type: 'picture' } }))[0]).toBe(400);
    expect((await refusal({ ...chatBody, logprobs: true, top_logprobs: 21 }))[0]).toBe(400);
  });

  it('reports an overflow instead of cutting, where asked to', async () => {
    const standin = await start();
    const long = { messages: [{ role: 'user', content: 'word '.repeat(3000) }], options: { ...chatBody.options, num_ctx: 1000 } };
    const response = await post(standin, '/api/chat', { ...chatBody, ...long, truncate: false, shift: false });
    expect(response.status).toBe(400);
    const { error } = failure.parse(await response.json());
    expect(JSON.parse(error)).toMatchObject({ error: { type: 'exceed_context_size_error', n_ctx: 1000 } });
    expect((await chat(standin, long)).last.prompt_eval_count).toBeLessThan(1000);
  });

  it('stops at num_predict', async () => {
    const standin = await start();
    const { last, text } = await chat(standin, { options: { ...chatBody.options, num_predict: 9 } });
    expect(last).toMatchObject({ done_reason: 'length', eval_count: 9 });
    expect(() => JSON.parse(text)).toThrow();
  });

  it('thinks where the model can, and reports log probabilities that fit the choice', async () => {
    const standin = await start();
    expect((await chat(standin, { model: 'qwen3:8b' })).lines.some(({ message }) => message.thinking !== undefined)).toBe(true);
    expect(
      (await chat(standin, { model: 'qwen3:8b', think: false })).lines.every(({ message }) => message.thinking === undefined),
    ).toBe(true);
    const { lines, text } = await chat(standin, { logprobs: true, top_logprobs: 5 });
    const reports = lines.flatMap(({ logprobs }) => logprobs ?? []);
    expect(reports.map(({ token }) => token).join('')).toBe(text);
    const { prediction, confidence } = verdict.parse(JSON.parse(text));
    const at = reports.findLast(({ token }) => token === `${prediction}"`);
    expect(Math.exp(at?.logprob ?? -9)).toBeCloseTo(confidence, 1);
  });
});

describe('misbehaviour', () => {
  async function faulty(kind: FaultKind): Promise<Response> {
    return post(await start({ fault: () => ({ kind }) }), '/api/chat', chatBody);
  }
  async function said(kind: FaultKind): Promise<string> {
    const text = await (await faulty(kind)).text();
    return linesOf(text)
      .map((line) => reply.parse(line).message.content)
      .join('');
  }

  it('breaks, wraps, cuts, repeats, declines, mislabels and empties answers', async () => {
    const broken = await said('malformed');
    expect(() => JSON.parse(broken)).toThrow();
    const prose = await said('prose');
    expect(() => JSON.parse(prose)).toThrow();
    verdict.parse(JSON.parse(prose.slice(prose.indexOf('{'), prose.lastIndexOf('}') + 1)));
    expect(linesOf(await (await faulty('truncated')).text()).at(-1)).toMatchObject({ done_reason: 'length' });
    expect(JSON.parse(await said('declining'))).toMatchObject({ prediction: 'NO DECISION' });
    expect(verdict.safeParse(JSON.parse(await said('wrong-label'))).success).toBe(false);
    expect(await said('empty')).toBe('');
    expect(linesOf(await (await faulty('loop')).text()).at(-1)).toMatchObject({ done_reason: 'length' });
  });

  it('answers with errors, before and within the stream', async () => {
    expect((await faulty('http-500')).status).toBe(500);
    expect((await faulty('http-503')).status).toBe(503);
    const overflow = await faulty('overflow');
    expect([overflow.status, failure.parse(await overflow.json()).error.includes('exceed_context_size_error')]).toEqual([
      400,
      true,
    ]);
    const line = await faulty('error-line');
    expect(line.status).toBe(200);
    failure.parse(linesOf(await line.text()).at(-1));
    const garbage = (await (await faulty('garbage')).text()).trimEnd().split('\n');
    expect(garbage.filter((text) => text.startsWith('%')).length).toBe(1);
    reply.parse(JSON.parse(garbage.at(-1) ?? ''));
  });

  it('cuts connections and hangs in mid-stream', async () => {
    await expect((await faulty('cut')).text()).rejects.toThrow();
    await expect(faulty('reset')).rejects.toThrow();
    const standin = await start({ profile: 'hang' });
    const response = await post(standin, '/api/chat', chatBody);
    const reader = response.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    expect(standin.load().busy).toBe(1);
    await reader?.cancel();
    await until(() => standin.load().busy === 0);
    expect(standin.requests()[0]?.status).toBeNull();
  });

  it('hits a share of requests that only the content decides', async () => {
    const standin = await start({ profile: 'instant+flaky:0.5' });
    const attempt = async (seed: number): Promise<string> => {
      try {
        const response = await post(standin, '/api/chat', { ...chatBody, options: { ...chatBody.options, seed } });
        return `${response.status} ${(await response.text()).includes('"done":true')}`;
      } catch {
        return 'cut';
      }
    };
    const seeds = Array.from({ length: 40 }, (_, index) => index);
    const first = await Promise.all(seeds.map(attempt));
    // The same again, but that a busy server takes a request when it comes back.
    const settled = (await Promise.all(seeds.map(attempt))).map((outcome, index) =>
      first[index] === '503 false' ? first[index] : outcome,
    );
    expect(settled).toEqual(first);
    expect(new Set(first)).toEqual(new Set(['200 true', '500 false', '503 false', 'cut']));
    await expect(startDemoServer({ profile: 'nonsense' })).rejects.toThrow('unknown demo model profile');
  });
});

describe('slots, log and end', () => {
  it('frees the slot as soon as a client leaves', async () => {
    const standin = await start({ profile: { base: 'laptop', machine: { loadRate: 1e12, promptRate: 1e6, decodeRate: 2 } } });
    const first = new AbortController();
    const leaving = post(standin, '/api/chat', chatBody, 'POST', first.signal).then((response) => response.text());
    leaving.catch(() => {});
    await until(() => standin.load().busy === 1);
    const second = new AbortController();
    const waiting = post(standin, '/api/chat', chatBody, 'POST', second.signal).then((response) => response.text());
    waiting.catch(() => {});
    await until(() => standin.load().waiting === 1);
    first.abort();
    await until(() => standin.load().waiting === 0);
    expect(standin.load().busy).toBe(1);
    second.abort();
    await until(() => standin.load().busy === 0);
    await expect(leaving).rejects.toThrow();
    await expect(waiting).rejects.toThrow();
  });

  it('logs every request as it comes and as it is answered', async () => {
    const logFile = join(keptFolder(), 'requests.jsonl');
    const standin = await start({ logFile });
    const body = JSON.stringify(chatBody);
    await (await post(standin, '/api/chat', body)).text();
    await (await post(standin, '/api/embed', { model: 'nomic-embed-text', input: ['a', 'b'] })).text();
    await (await post(standin, '/api/chat', 'not json')).text();
    const lines = linesOf(readFileSync(logFile, 'utf8'));
    const bodySha256 = createHash('sha256').update(body).digest('hex');
    expect(lines[0]).toMatchObject({
      event: 'arrived',
      id: 0,
      endpoint: '/api/chat',
      model: 'llama3.1:8b',
      seed: 5,
      messages: 1,
      status: null,
      bodySha256,
    });
    expect(lines[1]).toMatchObject({ event: 'answered', id: 0, status: 200, bodySha256 });
    expect(lines.slice(2)).toMatchObject([
      { event: 'arrived', id: 1, messages: 2 },
      { event: 'answered', status: 200 },
      { event: 'arrived', model: null },
      { event: 'answered', status: 400 },
    ]);
    expect(standin.requests()).toMatchObject([{ status: 200 }, { status: 200 }, { status: 400 }]);
  });

  it('leaves nothing behind when it closes', async () => {
    const standin = await start({ profile: 'laptop' });
    const going = Array.from({ length: 3 }, () => post(standin, '/api/chat', chatBody).then((response) => response.text()));
    const ends = Promise.allSettled(going);
    await until(() => standin.requests().length === 3);
    await standin.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(standin.load()).toEqual({ busy: 0, waiting: 0 });
    await expect(fetch(standin.url)).rejects.toThrow();
  });

  it('refuses bodies above the limit', async () => {
    const standin = await start();
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(
        `${standin.url}/api/chat`,
        { method: 'POST', headers: { 'content-length': 65 * 2 ** 20 } },
        (response) => resolve(response.statusCode),
      );
      request.on('error', reject);
      request.write('{');
    });
    expect(status).toBe(413);
  });
});
