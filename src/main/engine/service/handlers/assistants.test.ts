import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TrainFrame } from '../../../../shared/api/assistants.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';
import { finished } from '../testing/runs.ts';

let room: EngineRoom;
beforeAll(() => {
  room = openEngineRoom({ name: 'assistants' });
});
afterAll(() => room.close());

const cast = { '*': { model: 'llama3.1:8b' }, embedder: { model: 'nomic-embed-text' } };

async function run(name: string, protocol: string, cases: number): Promise<string> {
  const { experiment } = await room.client.experiments.start({
    name,
    entry: 'nlsy97',
    sample: { from: 'train', n: cases },
    backend: 'standin',
    arms: [
      protocol === 'standard'
        ? { name: 'one', protocol, cast: { '*': { model: 'm' } } }
        : { name: 'debate', protocol, params: { rounds: 1, debaters: 4, concessions: false }, cast },
    ],
  });
  await finished(room.client, experiment);
  return experiment;
}

async function trained(experiment: string): Promise<TrainFrame[]> {
  const frames: TrainFrame[] = [];
  for await (const frame of await room.client.assistants.train({ experiment })) frames.push(frame);
  return frames;
}

test('an experiment without debates has nothing to train on', async () => {
  const experiment = await run('plain', 'standard', 1);
  expect(await room.client.assistants.look({ experiment })).toEqual({ trainable: false, embedder: null, versions: [] });
  expect(await failureOf(trained(experiment))).toMatchObject({
    code: 'bad-input',
    message: expect.stringContaining('no arm of protocol debate-feedback with assistant none'),
  });
});

test('too few statements are refused in a sentence, and enough of them make a version that is listed', async () => {
  const few = await run('few', 'debate-feedback', 2);
  expect((await failureOf(trained(few))).message).toContain('50 statements at least, and there are 16');
  const experiment = await run('debates', 'debate-feedback', 8);
  const frames = await trained(experiment);
  expect(frames.slice(0, -1).every(({ kind }) => kind === 'progress')).toBe(true);
  expect(frames.at(-1)).toMatchObject({
    kind: 'done',
    report: { version: 1, trained_now: true, store: 'store.db', standin: true },
  });
  const view = await room.client.assistants.look({ experiment });
  expect(view).toMatchObject({ trainable: true, embedder: 'nomic-embed-text' });
  expect(view.versions.map(({ version, experiment: from }) => [version, from])).toEqual([[1, 'debates']]);
  expect((await trained(experiment)).at(-1)).toMatchObject({ report: { version: 1, trained_now: false } });
  expect(room.kept).toEqual([]);
});
