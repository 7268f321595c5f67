import { describe, expect, test } from 'vitest';
import { post } from '../../build/engine/ollamaModels.ts';
import { readAnswer } from '../../src/core/answers/read.ts';
import { jsonSchemaOf } from '../../src/core/answers/schema.ts';
import { settingsOfSpecs, specsOf } from '../../src/core/protocols/testing/answerSpecs.ts';
import { BrokenCall } from '../../src/shared/model.ts';
import { startLlamaCpp } from './support/engine.ts';
import { testEngine } from './support/suite.ts';

/** Tokens of an answer, each a letter: more than the longest that a schema admits. */
const mostTokens = 7000;

describe('llama.cpp', () => {
  const { engine, model, request } = testEngine(startLlamaCpp);

  describe.each([...settingsOfSpecs])('%s', (_protocol, settings) => {
    test('what its grammar makes of a schema, the reader accepts', { timeout: 600_000 }, async () => {
      const specs = await specsOf(settings);
      const draws = specs.flatMap((spec) => [1, 2, 3].map((seed) => ({ spec, seed })));
      let ended = 0;
      const worker = async () => {
        for (let next = draws.shift(); next !== undefined; next = draws.shift()) {
          const { spec, seed } = next;
          const wanted = request({ temperature: 1.5, seed, numPredict: mostTokens }, jsonSchemaOf(spec));
          const ask = () => model().complete(wanted, new AbortController().signal);
          // The server closes a connection that rests for 5 s, perhaps just when it is used again: a run asks again, too.
          const { text, doneReason } = await ask().catch((error: unknown) => {
            if (error instanceof BrokenCall) return ask();
            throw error;
          });
          // Random letters can repeat themselves, or continue to the limit.
          if (doneReason !== 'stop') continue;
          ended += 1;
          expect(readAnswer(spec, text), `${spec.name}: ${text}`).toMatchObject({ ok: true, method: 'json' });
        }
      };
      await Promise.all(Array.from({ length: engine().slots }, worker));
      expect(ended).toBeGreaterThan(specs.length);
    });
  });

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
