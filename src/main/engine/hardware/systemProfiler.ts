import { z } from 'zod';
import type { Gpu } from '../../../shared/api/hardware.ts';
import { failed, type GpuReading, told } from './reading.ts';
import { type RunTool, type ToolResult, toolTrouble } from './tool.ts';

export const profilerProgram = '/usr/sbin/system_profiler';
export const profilerArguments: readonly string[] = ['-json', 'SPDisplaysDataType', 'SPHardwareDataType'];

const output = z.object({
  SPDisplaysDataType: z
    .array(
      z.object({
        _name: z.string().optional(),
        sppci_model: z.string().optional(),
        spdisplays_vendor: z.string().optional(),
        spdisplays_vram: z.string().optional(),
        sppci_cores: z.string().optional(),
      }),
    )
    .default([]),
  SPHardwareDataType: z
    .array(
      z.object({ chip_type: z.string().optional(), cpu_type: z.string().optional(), physical_memory: z.string().optional() }),
    )
    .default([]),
});

const units: Readonly<Record<string, number>> = { MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

/** `1536 MB` in bytes; the tool means powers of 1024. */
function bytesOf(text: string | undefined): number | null {
  const [, number, unit] = /^([\d.]+) ?(MB|GB|TB)$/.exec(text ?? '') ?? [];
  const factor = unit === undefined ? undefined : units[unit];
  return number === undefined || factor === undefined ? null : Number(number) * factor;
}

function vendorOf(text: string): Gpu['vendor'] {
  if (/apple/i.test(text)) return 'apple';
  if (/amd|ati|radeon|0x1002/i.test(text)) return 'amd';
  if (/nvidia|0x10de/i.test(text)) return 'nvidia';
  return /intel|0x8086/i.test(text) ? 'intel' : 'unknown';
}

export interface ProfilerReading extends GpuReading {
  /** Name of the chip or processor; null where the tool does not tell. */
  readonly processor: string | null;
}

/** Reads what the tool printed. It also tells serial numbers: those are not read. */
export function parseSystemProfiler(text: string): ProfilerReading {
  let printed: z.infer<typeof output>;
  try {
    printed = output.parse(JSON.parse(text));
  } catch {
    return { ...failed('system_profiler answered with something other than what it is known to print.'), processor: null };
  }
  const [machine] = printed.SPHardwareDataType;
  const memory = bytesOf(machine?.physical_memory);
  const gpus = printed.SPDisplaysDataType.map((display, index): Gpu => {
    const vendor = vendorOf(`${display.spdisplays_vendor ?? ''} ${display.sppci_model ?? ''}`);
    const own = bytesOf(display.spdisplays_vram);
    const name = display.sppci_model ?? display._name ?? 'GPU';
    return {
      id: `macos-${index}`,
      vendor,
      name: display.sppci_cores === undefined ? name : `${name} (${display.sppci_cores} cores)`,
      memory_total: own ?? memory,
      memory_used: null,
      utilisation: null,
      temperature: null,
      power: null,
      driver: null,
      unified: own === null,
      source: 'system_profiler',
    };
  });
  return { ...told(gpus), processor: machine?.chip_type ?? machine?.cpu_type ?? null };
}

export function readProfilerResult(result: ToolResult): ProfilerReading {
  if (result.ended === 'well') return parseSystemProfiler(result.output);
  return { ...failed(`system_profiler ${toolTrouble(result) ?? 'is not there'}.`), processor: null };
}

export async function readApple(run: RunTool): Promise<ProfilerReading> {
  return readProfilerResult(await run(profilerProgram, profilerArguments));
}
