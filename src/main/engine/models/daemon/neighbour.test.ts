import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { kept, keptFolder } from '../../testing/kept.ts';
import { createDispatcher } from '../dispatcher.ts';
import { serve } from '../testing/server.ts';
import { findNeighbour } from './forRun.ts';
import { newMark } from './leftovers.ts';
import { processIdentity } from './processes.ts';

/** A store whose note says that another program keeps an Ollama running at an address. */
async function storeWithNeighbour(url: string): Promise<string> {
  const folder = keptFolder();
  const mark = newMark();
  // A shell would have no environment for a moment, while it becomes another program.
  const child = spawn('/bin/sleep', ['600'], { stdio: 'ignore', env: { ASSIZE_DAEMON: mark } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const other = { pid: child.pid ?? 0, identity: (await processIdentity(child.pid ?? 0)) ?? '' };
  const serves = { url, slots: 2, reproducible: false };
  const note = { version: 1, mark, owner: other, daemon: other, serves };
  writeFileSync(join(folder, `store.ollama-${mark}.json`), JSON.stringify(note));
  return join(folder, 'store.db');
}

const dispatcher = () => kept(createDispatcher({ allowedHosts: [] }));

test('the Ollama of another program is found by its note', async () => {
  const server = kept(
    await serve((request, response) => {
      response.end(request.url === '/' ? 'Ollama is running' : JSON.stringify({ version: '0.33.0' }));
    }),
  );
  const store = await storeWithNeighbour(server.url);
  const found = await findNeighbour(dispatcher(), store, new AbortController().signal);
  expect(found).toEqual({ url: server.url, slots: 2, reproducible: false });
});

test('the wait for a silent one depends on the clock, not on the number of requests', async () => {
  const server = kept(await serve(() => undefined));
  const store = await storeWithNeighbour(server.url);
  expect(await findNeighbour(dispatcher(), store, new AbortController().signal, 1_000)).toBeNull();
  expect(server.requests).toHaveLength(1);
});
