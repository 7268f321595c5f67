import { describe, expect, it } from 'vitest';
import type { Gpu } from '../../../shared/api/hardware.ts';
import { expiryText, gpuFacts, gpuMemory, gpuName, machineFacts, mainMemory, placeText } from './hardwareText.ts';

const gibibyte = 2 ** 30;

const gpu: Gpu = {
  id: '0',
  vendor: 'nvidia',
  name: 'GeForce RTX 4090',
  memory_total: 24 * gibibyte,
  memory_used: 6 * gibibyte,
  utilisation: 0.4,
  temperature: 53.6,
  power: 119.5,
  driver: '570.86',
  unified: false,
  source: 'nvidia-smi',
};

describe('the machine in words', () => {
  it('names the maker once', () => {
    expect(gpuName(gpu)).toBe('NVIDIA GeForce RTX 4090');
    expect(gpuName({ vendor: 'nvidia', name: 'NVIDIA H100' })).toBe('NVIDIA H100');
    expect(gpuName({ vendor: 'unknown', name: 'card 0' })).toBe('card 0');
  });

  it('says of memory what is known, and no share where one half is not', () => {
    expect(gpuMemory(gpu)).toEqual({ share: 0.25, words: '6 GiB of 24 GiB' });
    expect(gpuMemory({ memory_total: 24 * gibibyte, memory_used: null })).toEqual({ share: null, words: '24 GiB, use unknown' });
    expect(gpuMemory({ memory_total: null, memory_used: null })).toEqual({ share: null, words: 'unknown' });
    expect(mainMemory(32 * gibibyte, { memory_free: 8 * gibibyte })).toEqual({ share: 0.75, words: '24 GiB of 32 GiB' });
    expect(mainMemory(32 * gibibyte, null)).toEqual({ share: null, words: '32 GiB' });
  });

  it('lists the facts that there are', () => {
    expect(gpuFacts(gpu)).toBe('54 °C · 120 W · driver 570.86 · reported by nvidia-smi');
    expect(gpuFacts({ ...gpu, temperature: null, power: null, driver: null, unified: true, source: 'systeminformation' })).toBe(
      'its memory is the machine’s own · reported by the system',
    );
  });

  it('names the system as people do', () => {
    expect(machineFacts({ cores: 1, platform: 'darwin', architecture: 'arm64' })).toBe('1 core, macOS, arm64');
    expect(machineFacts({ cores: 32, platform: 'freebsd', architecture: 'x64' })).toBe('32 cores, freebsd, x64');
  });

  it.each([
    [1, 'all of it', 'good'],
    [0.999, '99%, the rest computed by the processor', 'warn'],
    [0.001, '1%, the rest computed by the processor', 'warn'],
    [0, 'nothing: computed by the processor, slowly', 'bad'],
  ])('says where a share of %d is computed', (share, words, tone) => expect(placeText(share)).toEqual({ words, tone }));

  it('says how long a model stays', () => {
    const now = Date.parse('2026-01-01T12:00:00Z');
    const stays = (at: string | null) => expiryText({ expires_at: at }, now);
    expect(stays('2026-01-01T12:04:00Z')).toBe('for 4 min more if nothing is asked');
    expect(stays('2026-01-01T11:59:00Z')).toBe('is being unloaded');
    expect(stays('2318-01-01T00:00:00Z')).toBe('until it is unloaded');
    expect(stays(null)).toBe('until it is unloaded');
    expect(stays('soon')).toBe('for an unknown time');
  });
});
