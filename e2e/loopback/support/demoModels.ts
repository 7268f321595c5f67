import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DemoServer, startDemoServer } from '../../../src/main/engine/models/demo/demoServer.ts';

const program = resolve(import.meta.dirname, '../../../out/headless/assize.js');

/** A quarter of a second for a call: time to see it, and to end the engine in its middle. */
export const slowDemo = (): Promise<DemoServer> =>
  startDemoServer({
    profile: {
      base: 'workstation',
      machine: { promptRate: 20_000, decodeRate: 600, slots: 8, loadRate: 2 ** 40 },
    },
  });

export interface DemoProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** `assize standin`, which answers at once: what a user may have in place of Ollama. */
export async function startDemoProcess(): Promise<DemoProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-standin-'));
  const child = spawn(process.execPath, [program, 'standin', '--port', '0'], {
    env: { PATH: process.env.PATH, HOME: folder, ASSIZE_LOG_DIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    once(child.stdout, 'data').then(([text]: unknown[]) => String(text).trim()),
    ended.then(() => Promise.reject(new Error('the demo model did not start'))),
  ]);
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
