import type { Gpu } from '../../../shared/api/hardware.ts';

/** What one source tells of the GPUs. */
export interface GpuReading {
  readonly gpus: readonly Gpu[];
  /** What could not be read, in sentences. */
  readonly notes: readonly string[];
  /**
   * `absent`: this source is not of this machine. `told`: what it says holds, also that there is none.
   * `failed`: not all can be said this time, and mostly nothing; what was known before may still hold.
   */
  readonly state: 'absent' | 'told' | 'failed';
  /** A graphics driver is broken or missing although there is a card. */
  readonly driverTrouble: boolean;
}

export const absent: GpuReading = { gpus: [], notes: [], state: 'absent', driverTrouble: false };

export const told = (gpus: readonly Gpu[], notes: readonly string[] = []): GpuReading => ({
  gpus,
  notes,
  state: 'told',
  driverTrouble: false,
});

export const failed = (note: string): GpuReading => ({ gpus: [], notes: [note], state: 'failed', driverTrouble: false });

/** What a source tells nothing of. */
export const untold = {
  memory_used: null,
  utilisation: null,
  temperature: null,
  power: null,
  driver: null,
  unified: false,
} satisfies Partial<Gpu>;
