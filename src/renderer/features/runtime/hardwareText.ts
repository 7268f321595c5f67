import { type Gpu, type Hardware, type HardwareSample, paceWithoutGpu } from '../../../shared/api/hardware.ts';
import type { LoadedModel } from '../../../shared/api/models.ts';
import { duration } from '../../../shared/sizes.ts';
import { memorySize, quantity } from '../../ui/quantity.ts';

export const percentText = (share: number): string => `${Math.round(share * 100)}%`;

const vendors: Readonly<Record<Gpu['vendor'], string>> = {
  nvidia: 'NVIDIA',
  amd: 'AMD',
  apple: 'Apple',
  intel: 'Intel',
  unknown: '',
};

const sources: Readonly<Record<Gpu['source'], string>> = {
  'nvidia-smi': 'nvidia-smi',
  sysfs: 'the kernel',
  system_profiler: 'system_profiler',
  systeminformation: 'the system',
  'ollama-log': 'Ollama’s log',
};

const platforms: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' };

/** `32 cores, Linux, x64`. */
export function machineFacts({ cores, platform, architecture }: Pick<Hardware, 'cores' | 'platform' | 'architecture'>): string {
  return `${quantity(cores, 'core')}, ${platforms[platform] ?? platform}, ${architecture}`;
}

export function gpuName({ vendor, name }: Pick<Gpu, 'vendor' | 'name'>): string {
  const maker = vendors[vendor];
  return maker === '' || name.toLowerCase().includes(maker.toLowerCase()) ? name : `${maker} ${name}`;
}

export interface Measure {
  readonly share: number | null;
  readonly words: string;
}

export function gpuMemory({ memory_used: used, memory_total: total }: Pick<Gpu, 'memory_used' | 'memory_total'>): Measure {
  if (total === null) return { share: null, words: used === null ? 'unknown' : `${memorySize(used)} used` };
  if (used === null) return { share: null, words: `${memorySize(total)}, use unknown` };
  return { share: total === 0 ? null : Math.min(1, used / total), words: `${memorySize(used)} of ${memorySize(total)}` };
}

export const shareMeasure = (share: number | null): Measure => ({
  share,
  words: share === null ? 'unknown' : percentText(share),
});

export function mainMemory(total: number, sample: Pick<HardwareSample, 'memory_free'> | null): Measure {
  if (sample === null || total === 0) return { share: null, words: memorySize(total) };
  const used = Math.max(0, total - sample.memory_free);
  return { share: Math.min(1, used / total), words: `${memorySize(used)} of ${memorySize(total)}` };
}

/** What else is known of a GPU: `54 °C · 120 W · driver 570.86 · reported by nvidia-smi`. */
export function gpuFacts({ temperature, power, driver, unified, source }: Gpu): string {
  const parts = [
    temperature === null ? null : `${Math.round(temperature)} °C`,
    power === null ? null : `${Math.round(power)} W`,
    driver === null ? null : `driver ${driver}`,
    unified ? 'its memory is the machine’s own' : null,
    `reported by ${sources[source]}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

/** How much of a loaded model is on the GPU, and what that means. */
export function placeText(share: number): { words: string; tone: 'good' | 'warn' | 'bad' } {
  if (share >= 1) return { words: 'all of it', tone: 'good' };
  if (share <= 0) return { words: 'nothing: computed by the processor, slowly', tone: 'bad' };
  const percent = Math.min(99, Math.max(1, Math.round(share * 100)));
  return { words: `${percent}%, the rest computed by the processor`, tone: 'warn' };
}

/** When the server unloads a model by itself. Ollama says "for ever" with an expiry centuries away. */
export function expiryText({ expires_at: at }: Pick<LoadedModel, 'expires_at'>, now: number): string {
  const left = at === null ? Number.POSITIVE_INFINITY : (Date.parse(at) - now) / 1000;
  if (Number.isNaN(left)) return 'for an unknown time';
  if (left > 365 * 86_400) return 'until it is unloaded';
  return left <= 0 ? 'is being unloaded' : `for ${duration(left)} more if nothing is asked`;
}

/** Of a machine on which Assize finds no GPU. A server that says it uses one is elsewhere, or knows of one that the tools do not show. */
export const withoutGpu = ({ loaded }: { readonly loaded: readonly { readonly gpu_share: number }[] }): string =>
  loaded.some(({ gpu_share: share }) => share > 0)
    ? 'Assize found no GPU on this machine; the server says that it uses one.'
    : `No GPU was found on this machine: the processor computes what runs here, and ${paceWithoutGpu}.`;
