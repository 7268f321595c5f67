import { useEffect, useRef, useState } from 'react';
import type { RecordCheck, RecordFrame } from '../../../shared/api/record.ts';
import { useApi } from '../../api/ApiContext.tsx';

type Progress = Extract<RecordFrame, { kind: 'progress' }>;

export type CheckState =
  | { readonly state: 'idle' }
  | { readonly state: 'checking'; readonly progress: Progress | null; readonly since: number }
  | { readonly state: 'done'; readonly check: RecordCheck; readonly at: Date }
  | { readonly state: 'failed'; readonly error: unknown };

/** One check of the whole record at a time; it ends with the screen. */
export function useRecordCheck() {
  const api = useApi();
  const [state, setState] = useState<CheckState>({ state: 'idle' });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async () => {
    controller.current?.abort();
    const mine = new AbortController();
    controller.current = mine;
    const since = Date.now();
    setState({ state: 'checking', progress: null, since });
    try {
      for await (const frame of await api.record.check({}, { signal: mine.signal })) {
        if (mine.signal.aborted) return;
        if (frame.kind === 'progress') setState({ state: 'checking', progress: frame, since });
        else setState({ state: 'done', check: frame.check, at: new Date() });
      }
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
