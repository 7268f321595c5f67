import { type RecordFrame, recordFrameSchema } from '../../../../shared/api/record.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { latestFrames } from './latestFrames.ts';

/** Progress of a check of the whole record, and what was found. */
const checked = ({ queries }: Service, outer: AbortSignal | undefined): AsyncGenerator<RecordFrame, void> =>
  latestFrames<RecordFrame>(outer, async (signal, show) => ({
    kind: 'done',
    check: await queries.run('recordCheck', null, signal, ({ what, counted }) => {
      const frame = recordFrameSchema.safeParse({ kind: 'progress', stage: what, ...counted });
      if (frame.success) show(frame.data);
    }),
  }));

export const record = {
  check: os.record.check.handler(({ context: { service }, signal }) => checked(service, signal)),
};
