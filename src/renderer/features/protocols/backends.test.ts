import { describe, expect, it } from 'vitest';
import type { BackendReport, ServerReport } from '../../../shared/api/engine.ts';
import { answersInvented, inventedAt, modelsAt, preferredBackend, usableModels } from './backends.ts';

const ollama = (parts: Partial<BackendReport>): BackendReport => ({
  choice: 'ollama',
  url: 'http://127.0.0.1:11434',
  state: 'ready',
  version: '0.30.1',
  standin: false,
  models: [],
  problem: null,
  ...parts,
});
const standin: BackendReport = { ...ollama({ standin: true, models: ['mistral:7b'] }), choice: 'standin' };

describe('which backend answers', () => {
  it('takes the first model of a ready Ollama that can speak', () => {
    const report = ollama({ models: ['nomic-embed-text:latest', 'gpt-oss:120b-cloud', 'qwen2.5:7b', 'llama3.1:8b'] });
    expect(preferredBackend({ reports: [report, standin], servers: [] })).toEqual({
      backend: 'ollama',
      server: 'default',
      model: 'qwen2.5:7b',
      why: null,
      away: null,
    });
  });

  it.each([
    [
      'is away',
      ollama({ state: 'away', models: ['qwen2.5:7b'], problem: 'Start it with ollama serve.' }),
      'Start it with ollama serve.',
    ],
    ['has only models that embed', ollama({ models: ['nomic-embed-text:latest'] }), /ollama pull/],
  ])('takes the demo model when Ollama %s, and says why', (_name, report, why) => {
    const preferred = preferredBackend({ reports: [report, standin], servers: [] });
    expect(preferred).toMatchObject({ backend: 'standin', model: 'demo' });
    expect(preferred.why).toMatch(why);
  });

  it('says so when what answers at the Ollama address is a demo model', () => {
    const reports = [ollama({ standin: true, models: ['mistral:7b'] }), standin];
    expect(preferredBackend({ reports, servers: [] }).why).toBe(
      'The answers come from the demo model at the Ollama address of the settings.',
    );
    expect(answersInvented(reports, 'ollama')).toBe(true);
    expect(answersInvented([ollama({}), standin], 'ollama')).toBe(false);
    expect(answersInvented([], 'standin')).toBe(true);
  });

  it('prefers a server other than Ollama to the demo model, and its models by their exact names', () => {
    const gpu: ServerReport = {
      name: 'gpu',
      kind: 'openai',
      url: 'http://127.0.0.1:8000/v1',
      state: 'ready',
      version: 'vLLM 0.9',
      standin: false,
      slots: null,
      models: [
        { name: 'text-embed', context: null },
        { name: 'Org/Large', context: 8192 },
      ],
      problem: null,
    };
    const reports = [ollama({ state: 'away' }), standin];
    expect(preferredBackend({ reports, servers: [gpu] })).toEqual({
      ...{ backend: 'ollama', server: 'gpu', model: 'Org/Large', why: null, away: null },
    });
    expect(preferredBackend({ reports: [ollama({ models: ['a:1b'] }), standin], servers: [gpu] })).toMatchObject({
      server: 'default',
      model: 'a:1b',
    });
    expect(preferredBackend({ reports, servers: [{ ...gpu, state: 'away' }] })).toMatchObject({
      backend: 'standin',
      server: 'default',
    });
    const found = { reports, servers: [{ ...gpu, standin: true }] };
    expect(modelsAt(found, 'ollama', 'gpu')).toEqual(['Org/Large']);
    expect(modelsAt(found, 'standin', 'gpu')).toEqual(['mistral:7b']);
    expect(modelsAt(found, 'ollama', 'gone')).toEqual([]);
    expect(inventedAt(found, 'ollama', ['default', 'gpu'])).toBe(true);
    expect(inventedAt(found, 'ollama', ['default'])).toBe(false);
    expect(inventedAt(found, 'standin', ['default'])).toBe(true);
  });

  it('does not go over to the demo model when the server that answered last is away', () => {
    const last = { server: 'default', url: 'http://127.0.0.1:11434', model: 'qwen2.5:7b' };
    const away = ollama({ state: 'away' });
    expect(preferredBackend({ reports: [away, standin], servers: [], last })).toEqual({
      ...{ backend: 'ollama', server: 'default', model: 'qwen2.5:7b', why: null },
      away: 'The model server at http://127.0.0.1:11434 does not answer.',
    });
    const others = [ollama({ state: 'refused' }), ollama({ ...away, url: 'http://127.0.0.1:1' }), ollama({ models: ['embed'] })];
    for (const report of others)
      expect(preferredBackend({ reports: [report, standin], servers: [], last }).backend).toBe('standin');
    const back = ollama({ models: ['other:1b'] });
    expect(preferredBackend({ reports: [back, standin], servers: [], last })).toMatchObject({ model: 'other:1b', away: null });
  });

  it('knows models of a server only while it is ready', () => {
    expect(usableModels(ollama({ state: 'refused', models: ['a'] }))).toEqual([]);
    expect(usableModels(undefined)).toEqual([]);
    expect(usableModels(ollama({ models: ['kimi-k2:cloud', 'cloudy:8b'] }))).toEqual(['cloudy:8b']);
  });
});
