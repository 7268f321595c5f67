import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const program = resolve(import.meta.dirname, '../../../bin/assize.js');

const lineSchema = z.object({
  event: z.enum(['arrived', 'answered']),
  id: z.int(),
  time: z.string(),
  bodySha256: z.string(),
  status: z.int().nullable(),
});
export type LoggedRequest = z.infer<typeof lineSchema>;

/** The stand-in as a server of its own, which outlives the program: what a user's Ollama is to it. */
export interface StandinProcess {
  readonly url: string;
  /** Requests as they arrived and were answered, in order. */
  log(): LoggedRequest[];
  stop(): Promise<void>;
}

/** @param profile such as `workstation`, at whose pace a person can follow, or `instant` */
export async function startStandinProcess(profile: string): Promise<StandinProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'assize-standin-'));
  const logFile = join(folder, 'requests.jsonl');
  const child = spawn(process.execPath, [program, 'standin', '--port', '0', '--profile', profile, '--log', logFile], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const url = await Promise.race([
    once(child.stdout, 'data').then(([text]: unknown[]) => String(text).trim()),
    ended.then(() => Promise.reject(new Error('the stand-in did not start'))),
  ]);
  return {
    url,
    log: () =>
      readFileSync(logFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => lineSchema.parse(JSON.parse(line))),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
