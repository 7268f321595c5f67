import { describe, expect, test } from 'vitest';
import { findOllama } from '../../build/engine/programs.ts';
import { startOllama } from './support/engine.ts';
import { testOwnDaemon } from './support/ownDaemon.ts';
import { testEngine } from './support/suite.ts';

describe('Ollama', () => {
  const { model, request } = testEngine(startOllama);

  test('a model that it does not have is named, with the command that gets it', async () => {
    const asked = model().complete({ ...request(), model: 'assize-no-such-model' }, new AbortController().signal);
    await expect(asked).rejects.toMatchObject({ name: 'AssizeError', code: 'missing-model' });
    await expect(asked).rejects.toThrow('ollama pull assize-no-such-model');
  });
});

const found = findOllama();
// A server that runs already was not started here, and is not ended here.
describe.skipIf(!('program' in found))('Ollama as the program starts it', () => {
  if ('program' in found) testOwnDaemon(found.program);
});
