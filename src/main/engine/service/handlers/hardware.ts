// Requests about the machine, and the stream of its measurements.
import type { HardwareFrame } from '../../../../shared/api/hardware.ts';
import type { HardwareManager } from '../../hardware/hardwareManager.ts';
import { withoutFolders } from '../failures.ts';
import { os } from '../os.ts';
import type { StreamSource } from '../streams.ts';

type HardwareBody = HardwareFrame['body'];

/** The newest sample takes the place of those that a screen has not seen yet; warnings come when they change. */
function hardwareSource(manager: HardwareManager): StreamSource<HardwareBody> {
  let told: string | null = null;
  let sampled = false;
  return {
    listen: (tell) =>
      manager.watch(() => {
        sampled = true;
        tell();
      }),
    take(replaceable) {
      const sample = manager.sample();
      if (!replaceable || !sampled || sample === null) return [];
      sampled = false;
      const warnings = [...manager.warnings()];
      const said = JSON.stringify(warnings);
      const changed: HardwareBody[] = said === told ? [] : [{ kind: 'warnings', warnings }];
      told = said;
      return [{ kind: 'sample', sample }, ...changed];
    },
    gap() {
      told = null;
      sampled = true;
      return { kind: 'gap' };
    },
  };
}

export const hardware = {
  read: os.hardware.read.handler(async ({ context: { service } }) => {
    const { notes, ...machine } = (await service.hardware.read()).hardware;
    // What a tool says when it fails may name folders of this machine.
    return { ...machine, notes: notes.map(withoutFolders) };
  }),
  watch: os.hardware.watch.handler(({ context: { service, streams }, signal }) =>
    streams.open(hardwareSource(service.hardware), signal),
  ),
};
