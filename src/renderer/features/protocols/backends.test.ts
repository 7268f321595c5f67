import { describe, expect, it } from 'vitest';
import type { BackendReport } from '../../../shared/api/engine.ts';
import { answersInvented, preferredBackend, usableModels } from './backends.ts';

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
    expect(preferredBackend([report, standin])).toEqual({ backend: 'ollama', model: 'qwen2.5:7b', why: null });
  });

  it.each([
    [
      'is away',
      ollama({ state: 'away', models: ['qwen2.5:7b'], problem: 'Start it with ollama serve.' }),
      'Start it with ollama serve.',
    ],
    ['has only models that embed', ollama({ models: ['nomic-embed-text:latest'] }), /ollama pull/],
  ])('takes the stand-in when Ollama %s, and says why', (_name, report, why) => {
    const preferred = preferredBackend([report, standin]);
    expect(preferred).toMatchObject({ backend: 'standin', model: 'mistral:7b' });
    expect(preferred.why).toMatch(why);
  });

  it('says so when what answers at the Ollama address is a stand-in', () => {
    const reports = [ollama({ standin: true, models: ['mistral:7b'] }), standin];
    expect(preferredBackend(reports).why).toMatch(/stand-in/);
    expect(answersInvented(reports, 'ollama')).toBe(true);
    expect(answersInvented([ollama({}), standin], 'ollama')).toBe(false);
    expect(answersInvented([], 'standin')).toBe(true);
  });

  it('knows models of a server only while it is ready', () => {
    expect(usableModels(ollama({ state: 'refused', models: ['a'] }))).toEqual([]);
    expect(usableModels(undefined)).toEqual([]);
    expect(usableModels(ollama({ models: ['kimi-k2:cloud', 'cloudy:8b'] }))).toEqual(['cloudy:8b']);
  });
});
