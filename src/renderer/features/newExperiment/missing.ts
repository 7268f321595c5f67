import { ollamaBackend } from '../../../shared/api/engine.ts';
import type { Draft } from '../../../shared/api/experiments.ts';
import { type Found, foundAt, modelsAt } from '../protocols/backends.ts';

export interface Missing {
  /** Commands that fetch what an Ollama server lacks, one a line; null where none does. */
  readonly pull: string | null;
  /** What other servers lack, in words. */
  readonly elsewhere: readonly string[];
}

/** How to get the models that a plan found missing, at the servers that the draft asks for them. */
export function missingAt({ arms, backend }: Pick<Draft, 'arms' | 'backend'>, missing: readonly string[], found: Found): Missing {
  const asked = new Map<string, { server: string; model: string }>();
  for (const { model, backend: server } of arms.flatMap(({ cast }) => Object.values(cast))) {
    if (missing.includes(model)) asked.set(JSON.stringify([server, model]), { server, model });
  }
  const pulls = new Set<string>();
  const elsewhere: string[] = [];
  for (const { server, model } of asked.values()) {
    const report = foundAt(found, server);
    const has = modelsAt(found, backend, server);
    const isOllama = server === ollamaBackend || (report !== undefined && 'kind' in report && report.kind === 'ollama');
    if (has.includes(model) || (isOllama && has.includes(`${model}:latest`))) continue;
    if (isOllama) pulls.add(`ollama pull ${model}`);
    else {
      const offers = has.length === 0 ? '' : ` It has ${has.slice(0, 5).join(', ')}.`;
      elsewhere.push(`The server ${server} does not list ${model}.${offers}`);
    }
  }
  return { pull: pulls.size === 0 ? null : [...pulls].join('\n'), elsewhere };
}
