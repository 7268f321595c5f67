import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { kept } from '../testing/kept.ts';
import { openaiModel } from './openai.ts';
import { asking, request } from './testing/asking.ts';
import { last, part, serve } from './testing/server.ts';

const shared = asking();

const event = (delta: object, finish?: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const interfaces = {
  ollama: {
    answer: part,
    end: last(),
    thought: (text: string) => part('', { message: { role: 'assistant', content: '', thinking: text } }),
    model: (url: string) => shared.model(url),
  },
  openai: {
    answer: (text: string) => event({ content: text }),
    end: `${event({}, 'stop')}data: [DONE]\n\n`,
    thought: (text: string) => event({ reasoning_content: text }),
    model: (url: string) =>
      openaiModel(shared.dispatcher, {
        url: `${url}/v1`,
        timeoutMs: 60_000,
        idleMs: 60_000,
        apiKey: () => null,
        keySource: '',
      }),
  },
};

/** Writes one piece over and over for as long as somebody listens. */
async function endlessly(response: ServerResponse, first: string, piece: string): Promise<void> {
  response.write(first);
  while (!response.destroyed) {
    response.write(piece);
    await sleep(1);
  }
}

test.each(['ollama', 'openai'] as const)(
  '%s: an answer or a thought that loops is cut, and its connection closed',
  async (kind) => {
    const words = interfaces[kind];
    for (const [what, say] of [
      ['text', words.answer],
      ['thinking', words.thought],
    ] as const) {
      const server = kept(await serve((_request, response) => void endlessly(response, say('{"reason":"'), say('high, '))));
      const result = await words.model(server.url).complete(request, new AbortController().signal);
      expect(result.doneReason).toBe('loop');
      expect(result[what]).toMatch(/^\{"reason":"(high, ){40,41}$/);
      expect(result.completionTokens).toBeGreaterThan(9);
      await expect.poll(() => server.aborted()).toBe(1);
      expect(
        server.requests.map(({ path }) => path),
        'nobody asks whether it lives',
      ).toHaveLength(1);
    }
  },
);

test.each(['ollama', 'openai'] as const)('%s: equal items that the schema asks for are no loop', async (kind) => {
  const words = interfaces[kind];
  const item = { prediction: 'will be arrested again', confidence: 70 };
  const properties = { prediction: { enum: ['will be arrested again', 'NO'] }, confidence: { type: 'integer' } };
  const items = { type: 'object', properties, required: ['prediction', 'confidence'] };
  const schema = { type: 'object', properties: { beliefs: { type: 'array', items, maxItems: 8 } } };
  for (const [count, doneReason] of [
    [8, 'stop'],
    [20, 'loop'],
  ] as const) {
    const answer = JSON.stringify({ beliefs: Array(count).fill(item) });
    const server = kept(
      await serve((_request, response) => {
        for (const piece of answer.match(/.{1,5}/g) ?? []) response.write(words.answer(piece));
        response.end(words.end);
      }),
    );
    const result = await words.model(server.url).complete({ ...request, schema }, new AbortController().signal);
    expect(result.doneReason).toBe(doneReason);
    if (doneReason === 'stop') expect(result.text).toBe(answer);
  }
});
