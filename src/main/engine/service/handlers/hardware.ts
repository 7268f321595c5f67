// Requests about the machine, and the stream of its measurements.
import { withoutFolders } from '../failures.ts';
import { os } from '../os.ts';
import { follow, newestOf } from '../streams.ts';

export const hardware = {
  read: os.hardware.read.handler(async ({ context: service }) => {
    const { notes, ...machine } = (await service.hardware.read()).hardware;
    // What a tool says when it fails may name folders of this machine.
    return { ...machine, notes: notes.map(withoutFolders) };
  }),
  watch: os.hardware.watch.handler(({ context: { hardware: manager }, signal }) => {
    const frame = () => {
      const sample = manager.sample();
      return sample === null ? null : { sample, warnings: [...manager.warnings()] };
    };
    return follow(
      newestOf((changed) => manager.watch(() => changed('sample')), { sample: frame }),
      signal,
    );
  }),
};
