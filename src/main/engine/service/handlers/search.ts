// Requests that look for words in everything that was said.
import type { SearchFrame } from '../../../../shared/api/search.ts';
import { os } from '../os.ts';
import { latestFrames } from '../streams.ts';

export const search = {
  find: os.search.find.handler(({ context: { queries }, input, signal: outer }) =>
    latestFrames<SearchFrame>(outer, async (signal, show) => ({
      kind: 'done',
      result: await queries.run('search', input, signal, ({ counted }) => {
        if (counted !== undefined) show({ kind: 'progress', ...counted });
      }),
    })),
  ),
};
