import { setTimeout as sleep } from 'node:timers/promises';
import { type RecordFrame, recordFrameSchema } from '../../../../shared/api/record.ts';
import { frameIntervalMs } from '../../../../shared/api/streams.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';

/** Progress now and then, and what was found. When nobody listens any more, the check ends. */
async function* checked({ queries }: Service, outer: AbortSignal | undefined): AsyncGenerator<RecordFrame, void> {
  const left = new AbortController();
  const signal = outer === undefined ? left.signal : AbortSignal.any([outer, left.signal]);
  let latest: RecordFrame | null = null;
  const result = queries.run('recordCheck', null, signal, ({ what, counted }) => {
    const frame = recordFrameSchema.safeParse({ kind: 'progress', stage: what, ...counted });
    if (frame.success) latest = frame.data;
  });
  const ended = result.then(
    () => true,
    () => true,
  );
  try {
    while (!(await Promise.race([ended, sleep(frameIntervalMs, false)]))) {
      const frame = latest;
      latest = null;
      if (frame !== null) yield frame;
    }
    yield { kind: 'done', check: await result };
  } finally {
    left.abort();
  }
}

export const record = {
  check: os.record.check.handler(({ context: { service }, signal }) => checked(service, signal)),
};
