import { describe, expect, it } from 'vitest';
import type { Pull } from '../../../shared/api/models.ts';
import { nameProblem, nameTyped, pulledShare, pullFigures, pullNews, stateText } from './pullText.ts';

const pull = (changes: Partial<Pull> = {}): Pull => ({
  model: 'llama3.1:8b',
  state: 'pulling',
  status: 'pulling 8eeb52dfb3bb',
  layers: [],
  completed: 1_200_000_000,
  total: 4_700_000_000,
  bytes_per_second: 25_000_000,
  seconds_left: 140,
  resumed: 0,
  problem: null,
  warning: null,
  silent_seconds: null,
  ...changes,
});

describe('the name of a model as it is typed', () => {
  it.each([
    ['llama3.1:8b', 'llama3.1:8b'],
    ['  ollama pull qwen2.5:7b ', 'qwen2.5:7b'],
    ['$ ollama run gemma2:9b', 'gemma2:9b'],
    ['https://ollama.com/library/phi3:14b', 'phi3:14b'],
    ['hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M', 'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M'],
  ])('takes %j for %s', (typed, name) => {
    expect(nameTyped(typed)).toBe(name);
    expect(nameProblem(name)).toBeNull();
  });

  it.each(['', 'two models', '../up', '<img>', 'ü'])('refuses %j and says why', (name) => {
    expect(nameProblem(name)).toMatch(/llama3\.1:8b|no spaces/);
  });
});

describe('how far a fetch is', () => {
  it('shows what is done, how fast, and how long', () => {
    expect(pullFigures(pull())).toBe('1.2 GB of 4.7 GB · 25 MB/s · about 2 min left');
    expect(pullFigures(pull({ bytes_per_second: null, seconds_left: null }))).toBe('1.2 GB of 4.7 GB · time left not known yet');
    expect(pullFigures(pull({ silent_seconds: 25, bytes_per_second: null, seconds_left: null }))).toBe(
      '1.2 GB of 4.7 GB · no word from the server for 25 s',
    );
    expect(pullFigures(pull({ state: 'done', resumed: 1 }))).toBe('4.7 GB · interrupted and resumed once');
    expect(pullFigures(pull({ state: 'waiting', total: 0, completed: 0 }))).toBe('');
  });

  it('says that something is kept only where something was fetched', () => {
    expect(stateText(pull({ state: 'cancelled' }))).toBe('cancelled; what was downloaded is kept');
    expect(stateText(pull({ state: 'cancelled', completed: 0, total: 0 }))).toBe('cancelled');
  });

  it('has no share while no part is known, and none above the whole', () => {
    expect(pulledShare(pull({ total: 0, completed: 0 }))).toBeNull();
    expect(pulledShare(pull({ total: 4, completed: 1 }))).toBe(0.25);
    expect(pulledShare(pull({ total: 4, completed: 5 }))).toBe(1);
  });
});

describe('what is read out', () => {
  const at = (share: number, changes: Partial<Pull> = {}) => pull({ completed: share * 1000, total: 1000, ...changes });

  it('says each quarter once, not each percent', () => {
    const shares = Array.from({ length: 101 }, (_none, percent) => at(percent / 100));
    const news = shares.slice(1).map((now, index) => pullNews([shares[index] ?? now], [now]));
    expect(news.filter((text) => text !== '')).toEqual([
      'llama3.1:8b: 25 percent.',
      'llama3.1:8b: 50 percent.',
      'llama3.1:8b: 75 percent.',
    ]);
  });

  it('says beginning, end, failure and cancellation', () => {
    expect(pullNews([], [at(0)])).toBe('llama3.1:8b: fetch begun.');
    expect(pullNews([at(0.9)], [at(1, { state: 'done' })])).toBe('llama3.1:8b is fetched.');
    expect(pullNews([at(0.9)], [at(0.9, { state: 'failed', problem: 'No such model.' })])).toBe(
      'llama3.1:8b could not be fetched. No such model.',
    );
    expect(pullNews([at(0.9)], [at(0.9, { state: 'cancelled' })])).toBe('llama3.1:8b: fetch cancelled.');
    expect(pullNews([], [at(1, { state: 'done' })])).toBe('');
    expect(pullNews([at(0.9)], [])).toBe('');
  });
});
