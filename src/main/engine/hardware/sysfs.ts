import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Gpu } from '../../../shared/api/hardware.ts';
import { attempt } from '../attempt.ts';
import { absent, type GpuReading, reported } from './reading.ts';

/** A small text file of the kernel, trimmed; null where it cannot be read: such files come and go with drivers. */
export const textOf = (path: string): string | null => attempt(() => readFileSync(path, 'utf8').trim(), null);

/** A whole number in such a file; null where there is none. */
export function numberOf(path: string): number | null {
  const text = textOf(path);
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
}

/** Names in a folder, in order; none where it cannot be read. */
const namesIn = (folder: string): string[] => attempt(() => readdirSync(folder).sort(), []);

const makers: Readonly<Record<string, 'nvidia' | 'amd'>> = { '0x10de': 'nvidia', '0x1002': 'amd' };

/**
 * Makers of the display (03) and compute (12) cards on the PCI bus, with or without a driver; classes after the PCI Code
 * and ID Assignment Specification.
 * @param root in place of /sys
 */
export function pciCards(root: string): ReadonlySet<Gpu['vendor']> {
  const devices = join(root, 'bus/pci/devices');
  const found = namesIn(devices).filter((name) => /^0x(03|12)/.test(textOf(join(devices, name, 'class')) ?? ''));
  return new Set(found.flatMap((name) => makers[textOf(join(devices, name, 'vendor')) ?? ''] ?? []));
}

/**
 * Whether the GPU shares the machine's memory. The amdgpu driver's `gpu_metrics` begins with the size (16 bits), then the
 * format: 1 is of cards, 2 and 3 of processors with graphics. Older drivers lack it; there a small carve-out with a larger
 * part of main memory means yes.
 */
function isUnified(device: string, dedicated: number | null, shared: number | null): boolean {
  // Not every driver has the file.
  const format = attempt(() => readFileSync(join(device, 'gpu_metrics'))[2], undefined);
  if (format !== undefined) return format >= 2;
  return dedicated !== null && shared !== null && dedicated <= 1024 ** 3 && shared > dedicated;
}

function sensor(device: string, names: readonly string[], factor: number): number | null {
  const paths = namesIn(join(device, 'hwmon')).flatMap((folder) => names.map((name) => join(device, 'hwmon', folder, name)));
  const value = paths.map(numberOf).find((number) => number !== null);
  return value === undefined ? null : value * factor;
}

const sum = (left: number | null, right: number | null): number | null =>
  left === null && right === null ? null : (left ?? 0) + (right ?? 0);

function gpuOf(root: string, card: string): Gpu | null {
  const device = join(root, 'class/drm', card, 'device');
  if (makers[textOf(join(device, 'vendor')) ?? ''] !== 'amd') return null;
  const memory = (name: string) => numberOf(join(device, `mem_info_${name}`));
  const dedicated = memory('vram_total');
  const unified = isUnified(device, dedicated, memory('gtt_total'));
  const total = unified ? sum(dedicated, memory('gtt_total')) : dedicated;
  // A driver that is not amdgpu reports no memory, and such a GPU computes nothing.
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

/** AMD GPUs as the Linux driver amdgpu reports them (Linux kernel documentation, "AMDGPU Driver - misc"). @param root in place of /sys */
export function readAmd(root = '/sys'): GpuReading {
  const cards = namesIn(join(root, 'class/drm')).filter((name) => /^card\d+$/.test(name));
  const gpus = cards.flatMap((card) => gpuOf(root, card) ?? []);
  return gpus.length === 0 ? absent : reported(gpus);
}
