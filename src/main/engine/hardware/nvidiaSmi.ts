import type { Gpu } from '../../../shared/api/hardware.ts';
import { absent, failed, type GpuReading, type RunTool, reported, type ToolResult } from './reading.ts';

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

function gpuOf(line: string): Gpu | null {
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
  const gpus = lines.flatMap((line) => gpuOf(line) ?? []);
  const strange = lines.length - gpus.length;
  if (gpus.length === 0) return failed('nvidia-smi answered with something other than a list of GPUs.');
  return reported(gpus, strange === 0 ? [] : [`nvidia-smi wrote lines that describe no GPU: ${strange}.`]);
}

const noDriver =
  /couldn't communicate with the NVIDIA driver|Driver\/library version mismatch|NVML: (?:Driver Not Loaded|Unknown Error|Not Found)/i;

const lostGpu = /GPU is lost|Unable to determine the device handle/i;

const driverAdvice = (output: string): string =>
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
    return { ...reported([], [driverAdvice(result.output)]), driverTrouble: true };
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

export const readNvidia = async (run: RunTool, program: string): Promise<GpuReading> =>
  readNvidiaResult(await run(program, nvidiaArguments));
