import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { forkEngine } from './engineProcess.ts';

it('ends an engine that hears nothing', async () => {
  const hung = spawn(process.execPath, ['--eval', 'process.on("SIGTERM", () => {}); console.log(1); for (;;);']);
  await once(hung.stdout, 'data');
  const child = Object.assign(new EventEmitter(), { pid: hung.pid, postMessage: vi.fn(), kill: vi.fn() });
  const launch = { store: 'store.db', resources: 'resources', incarnation: 1, session: 'one' };
  forkEngine(() => child, 'engine.js', launch).kill();
  expect(await once(hung, 'exit')).toEqual([null, 'SIGKILL']);
  expect(child.kill).not.toHaveBeenCalled();
});
