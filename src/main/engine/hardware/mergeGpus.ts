import type { Gpu } from '../../../shared/api/hardware.ts';

const sameName = (left: Gpu, right: Gpu): boolean => left.name.toLowerCase() === right.name.toLowerCase();

/** Ways to tell that two sources mean one GPU, the surest first. Without a common id or name, order among those of a maker decides. */
const likenesses: readonly ((left: Gpu, right: Gpu) => boolean)[] = [
  (left, right) => left.id.toLowerCase() === right.id.toLowerCase() || left.id.endsWith(`-${right.id}`),
  (left, right) => left.vendor === right.vendor && sameName(left, right),
  (left, right) => left.vendor === right.vendor && left.vendor !== 'unknown',
];

/** What the tool knows, since its figures move; what it does not know, from the log. */
const joined = (tool: Gpu, log: Gpu): Gpu => ({
  ...tool,
  name: tool.name.startsWith('AMD GPU') ? log.name : tool.name,
  memory_total: tool.memory_total ?? log.memory_total,
  unified: tool.unified || log.unified,
});

export interface MergedGpus {
  readonly gpus: Gpu[];
  /** Those that Ollama does not list, where it lists what it computes on. */
  readonly unused: readonly Gpu[];
}

/**
 * GPUs of the tools and of Ollama's own log, each once.
 * @param logged null where no log of our own Ollama is at hand
 */
export function mergeGpus(tools: readonly Gpu[], logged: readonly Gpu[] | null): MergedGpus {
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
