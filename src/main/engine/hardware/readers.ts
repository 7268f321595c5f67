// What systeminformation, nvidia-smi and the Linux kernel report of the processor and the GPUs.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Systeminformation } from 'systeminformation';
import type { Gpu } from '../../../shared/api/hardware.ts';
import { attempt } from '../attempt.ts';
import { absent, failed, type GpuReading, reported, type ToolResult, unreported } from './reading.ts';

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

function libraryGpu(
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
  const all = found?.controllers.map((controller, index) => libraryGpu(platform, controller, index)) ?? [];
  if (platform === 'win32') return reported(all.filter(({ vendor }) => vendor === 'amd'));
  return all.length === 0 ? failed('macOS reports no GPU (system_profiler).') : reported(all);
}

/** The two before the name and the six after it have no commas; the name may. */
const before = ['index', 'uuid'] as const;
const behind = ['memory.total', 'memory.used', 'utilization.gpu', 'temperature.gpu', 'power.draw', 'driver_version'] as const;

/** What is asked of `nvidia-smi`; its own help (`--help-query-gpu`) explains each. */
export const nvidiaArguments: readonly string[] = [
  `--query-gpu=${[...before, 'name', ...behind].join(',')}`,
  '--format=csv,noheader,nounits',
];

const mebibyte = 1024 ** 2;

/** `[N/A]`, `[Not Supported]`, `[Unknown Error]`, `[Insufficient Permissions]` and the like are no numbers. */
function figure(text: string | undefined): number | null {
  const word = text?.trim() ?? '';
  const value = Number(word);
  return word === '' || !Number.isFinite(value) || value < 0 ? null : value;
}

/** Machines of one memory for both (Grace, Jetson) say so of the GPU's; a GPU that is lost, or hidden from this user, says something else. */
const noMemoryOfItsOwn = /^\[(?:N\/A|Not Supported)\]$/i;

const scaled = (value: number | null, factor: number): number | null => (value === null ? null : value * factor);

function nvidiaGpu(line: string): Gpu | null {
  const cells = line.split(',').map((cell) => cell.trim());
  if (cells.length < before.length + 1 + behind.length) return null;
  const [index = '', uuid = ''] = cells;
  const name = cells.slice(before.length, -behind.length).join(', ');
  const [total, used, utilisation, temperature, power, driver = ''] = cells.slice(-behind.length);
  if (!/^\d+$/.test(index) || name === '') return null;
  const share = scaled(figure(utilisation), 1 / 100);
  return {
    id: /^(GPU|MIG)-/.test(uuid) ? uuid : `nvidia-${index}`,
    vendor: 'nvidia',
    name,
    memory_total: scaled(figure(total), mebibyte),
    memory_used: scaled(figure(used), mebibyte),
    utilisation: share === null ? null : Math.min(1, share),
    temperature: figure(temperature),
    power: figure(power),
    driver: /^\d[\d.]*$/.test(driver) ? driver : null,
    unified: noMemoryOfItsOwn.test(total ?? ''),
    source: 'nvidia-smi',
  };
}

/** Reads what the query printed. Lines that describe no GPU become notes. */
export function parseNvidiaSmi(output: string): GpuReading {
  const lines = output
    .replaceAll('\r', '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  if (lines.some((line) => /^No devices were found/i.test(line.trim()))) {
    return { ...reported([], ['nvidia-smi is installed and finds no NVIDIA GPU.']), driverTrouble: true };
  }
  const gpus = lines.flatMap((line) => nvidiaGpu(line) ?? []);
  const strange = lines.length - gpus.length;
  if (gpus.length === 0) return failed('nvidia-smi answered with something other than a list of GPUs.');
  return reported(gpus, strange === 0 ? [] : [`nvidia-smi wrote lines that describe no GPU: ${strange}.`]);
}

const noDriver =
  /couldn't communicate with the NVIDIA driver|Driver\/library version mismatch|NVML: (?:Driver Not Loaded|Unknown Error|Not Found)/i;

const lostGpu = /GPU is lost|Unable to determine the device handle/i;

const adviceOf = (output: string): string =>
  /version mismatch/i.test(output)
    ? 'The NVIDIA driver was changed since the machine started, and the running one is of another version: restart the machine.'
    : 'nvidia-smi cannot reach the NVIDIA driver: install or repair the driver, or restart the machine if it was just installed.';

/** What is wrong with a status that is not 0, as the end of a sentence. */
function statusAsText({ code, output }: Extract<ToolResult, { ended: 'badly' }>): string {
  const words = output.trim().split(/\r?\n/)[0]?.slice(0, 200).replace(/\.+$/, '');
  return `ended with status ${code ?? 'unknown'}${words ? `: ${words}` : ''}`;
}

/** Reads an end of the tool. What it wrote counts: a status of 0 can stand behind an error, and another one behind GPUs. */
export function readNvidiaResult(result: ToolResult): GpuReading {
  if (result.ended === 'missing') return absent;
  if (!('output' in result)) {
    return failed(`nvidia-smi ${result.ended === 'timeout' ? 'did not answer in time' : 'wrote too much to read'}.`);
  }
  const listed = parseNvidiaSmi(result.output);
  if (listed.gpus.length === 0 && noDriver.test(result.output)) {
    return { ...reported([], [adviceOf(result.output)]), driverTrouble: true };
  }
  if (result.ended === 'well' || listed.driverTrouble) return listed;
  if (listed.gpus.length === 0) return failed(`nvidia-smi ${statusAsText(result)}.`);
  // One GPU that fell off the bus gives the whole list a bad status.
  if (lostGpu.test(result.output)) return listed;
  return { ...listed, notes: [`nvidia-smi ended with status ${result.code ?? 'unknown'} in mid-list.`], state: 'failed' };
}

/** Windows looks for programs in the current folder first, so the full path is used there. */
export const nvidiaProgram = (platform: string, { SystemRoot = 'C:\\Windows' }: NodeJS.ProcessEnv): string =>
  platform === 'win32' ? `${SystemRoot}\\System32\\nvidia-smi.exe` : 'nvidia-smi';

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

/** Makers of display (03) and compute (12) cards by PCI classes, with or without a driver. @param root in place of /sys */
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

function amdGpu(root: string, card: string): Gpu | null {
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
  const gpus = cards.flatMap((card) => amdGpu(root, card) ?? []);
  return gpus.length === 0 ? absent : reported(gpus);
}
