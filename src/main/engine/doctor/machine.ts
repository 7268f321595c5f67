// Checks of the program and the machine.
import { release, version } from 'node:os';
import type { Gpu, Hardware } from '../../../shared/api/hardware.ts';
import type { DoctorCheck } from '../../../shared/outputs.ts';
import { memorySize } from '../../../shared/sizes.ts';
import type { MachineReading } from '../hardware/machine.ts';
import { programVersion } from '../version.ts';
import { ok, warning } from './check.ts';

function gpuText({ name, memory_total, memory_used, driver, unified, utilisation, temperature, source }: Gpu): string {
  const shared = unified ? ' shared with the machine' : '';
  const used = memory_used === null ? [] : [`${memorySize(memory_used)} of it in use`];
  return [
    name,
    ...(memory_total === null ? ['memory not told'] : [`${memorySize(memory_total)} memory${shared}`, ...used]),
    ...(utilisation === null ? [] : [`${Math.round(utilisation * 100)}% busy`]),
    ...(temperature === null ? [] : [`${Math.round(temperature)} °C`]),
    ...(driver === null ? [] : [`driver ${driver}`]),
    `told by ${source}`,
  ].join(', ');
}

/** GPUs, and why none is there. */
function checkGpus({ gpus, notes, driverTrouble }: MachineReading): DoctorCheck[] {
  const told = gpus.map((gpu, index) => ok(gpus.length === 1 ? 'gpu' : `gpu ${index}`, gpuText(gpu)));
  if (driverTrouble) {
    return [...told, warning('gpu driver', 'there is a GPU that cannot be used', notes.join(' '))];
  }
  const unread = notes.map((note) => warning('gpu reading', note, 'run the tool by hand to see what it says'));
  if (told.length > 0 || unread.length > 0) return [...told, ...unread];
  return [ok('gpu', 'none: models are computed by the processor, so that a trial takes minutes where a GPU takes seconds')];
}

/** Program and machine. */
export function checkMachine(hardware: Hardware, reading: MachineReading): DoctorCheck[] {
  const { platform, architecture, processor, cores } = hardware;
  const { total, free, limited } = reading.memory;
  return [
    ok('assize', programVersion),
    ok('node', `${process.versions.node} on ${process.platform} ${process.arch}`),
    ok('system', `${platform} ${architecture}, ${release()} (${version()})`),
    ok('processor', `${processor}, ${cores} core${cores === 1 ? '' : 's'}`),
    ok('memory', `${memorySize(total)}${limited ? ' (the limit of this container)' : ''}, ${memorySize(free)} free`),
    ...checkGpus(reading),
  ];
}
