import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { TrainFrame } from '../../../shared/api/assistants.ts';
import type { TrainReport } from '../../../shared/assistants.ts';
import { useApi } from '../../api/ApiContext.tsx';

type Progress = Extract<TrainFrame, { kind: 'progress' }>;

export type TrainingState =
  | { readonly state: 'idle' }
  | { readonly state: 'training'; readonly progress: Progress | null }
  | { readonly state: 'done'; readonly report: TrainReport }
  | { readonly state: 'failed'; readonly error: unknown };

const assistantsKey = (experiment: string) => ['assistants', experiment] as const;

export function useAssistants(experiment: string) {
  const api = useApi();
  return useQuery({
    queryKey: assistantsKey(experiment),
    queryFn: ({ signal }) => api.assistants.look({ experiment }, { signal }),
    refetchOnMount: 'always',
  });
}

/** One training at a time; it ends with the screen, and what it has made of vectors is kept. */
export function useTraining(experiment: string) {
  const api = useApi();
  const queries = useQueryClient();
  const [state, setState] = useState<TrainingState>({ state: 'idle' });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async () => {
    controller.current?.abort();
    const mine = new AbortController();
    controller.current = mine;
    setState({ state: 'training', progress: null });
    try {
      for await (const frame of await api.assistants.train({ experiment }, { signal: mine.signal })) {
        if (mine.signal.aborted) return;
        if (frame.kind === 'progress') setState({ state: 'training', progress: frame });
        else setState({ state: 'done', report: frame.report });
      }
      await queries.invalidateQueries({ queryKey: assistantsKey(experiment) });
    } catch (error) {
      if (!mine.signal.aborted) setState({ state: 'failed', error });
    }
  };
  const cancel = () => {
    controller.current?.abort();
    setState({ state: 'idle' });
  };
  return { state, start: () => void start(), cancel };
}
