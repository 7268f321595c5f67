// The stream of all trials that run now.
import { liveSource } from '../liveSource.ts';
import { os } from '../os.ts';
import { follow } from '../streams.ts';

export const live = {
  watch: os.live.watch.handler(async ({ context: service, input: { experiment }, signal }) => {
    // Throws not-found.
    if (experiment !== null) await service.queries.run('runOrder', { experiment }, signal);
    return follow(liveSource(service, experiment), signal);
  }),
};
