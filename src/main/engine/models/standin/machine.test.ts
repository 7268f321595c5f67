import { describe, expect, it } from 'vitest';
import { Machine } from './machine.ts';
import { inventModel } from './models.ts';
import { type MachineProfile, machines, readProfile } from './profiles.ts';

const signal = new AbortController().signal;
const quick: MachineProfile = { ...machines.workstation, timed: false, slots: 2, memory: 14e9, videoMemory: 8e9, maxLoaded: 3 };
const forever = -1;

describe('the imitated machine', () => {
  it('spares the longest common prefix of a slot', async () => {
    const machine = new Machine({ ...quick, slots: 1 });
    const model = inventModel('a:7b');
    const first = await machine.acquire(model, 2048, 'rules and facts of the case, judge', signal);
    expect(first.cached).toBe(0);
    expect(first.loadMs).toBeGreaterThan(0);
    first.release('rules and facts of the case, judge: yes', forever);
    const second = await machine.acquire(model, 2048, 'rules and facts of the case, other', signal);
    expect(second.loadMs).toBe(0);
    expect(second.cached).toBeGreaterThan(0.8);
    second.release('', forever);
    expect((await machine.acquire(model, 2048, 'nothing alike', signal)).cached).toBe(0);
  });

  it('queues beyond its slots, in order', async () => {
    const machine = new Machine(quick);
    const model = inventModel('a:7b');
    const held = [await machine.acquire(model, 2048, 'x', signal), await machine.acquire(model, 2048, 'x', signal)];
    const order: number[] = [];
    const later = [1, 2].map((id) =>
      machine.acquire(model, 2048, 'x', signal).then((lease) => {
        order.push(id);
        lease.release('', forever);
      }),
    );
    expect(machine.load()).toEqual({ busy: 2, waiting: 2 });
    held[0]?.release('', forever);
    await Promise.all(later);
    expect(order).toEqual([1, 2]);
  });

  it('evicts the longest unused idle model, reloads for another context, and knows its limits', async () => {
    const machine = new Machine(quick);
    const use = async (name: string, numCtx = 2048): Promise<number> => {
      const lease = await machine.acquire(inventModel(name), numCtx, 'x', signal);
      lease.release('', forever);
      return lease.loadMs;
    };
    await use('a:7b');
    await use('b:7b');
    await use('a:7b');
    await use('c:7b');
    expect(
      machine
        .running()
        .map(({ model }) => model.name)
        .sort(),
    ).toEqual(['a:7b', 'c:7b']);
    expect(machine.running().reduce((sum, { sizeVideo }) => sum + sizeVideo, 0)).toBeLessThanOrEqual(8e9);
    expect(await use('a:7b')).toBe(0);
    expect(await use('a:7b', 4096)).toBeGreaterThan(0);
    await expect(use('giant:70b')).rejects.toThrow('requires more system memory');
    machine.unload('a:7b');
    expect(machine.running().map(({ model }) => model.name)).toEqual(['c:7b']);
  });
});

describe('profiles', () => {
  it('are named, joined and changed', () => {
    expect(readProfile('laptop+hang:0.2+prose')).toEqual({
      machine: machines.laptop,
      faults: { hang: 0.2, prose: 0.5 },
      pullCut: 0,
    });
    expect(readProfile({ base: 'workstation+pull-cut:0.2', machine: { slots: 8 }, faults: { cut: 0.1 } })).toEqual({
      machine: { ...machines.workstation, slots: 8 },
      faults: { cut: 0.1 },
      pullCut: 0.2,
    });
    expect(readProfile({ base: 'pull-cut', pullCut: 0 }).pullCut).toBe(0);
    expect(() => readProfile({ machine: { slots: 0 } })).toThrow();
    expect(() => readProfile('laptop:7')).toThrow();
  });
});
