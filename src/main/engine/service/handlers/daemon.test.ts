import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { daemonSettingsSchema } from '../../../../shared/api/daemon.ts';
import { runtimeSchema } from '../../../../shared/experiment.ts';
import { openLogTail } from '../../models/daemon/daemonProcess.ts';
import { type FakeBehaviour, type FakeOllama, fakeOllama } from '../../models/daemon/testing/fakeOllama.ts';
import { lastingPort } from '../../models/testing/server.ts';
import { withoutFolders } from '../failures.ts';
import { type EngineRoom, openEngineRoom } from '../testing/engineRoom.ts';
import { logTeller } from './machine.ts';

let room: EngineRoom;
let fake: FakeOllama | null = null;
const before = process.env.ASSIZE_OLLAMA;

beforeEach(async () => {
  room = openEngineRoom({ name: 'daemon' });
  await room.client.settings.change({ ollamaUrl: `http://127.0.0.1:${await lastingPort()}` });
});

afterEach(async () => {
  await room.close();
  process.env.ASSIZE_OLLAMA = before;
  expect(room.kept).toEqual([]);
  expect(fake?.survivors() ?? []).toEqual([]);
  fake?.remove();
});

function install(behaviour: FakeBehaviour): FakeOllama {
  fake = fakeOllama(behaviour);
  process.env.ASSIZE_OLLAMA = fake.program;
  Object.assign(process.env, fake.env);
  return fake;
}

const planNotes = async () => {
  const plan = await room.client.experiments.plan({
    entry: 'deposits',
    sample: { from: 'test', n: 2 },
    seed: 7,
    replicates: 1,
    backend: 'ollama',
    runtime: runtimeSchema.parse({ reproducible: true }),
    arms: [{ name: 'cot', protocol: 'standard', params: { style: 'cot' }, cast: { '*': { model: 'm:1' } } }],
  });
  return plan.notes.join('\n');
};

test('security 08: what Ollama says when it fails reaches a screen without folders', async () => {
  install({ earlyDeaths: 100 });
  const status = await room.client.daemon.start({});
  expect(status).toMatchObject({ state: 'failed', own: false, deaths: 3 });
  expect(status.problem).toMatch(/ended 3 times in a row .*mkdir models: permission denied/);
  const texts: string[] = [];
  for await (const body of await room.client.daemon.watch({})) {
    if (body.kind !== 'log') continue;
    texts.push(...body.log.lines.map(({ text }) => text));
    break;
  }
  expect(texts).toEqual(Array.from({ length: 3 }, () => 'Error: mkdir models: permission denied'));
});

test('a plan says what is not guaranteed of a reproducible run, depending on which server answers', async () => {
  install({ standin: true });
  expect(await planNotes()).toContain('was not started by this program');
  await room.client.daemon.start({});
  expect(await planNotes()).toContain('is not in reproducible mode');
  await room.client.settings.change({ daemon: daemonSettingsSchema.parse({ reproducible: true }) });
  await room.client.daemon.stop({});
  expect(await room.client.daemon.start({})).toMatchObject({ state: 'ready', own: true });
  expect(await planNotes()).not.toContain('not guaranteed');
});

test('a change of the address ends our own at once', async () => {
  const { lives, survivors } = install({});
  const { pid } = await room.client.daemon.start({});
  expect(lives().map((life) => life.pid)).toEqual([pid]);
  await room.client.settings.change({ ollamaUrl: `http://127.0.0.1:${await lastingPort()}` });
  expect(survivors()).toEqual([]);
  expect(await room.client.daemon.status({})).toMatchObject({ state: 'away', own: false });
});

test('each line of a growing log is searched once, and none is shown with its folders', () => {
  const tellable = vi.fn(withoutFolders);
  const tell = logTeller(tellable);
  const log = openLogTail();
  const seen: string[][] = [];
  for (let frame = 0; frame < 50; frame += 1) {
    log.write('stderr', `msg="cannot open /home/jane/.ollama/models/blob-${frame}"\n`);
    seen.push(tell(log.read()).lines.map(({ text }) => text));
  }
  expect(tellable).toHaveBeenCalledTimes(50);
  expect(seen.at(-1)).toHaveLength(50);
  expect(seen.at(-1)?.[7]).toBe('msg="cannot open blob-7"');
  expect(JSON.stringify(seen)).not.toContain('jane');
});
