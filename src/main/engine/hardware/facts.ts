import { availableParallelism, cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Systeminformation } from 'systeminformation';
import type { Gpu } from '../../../shared/api/hardware.ts';
import { absent, failed, type GpuReading, reported, unreported } from './reading.ts';

/** What is asked of systeminformation. Its `osInfo` is not: it runs `hostname -f`, which asks a name server. */
export interface SystemLibrary {
  cpu(): Promise<Pick<Systeminformation.CpuData, 'manufacturer' | 'brand'>>;
  graphics(): Promise<{ controllers: Systeminformation.GraphicsControllerData[] }>;
  mem(): Promise<Pick<Systeminformation.MemData, 'available'>>;
}

const patienceMs = 15_000;

/** What the library reports of one thing; null where it fails or takes too long. */
export async function ofLibrary<T>(
  ask: (library: SystemLibrary) => Promise<T>,
  library: Promise<SystemLibrary> = import('systeminformation').then((module) => module.default),
): Promise<T | null> {
  const late = sleep(patienceMs, null, { ref: false });
  return Promise.race([library.then(ask), late]).catch(() => null);
}

/** Name of the processor, and the cores that this process may use, threads counted. Node cannot name all ARM processors. */
export async function readProcessor(library?: Promise<SystemLibrary>): Promise<{ name: string; cores: number }> {
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  let name = plain(cpus()[0]?.model ?? '');
  if (name === '' || name === 'unknown') {
    const found = await ofLibrary((each) => each.cpu(), library);
    name = plain(`${found?.manufacturer ?? ''} ${found?.brand ?? ''}`);
  }
  return { name: name || `unnamed (${process.arch})`, cores: availableParallelism() };
}

export function vendorOf(text: string): Gpu['vendor'] {
  if (/nvidia|cuda|0x10de/i.test(text)) return 'nvidia';
  if (/\bamd\b|advanced micro|\bati\b|radeon|rocm|\bhip\b|0x1002/i.test(text)) return 'amd';
  if (/apple|metal/i.test(text)) return 'apple';
  return /intel|oneapi|sycl|0x8086/i.test(text) ? 'intel' : 'unknown';
}

function gpuOf(
  platform: string,
  { vendor, model, vram, vramDynamic, cores, driverVersion }: Systeminformation.GraphicsControllerData,
  index: number,
): Gpu {
  const maker = vendorOf(`${vendor} ${model}`);
  const unified = vramDynamic || vram === null || maker === 'intel';
  return {
    ...unreported,
    id: `${platform}-${index}`,
    vendor: maker,
    name: platform === 'darwin' && cores ? `${model} (${cores} cores)` : model || 'GPU',
    memory_total: unified ? totalmem() : (vram ?? 0) * 1024 ** 2,
    driver: driverVersion || null,
    unified,
    // The library asks that program on macOS.
    source: platform === 'darwin' ? 'system_profiler' : 'systeminformation',
  };
}

/**
 * The GPUs that macOS and Windows list. On Linux the kernel's own files say more, and the library would start OpenCL
 * there. NVIDIA's cards are left to nvidia-smi, which must have answered before: the library waits for it without end.
 */
export async function readGraphics(platform: string, library?: Promise<SystemLibrary>): Promise<GpuReading> {
  if (platform !== 'darwin' && platform !== 'win32') return absent;
  const found = await ofLibrary((each) => each.graphics(), library);
  const all = found?.controllers.map((controller, index) => gpuOf(platform, controller, index)) ?? [];
  if (platform === 'win32') return reported(all.filter(({ vendor }) => vendor === 'amd'));
  return all.length === 0 ? failed('macOS reports no GPU (system_profiler).') : reported(all);
}
