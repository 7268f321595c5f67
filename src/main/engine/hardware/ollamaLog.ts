import type { Gpu } from '../../../shared/api/hardware.ts';
import { vendorOf } from './facts.ts';
import { absent, type GpuReading, told, untold } from './reading.ts';

/** `23.7 GiB` in bytes. */
function bytesOf(text: string | undefined): number | null {
  const [, number, unit] = /^([\d.]+) (B|KiB|MiB|GiB|TiB)$/.exec(text ?? '') ?? [];
  return unit === undefined ? null : Number(number) * 1024 ** ['B', 'KiB', 'MiB', 'GiB', 'TiB'].indexOf(unit);
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
  const vendor = vendorOf(`${library} ${name}`);
  return {
    ...untold,
    id: pairs.get('id') || pairs.get('pci_id') || name,
    vendor,
    name,
    memory_total: total,
    // Of the moment at which Ollama started.
    memory_used: total === null || available === null ? null : Math.max(0, total - available),
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

/** Ways to tell that two sources mean one GPU, the surest first. Without a common id or name, order among those of a maker decides. */
const likenesses: readonly ((left: Gpu, right: Gpu) => boolean)[] = [
  (left, right) => left.id.toLowerCase() === right.id.toLowerCase() || left.id.endsWith(`-${right.id}`),
  (left, right) => left.vendor === right.vendor && left.name.toLowerCase() === right.name.toLowerCase(),
  (left, right) => left.vendor === right.vendor && left.vendor !== 'unknown',
];

/** Told by the library, whose figures of video memory have been wrong. */
const ofLibrary: ReadonlySet<Gpu['source']> = new Set(['system_profiler', 'systeminformation']);

/** What the tool knows, since its figures move; what it does not know, from the log. */
const joined = (tool: Gpu, log: Gpu): Gpu => ({
  ...tool,
  name: tool.name.startsWith('AMD GPU') ? log.name : tool.name,
  memory_total: (ofLibrary.has(tool.source) && !tool.unified ? log.memory_total : null) ?? tool.memory_total ?? log.memory_total,
  unified: tool.unified || log.unified,
});

/**
 * GPUs of the tools and of Ollama's own log, each once; `unused`: those that Ollama does not list.
 * @param logged null where there is no log of our own Ollama
 */
export function mergeGpus(tools: readonly Gpu[], logged: readonly Gpu[] | null): { gpus: Gpu[]; unused: Gpu[] } {
  if (logged === null) return { gpus: [...tools], unused: [] };
  const partners = new Map<Gpu, Gpu>();
  let left = [...logged];
  for (const alike of likenesses) {
    for (const tool of tools) {
      const partner = partners.has(tool) ? undefined : left.find((log) => alike(tool, log));
      if (partner === undefined) continue;
      partners.set(tool, partner);
      left = left.filter((log) => log !== partner);
    }
  }
  const gpus = tools.map((tool) => {
    const partner = partners.get(tool);
    return partner === undefined ? tool : joined(tool, partner);
  });
  return { gpus: [...gpus, ...left], unused: tools.filter((tool) => !partners.has(tool)) };
}
