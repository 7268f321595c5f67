import type { Gpu } from '../../../shared/api/hardware.ts';
import { absent, type GpuReading, told } from './reading.ts';

const units: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 };

/** `23.7 GiB` in bytes. */
function bytesOf(text: string | undefined): number | null {
  const [, number, unit] = /^([\d.]+) (B|KiB|MiB|GiB|TiB)$/.exec(text ?? '') ?? [];
  const factor = unit === undefined ? undefined : units[unit];
  return number === undefined || factor === undefined ? null : Number(number) * factor;
}

/** Pairs of a line as Go's text log handler writes them: `key=value`, or `key="value"` with backslashes before quotes. */
function pairsIn(line: string): Map<string, string> {
  const found = line.matchAll(/(?:^|\s)([A-Za-z_][\w.]*)=("(?:[^"\\]|\\.)*"|\S*)/g);
  return new Map(
    [...found].map(([, key = '', value = '']) => [
      key,
      value.startsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, '$1') : value,
    ]),
  );
}

function vendorOf(library: string, name: string): Gpu['vendor'] {
  if (/cuda/i.test(library) || /nvidia/i.test(name)) return 'nvidia';
  if (/rocm|hip/i.test(library) || /\bamd\b|radeon/i.test(name)) return 'amd';
  if (/metal/i.test(library) || /apple/i.test(name)) return 'apple';
  return /oneapi|sycl/i.test(library) || /intel/i.test(name) ? 'intel' : 'unknown';
}

/** GPU of one line; null where it tells of none, or of the processor. */
function gpuOf(line: string): Gpu | null {
  const pairs = pairsIn(line);
  if (pairs.get('msg') !== 'inference compute') return null;
  const library = pairs.get('library') ?? '';
  if (library === '' || /^cpu/i.test(library)) return null;
  // Newer versions call it by its place (CUDA0) and describe it besides.
  const name = pairs.get('description') || pairs.get('name') || library;
  const total = bytesOf(pairs.get('total'));
  const available = bytesOf(pairs.get('available'));
  const vendor = vendorOf(library, name);
  return {
    id: pairs.get('id') || pairs.get('pci_id') || name,
    vendor,
    name,
    memory_total: total,
    // Of the moment at which Ollama started.
    memory_used: total === null || available === null ? null : Math.max(0, total - available),
    utilisation: null,
    temperature: null,
    power: null,
    driver: pairs.get('driver') || null,
    unified: vendor === 'apple' || pairs.get('type') === 'iGPU',
    source: 'ollama-log',
  };
}

/**
 * GPUs that our own Ollama computes on, out of its log: what matters in the end, since a card that it does not list is
 * not used, whatever others tell. Of several starts the last one holds.
 */
export function parseOllamaLog(lines: readonly string[]): GpuReading {
  const start = lines.findLastIndex((line) =>
    /msg="(Listening on|server config|looking for compatible GPUs|discovering available GPUs)/.test(line),
  );
  const tail = lines.slice(Math.max(0, start));
  if (!tail.some((line) => pairsIn(line).get('msg') === 'inference compute')) return absent;
  const gpus = tail.flatMap((line) => gpuOf(line) ?? []);
  const unique = [...new Map(gpus.map((gpu) => [gpu.id, gpu])).values()];
  return told(unique, unique.length === 0 ? ['Ollama itself says that it computes on the processor alone.'] : []);
}
