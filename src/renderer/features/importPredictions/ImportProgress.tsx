import { useRef } from 'react';
import type { ImportReport } from '../../../shared/imported.ts';
import { duration } from '../../../shared/sizes.ts';
import { useRead } from '../../api/ApiContext.tsx';

const everyMs = 1000;

/** How far an import is, from what is on the record of its arms by now. @param expected the result of the whole import */
export function ImportProgress({ expected: { experiment, arms, trials } }: { expected: ImportReport }) {
  const started = useRef<{ at: number; done: number } | null>(null);
  const counts = useRead(['imports', 'progress', experiment], (api, given) => api.experiments.read({ experiment }, given), {
    refetchInterval: everyMs,
    gcTime: 0,
  });
  const names = new Set(arms.map(({ arm }) => arm));
  const done = counts.data?.arms.filter(({ name }) => names.has(name)).reduce((sum, arm) => sum + arm.done, 0);
  if (done === undefined) return 'Reading the file…';
  started.current ??= { at: performance.now(), done };
  const seconds = (performance.now() - started.current.at) / 1000;
  const rate = seconds > 0 ? (done - started.current.done) / seconds : 0;
  const words = `${done.toLocaleString('en-GB')} of ${trials.toLocaleString('en-GB')} on the record`;
  if (rate <= 0) return words;
  const left = duration(Math.max(0, trials - done) / rate);
  return `${words} · ${Math.round(rate).toLocaleString('en-GB')} a second · about ${left} left`;
}
