import type { QueryProgress } from '../queries/query.ts';
import type { ProgressBoard } from './service.ts';

/** How far long answers are, by name. Of several about one name, the last that told is shown until the last has ended. */
export function openProgressBoard(): ProgressBoard {
  const shown = new Map<string, QueryProgress>();
  const underWay = new Map<string, number>();
  const listeners = new Set<() => void>();
  const change = (name: string, progress: QueryProgress | null) => {
    if (progress === null) shown.delete(name);
    else shown.set(name, progress);
    for (const listener of listeners) listener();
  };
  return {
    of: (name) => shown.get(name) ?? null,
    async during(name, action) {
      underWay.set(name, (underWay.get(name) ?? 0) + 1);
      try {
        return await action((progress) => change(name, progress));
      } finally {
        const left = (underWay.get(name) ?? 1) - 1;
        if (left > 0) underWay.set(name, left);
        else {
          underWay.delete(name);
          change(name, null);
        }
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
