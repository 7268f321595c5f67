import { describe, expect, test } from 'vitest';
import { post, startLlamaCpp } from './support/engine.ts';
import { testEngine } from './support/suite.ts';

describe('llama.cpp', () => {
  const { engine } = testEngine(startLlamaCpp);

  test('computes what two prompts have in common only once', async () => {
    const shared = 'Rules of the court. '.repeat(40);
    const prompt = async (end: string) => {
      const body = { model: 'tiny', messages: [{ role: 'user', content: shared + end }], max_tokens: 8, temperature: 0 };
      const { timings } = await post<{ timings: { cache_n: number; prompt_n: number } }>(
        `${engine().url}/v1/chat/completions`,
        body,
      );
      return timings;
    };
    const first = await prompt('Prosecution, speak.');
    const second = await prompt('Defense, speak.');
    expect(first.prompt_n).toBeGreaterThan(shared.length);
    expect(second.cache_n).toBeGreaterThanOrEqual(shared.length);
    expect(second.prompt_n).toBeLessThan(shared.length / 10);
  });
});
