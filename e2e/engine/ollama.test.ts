import { describe, expect, test } from 'vitest';
import { startOllama } from './support/engine.ts';
import { testEngine } from './support/suite.ts';

describe('Ollama', () => {
  const { model, request } = testEngine(startOllama);

  test('a model that it does not have is named, with the command that gets it', async () => {
    const asked = model().complete({ ...request(), model: 'assize-no-such-model' }, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ name: 'AssizeError', code: 'missing-model' });
    await expect(asked).rejects.toThrow('ollama pull assize-no-such-model');
  });
});
