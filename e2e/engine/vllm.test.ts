import { describe, expect, test } from 'vitest';
import { post } from '../../build/engine/ollamaModels.ts';
import { startVllm } from './support/engine.ts';
import { testEngine } from './support/suite.ts';

/** Value of a gauge among the metrics of the server. */
async function gauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`));
  if (line === undefined) throw new Error(`no ${name} among the metrics`);
  return Number(line.slice(line.lastIndexOf(' ')));
}

describe('vLLM', () => {
  const { engine, askEndless } = testEngine(startVllm);

  test('reads what two prompts have in common only once', async () => {
    const shared = 'Rules of the court. '.repeat(40);
    const cached = async (end: string) => {
      const body = { model: 'tiny', messages: [{ role: 'user', content: shared + end }], max_tokens: 8, temperature: 0 };
      const { usage } = await post<{ usage: { prompt_tokens_details: { cached_tokens: number } | null } }>(
        `${engine().url}/v1/chat/completions`,
        body,
      );
      return usage.prompt_tokens_details?.cached_tokens ?? 0;
    };
    await cached('Prosecution, speak.');
    // It keeps whole blocks of tokens.
    expect(await cached('Defense, speak.')).toBeGreaterThan(0.8 * shared.length);
  });

  test('ends what no one waits for', async () => {
    const running = () => gauge(engine().url, 'vllm:num_requests_running');
    const controllers = Array.from({ length: 8 }, () => new AbortController());
    const calls = controllers.map((controller, seed) => askEndless(controller.signal, seed, () => controller.abort()));
    for (const result of await Promise.allSettled(calls))
      expect(result).toMatchObject({ status: 'rejected', reason: { name: 'AssizeError', code: 'interrupted' } });
    await expect.poll(running, { timeout: 30_000 }).toBe(0);
  });
});
