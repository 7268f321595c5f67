import { describe, expect, it } from 'vitest';
import type { Fit } from '../../../shared/api/models.ts';
import { fitFigures, fitScale, fitsInWords } from './fitText.ts';

const gibibyte = 2 ** 30;

const fitOf = (changes: Partial<Fit> = {}): Fit => ({
  model: 'llama3.1:8b',
  context: 8192,
  slots: 1,
  verdict: 'gpu',
  weights: 5 * gibibyte,
  key_values: 2 * gibibyte,
  overhead: 1 * gibibyte,
  needed: 8 * gibibyte,
  gpu_free: 16 * gibibyte,
  memory_free: 32 * gibibyte,
  gpu_room: null,
  gpu_context: 40_000,
  conclusion: '',
  reason: 'It fits.',
  ...changes,
});

describe('whether a model fits', () => {
  it('puts its parts and the free memory of the GPU on one scale', () => {
    expect(fitScale(fitOf())).toEqual({
      parts: [
        { part: 'weights', share: 5 / 16 },
        { part: 'key_values', share: 2 / 16 },
        { part: 'overhead', share: 1 / 16 },
      ],
      free: 1,
      freeOf: 'gpu',
    });
    expect(fitScale(fitOf({ gpu_free: 4 * gibibyte }))).toMatchObject({
      free: 0.5,
      parts: [{ share: 5 / 8 }, { share: 2 / 8 }, { share: 1 / 8 }],
    });
  });

  it('takes main memory where there is no GPU, and nothing if unknown', () => {
    expect(fitScale(fitOf({ gpu_free: null }))).toMatchObject({ freeOf: 'memory', free: 1 });
    expect(fitScale(fitOf({ gpu_free: null, memory_free: null }))).toMatchObject({ freeOf: null, free: null });
    expect(fitScale(fitOf({ key_values: null }))).toBeNull();
    expect(fitScale(fitOf({ weights: 0, key_values: 0, overhead: 0, gpu_free: null, memory_free: null }))).toBeNull();
  });

  it('says the same in figures', () => {
    expect(fitFigures(fitOf())).toBe('5 GiB weights + 2 GiB context + 1 GiB overhead = 8 GiB; 16 GiB free on the GPU');
    expect(fitFigures(fitOf({ gpu_free: null }))).toContain('32 GiB of main memory free');
    expect(fitFigures(fitOf({ weights: null, verdict: 'unknown' }))).toBeNull();
  });

  it('sums up all verdicts', () => {
    expect(fitsInWords([fitOf(), fitOf({ verdict: 'no' }), fitOf()])).toBe('fits on the GPU: 2 · does not fit: 1');
    expect(fitsInWords([])).toBe('');
  });
});
