import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hardwareSchema } from '../../../../shared/api/hardware.ts';
import { keptFolder } from '../../testing/kept.ts';
import { openEngineRoom } from '../testing/engineRoom.ts';

const room = openEngineRoom({ name: 'hardware' });
afterAll(room.close);

test('the machine is read as the contract says', async () => {
  const hardware = hardwareSchema.parse(await room.client.hardware.read({}));
  expect(hardware.cores).toBeGreaterThan(0);
  expect(hardware.memory_total).toBeGreaterThan(2 ** 28);
  expect(room.kept).toEqual([]);
});

test('a watcher gets samples, one after the other, and the current warnings', async () => {
  const stream = await room.client.hardware.watch({});
  const stamps = new Set<string>();
  for await (const { sample } of stream) {
    stamps.add(sample.at);
    expect(sample.memory_free).toBeGreaterThan(0);
    if (stamps.size === 2) break;
  }
  // No one watches any more, so nothing is sampled or kept.
  await expect.poll(() => room.service.hardware.sample()).toBeNull();
  expect(room.kept).toEqual([]);
});

test('a tool that fails shows a screen no folders', async () => {
  const folder = keptFolder();
  const program = join(folder, 'nvidia-smi');
  writeFileSync(program, '#!/bin/sh\necho "/opt/secret/bin/nvidia-smi: cannot open shared object file" >&2\nexit 127\n');
  chmodSync(program, 0o755);
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  const machine = openEngineRoom({ name: 'hardware-tools' });
  try {
    expect((await machine.client.hardware.read({})).notes).toContain(
      'nvidia-smi ended with status 127: nvidia-smi: cannot open shared object file.',
    );
  } finally {
    process.env.PATH = PATH;
    await machine.close();
  }
});
