import { useEffect, useRef, useState } from 'react';

type ProgressOf<Frame> = Extract<Frame, { kind: 'progress' }>;

export type Task<Frame> =
  | { readonly state: 'idle' }
  /** `since`: as `performance.now` counts, which cannot be set. */
  | { readonly state: 'running'; readonly progress: ProgressOf<Frame> | null; readonly since: number }
  | { readonly state: 'done'; readonly result: Exclude<Frame, ProgressOf<Frame>>; readonly at: Date }
  | { readonly state: 'failed'; readonly error: unknown };

const isProgress = <Frame extends { kind: string }>(frame: Frame): frame is ProgressOf<Frame> => frame.kind === 'progress';

/** Something long that the engine reports on; one at a time, ending with the screen. @param onDone after its last frame or its failure */
export function useTask<Frame extends { kind: string }, Input = void>(
  open: (signal: AbortSignal, input: Input) => Promise<AsyncIterable<Frame>>,
  onDone?: () => unknown,
) {
  const [task, setTask] = useState<Task<Frame>>({ state: 'idle' });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async (input: Input) => {
    controller.current?.abort();
    const mine = new AbortController();
    controller.current = mine;
    const since = performance.now();
    setTask({ state: 'running', progress: null, since });
    try {
      for await (const frame of await open(mine.signal, input)) {
        if (mine.signal.aborted) return;
        if (isProgress(frame)) setTask({ state: 'running', progress: frame, since });
        else setTask({ state: 'done', result: frame as Exclude<Frame, ProgressOf<Frame>>, at: new Date() });
      }
    } catch (error) {
      if (mine.signal.aborted) return;
      setTask({ state: 'failed', error });
    }
    await onDone?.();
  };
  const cancel = () => {
    controller.current?.abort();
    setTask({ state: 'idle' });
  };
  return { task, start: (input: Input) => void start(input), cancel };
}
