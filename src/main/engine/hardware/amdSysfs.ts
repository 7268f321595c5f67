import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gpu } from '../../../shared/api/hardware.ts';
import { namesIn, numberOf, textOf } from './files.ts';
import { absent, type GpuReading, told } from './reading.ts';

const amd = '0x1002';
const gibibyte = 1024 ** 3;

/**
 * Whether the GPU shares the machine's memory. The amdgpu driver's `gpu_metrics` begins with the size (16 bits), then the
 * format: 1 is of cards, 2 and 3 of processors with graphics. Older drivers lack it; then a small carve-out beside a larger
 * part of main memory tells.
 */
function isUnified(device: string, dedicated: number | null, shared: number | null): boolean {
  try {
    const format = readFileSync(join(device, 'gpu_metrics'))[2];
    if (format !== undefined) return format >= 2;
  } catch {
    // Not every driver has the file.
  }
  return dedicated !== null && shared !== null && dedicated <= gibibyte && shared > dedicated;
}

function sensor(device: string, names: readonly string[], factor: number): number | null {
  for (const folder of namesIn(join(device, 'hwmon'))) {
    for (const name of names) {
      const value = numberOf(join(device, 'hwmon', folder, name));
      if (value !== null) return value * factor;
    }
  }
  return null;
}

const sum = (left: number | null, right: number | null): number | null =>
  left === null && right === null ? null : (left ?? 0) + (right ?? 0);

function gpuOf(root: string, card: string): Gpu | null {
  const device = join(root, 'class/drm', card, 'device');
  if (textOf(join(device, 'vendor')) !== amd) return null;
  const memory = (name: string) => numberOf(join(device, `mem_info_${name}`));
  const dedicated = memory('vram_total');
  const unified = isUnified(device, dedicated, memory('gtt_total'));
  const total = unified ? sum(dedicated, memory('gtt_total')) : dedicated;
  // A driver that is not amdgpu tells no memory, and such a GPU computes nothing.
  if (total === null) return null;
  const busy = numberOf(join(device, 'gpu_busy_percent'));
  const model = textOf(join(device, 'device'));
  const slot = /^PCI_SLOT_NAME=(.+)$/m.exec(textOf(join(device, 'uevent')) ?? '')?.[1];
  return {
    id: `amd-${slot ?? card}`,
    vendor: 'amd',
    name: textOf(join(device, 'product_name')) || `AMD GPU${model === null ? '' : ` (device ${model})`}`,
    memory_total: total,
    memory_used: unified ? sum(memory('vram_used'), memory('gtt_used')) : memory('vram_used'),
    utilisation: busy === null ? null : Math.min(1, Math.max(0, busy / 100)),
    temperature: sensor(device, ['temp1_input'], 1 / 1000),
    power: sensor(device, ['power1_average', 'power1_input'], 1e-6),
    driver: textOf(join(root, 'module/amdgpu/version')) ?? 'amdgpu of the kernel',
    unified,
    source: 'sysfs',
  };
}

/**
 * AMD GPUs as the Linux driver amdgpu tells of them (Linux kernel documentation, "AMDGPU Driver - misc").
 * @param root in place of /sys
 */
export function readAmd(root = '/sys'): GpuReading {
  const cards = namesIn(join(root, 'class/drm')).filter((name) => /^card\d+$/.test(name));
  const gpus = cards.flatMap((card) => gpuOf(root, card) ?? []);
  return gpus.length === 0 ? absent : told(gpus);
}
