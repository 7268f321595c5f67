import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

const chatSchema = z.object({ model: z.string(), format: z.record(z.string(), z.unknown()) });

/** What is read of an answer's JSON Schema. */
const nodeSchema = z.object({
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
});

/** A value of a schema, with the next of the given texts wherever it takes one. */
function madeUp(schema: unknown, nextText: () => string): unknown {
  const { type, enum: choices, const: only, properties, items, minItems = 0, maxItems = 2 } = nodeSchema.parse(schema);
  if (only !== undefined) return only;
  if (choices !== undefined) return choices[0];
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, madeUp(each, nextText)]));
  }
  if (type === 'array') {
    return Array.from({ length: Math.max(minItems, Math.min(2, maxItems)) }, () => madeUp(items, nextText));
  }
  if (type === 'number' || type === 'integer') return type === 'integer' ? 70 : 0.7;
  if (type === 'boolean') return true;
  return nextText();
}

export interface FakeOllama {
  readonly url: string;
  readonly model: string;
  /** Answers given. */
  answers(): number;
  stop(): Promise<void>;
}

/** An Ollama server whose model says what it is given, text by text and then from the beginning. */
export async function startFakeOllama(texts: readonly string[], model: string): Promise<FakeOllama> {
  let said = 0;
  let answers = 0;
  const nextText = () => texts[said++ % texts.length] ?? '';
  const json = (response: ServerResponse, body: unknown) => response.end(JSON.stringify(body));

  const chat = (body: string, response: ServerResponse) => {
    const { model: asked, format } = chatSchema.parse(JSON.parse(body));
    answers += 1;
    const line = (part: object) =>
      response.write(`${JSON.stringify({ model: asked, created_at: '2026-01-01T00:00:00Z', ...part })}\n`);
    const content = JSON.stringify(madeUp(format, nextText));
    line({ message: { role: 'assistant', content: '', thinking: nextText() }, done: false });
    line({ message: { role: 'assistant', content }, done: false });
    line({
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 100,
      eval_count: 100,
    });
    response.end();
  };

  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      if (request.url === '/api/version') return json(response, { version: '0.12.0' });
      if (request.url === '/api/tags') return json(response, { models: [{ name: model, digest: 'a'.repeat(64) }] });
      if (request.url === '/api/chat') return chat(body, response);
      response.statusCode = 404;
      return json(response, { error: 'not found' });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    model,
    answers: () => answers,
    stop: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
