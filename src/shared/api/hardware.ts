import { z } from 'zod';
import type { LoadedModel } from './models.ts';

const bytes = z.number().min(0);

export const gpuSchema = z.strictObject({
  /** Stays the same while the program runs. */
  id: z.string(),
  vendor: z.enum(['nvidia', 'amd', 'apple', 'intel', 'unknown']),
  name: z.string(),
  memory_total: bytes.nullable(),
  memory_used: bytes.nullable(),
  /** 0-1. */
  utilisation: z.number().min(0).max(1).nullable(),
  /** Degrees Celsius. */
  temperature: z.number().nullable(),
  /** Watts. */
  power: z.number().nullable(),
  driver: z.string().nullable(),
  /** Its memory is the machine's own. */
  unified: z.boolean(),
  /** The source of the values. `systeminformation` is the library of that name, which on macOS asks `system_profiler`. */
  source: z.enum(['nvidia-smi', 'sysfs', 'system_profiler', 'systeminformation', 'ollama-log']),
});
export type Gpu = z.infer<typeof gpuSchema>;

export const hardwareSchema = z.strictObject({
  platform: z.string(),
  architecture: z.string(),
  processor: z.string(),
  cores: z.int(),
  memory_total: bytes,
  gpus: z.array(gpuSchema),
  /** What was tried and could not be read, in sentences. */
  notes: z.array(z.string()),
});
export type Hardware = z.infer<typeof hardwareSchema>;

/** What the lack of a GPU means for the time; docs/models.md has the example. */
export const paceWithoutGpu =
  'a trial of two sides with a model of 8 billion parameters takes minutes, where a GPU takes about half a minute';

export interface HardwareSample {
  /** ISO 8601. */
  readonly at: string;
  readonly gpus: readonly Gpu[];
  readonly memory_free: number;
  /** Of all cores, 0-1; null in the first sample. */
  readonly processor: number | null;
  readonly loaded: readonly LoadedModel[];
}

export interface HardwareWarning {
  readonly at: string;
  readonly kind: 'fell-to-processor' | 'partly-on-processor' | 'context-shrank' | 'gpu-lost' | 'hot';
  readonly model: string | null;
  /** What was seen and what to do. */
  readonly sentence: string;
}

/** A sample, and all warnings in force, the newest first. */
export interface HardwareFrame {
  readonly sample: HardwareSample;
  readonly warnings: readonly HardwareWarning[];
}
