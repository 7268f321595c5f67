import type { QueryProgress, TellProgress } from '../queries/query.ts';

/** How far long answers are, by name. Of several with one name, the latest progress is shown until all have ended. */
export function openProgressBoard() {
  const shown = new Map<string, QueryProgress>();
  const underWay = new Map<string, number>();
  const listeners = new Set<() => void>();
  const change = (name: string, progress: QueryProgress | null) => {
    if (progress === null) shown.delete(name);
    else shown.set(name, progress);
    for (const listener of listeners) listener();
  };
  return {
    of: (name: string): QueryProgress | null => shown.get(name) ?? null,
    /** Shows the progress that an action reports until it ends. */
    async during<T>(name: string, action: (tell: TellProgress) => Promise<T>): Promise<T> {
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
    /** Returns what ends the listening. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type ProgressBoard = ReturnType<typeof openProgressBoard>;
