// Requests that read and change the settings.
import { os } from '../os.ts';

export const settings = {
  read: os.settings.read.handler(({ context }) => context.service.settings.read()),
  change: os.settings.change.handler(async ({ context: { service }, input }) => {
    const changed = service.settings.change(input);
    // Calls to a host that is allowed no more end now and not with the next call.
    service.network.dispatcher();
    service.changes.status();
    if (input.ollamaUrl !== undefined) await service.daemon.moved();
    return changed;
  }),
};
