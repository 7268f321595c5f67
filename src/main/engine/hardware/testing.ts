import type { Gpu } from '../../../shared/api/hardware.ts';
import type { Machine, MachineReading } from './machine.ts';
import type { Clock } from './sampler.ts';

/** A clock that moves only when a test moves it. */
export function fakeClock(): Clock & { pass(milliseconds: number): void; sleep(milliseconds: number): void } {
  let now = 0;
  let timers: { at: number; action: () => void }[] = [];
  return {
    now: () => now,
    stamp: () => new Date(Date.UTC(2026, 0, 1) + now).toISOString(),
    after(milliseconds, action) {
      const timer = { at: now + milliseconds, action };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    pass(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= until).sort((left, right) => left.at - right.at);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.action();
      }
      now = until;
    },
    sleep(milliseconds) {
      now += milliseconds;
    },
  };
}

const gibibyte = 1024 ** 3;

export const someGpu: Gpu = {
  id: 'GPU-1',
  vendor: 'nvidia',
  name: 'NVIDIA GeForce RTX 4090',
  memory_total: 24 * gibibyte,
  memory_used: 6 * gibibyte,
  utilisation: 0.93,
  temperature: 64,
  power: 310,
  driver: '550.90.07',
  unified: false,
  source: 'nvidia-smi',
};

export const someReading: MachineReading = {
  gpus: [someGpu],
  notes: [],
  unsure: false,
  driverTrouble: false,
  memory: { total: 64 * gibibyte, free: 40 * gibibyte, limited: false },
};

export function machineOf(reading: () => Partial<MachineReading>): Machine {
  let busy = 0;
  const now = (): MachineReading => ({ ...someReading, ...reading() });
  return {
    processorTimes: () => {
      busy += 50;
      return { busy, all: 2 * busy };
    },
    reading: async () => now(),
    async hardware() {
      const { gpus, notes, memory } = now();
      const hardware = {
        platform: 'linux',
        architecture: 'x64',
        processor: 'Some Processor 9000',
        cores: 16,
        memory_total: memory.total,
        gpus: [...gpus],
        notes: [...notes],
      };
      return { hardware, reading: now() };
    },
  };
}
